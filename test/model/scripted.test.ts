import { describe, expect, it } from 'vitest'
import { SaydoError } from '../../src/core/errors.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { collectReply } from '../support/collect.js'
import { prompt } from './prompt.js'

describe('a scripted model', () => {
  it('plays one reply per call, in chunks, and keeps the prompts', async () => {
    const model = scriptedModel(
      ['one two', { text: 'x', reasoning: 'why', finish: 'length', usage: { promptTokens: 1, completionTokens: 2 } }],
      { chunk: 3 },
    )
    const texts: string[] = []
    const first = await collectReply(model.stream(prompt), { onChunk: chunk => chunk.kind === 'text' && texts.push(chunk.text) })
    expect(first).toEqual({ text: 'one two', finish: 'stop' })
    expect(texts).toEqual(['one', ' tw', 'o'])
    expect(model.left).toBe(1)
    expect(await collectReply(model.stream(prompt))).toEqual({
      text: 'x',
      reasoning: 'why',
      finish: 'length',
      usage: { promptTokens: 1, completionTokens: 2 },
    })
    expect(model.prompts).toEqual([prompt, prompt])
  })

  it('cuts nothing at stop strings', async () => {
    const text = 'Action: a\nObservation: invented'
    expect((await collectReply(scriptedModel([text]).stream(prompt))).text).toBe(text)
  })

  it('says how many replies it had and what was asked when it is exhausted', async () => {
    const model = scriptedModel([])
    const error = await collectReply(model.stream(prompt)).catch(e => e)
    expect(error).toMatchObject({ code: 'SCRIPT_EXHAUSTED' })
    expect(error.message).toContain('reply 1, but all 0 replies')
    expect(error.message).toContain('Is Oslo colder than Rome?')
    const long = await collectReply(model.stream({ ...prompt, text: 'y'.repeat(100_000) })).catch(e => e)
    expect(long.message.length).toBeLessThan(3000)
  })

  it('breaks off with the scripted error after the text', async () => {
    const error = new SaydoError('MODEL_BROKEN_STREAM', 'gone')
    const seen: string[] = []
    const reply = collectReply(scriptedModel([{ text: 'half', error }]).stream(prompt), {
      onChunk: chunk => seen.push(chunk.kind),
    })
    await expect(reply).rejects.toBe(error)
    expect(seen).toEqual(['text'])
  })

  it('stops when it is aborted', async () => {
    const abort = new AbortController()
    const reply = collectReply(scriptedModel(['abcdef'], { chunk: 1 }).stream(prompt, { signal: abort.signal }), {
      onChunk: () => abort.abort('enough'),
    })
    await expect(reply).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' })
  })

  it('refuses chunks of no characters', () => {
    expect(() => scriptedModel([], { chunk: 0 })).toThrow(expect.objectContaining({ code: 'CONFIG' }))
  })
})

describe('collecting a reply', () => {
  it('rejects a stream without an end', async () => {
    async function* endless() {
      yield { kind: 'text', text: 'half' } as const
    }
    await expect(collectReply(endless())).rejects.toMatchObject({ code: 'MODEL_BROKEN_STREAM' })
  })
})
