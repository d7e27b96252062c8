import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { visibleJson } from '../../src/cli/visible.js'
import type { AgentEvent } from '../../src/core/event.js'
import { openJournal } from '../../src/transcript/journal.js'
import { readGoodPart, readJournal, salvageJournal } from '../../src/transcript/read-journal.js'
import { playRun, RUN_SCRIPTS } from '../support/recorded-runs.js'

function newFile(): string {
  return join(mkdtempSync(join(tmpdir(), 'saydo-journal-')), 'runs', 'one.jsonl')
}

function record(events: readonly AgentEvent[], file = newFile()): string {
  const journal = openJournal(file, { env: {} })
  for (const event of events) journal.onEvent(event)
  journal.close()
  return file
}

const START: AgentEvent = {
  type: 'run_start',
  run: 'r',
  agent: 'a',
  task: 't',
  model: 'm',
  dialect: 'react',
  tools: [],
  options: {},
}
const steps = (count: number): AgentEvent[] => Array.from({ length: count }, (_, at) => ({ type: 'step_start', step: at + 1 }))

describe('a journal', () => {
  test.each(Object.entries(RUN_SCRIPTS))('gives back every event of %s but the deltas', async (_, script) => {
    const { events } = await playRun(script)
    const read = readJournal(record(events))
    expect(read.events.map(({ at: _, ...event }) => event)).toEqual(events.filter(({ type }) => type !== 'delta'))
    expect(read).toMatchObject({ torn: 0, checked: true, saydo: packageJson.version })
  })

  test('has one line for each event, with its number, a checksum and the time', () => {
    const file = newFile()
    const journal = openJournal(file, { env: {}, now: () => 1_700_000_000_000 })
    for (const event of [START, ...steps(1)]) journal.onEvent(event)
    journal.close()
    const [first, second] = readFileSync(file, 'utf8').split('\n')
    expect(first).toMatch(/^\{"v":1,"seq":0,"crc":"[0-9a-f]{8}","at":1700000000000,"saydo":"[\d.]+","type":"run_start",/)
    expect(second).toMatch(/^\{"v":1,"seq":1,"crc":"[0-9a-f]{8}","at":1700000000000,"type":"step_start","step":1\}$/)
  })

  test('is there to be read after every event, before it is closed', () => {
    const file = newFile()
    const journal = openJournal(file, { env: {} })
    journal.onEvent(START)
    expect(readJournal(file).events).toHaveLength(1)
    journal.onEvent({ type: 'step_start', step: 1 })
    expect(readJournal(file).events).toHaveLength(2)
    journal.close()
  })

  test.runIf(process.platform !== 'win32')('belongs to its owner alone, its folder too', () => {
    const file = record([START])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
  })

  test('grows with the steps, not with their square', async () => {
    const sizeOf = async (calls: number): Promise<number> => {
      const replies = Array.from({ length: calls }, (_, at) => `Action: capital\nAction Input: {"country": "${at}"}`)
      const { events } = await playRun({ replies: [...replies, 'Final Answer: done'], options: { maxSteps: calls + 1 } })
      return statSync(record(events)).size
    }
    const [ten, twenty, forty] = [await sizeOf(10), await sizeOf(20), await sizeOf(40)]
    expect((forty - twenty) / (twenty - ten)).toBeLessThan(2.3)
  })

  test('is never written over', () => {
    const file = record([START])
    expect(() => openJournal(file, { env: {} })).toThrow(/is there already/)
  })

  test('leaves nothing behind when no event came, and no lock when it is closed', () => {
    const file = record([])
    expect(existsSync(file)).toBe(false)
    expect(readdirSync(join(file, '..'))).toEqual([])
  })

  test('takes nothing more once it is closed; closing twice is nothing', () => {
    const journal = openJournal(newFile(), { env: {} })
    journal.onEvent(START)
    journal.close()
    journal.close()
    expect(() => journal.onEvent(START)).toThrow(/closed/)
  })

  test('is opened by one writer at a time', () => {
    const file = newFile()
    const journal = openJournal(file, { env: {} })
    expect(() => openJournal(file, { env: {}, append: true })).toThrow(/writing .* already/)
    journal.close()
  })
})

describe('a journal that goes on', () => {
  test('continues the numbers, and reads as one', () => {
    const file = record([START, ...steps(2)])
    const journal = openJournal(file, { env: {}, append: true })
    journal.onEvent({ type: 'step_end', step: 2 })
    journal.close()
    expect(readJournal(file).events.map(({ type }) => type)).toEqual(['run_start', 'step_start', 'step_start', 'step_end'])
  })

  test('cuts a torn end off first', () => {
    const file = record([START, ...steps(2)])
    appendFileSync(file, '{"v":1,"seq":3,"crc":"00\u0000\u0000\n\u0000\u0000')
    expect(readJournal(file)).toMatchObject({ torn: 29 })
    const journal = openJournal(file, { env: {}, append: true })
    journal.onEvent({ type: 'step_end', step: 2 })
    journal.close()
    expect(readJournal(file)).toMatchObject({ torn: 0, events: [{}, {}, {}, { type: 'step_end' }] })
  })

  test('begins anew where not even its first line was whole', () => {
    const file = record([START])
    truncateSync(file, 20)
    const journal = openJournal(file, { env: {}, append: true })
    journal.onEvent(START)
    journal.close()
    expect(readJournal(file)).toMatchObject({ torn: 0, saydo: packageJson.version, events: [{ type: 'run_start' }] })
  })

  test('refuses damage, and plain lines', () => {
    const file = record([START, ...steps(3)])
    writeFileSync(file, readFileSync(file, 'utf8').replace('"step":2', '"step":7'))
    expect(() => openJournal(file, { env: {}, append: true })).toThrow(/line 3 is damaged/)
    const plain = newPlain([START])
    expect(() => openJournal(plain, { env: {}, append: true })).toThrow(/plain lines/)
  })
})

function newPlain(events: readonly AgentEvent[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'saydo-journal-')), 'plain.jsonl')
  writeFileSync(file, events.map(event => `${visibleJson(event)}\n`).join(''))
  return file
}

