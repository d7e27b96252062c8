// What is said about a call before it is made, and how a tool ends a run: each way, with what the model reads and what the events tell.
import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../../src/agent/tool-call-options.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Approval, Tool } from '../../src/core/tool.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { tool } from '../../src/tools/define.js'

const INPUT = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const CALL = 'Action: remove\nAction Input: {"path": "a"}'
const ANSWER = 'Final Answer: done'

function removing(removed: unknown[], more: Partial<Tool> = {}): Tool {
  return tool({
    name: 'remove',
    description: 'Removes a file.',
    confirm: true,
    ...more,
    input: INPUT,
    run: ({ path }) => {
      removed.push(path)
      return 'removed'
    },
  })
}

type Play = Omit<Partial<ToolCallAgentOptions>, 'model' | 'confirm'> & { readonly replies?: readonly string[] }

async function play(confirm: ToolCallAgentOptions['confirm'], { replies = [CALL, ANSWER], ...more }: Play = {}) {
  const removed: unknown[] = []
  const events: AgentEvent[] = []
  const model = scriptedModel(replies)
  const agent = new ToolCallAgent({
    model,
    tools: [removing(removed)],
    examples: [],
    ...more,
    ...(confirm === undefined ? {} : { confirm }),
  })
  const result = await agent.run('x', { onEvent: event => events.push(event) })
  const told = events
    .filter(({ type }) => ['approval', 'call_start', 'call_end', 'observation'].includes(type))
    .map(event => (event.type === 'approval' ? `approval ${event.verdict}` : event.type))
  const approvals = events.filter(event => event.type === 'approval')
  return { result, removed, events, told, approvals, observation: result.steps[0]?.observations[0], prompts: model.prompts }
}

describe('what is said about a call', () => {
  test('yes makes it', async () => {
    const { removed, told, result } = await play(() => true)
    expect(removed).toEqual(['a'])
    expect(told).toEqual(['approval allowed', 'call_start', 'call_end'])
    expect(result.stop).toBe('final_answer')
  })

  test.each<[string, () => unknown, string, string | undefined]>([
    ['no', () => false, 'The call of remove was not allowed.', undefined],
    ['a reason', () => 'not today', 'The call of remove was not allowed: not today', 'not today'],
    ['an empty reason', () => ' ', 'The call of remove was not allowed.', undefined],
    ['nonsense', () => 1, 'The call of remove was not allowed.', 'what was said is no approval'],
    [
      'two things at once',
      () => ({ input: {}, stop: 'x' }),
      'The call of remove was not allowed.',
      'what was said is no approval',
    ],
    ['an unknown thing', () => ({ allow: true }), 'The call of remove was not allowed.', 'what was said is no approval'],
    [
      'an input with a key that no input has',
      () => ({ input: JSON.parse('{"path": "b", "__proto__": {}}') }),
      'The call of remove was not allowed.',
      'what was said is no approval',
    ],
    [
      'an input that does not fit',
      () => ({ input: { path: 3 } }),
      'The call of remove was not allowed.',
      'the input given in its place does not fit: /path: must be string, got 3',
    ],
    [
      'an exception',
      () => {
        throw new Error('no terminal')
      },
      'The call of remove was not allowed.',
      'no terminal',
    ],
  ])('%s denies it, and the run goes on', async (_, say, text, reason) => {
    const { removed, told, approvals, observation, result } = await play(say as () => Approval)
    expect(removed).toEqual([])
    expect(told).toEqual(['approval denied', 'observation'])
    expect(approvals[0]?.reason).toBe(reason)
    expect(observation).toMatchObject({ text, failure: { code: 'denied' } })
    expect(result.stop).toBe('final_answer')
  })

  test('nobody to ask denies it, and no event says that somebody was asked', async () => {
    const { removed, told, observation } = await play(undefined)
    expect(removed).toEqual([])
    expect(told).toEqual(['observation'])
    expect(observation?.failure).toEqual({
      code: 'denied',
      message: 'remove was not allowed: it must be confirmed, and nobody can be asked.',
    })
  })

  test('another input runs in place of the first, the events hold it, and the model is told', async () => {
    const { removed, told, events, observation } = await play(() => ({ input: { path: 'b' } }))
    expect(removed).toEqual(['b'])
    expect(told).toEqual(['approval changed', 'call_start', 'call_end'])
    const calls = events.flatMap(event => ('call' in event && event.call ? [event.call.input] : []))
    expect(calls).toEqual([{ path: 'b' }, { path: 'b' }, { path: 'b' }])
    expect(observation?.text).toBe('remove was called with another input: {"path":"b"}\nremoved')
  })

  test('an observation is read in place of a result, with no call made', async () => {
    const { removed, told, observation } = await play(() => ({ observation: 'It is gone already.' }))
    expect(removed).toEqual([])
    expect(told).toEqual(['approval answered', 'observation'])
    expect(observation).toEqual({ tool: 'remove', text: 'It is gone already.', truncated: 0, ms: observation?.ms })
  })

  test.each([false, true])('stop ends the run, and no other call of the reply is made (parallel: %s)', async parallel => {
    const removed: unknown[] = []
    let asked = 0
    const say = () => (++asked === 2 ? { stop: 'enough' } : true)
    const { told, result } = await play(say, { replies: [`${CALL}\n${CALL}\n${CALL}`], parallel, tools: [removing(removed)] })
    expect(result).toMatchObject({ stop: 'denied', message: 'enough' })
    expect(result.answer).toBeUndefined()
    expect(removed).toEqual(parallel ? [] : ['a'])
    const codes = result.steps[0]?.observations.map(({ failure }) => failure?.code)
    expect(codes).toEqual([parallel ? 'skipped' : undefined, 'denied', 'skipped'])
    expect(told.filter(line => line.startsWith('approval'))).toEqual(['approval allowed', 'approval stopped'])
  })

  test.each([false, true])(
    'the calls of one reply are asked about one after the other, in their order (parallel: %s)',
    async parallel => {
      const log: string[] = []
      const say = async (_: Tool, { path }: { readonly path?: unknown }) => {
        log.push(`ask ${path}`)
        await new Promise(resolve => setTimeout(resolve, 5))
        log.push(`said ${path}`)
        return true
      }
      const calls = ['a', 'b', 'c'].map(path => `Action: remove\nAction Input: {"path": "${path}"}`).join('\n')
      const { removed } = await play(say as never, { replies: [calls, ANSWER], parallel })
      expect(removed).toEqual(['a', 'b', 'c'])
      expect(log).toEqual(['ask a', 'said a', 'ask b', 'said b', 'ask c', 'said c'])
    },
  )

  test('who is asked is told which call it is, and learns of an abort', async () => {
    const abort = new AbortController()
    let seen: unknown
    const agent = new ToolCallAgent({
      model: scriptedModel([CALL]),
      tools: [removing([])],
      confirm: (_, __, { callId, signal }) =>
        new Promise(resolve => {
          signal.addEventListener('abort', () => {
            seen = callId
            resolve(true)
          })
          abort.abort()
        }),
    })
    const { stop, steps } = await agent.run('x', { signal: abort.signal })
    expect(stop).toBe('aborted')
    expect(seen).toBe('1.1')
    expect(steps[0]?.observations[0]?.failure?.code).toBe('aborted')
  })

  test('an input that a hook put in the place of the first must be confirmed like that', async () => {
    const asked: unknown[] = []
    const say = (_: Tool, input: object) => {
      asked.push(input)
      return true
    }
    const { removed, told } = await play(say, { hooks: { beforeCall: () => ({ input: { path: 'b' } }) } })
    expect(asked).toEqual([{ path: 'b' }])
    expect(removed).toEqual(['b'])
    expect(told).toEqual(['approval changed', 'approval allowed', 'call_start', 'call_end'])
    expect((await play(() => false, { hooks: { beforeCall: () => ({ input: { path: 'b' } }) } })).removed).toEqual([])
  })

  test('a condition that is answered later is waited for', async () => {
    const removed: unknown[] = []
    await play(undefined, { tools: [removing(removed, { confirm: async ({ path }) => path !== 'a' })] })
    expect(removed).toEqual(['a'])
  })
})

