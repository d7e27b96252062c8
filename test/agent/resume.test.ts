import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Approval, ToolContext } from '../../src/core/tool.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { transcriptOf } from '../../src/transcript/transcript.js'
import { capitalTool, playRun, RUN_SCRIPTS, type RunScript } from '../support/recorded-runs.js'
import { goOn, withoutTimes } from '../support/resumed-runs.js'

const CALL = 'Action: capital\nAction Input: {"country": "Veltria"}'
const ANSWER = 'Final Answer: Ostrava Bay'

const eventsOf = async (script: RunScript): Promise<readonly AgentEvent[]> =>
  (await playRun(script)).events.filter(({ type }) => type !== 'delta')

const count = (events: readonly AgentEvent[], ...types: readonly AgentEvent['type'][]): number =>
  events.filter(({ type }) => types.includes(type)).length

const ABORTED = Object.entries(RUN_SCRIPTS).filter(([, { abortAt }]) => abortAt)
const WHOLE = Object.entries(RUN_SCRIPTS).filter(([name, { abortAt }]) => !abortAt && name !== 'an endpoint that fails')

describe('a run that was cut short', () => {
  test.each(WHOLE)('%s: goes on behind each event to the same end, no reply asked and no call made twice', async (_, script) => {
    const whole = await playRun(script)
    const all = await eventsOf(script)
    const before = transcriptOf(all)
    for (let length = 1; length < all.length; length++) {
      const events = all.slice(0, length)
      const { result, asked, called, calledTwice, events: together } = await goOn(script, events)
      const after = transcriptOf(together)
      expect(asked, `cut after ${length}`).toBe(
        count(together, 'reply_end', 'reply_error') - count(events, 'reply_end', 'reply_error'),
      )
      expect(called.length, `cut after ${length}`).toBe(count(together, 'call_start') - count(events, 'call_start'))
      expect(calledTwice, `cut after ${length}`).toEqual([])
      // somebody who was asked about a call of unknown outcome may say something else
      if (count(events, 'call_start') > count(events, 'call_end')) continue
      expect(withoutTimes(result), `cut after ${length}`).toEqual(withoutTimes(whole.result))
      expect(withoutTimes(after.steps), `cut after ${length}`).toEqual(withoutTimes(before.steps))
      expect(withoutTimes(after.result), `cut after ${length}`).toEqual(withoutTimes(before.result))
    }
  })

  test.each(ABORTED)('%s: goes on as if it had not been', async (_, { abortAt, ...script }) => {
    const uncut = await playRun(script)
    const { result, events } = await goOn(script, await eventsOf({ ...script, ...(abortAt ? { abortAt } : {}) }))
    const { steps, pending, result: recorded } = transcriptOf(events)
    expect(result.answer).toBe(uncut.result?.answer)
    expect(withoutTimes(steps)).toEqual(withoutTimes(uncut.result?.steps))
    expect([pending, recorded?.stop]).toEqual([undefined, 'final_answer'])
  })

  test('goes on when its endpoint had failed', async () => {
    const failed = await eventsOf(RUN_SCRIPTS['an endpoint that fails'] as RunScript)
    const { result, events } = await goOn({ replies: [CALL, 'unused', ANSWER] }, failed)
    expect(result).toMatchObject({ stop: 'final_answer', answer: 'Ostrava Bay' })
    expect(transcriptOf(events).turns.map(({ failures }) => failures.length)).toEqual([0, 0])
  })

  test('may be cut again, and again', async () => {
    const script = RUN_SCRIPTS['odd replies'] as RunScript
    let events = (await eventsOf(script)).slice(0, 3)
    for (let more = 3; transcriptOf(events).result === undefined; more += 3) {
      const { events: together } = await goOn(script, events)
      events = together.slice(0, Math.max(events.length + 1, more))
    }
    expect(transcriptOf(events).result?.stop).toBe('final_answer')
    expect(count(events, 'parsed')).toBe(script.replies.length)
    expect(count(events, 'run_start')).toBe(1)
  })

  test('keeps its id, its usage and its time', async () => {
    const all = await eventsOf(RUN_SCRIPTS['reasoning and counts'] as RunScript)
    const cut = all.slice(0, all.findIndex(({ type }) => type === 'call_end') + 1)
    const slow = cut.map(event => (event.type === 'reply_end' ? { ...event, ms: 5_000 } : event))
    const { result, events } = await goOn(RUN_SCRIPTS['reasoning and counts'] as RunScript, slow)
    expect(result.usage).toEqual({ promptTokens: 21, completionTokens: 7 })
    expect(result.ms).toBeGreaterThanOrEqual(5_000)
    expect(transcriptOf(events).run).toBe('run-1')
  })

  test('has used its deadline as far as its record says', async () => {
    const all = await eventsOf({ replies: [CALL, ANSWER] })
    const cut = all.slice(0, all.findIndex(({ type }) => type === 'step_end') + 1)
    const slow = cut.map(event => (event.type === 'reply_end' ? { ...event, ms: 90_000 } : event))
    const { result } = await goOn({ replies: [CALL, ANSWER], options: { deadlineMs: 100_000 } }, slow)
    expect(result).toMatchObject({ stop: 'best_effort', reason: 'budget', answer: 'Ostrava Bay' })
  })

  test('tells in its record that it went on', async () => {
    const { events } = await goOn({ replies: [CALL, ANSWER] }, (await eventsOf({ replies: [CALL, ANSWER] })).slice(0, 8))
    expect(events.filter(event => event.type === 'notice').map(({ code }) => code)).toEqual(['RESUMED'])
  })
})

