// Images that tools and the world of an agent show: who gets them, for how long, and what a record keeps of them.
import { describe, expect, test } from 'vitest'
import type { ActiveRun } from '../../src/agent/active-run.js'
import type { Looked } from '../../src/agent/run-options.js'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../../src/agent/tool-call-options.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Image } from '../../src/core/image.js'
import { TokenMeter } from '../../src/memory/tokens.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { tool } from '../../src/tools/define.js'
import { WithImages } from '../../src/tools/with-images.js'
import { createMask } from '../../src/transcript/secrets.js'
import { fixtureOf } from '../../src/transcript/to-fixture.js'
import { transcriptOf } from '../../src/transcript/transcript.js'
import { image, JPEG, PNG, WEBP } from '../support/images.js'

const CHART = image(PNG, 'a chart')
const chart = tool({
  name: 'chart',
  description: 'Draws.',
  run: () => new WithImages({ drawn: 'a chart of three bars' }, [CHART]),
})

const CALL = 'Action: chart\nAction Input: {}'

async function played(replies: readonly string[], options: Partial<ToolCallAgentOptions>, Agent = ToolCallAgent) {
  const model = scriptedModel([...replies])
  const events: AgentEvent[] = []
  const result = await new Agent({ model, tools: [chart], ...options }).run('Draw.', { onEvent: event => events.push(event) })
  return { shown: model.prompts.map(({ images }) => images?.map(({ alt }) => alt)), prompts: model.prompts, events, result }
}

describe('an image that a tool shows', () => {
  test('reaches no model that was not said to see, and no record', async () => {
    const { shown, events, result } = await played([CALL, 'Final Answer: ok'], {})
    expect(shown).toEqual([undefined, undefined])
    expect(result.steps[0]?.observations[0]).toEqual(
      expect.objectContaining({ text: '{"drawn":"a chart of three bars"}', data: { drawn: 'a chart of three bars' } }),
    )
    expect(JSON.stringify([events, result])).not.toContain(PNG)
  })

  test('is shown with the next prompt alone; its words stay', async () => {
    const clock = tool({ name: 'clock', description: 'x', run: () => '12:00' })
    const { shown, prompts } = await played([CALL, 'Action: clock\nAction Input: {}', 'Final Answer: ok'], {
      vision: true,
      tools: [chart, clock],
    })
    expect(shown).toEqual([undefined, ['a chart'], undefined])
    expect(prompts[2]?.text).toContain('a chart of three bars')
  })

  test('stays while a reply that could not be read is asked for again', async () => {
    const { shown } = await played([CALL, '', 'Final Answer: ok'], { vision: true })
    expect(shown).toEqual([undefined, ['a chart'], ['a chart']])
  })

  test('is told once by its hash, however often it is shown', async () => {
    const { events } = await played([CALL, CALL, 'Final Answer: ok'], { vision: true })
    const told = events.filter(event => event.type === 'image')
    expect(told).toEqual([{ type: 'image', id: expect.stringMatching(/^[0-9a-f]{64}$/), ...CHART }])
    const named = events.flatMap(event => ('images' in event && event.images ? [[event.type, ...event.images]] : []))
    const id = told[0]?.id
    expect(named).toEqual([
      ['call_end', id],
      ['prompt', id],
      ['call_end', id],
      ['prompt', id],
    ])
    expect(JSON.stringify(events).split(PNG)).toHaveLength(2)
  })

  test('stands in the transcript where it was shown', async () => {
    const { events } = await played([CALL, 'Final Answer: ok'], { vision: true })
    const { steps, prompts } = transcriptOf(events)
    expect([steps[0]?.observations[0]?.images, prompts.map(({ images }) => images)]).toEqual([[CHART], [undefined, [CHART]]])
  })

  test('stands in a fixture by its hash alone, and is not needed to play it', async () => {
    const { events } = await played([CALL, 'Final Answer: ok'], { vision: true })
    const fixture = fixtureOf([transcriptOf(events)])
    const id = events.find(event => event.type === 'image')?.id
    expect(fixture.turns[0]?.steps.map(({ meta }) => meta?.images)).toEqual([undefined, [id]])
    expect(JSON.stringify(fixture)).not.toContain(PNG)
    expect(fixture.turns[0]?.steps[0]?.tool).toEqual(expect.objectContaining({ json: true }))
  })

  test('is there again in a run that goes on', async () => {
    const { events } = await played([CALL, 'Final Answer: ok'], { vision: true })
    const cut = events.slice(0, events.findIndex(({ type }) => type === 'call_end') + 1)
    const model = scriptedModel(['Final Answer: ok'])
    const more: AgentEvent[] = []
    await new ToolCallAgent({ model, tools: [chart], vision: true }).run(undefined, {
      resume: cut,
      onEvent: event => more.push(event),
    })
    expect(model.prompts.map(({ images }) => images)).toEqual([[CHART]])
    expect(more.filter(({ type }) => type === 'image')).toEqual([])
  })

  test.each([
    ['no image', [{ mime: 'image/png', base64: 'aGVsbG8=', alt: 'x' }]],
    ['no list', 'image'],
    ['nothing', [null]],
  ])('is left out when it is %s', async (_, images) => {
    const odd = tool({ name: 'chart', description: 'x', run: () => new WithImages('drawn', images as never) })
    const { shown, result } = await played([CALL, 'Final Answer: ok'], { vision: true, tools: [odd] })
    expect([shown, result.steps[0]?.observations[0]?.text]).toEqual([[undefined, undefined], 'drawn'])
  })

  test('is masked in its words, and nowhere in its bytes', () => {
    const bytes = `${PNG}sk-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKL`
    const mask = createMask({ KEY: 'correct-horse' })
    expect(mask({ type: 'image', id: 'i', mime: 'image/png', base64: bytes, alt: 'correct-horse' })).toEqual({
      type: 'image',
      id: 'i',
      mime: 'image/png',
      base64: bytes,
      alt: '[secret KEY]',
    })
  })
})

describe('an image of the world', () => {
  class Window extends ToolCallAgent {
    protected override async beforeStep({ step }: ActiveRun): Promise<Looked> {
      return {
        kind: 'situation',
        text: `The view of step ${step}.`,
        images: [image([JPEG, WEBP][step % 2] ?? PNG, `view ${step}`)],
      }
    }
  }

  test('is shown before its step, behind those of the newest results, and not after it', async () => {
    const { shown, result } = await played([CALL, 'Final Answer: ok'], { vision: true }, Window)
    expect(shown).toEqual([['view 1'], ['a chart', 'view 2']])
    expect(result.steps.map(({ situation }) => situation)).toEqual(['The view of step 1.', 'The view of step 2.'])
  })

  test('is not shown where nobody said that the model sees', async () => {
    const { shown, events } = await played([CALL, 'Final Answer: ok'], {}, Window)
    expect([shown, events.filter(({ type }) => type === 'image')]).toEqual([[undefined, undefined], []])
  })
})

test('an image counts in the estimate of a prompt', () => {
  const ofPrompt = (images: readonly Image[]) => new TokenMeter().ofPrompt({ text: 'x', images })
  expect(ofPrompt([CHART, CHART]) - ofPrompt([])).toBeGreaterThan(2_000)
})
