import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import { SaydoError } from '../../src/core/errors.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Model, ModelChunk } from '../../src/core/model.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { tool } from '../../src/tools/define.js'
import { unpaired } from '../support/paired-events.js'

const CALL = 'Thought: I need the capital.\nAction: capital\nAction Input: {"country": "Veltria"}'
const ANSWER = 'Thought: I know it now.\nFinal Answer: Ostrava Bay'

function capitalTool(run: () => unknown = () => 'Ostrava Bay') {
  return tool({
    name: 'capital',
    description: 'Capital of a country.',
    input: { type: 'object', properties: { country: { type: 'string' } } },
    run,
  })
}

const TYPES = [
  'run_start',
  'state',
  'step_start',
  'prompt',
  'reply_start',
  'delta',
  'reply_end',
  'parsed',
  'call_start',
  'call_end',
  'step_end',
  'run_end',
] as const

describe('starts and ends stay paired', () => {
  test.each(TYPES)('when a listener throws at %s: the run rejects with it, and the agent runs again', async type => {
    const agent = new ToolCallAgent({
      model: scriptedModel([CALL, ANSWER, ANSWER, ANSWER], { chunk: 7 }),
      tools: [capitalTool()],
    })
    const events: AgentEvent[] = []
    const fault = new Error('the listener broke')
    const onEvent = (event: AgentEvent) => {
      events.push(event)
      if (event.type === type) throw fault
    }
    await expect(agent.run('x', { onEvent })).rejects.toBe(fault)
    expect(unpaired(events)).toEqual([])
    expect(events.at(-1)?.type).toBe('run_end')
    expect((await agent.run('again')).stop).toBe('final_answer')
  })

  test.each(TYPES.filter(type => type !== 'run_end'))('when what a listener promised at %s is rejected', async type => {
    const agent = new ToolCallAgent({ model: scriptedModel([CALL, ANSWER, ANSWER]), tools: [capitalTool()] })
    const events: AgentEvent[] = []
    const fault = new Error('the disk is full')
    const onEvent = async (event: AgentEvent) => {
      events.push(event)
      if (event.type === type) throw fault
    }
    await expect(agent.run('x', { onEvent })).rejects.toBe(fault)
    expect(unpaired(events)).toEqual([])
  })

  test.each(TYPES)('when the run is aborted at %s', async type => {
    const agent = new ToolCallAgent({ model: scriptedModel([CALL, ANSWER], { chunk: 7 }), tools: [capitalTool()] })
    const abort = new AbortController()
    const events: AgentEvent[] = []
    const onEvent = (event: AgentEvent) => {
      events.push(event)
      if (event.type === type) abort.abort()
    }
    const { stop } = await agent.run('x', { onEvent, signal: abort.signal })
    expect(stop).toBe(type === 'run_end' ? 'final_answer' : 'aborted')
    expect(unpaired(events)).toEqual([])
  })

  test.each([
    ['in a step', [CALL], 30],
    ['in the last turn', [CALL], 1],
  ])('when the endpoint fails %s', async (_, before, maxSteps) => {
    const failing = { text: 'Thought: a', error: new SaydoError('MODEL_UNREACHABLE', 'nobody there') }
    const agent = new ToolCallAgent({ model: scriptedModel([...before, failing]), tools: [capitalTool()], maxSteps })
    const events: AgentEvent[] = []
    await expect(agent.run('x', { onEvent: event => events.push(event) })).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE' })
    expect(unpaired(events)).toEqual([])
  })
})

describe('an agent that is busy', () => {
  test('refuses a run that a listener starts at the very first event', async () => {
    const agent = new ToolCallAgent({ model: scriptedModel([ANSWER, ANSWER]) })
    let second: Promise<unknown> = Promise.resolve()
    const onEvent = ({ type }: AgentEvent) => {
      if (type === 'run_start') second = agent.run('second').catch(error => error)
    }
    await agent.run('first', { onEvent })
    expect(await second).toMatchObject({ code: 'STATE' })
  })

  test('tells a tool of its own that calls it so, and goes on', async () => {
    const agents: ToolCallAgent[] = []
    const agent = new ToolCallAgent({
      model: scriptedModel([CALL, ANSWER]),
      tools: [capitalTool(() => agents[0]?.run('again'))],
    })
    agents.push(agent)
    const { stop, steps } = await agent.run('x')
    expect(stop).toBe('final_answer')
    expect(steps[0]?.observations[0]?.text).toContain('running already')
  })

  test('is free as soon as the loop over its events was left', async () => {
    const agent = new ToolCallAgent({
      model: scriptedModel([CALL, ANSWER]),
      tools: [capitalTool(() => new Promise(() => {}))],
    })
    for await (const event of agent.stream('x')) if (event.type === 'call_start') break
    expect((await agent.run('again')).stop).toBe('final_answer')
  })
})

describe('a model of the user', () => {
  function modelOf(stream: () => AsyncIterable<ModelChunk>): Model {
    return { name: 'own', stream }
  }

  test('that is deaf to the signal cannot keep an aborted run', async () => {
    const deaf = modelOf(() => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }))
    const abort = new AbortController()
    const running = new ToolCallAgent({ model: deaf }).run('x', {
      signal: abort.signal,
      onEvent: ({ type }) => void (type === 'reply_start' && setTimeout(() => abort.abort(), 1)),
    })
    expect((await running).stop).toBe('aborted')
  })

  test('whose stream ends without an end is asked again, and half a reply is no answer', async () => {
    let asked = 0
    const broken = modelOf(async function* () {
      asked += 1
      yield { kind: 'text', text: 'Final Answer: 4' }
    })
    await expect(new ToolCallAgent({ model: broken }).run('x')).rejects.toMatchObject({ code: 'MODEL_BROKEN_STREAM' })
    expect(asked).toBe(3)
  })
})

describe('a prompt that is too long', () => {
  const tooLong = { text: '', error: new SaydoError('MODEL_CONTEXT', 'too long', { hint: 'a larger context is needed' }) }
  const steps = (count: number) => Array.from({ length: count }, (_, i) => `Action: capital\nAction Input: {"country": "${i}"}`)

  test('is trimmed until it fits', async () => {
    const model = scriptedModel([...steps(5), tooLong, tooLong, ANSWER])
    const agent = new ToolCallAgent({ model, tools: [capitalTool()] })
    const notices: string[] = []
    const onEvent = (event: AgentEvent) => void (event.type === 'notice' && notices.push(event.code))
    expect((await agent.run('x', { onEvent })).stop).toBe('final_answer')
    expect(notices).toEqual(['CONTEXT_TRIMMED', 'CONTEXT_TRIMMED'])
    expect(model.prompts.at(-1)?.text).not.toContain('"country": "3"')
  })

  test('although nothing is left to trim ends the run as context, with the steps so far', async () => {
    const agent = new ToolCallAgent({ model: scriptedModel([...steps(1), tooLong]), tools: [capitalTool()] })
    const result = await agent.run('x')
    expect(result).toMatchObject({ stop: 'context', message: 'a larger context is needed' })
    expect(result.steps).toHaveLength(1)
  })

  test('from the start is an error', async () => {
    await expect(new ToolCallAgent({ model: scriptedModel([tooLong]) }).run('x')).rejects.toMatchObject({ code: 'MODEL_CONTEXT' })
  })
})