describe('reading', () => {
  const lines = () => {
    const file = record([START, ...steps(4)])
    return { file, text: readFileSync(file, 'utf8').trimEnd().split('\n') }
  }
  const other = () => readFileSync(record([{ ...START, run: 'other' }, ...steps(4)]), 'utf8').split('\n')

  test.each([
    ['a changed line', ([a, b, ...rest]: string[]) => [a, b?.replace('step_start', 'step_atart'), ...rest], /line 2 is damaged/],
    ['a missing line', ([a, _, ...rest]: string[]) => [a, ...rest], /line 2 is out of its place/],
    ['a doubled line', ([a, b, ...rest]: string[]) => [a, b, b, ...rest], /line 3 is out of its place/],
    ['a doubled last line', (all: string[]) => [...all, all.at(-1)], /line 6 is out of its place/],
    ['swapped lines', ([a, b, c, ...rest]: string[]) => [a, c, b, ...rest], /line 2 is out of its place/],
    ['a line of another run', ([a, b, _, ...rest]: string[]) => [a, b, other()[2], ...rest], /line 3 is damaged/],
    ['a changed first line', ([a, ...rest]: string[]) => [a?.replace('"task":"t"', '"task":"u"'), ...rest], /line 1 is damaged/],
    ['a missing first line', ([_, ...rest]: string[]) => rest, /line 1 is damaged/],
    ['an empty line', ([a, ...rest]: string[]) => [a, '', ...rest], /line 2 is damaged/],
    ['other line breaks', (all: string[]) => all.map(line => `${line}\r`), /line 1 is damaged/],
    ['a line in a newer format', ([a, b, ...rest]: string[]) => [a, b?.replace('"v":1', '"v":2'), ...rest], /line 2 is damaged/],
    ['a newer format', ([a, ...rest]: string[]) => [a?.replace('"v":1', '"v":2'), ...rest], /written in format 2.*reads up to 1/],
  ])('refuses %s', (_, change, message) => {
    const { file, text } = lines()
    writeFileSync(file, `${change(text).join('\n')}\n`)
    expect(() => readJournal(file)).toThrow(message)
  })

  test('leaves a last line out that is damaged, and says how much', () => {
    const { file, text } = lines()
    const last = text.at(-1) ?? ''
    writeFileSync(file, `${text.slice(0, -1).join('\n')}\n${last.replace('step', 'stop')}\n`)
    expect(readJournal(file)).toMatchObject({ torn: last.length + 1, events: { length: 4 } })
  })

  test('takes the lines of `saydo run --jsonl`, and says that it could not check them', async () => {
    const { events } = await playRun({
      replies: ['Action: capital\nAction Input: {"country": "\u2028\u0007"}', 'Final Answer: x'],
    })
    const file = newPlain(events)
    expect(readJournal(file)).toEqual({ events, torn: 0, checked: false })
    truncateSync(file, statSync(file).size - 1)
    expect(readJournal(file)).toMatchObject({ events: events.slice(0, -1), checked: false })
    writeFileSync(file, readFileSync(file, 'utf8').replace('"type":"state"', '"typo":"state"'))
    expect(() => readJournal(file)).toThrow(/line 2 is damaged/)
  })

  test('of what is no file is a fault of the command', () => {
    expect(() => readJournal('/nowhere/at/all.jsonl')).toThrow(expect.objectContaining({ code: 'CONFIG' }))
  })

  test('of an empty file gives no events', () => {
    const file = newPlain([])
    expect(readJournal(file)).toEqual({ events: [], torn: 0, checked: false })
  })

  test('saves what stands before the damage', () => {
    const { file, text } = lines()
    const copy = `${file}.copy`
    writeFileSync(file, `${[...text.slice(0, 2), 'rubbish', ...text.slice(3)].join('\n')}\n`)
    const before = readFileSync(file)
    expect(salvageJournal(file, copy)).toEqual({ lines: 2, lost: before.length - `${text[0]}\n${text[1]}\n`.length })
    expect(readJournal(copy).events).toEqual(readGoodPart(file).events)
    expect(readJournal(copy).events).toHaveLength(2)
    expect(readFileSync(file)).toEqual(before)
    expect(() => salvageJournal(file, copy)).toThrow(/is there already/)
  })
})
