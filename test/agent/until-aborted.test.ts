import { expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { Model, ModelChunk } from '../../src/core/model.js'
import { call } from '../support/agents.js'

const modelOf = (stream: () => unknown) => ({ name: 'odd', stream }) as unknown as Model
const run = (stream: () => unknown, deadlineMs: number) => new ToolCallAgent({ model: modelOf(stream), deadlineMs }).run('q')

test.each<ModelChunk>([
  { kind: 'text', text: '' },
  { kind: 'reasoning', text: '' },
  { kind: 'notice', code: 'X', message: 'x' },
])('a model that gives %j for ever, without a pause, is held to the deadline', async chunk => {
  const { stop } = await run(async function* () {
    for (;;) yield chunk
  }, 200)
  expect(stop).toBe('budget')
})

test.each([
  [
    'throws',
    () => {
      throw new Error('x')
    },
  ],
  ['rejects', () => Promise.reject(new Error('x'))],
  ['never ends', () => new Promise(() => {})],
])('what the closing of a stream does changes nothing: it %s', async (_, close) => {
  const text = `${call('a')}\nObservation: x\n`
  const stream = () => ({
    [Symbol.asyncIterator]: () => ({ next: async () => ({ value: { kind: 'text', text }, done: false }), return: close }),
  })
  const agent = new ToolCallAgent({ model: modelOf(stream), maxSteps: 1, onMaxSteps: 'return' })
  const { stop, steps } = await agent.run('q')
  expect([stop, steps.length]).toEqual(['max_steps', 1])
})

test.each([null, 'Final Answer: 42', {}, { kind: 'text' }, { kind: 'text', text: 42 }])(
  'a model that gives %j as a part of its reply is no model, and that is said',
  async chunk => {
    const given = run(async function* () {
      yield chunk
    }, 1000)
    await expect(given).rejects.toMatchObject({ code: 'CONFIG', message: 'the model odd gave what is no part of a reply' })
  },
)

test.each([undefined, [{ kind: 'end', finish: 'stop' }], Promise.resolve()])(
  'a model whose stream is %j is no model, and that is said',
  async stream => {
    const given = new ToolCallAgent({ model: modelOf(() => stream) }).run('q')
    await expect(given).rejects.toMatchObject({ code: 'CONFIG', message: 'the stream of the model odd cannot be read' })
  },
)

test.each([Number.NaN, -5000, 'many'])('a count of %s tokens is none: the budget is kept by a guess', async tokens => {
  const usage = { promptTokens: tokens, completionTokens: tokens }
  const model = modelOf(async function* () {
    yield { kind: 'text', text: 'Thought: on it' }
    yield { kind: 'end', finish: 'stop', usage }
  })
  const { stop, message, usage: used } = await new ToolCallAgent({ model, maxRunTokens: 10 }).run('q')
  expect([stop, used.promptTokens]).toEqual(['budget', 0])
  expect(message).toMatch(/\(\d+ used/)
})
