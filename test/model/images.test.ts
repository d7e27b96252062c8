// What an endpoint is sent of a prompt that shows images, and what happens where it takes none.
import { afterEach, describe, expect, test } from 'vitest'
import type { Prompt } from '../../src/core/message.js'
import { openaiModel } from '../../src/model/openai.js'
import { collectReply } from '../support/collect.js'
import { answering, type EndpointOptions, startEndpoint, type TestEndpoint } from '../support/endpoint.js'
import { image, JPEG, PNG } from '../support/images.js'
import { prompt } from './prompt.js'

const SHOWING: Prompt = { ...prompt, images: [image(JPEG), image(PNG)] }

let endpoint: TestEndpoint | undefined
afterEach(() => endpoint?.close())

/** The bodies of the requests, and the notices. */
async function asked(given: Prompt, options: EndpointOptions & { readonly api?: 'chat' | 'completions' }, times = 1) {
  endpoint = await startEndpoint(options)
  const model = openaiModel({
    model: 'stub',
    baseURL: endpoint.url,
    pause: async () => {},
    ...(options.api ? { api: options.api } : {}),
  })
  const notices: string[] = []
  for (let time = 0; time < times; time++)
    await collectReply(model.stream(given), { onChunk: chunk => chunk.kind === 'notice' && notices.push(chunk.code) })
  return { bodies: endpoint.asked.map(({ body }) => body), notices }
}

describe('a prompt with images', () => {
  test('is sent to a chat endpoint with them behind the text of its last turn', async () => {
    const { bodies, notices } = await asked(SHOWING, {})
    expect(bodies[0]?.messages).toEqual([
      { role: 'system', content: 'You are precise.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Is Oslo colder than Rome?' },
          { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${JPEG}` } },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
        ],
      },
    ])
    expect(notices).toEqual([])
  })

  test('is sent as text alone to a completions endpoint, which is said once', async () => {
    const { bodies, notices } = await asked(SHOWING, { api: 'completions' }, 2)
    expect(bodies.map(body => body.prompt)).toEqual([prompt.text, prompt.text])
    expect(JSON.stringify(bodies)).not.toContain('base64')
    expect(notices).toEqual(['IMAGES_LEFT_OUT'])
  })

  test.each([
    [400, 'Invalid content type. image_url is only supported by certain models.'],
    [400, 'This model does not support image inputs'],
    [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
    [422, 'messages[1].content: Input should be a valid string'],
    [404, 'No endpoints found that support image input'],
    [400, "At most 0 image(s) may be provided in one request; unsupported content part 'image_url'"],
  ])('is asked without them after %i %s, and never with them again', async (status, message) => {
    const body = JSON.stringify({ error: { message } })
    const { bodies, notices } = await asked(SHOWING, { moods: [answering(status, body), 'good'] }, 2)
    expect(bodies.map(each => JSON.stringify(each.messages).includes('base64'))).toEqual([true, false, false])
    expect(notices).toEqual(['IMAGES_LEFT_OUT'])
  })

  test('is refused as ever for what has nothing to do with images', async () => {
    const refused = asked(SHOWING, { moods: [answering(400, JSON.stringify({ error: { message: 'the moon is full' } }))] })
    await expect(refused).rejects.toMatchObject({ code: 'MODEL_REFUSED' })
  })
})

test('a prompt without images never has parts', async () => {
  const { bodies } = await asked({ ...prompt, images: [] }, {})
  expect(bodies[0]?.messages).toEqual(prompt.messages.map(({ role, text }) => ({ role, content: text })))
})