describe('a tool that finishes', () => {
  const finishing = (more: Partial<Tool> = {}) => removing([], { finishes: true, ...more })
  const finish = (ending: Tool['ending'], replies = [CALL, ANSWER]) =>
    play(() => true, { replies, tools: [finishing(ending === undefined ? {} : { ending })] })

  test('ends the run with its result as the answer', async () => {
    expect((await finish(undefined)).result).toMatchObject({ stop: 'final_answer', answer: 'removed' })
  })

  test('ends it with the answer that its ending gives', async () => {
    const ending: Tool['ending'] = ({ path }, { text }) => ({ success: true, answer: `${text} ${path}` })
    expect((await finish(ending)).result).toMatchObject({ stop: 'final_answer', answer: 'removed a' })
  })

  test('ends it as given up where its ending is no success', async () => {
    const { result } = await finish(() => ({ success: false, answer: 'There is no such file.' }))
    expect(result).toMatchObject({
      stop: 'gave_up',
      answer: 'There is no such file.',
      message: 'the model gave up: There is no such file.',
    })
  })

  test('lets the run go on where its ending gives nothing', async () => {
    const { result } = await finish(() => undefined)
    expect(result).toMatchObject({ stop: 'final_answer', answer: 'done' })
    expect(result.steps[0]?.observations[0]?.text).toBe('removed')
  })

  test.each<[string, Tool['ending']]>([
    [
      'throws',
      () => {
        throw new Error('not yet')
      },
    ],
    ['rejects', () => Promise.reject(new Error('not yet'))],
    ['gives no ending', () => 'not yet' as never],
  ])('whose ending %s has failed, and the run goes on', async (_, ending) => {
    const { result } = await finish(ending)
    expect(result.answer).toBe('done')
    expect(result.steps[0]?.observations[0]?.failure?.code).toBe('threw')
  })

  test('that threw does not finish', async () => {
    const bad = tool({
      name: 'remove',
      description: '',
      finishes: true,
      input: INPUT,
      run: () => {
        throw new Error('x')
      },
    })
    expect((await play(undefined, { tools: [bad] })).result.answer).toBe('done')
  })

  test('that was answered for does not finish', async () => {
    const { result } = await play(() => ({ observation: 'No need.' }), { tools: [finishing()] })
    expect(result.answer).toBe('done')
  })

  test('leaves the calls after it unmade, and they say so', async () => {
    const { result, told } = await finish(undefined, [`${CALL}\n${CALL}`])
    expect(result.steps[0]?.observations.map(({ failure }) => failure?.code)).toEqual([undefined, 'skipped'])
    expect(told).toEqual(['approval allowed', 'call_start', 'call_end', 'observation'])
  })
})

test.each([0, 1.5, '2', Number.NaN])('a concurrency of %j is refused when the agent is built', concurrency => {
  expect(() => new ToolCallAgent({ model: scriptedModel([]), concurrency: concurrency as never })).toThrow(/concurrency/)
})
