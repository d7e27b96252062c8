import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { AgentEvent } from '../../src/core/event.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { conversationIn, runsIn } from '../../src/transcript/conversation.js'
import { forkOf } from '../../src/transcript/fork.js'
import { transcriptOf } from '../../src/transcript/transcript.js'
import { answer, call, searchTool } from '../support/agents.js'

function agentWith(script: Parameters<typeof scriptedModel>[0]) {
  const model = scriptedModel(script)
  return { model, agent: new ToolCallAgent({ model, tools: [searchTool()] }) }
}

/** Runs with one agent, one behind the other; `starts` is put into each start of a run. */
async function talk(tasks: readonly string[], script: readonly string[], starts: readonly object[] = []) {
  const { model, agent } = agentWith(script)
  const events: AgentEvent[] = []
  for (const [at, task] of tasks.entries())
    await agent.run(task, {
      runId: `run-${at + 1}`,
      onEvent: event => events.push(event.type === 'run_start' ? { ...event, ...starts[at] } : event),
    })
  return { events, model, agent }
}

const TASKS = ['What is a?', 'And b?', 'And c?']
const SCRIPT = [call('a'), answer('blue'), call('b'), answer('red'), answer('green')]

const idsOf = (runs: readonly (readonly AgentEvent[])[]) => runs.map(run => transcriptOf(run).run)

describe('a record of several runs', () => {
  test('gives each of them, whole, and as a transcript the last', async () => {
    const { events } = await talk(TASKS, SCRIPT)
    expect(runsIn(events).flat()).toEqual(events)
    expect(idsOf(runsIn(events))).toEqual(['run-1', 'run-2', 'run-3'])
    expect(transcriptOf(events)).toEqual(transcriptOf(runsIn(events)[2] ?? []))
    expect(runsIn([])).toEqual([])
  })

  test.each([
    [[], ['run-1', 'run-2', 'run-3']],
    [
      [{}, {}, { after: 'run-1' }],
      ['run-1', 'run-3'],
    ],
    [
      [{}, { after: null }, {}],
      ['run-2', 'run-3'],
    ],
    [[{}, {}, { after: null }], ['run-3']],
    [[{}, {}, { after: 'a run that is not there' }], ['run-3']],
  ])('with starts %j is the conversation %j', async (starts, ids) => {
    const { events } = await talk(TASKS, SCRIPT, starts)
    expect(idsOf(conversationIn(events))).toEqual(ids)
  })

  test('is recalled by an agent, so that a further task gets the prompt that it would have got', async () => {
    const whole = await talk(TASKS, SCRIPT)
    const { events } = await talk(TASKS.slice(0, 2), SCRIPT)
    const { model, agent } = agentWith([answer('green')])
    agent.recall(events)
    await agent.run(TASKS[2])
    expect(model.prompts[0]).toEqual(whole.model.prompts.at(-1))
  })

  test('of which the last was cut short goes on there, with the earlier ones in mind', async () => {
    const { events, model } = await talk(TASKS.slice(0, 2), SCRIPT)
    const cut = events.findLastIndex(event => event.type === 'reply_start')
    const { model: later, agent } = agentWith([answer('red')])
    const told: AgentEvent[] = []
    const result = await agent.run(undefined, { resume: events.slice(0, cut), onEvent: event => told.push(event) })
    expect([result.answer, result.steps.length]).toEqual(['red', 2])
    expect(later.prompts).toEqual([model.prompts.at(-1)])
    expect(told.some(event => event.type === 'run_start')).toBe(false)
  })
})

describe('a fork', () => {
  test('asks again from its step on, and takes over what stands before it', async () => {
    const { events, model } = await talk(TASKS.slice(0, 1), SCRIPT)
    const fork = forkOf(events, { step: 2, run: 'other' })
    const { model: later, agent } = agentWith([answer('pink')])
    const result = await agent.run(undefined, { resume: fork })
    expect([result.answer, result.steps.length]).toEqual(['pink', 2])
    expect(later.prompts).toEqual([model.prompts[1]])
    expect(transcriptOf(fork)).toMatchObject({ run: 'other', forked: { run: 'run-1', step: 2 } })
  })

  test('with another reply reads that one, and calls what it says', async () => {
    const { events } = await talk(TASKS.slice(0, 1), SCRIPT)
    const { model, agent } = agentWith([answer('brown')])
    const fork = forkOf(events, { step: 1, run: 'other', reply: call('earth') })
    const result = await agent.run(undefined, { resume: fork })
    expect(result.answer).toBe('brown')
    expect(model.prompts[0]?.text).toContain('about earth')
  })

  test('of a later run in the same record goes on from what came before that run', async () => {
    const { events, model } = await talk(TASKS.slice(0, 2), SCRIPT)
    const fork = forkOf(runsIn(events)[1] ?? [], { step: 1, run: 'other', after: 'run-1' })
    const { model: later, agent } = agentWith([answer('x')])
    await agent.run(undefined, { resume: [...events, ...fork] })
    expect(later.prompts).toEqual([model.prompts[2]])
    expect(idsOf(conversationIn([...events, ...fork]))).toEqual(['run-1', 'other'])
  })

  test('of a step that is not there says which there are', async () => {
    const { events } = await talk(TASKS.slice(0, 1), SCRIPT)
    expect(() => forkOf(events, { step: 9, run: 'x' })).toThrow(
      expect.objectContaining({ code: 'CONFIG', hint: 'it has steps 1 to 2' }),
    )
    expect(() => forkOf(events, { step: 1, run: 'x', reply: '', attempt: 7 })).toThrow('no such reply of step 1')
  })
})
