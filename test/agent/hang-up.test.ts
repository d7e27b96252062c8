// A model that ignores its stop strings and goes on for ever: it is hung up on as soon as its reply is decided.
import { describe, expect, it } from 'vitest'
import { askModel } from '../../src/agent/ask-model.js'
import type { Prompt } from '../../src/core/message.js'
import type { Model, ModelChunk } from '../../src/core/model.js'
import { DIALECTS } from '../../src/dialect/index.js'

const prompt: Prompt = { messages: [], text: '', opener: '', taskBreak: '', stop: [], textStop: [] }
const tools = [
  {
    name: 'search',
    description: '',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
]
const react = DIALECTS.get('react') as NonNullable<ReturnType<typeof DIALECTS.get>>

/** Speaks `reply` once and then goes on with `further`, without an end. Tells how much was taken of it. */
function endless(reply: string, further: string, size: number) {
  const taken = { length: 0, closed: false }
  const model: Model = {
    name: 'endless',
    async *stream(): AsyncGenerator<ModelChunk> {
      try {
        for (let at = 0, text = reply; ; at += size) {
          while (at + size > text.length) text += further
          taken.length = at + size
          yield { kind: 'text', text: text.slice(at, at + size) }
        }
      } finally {
        taken.closed = true
      }
    },
  }
  return { model, taken }
}

async function ask(model: Model, dialect = react) {
  const ignore = () => undefined
  const options = { dialect, labels: 'en', tools, signal: new AbortController().signal, onDelta: ignore, onNotice: ignore }
  return askModel(prompt, { model, ...options })
}

/** Numbers that never come again. */
const words = (count: number) => Array.from({ length: count }, (_, i) => ` ${i * i}`).join('')

const CALL = 'Thought: Look.\nAction: search\nAction Input: {"query": "cats"}'
const OBSERVATION = '\nObservation:'
const MORE = ' Cats are small.\nThought: more\nAction: search\nAction Input: {"query": "dogs"}\nObservation:'

describe('a model that ignores its stop strings', () => {
  it.each([1, 4, 5, 64])('costs at most one chunk of %i more than one that heeds them', async size => {
    const { model, taken } = endless(`${CALL}${OBSERVATION}`, MORE, size)
    const { parsed, reply } = await ask(model)
    expect(parsed.decision).toMatchObject({ kind: 'act', calls: [{ tool: 'search', input: { query: 'cats' } }] })
    expect(reply.finish).toBe('stop')
    expect(taken.closed).toBe(true)
    expect(taken.length).toBeLessThanOrEqual(CALL.length + OBSERVATION.length + size)
  })

  it('is hung up on after an answer, when it goes on with a turn of its own', async () => {
    const answer = 'Final Answer: 42'
    const { model, taken } = endless(answer, '\nQuestion: And now?\nThought: hm\nFinal Answer: 43', 4)
    const { parsed } = await ask(model)
    expect(parsed.decision).toEqual({ kind: 'answer', text: '42' })
    expect(taken.length).toBeLessThan(answer.length + '\nQuestion: And now?\nThought: hm'.length)
  })

  it('is hung up on at the longest reply that is read', async () => {
    const { model, taken } = endless('Final Answer: so', words(10_000), 4096)
    const { parsed } = await ask(model)
    expect(parsed.decision).toMatchObject({ kind: 'unclear', problem: { code: 'TRUNCATED' } })
    expect(taken.length).toBeLessThanOrEqual(1024 * 1024 + 4096)
    expect(taken.closed).toBe(true)
  })
})
