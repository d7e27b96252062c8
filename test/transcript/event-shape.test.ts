import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/core/json.js'
import { isEvent } from '../../src/transcript/event-shape.js'
import { readJournal } from '../../src/transcript/read-journal.js'
import { emptyFolder, saydo } from '../support/cli.js'
import { playRun, RUN_SCRIPTS } from '../support/recorded-runs.js'

const START = { type: 'run_start', run: 'r', agent: 'a', task: 't', model: 'm', dialect: 'react', tools: [], options: {} }
const AT = { step: 1, attempt: 1 }

const NONE: Readonly<Record<string, JsonObject>> = {
  'a start without a task': { type: 'run_start' },
  'tools that are a number': { ...START, tools: 5 },
  'a prompt that keeps less than nothing': { type: 'prompt', ...AT, keep: -5, add: [] },
  'a prompt of numbers': { type: 'prompt', ...AT, keep: 0, add: [5] },
  'a reply without text': { type: 'reply_end', ...AT, reply: {} },
  'a call without its calls': { type: 'parsed', ...AT, parsed: { decision: { kind: 'act' }, problems: [], kept: [0, 0] } },
  'a decision of no kind': { type: 'parsed', ...AT, parsed: { decision: { kind: 'constructor' }, problems: [], kept: [0, 0] } },
  'a call that began without a tool': { type: 'call_start', ...AT },
  'a call that ended without a result': { type: 'call_end', ...AT, call: { id: '1', tool: 'x', input: {} } },
  'an end without a result': { type: 'run_end' },
  'an end without its figures': { type: 'run_end', result: {} },
}

describe('a line in the form of no event', () => {
  test.each(Object.entries(NONE))('%s is damage that is named by its line, whatever wants to read it', async (_, event) => {
    expect(isEvent(event)).toBe(false)
    const cwd = emptyFolder()
    writeFileSync(
      join(cwd, 'run.jsonl'),
      `${[START, event, { type: 'step_end', step: 1 }].map(each => JSON.stringify(each)).join('\n')}\n`,
    )
    expect(() => readJournal(join(cwd, 'run.jsonl'))).toThrow(/line 2 is damaged/)
    const { code, stderr } = await saydo(['trace', 'run.jsonl'], { cwd })
    expect([code, stderr]).toEqual([0, expect.stringContaining('line 2 is damaged')])
    expect((await saydo(['fixtures', 'from', 'run.jsonl'], { cwd })).verdict).toMatch(/^error JOURNAL_DAMAGED/)
  })

  test.each(Object.entries(RUN_SCRIPTS))('is none of %s', async (_, script) => {
    const { events } = await playRun(script)
    expect(events.filter(event => !isEvent(JSON.parse(JSON.stringify(event))))).toEqual([])
  })

  test('is what no reader could walk to its bottom', async () => {
    const cwd = emptyFolder()
    const call = `{"type":"call_start","step":1,"attempt":1,"call":{"id":"1","tool":"x","input":{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}}}`
    writeFileSync(join(cwd, 'run.jsonl'), `${JSON.stringify(START)}\n${call}\n`)
    const { code, stderr } = await saydo(['trace', 'run.jsonl'], { cwd })
    expect([code, stderr]).toEqual([0, expect.stringContaining('line 2 is damaged')])
  })

  test('may be of a kind that a later version knows', () => {
    expect(isEvent({ type: 'dream', of: 'sheep' })).toBe(true)
    expect(isEvent({ type: 'constructor' })).toBe(true)
    expect(isEvent({ type: 7 })).toBe(false)
  })
})
