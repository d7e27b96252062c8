import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Step } from '../../src/core/step.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { transcriptOf } from '../../src/transcript/transcript.js'
import { capitalTool, playRun, RUN_SCRIPTS } from '../support/recorded-runs.js'

const scripts = Object.entries(RUN_SCRIPTS)

/** In the last turn, which may only answer, a correction is kept with the step and told to nobody. */
function asTold({ nudge, ...step }: Step, events: readonly AgentEvent[]): Step {
  const told = events.some(event => event.type === 'nudge' && event.text === nudge)
  return nudge !== undefined && told ? { ...step, nudge } : step
}

describe('a transcript', () => {
  test.each(scripts)('of %s has the steps and the result that the run gave', async (_, script) => {
    const { events, result } = await playRun(script)
    const transcript = transcriptOf(events)
    if (result) expect(transcript.result).toEqual({ ...result, steps: result.steps.map(step => asTold(step, events)) })
    expect(transcript.pending).toBeUndefined()
    expect(transcript.result?.stop).toBeDefined()
    expect(transcript.error !== undefined).toBe(result === undefined)
  })

  test.each(scripts)(
    'of %s, broken off after any event, tells what was under way and nothing that did not happen',
    async (_, script) => {
      const { events } = await playRun(script)
      for (let count = 1; count < events.length; count++) {
        const transcript = transcriptOf(events.slice(0, count))
        const begun = events.slice(0, count).filter(({ type }) => type === 'call_start').length
        const ended = events.slice(0, count).filter(({ type }) => type === 'call_end').length
        expect(transcript.result).toBeUndefined()
        expect(transcript.pending?.begun.length ?? 0).toBe(begun - ended)
        const last = events[count - 1]
        if (last?.type === 'reply_start') expect(transcript.pending).toMatchObject({ asked: true, unread: false })
        if (last?.type === 'reply_end') expect(transcript.pending).toMatchObject({ asked: false, unread: true })
        if (last?.type === 'step_end') expect(transcript.pending).toBeUndefined()
      }
    },
  )

  test('holds each prompt as it was sent', async () => {
    const model = scriptedModel(RUN_SCRIPTS['odd replies']?.replies ?? [])
    const events: AgentEvent[] = []
    await new ToolCallAgent({ model, tools: [capitalTool()] }).run('What is it?', { onEvent: event => events.push(event) })
    const { prompts } = transcriptOf(events)
    expect(prompts.map(({ step: _, attempt: __, ...prompt }) => prompt)).toEqual(model.prompts)
  })

  test('says for a turn how its reply came in, which tools changed, and what was approved', () => {
    const at = { step: 1, attempt: 1 }
    const call = { id: '1', tool: 'mail', input: { to: 'a' } }
    const other = { ...call, input: { to: 'b' } }
    const observation = { tool: 'mail', text: 'sent', truncated: 0, ms: 1 }
    const tools = [{ name: 'mail', description: '', parameters: {} }]
    const parsed = { thought: null, decision: { kind: 'act', calls: [call] }, problems: [], kept: [0, 5] } as const
    const { turns, steps } = transcriptOf([
      { type: 'run_start', run: 'r', agent: 'a', task: 't', model: 'm', dialect: 'react', tools: [], options: {} },
      { type: 'step_start', step: 1, situation: 'a page' },
      { type: 'tools', tools },
      { type: 'prompt', keep: 0, add: [], opener: '', taskBreak: '', stop: [], textStop: [], ...at },
      { type: 'reply_end', reply: { text: 'abcde', finish: 'stop' }, cuts: [2, 4], ms: 7, ...at },
      { type: 'parsed', parsed, ...at },
      { type: 'approval', call: other, verdict: 'changed', reason: 'safer', ...at },
      { type: 'call_start', call: other, ...at },
      { type: 'call_end', call: other, observation, ...at },
      { type: 'step_end', step: 1 },
    ])
    expect(turns).toMatchObject([
      {
        situation: 'a page',
        tools,
        cuts: [2, 4],
        ms: 7,
        calls: [{ call: other, begun: true, approval: { verdict: 'changed', reason: 'safer' }, observation }],
      },
    ])
    expect(steps).toMatchObject([{ index: 1, attempt: 1, situation: 'a page', observations: [observation] }])
  })

  test('of events that do not begin a run is refused', () => {
    expect(() => transcriptOf([{ type: 'step_end', step: 1 }])).toThrow(/run_start/)
  })
})