describe('a call that was begun and has no result', () => {
  const cut = async (): Promise<readonly AgentEvent[]> => {
    const all = await eventsOf({ replies: [CALL, ANSWER] })
    return all.slice(0, all.findIndex(({ type }) => type === 'call_start') + 1)
  }
  const resume = async (tool: object, confirm?: (again: ToolContext['again']) => Approval) => {
    const called: (string | true | undefined)[] = []
    const capital = {
      ...capitalTool(),
      ...tool,
      run: (_: never, { callId, again }: ToolContext) => void called.push(callId, again),
    }
    const asked: ToolContext['again'][] = []
    const { result, events } = await goOn({ replies: [CALL, ANSWER] }, await cut(), {
      tools: [capital],
      ...(confirm
        ? {
            confirm: (_tool, _input, { again }) => {
              asked.push(again)
              return confirm(again)
            },
          }
        : {}),
    })
    return { called, asked, events, observation: result.steps[0]?.observations[0] }
  }

  test('is made again with the same id when the tool is idempotent', async () => {
    const { called, asked, observation } = await resume({ idempotent: true }, () => false)
    expect([called, asked, observation?.failure]).toEqual([['1.1', true], [], undefined])
  })

  test('is not made again otherwise: the model is told that its outcome is unknown', async () => {
    const { called, observation, events } = await resume({})
    expect([called, observation?.failure?.code]).toEqual([[], 'outcome_unknown'])
    expect(observation?.text).toMatch(/^capital was begun, .* Outcome unknown/)
    expect(transcriptOf(events).turns[0]?.calls[0]).toMatchObject({ begun: true, observation })
  })

  test.each([
    ['yes: it is made again', true, ['1.1', true], undefined],
    ['no: the model is told that nobody knows', false, [], 'outcome_unknown'],
    ['why not: the model is told that, too', 'I saw it done.', [], 'outcome_unknown'],
    ['what it gave: the model reads that', { observation: 'Ostrava Bay' }, [], undefined],
  ] as const)('is asked about, and somebody says %s', async (_, said, called, failure) => {
    const run = await resume({}, () => said)
    expect([run.asked, run.called, run.observation?.failure?.code]).toEqual([[true], called, failure])
    if (typeof said === 'string') expect(run.observation?.text).toContain(said)
    expect(run.events.filter(({ type }) => type === 'approval').length).toBe(1)
  })
})

describe('resume', () => {
  const run = async (events: readonly AgentEvent[], task?: string) =>
    new ToolCallAgent({ model: scriptedModel([]), tools: [] }).run(task, { resume: events })

  test('refuses a run that came to its end', async () => {
    await expect(run(await eventsOf({ replies: [ANSWER] }))).rejects.toThrow(/run run-1 came to its end \(final_answer\)/)
  })

  test('names the tools that are missing', async () => {
    await expect(run((await eventsOf({ replies: [ANSWER] })).slice(0, 3))).rejects.toThrow(
      /had tools that are not there: capital/,
    )
  })

  test('refuses another task', async () => {
    await expect(run((await eventsOf({ replies: [ANSWER] })).slice(0, 3), 'Something else')).rejects.toThrow(/has another task/)
  })

  test('remembers what the record says, in place of what the agent was asked before', async () => {
    const model = scriptedModel([CALL, ANSWER, ANSWER])
    const agent = new ToolCallAgent({ model, tools: [capitalTool()] })
    await agent.run('Where is the harbour of Talmar?')
    const events = await eventsOf({ replies: [CALL, ANSWER] })
    await agent.run(undefined, {
      resume: events.slice(
        0,
        events.findLastIndex(({ type }) => type === 'step_start'),
      ),
    })
    expect(model.prompts.at(-1)?.text).not.toContain('Talmar')
    expect(agent.memory.steps).toHaveLength(2)
  })

  test('makes no call whose input the record hides', async () => {
    const all = await eventsOf({ replies: ['Action: capital\nAction Input: {"country": "[secret MY_KEY]"}', ANSWER] })
    const events = all.slice(0, all.findIndex(({ type }) => type === 'parsed') + 1)
    const { result, called } = await goOn({ replies: ['', ANSWER] }, events)
    expect([called, result.steps[0]?.observations[0]?.failure?.code]).toEqual([[], 'unavailable'])
  })
})
