import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/event.js'
import { transcriptOf } from '../../src/transcript/transcript.js'
import { compareRuns, doneIn } from '../../src/viewer/compare.js'
import { readSecondRun } from '../../src/viewer/second-run.js'
import { traceOf } from '../../src/viewer/trace.js'
import { playRun, RUN_SCRIPTS, type RunScript } from '../support/recorded-runs.js'

const CALL = (country: string, key = 'country') => `Action: capital\nAction Input: {"${key}": "${country}"}`
const ANSWER = 'Final Answer: Ostrava Bay'

async function eventsOf(script: string | readonly string[]): Promise<readonly AgentEvent[]> {
  const played: RunScript = typeof script === 'string' ? (RUN_SCRIPTS[script] ?? { replies: [] }) : { replies: script }
  return (await playRun(played)).events
}

const runOf = async (replies: readonly string[]) => transcriptOf(await eventsOf(replies))

describe('two runs side by side', () => {
  test.each([
    ['that are the same', [CALL('Morn'), ANSWER], [CALL('Morn'), ANSWER], ['no', 'no'], undefined],
    ['in other words', [CALL('Morn'), ANSWER], [`Thought: hm\n${CALL('Morn')}`, ANSWER], ['words', 'no'], undefined],
    ['one with a step more', [CALL('Morn'), ANSWER], [CALL('Veltria'), CALL('Morn'), ANSWER], ['turn', 'no', 'no'], 0],
    ['with another answer', [CALL('Morn'), ANSWER], [CALL('Morn'), 'Final Answer: Tarn'], ['no', 'result'], 1],
    ['of which one was corrected', ['Thought: hm', CALL('Morn'), ANSWER], [CALL('Morn'), ANSWER], ['turn', 'no', 'no'], 0],
  ])('%s', async (_, one, other, differs, divergence) => {
    const compared = compareRuns(await runOf(one), await runOf(other))
    expect(compared.rows.map(row => row.differs)).toEqual(differs)
    expect(compared.divergence).toBe(divergence)
  })

  test('say what each of them took', async () => {
    const { totals } = compareRuns(await runOf([ANSWER]), transcriptOf(await eventsOf('reasoning and counts')))
    expect(totals[0]).toMatchObject({ steps: 1, replies: 1, repairs: 0, tokens: 0 })
    expect(totals[1]).toMatchObject({ steps: 2, replies: 2, tokens: 28 })
  })

  test('say of a reply in one line what was done', async () => {
    const { turns } = await runOf(['Thought: hm', CALL('Morn'), ANSWER])
    expect(turns.map(doneIn)).toEqual(['unclear: ONLY_THOUGHT', 'capital {"country":"Morn"}', 'answer: Ostrava Bay'])
  })
})

describe('a second run is read', () => {
  const lines = (events: readonly AgentEvent[]) => events.map(event => JSON.stringify(event)).join('\n')

  test('from a record, torn or not, and from what saydo trace --json prints', async () => {
    const events = await eventsOf('a limit')
    expect(readSecondRun(lines(events)).turns).toHaveLength(3)
    expect(readSecondRun(lines(events).slice(0, -20)).result).toBeUndefined()
    expect(readSecondRun(JSON.stringify(await traceOf(transcriptOf(events)), null, 2)).turns).toHaveLength(3)
  })

  test('as the last run of a file that holds several', async () => {
    const both = `${lines(await eventsOf('a limit'))}\n${lines(await eventsOf('an answer at once'))}`
    expect(readSecondRun(both).turns).toHaveLength(1)
  })

  test.each(['', 'hello', '{}', '{"type":"step_end"}', '<!doctype html><p>', '{\n}'])('not from %j', text => {
    expect(() => readSecondRun(text)).toThrow('this is no run')
  })
})
