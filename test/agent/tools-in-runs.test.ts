// What becomes of a run when a tool, or a call of it, goes wrong: never more than that call.
import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../../src/agent/tool-call-options.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Tool } from '../../src/core/tool.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { tool } from '../../src/tools/define.js'

const ANSWER = 'Final Answer: done'
const call = (name: string, input: object = {}) => `Action: ${name}\nAction Input: ${JSON.stringify(input)}`
const simple = (name: string, run: Tool['run'] | (() => unknown), more: Partial<Tool> = {}) =>
  tool({ name, description: '', ...more, run: (input, context) => run(input as never, context) })

async function play(replies: readonly string[], tools: readonly Tool[], more: Partial<ToolCallAgentOptions> = {}) {
  const model = scriptedModel(replies)
  const events: AgentEvent[] = []
  const agent = new ToolCallAgent({ model, tools, examples: [], ...more })
  const result = await agent.run('x', { onEvent: event => events.push(event) })
  const observations = result.steps.flatMap(step => step.observations)
  return { result, observations, events, agent, model, texts: observations.map(({ text }) => text) }
}

describe('a tool that fails', () => {
  test('is told with its message, and the model goes on', async () => {
    const fetching = simple('fetch', () => {
      throw new Error('401 from upstream')
    })
    const { result, texts } = await play([call('fetch'), ANSWER], [fetching])
    expect(texts).toEqual(['fetch failed: 401 from upstream'])
    expect(result.answer).toBe('done')
  })

  test('leaves the others of its reply alone, each in its place', async () => {
    const bad = simple('bad', () => Promise.reject(new Error('x')))
    for (const parallel of [false, true]) {
      const { texts } = await play([`${call('bad')}\n${call('five')}`, ANSWER], [bad, simple('five', () => 5)], { parallel })
      expect(texts).toEqual(['bad failed: x', '5'])
    }
  })

  test('that never settles is stopped in its time, told once, and the next run of the agent is sound', async () => {
    let aborted = 0
    const hang = simple('hang', (_: never, { signal }) => new Promise(() => signal.addEventListener('abort', () => aborted++)), {
      timeoutMs: 10,
    })
    const { observations, events, agent } = await play([call('hang'), ANSWER, 'Final Answer: again'], [hang])
    expect(observations.map(({ failure }) => failure?.code)).toEqual(['timeout'])
    expect(aborted).toBe(1)
    expect(events.filter(({ type }) => type === 'call_start' || type === 'call_end')).toHaveLength(2)
    expect((await agent.run('y')).answer).toBe('again')
  })

  test('is called again when the model calls it again: no result and no error is kept', async () => {
    let state = 'refused'
    const write = simple('write', () => {
      if (state === 'refused') throw new Error('read the file first')
      return 'written'
    })
    const read = simple('read', () => {
      state = 'read'
      return 'text'
    })
    const { texts } = await play([call('write'), call('read'), call('write'), ANSWER], [write, read])
    expect(texts).toEqual(['write failed: read the file first', 'text', 'written'])
  })

  test('is tried once for each call, even when it says that trying again does no harm', async () => {
    let tries = 0
    const flaky = simple(
      'flaky',
      () => {
        tries++
        throw new Error('busy')
      },
      { idempotent: true },
    )
    await play([call('flaky'), ANSWER], [flaky])
    expect(tries).toBe(1)
  })
})

test('the same call twice runs twice, and each has its own result', async () => {
  let price = 0
  const sent: unknown[] = []
  const tools = [simple('price', () => ++price), simple('send', () => sent.push('mail'))]
  const { texts } = await play([`${call('price')}\n${call('send')}`, `${call('price')}\n${call('send')}`, ANSWER], tools)
  expect(texts).toEqual(['1', '1', '2', '2'])
})

test('of several observations each names its tool, in the order of the calls, however long each took', async () => {
  const slow = simple('slow', () => new Promise(resolve => setTimeout(resolve, 20, 'late')))
  const denied = simple('denied', () => 'never', { confirm: true })
  const reply = ['slow', 'denied', 'fast'].map(name => call(name)).join('\n')
  const { model } = await play([reply, ANSWER], [slow, denied, simple('fast', () => 'soon')], { parallel: true })
  expect(model.prompts[1]?.messages.at(-1)?.text).toBe(
    'Observation: [slow] late\nObservation: [denied] The call of denied was not allowed.\nObservation: [fast] soon',
  )
})

test('an input that cannot be read is told field by field, nothing is called, and the model has another turn', async () => {
  const called: unknown[] = []
  const fetching = tool({
    name: 'fetch',
    description: '',
    input: {
      type: 'object',
      properties: { url: { type: 'string' }, max_length: { type: 'integer' } },
      required: ['url', 'max_length'],
    },
    run: input => called.push(input),
  })
  const replies = ['Action: fetch\nAction Input: the page please, all of it', call('fetch', { url: 'u', max_length: 5 }), ANSWER]
  const { result } = await play(replies, [fetching])
  expect(called).toEqual([{ url: 'u', max_length: 5 }])
  expect(result.answer).toBe('done')
})

test('a text too long for the context is cut before it stands in a prompt, with how much is missing', async () => {
  const log = simple('log', () => `begin ${'x'.repeat(2_000_000)} end`)
  const { model, observations } = await play([call('log'), ANSWER], [log], { maxObserve: 1000 })
  expect(model.prompts[1]?.text.length).toBeLessThan(10_000)
  expect(observations[0]?.text).toMatch(/^begin x+\n\[… 1999010 of 2000010 characters left out …\]\nx+ end$/)
})

test.each([
  ['maxCallsPerStep', { maxCallsPerStep: 1 }, ['1', 'limited', '2', 'limited']],
  ['maxCallsPerRun', { maxCallsPerRun: 1 }, ['1', 'limited', 'limited', 'limited']],
])('%s holds for the calls of one reply, and other tools go on', async (_, limit, wanted) => {
  let count = 0
  const tools = [simple('limited', () => ++count, limit), simple('free', () => 'free')]
  const reply = `${call('limited')}\n${call('limited')}\n${call('free')}`
  const { observations } = await play([reply, reply, ANSWER], tools)
  const told = observations.map(({ failure, text }) => failure?.code ?? text)
  expect(told.filter((__, at) => at % 3 !== 2)).toEqual(wanted)
  expect(told.filter((__, at) => at % 3 === 2)).toEqual(['free', 'free'])
})

test('an exclusive tool runs alone where the others run side by side', async () => {
  const log: string[] = []
  const logging = (name: string, more: Partial<Tool> = {}) =>
    simple(
      name,
      async () => {
        log.push(`+${name}`)
        await new Promise(resolve => setTimeout(resolve, 5))
        log.push(`-${name}`)
      },
      more,
    )
  const tools = [logging('a'), logging('b'), logging('alone', { exclusive: true })]
  await play([['a', 'b', 'alone', 'a', 'b'].map(name => call(name)).join('\n'), ANSWER], tools, { parallel: true })
  expect(log).toEqual(['+a', '+b', '-a', '-b', '+alone', '-alone', '+a', '+b', '-a', '-b'])
})

test('a function that takes and gives anything is a tool, and the loop knows nothing of it', async () => {
  const { texts } = await play([call('anything'), ANSWER], [simple('anything', () => ({ zero: 0, no: false, none: [] }))])
  expect(texts).toEqual(['{"zero":0,"no":false,"none":[]}'])
})
