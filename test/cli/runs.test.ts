import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/event.js'
import { openJournal } from '../../src/transcript/journal.js'
import { readJournal } from '../../src/transcript/read-journal.js'
import { emptyFolder, saydo } from '../support/cli.js'
import { playRun, RUN_SCRIPTS, type RunScript } from '../support/recorded-runs.js'

const TOOLS =
  "export const capital = { name: 'capital', description: '', parameters: { type: 'object', properties: {} }, run: () => '' }\n"

const DAY = 86_400_000

interface Kept {
  readonly id: string
  /** Days ago. */
  readonly age?: number
  readonly script?: RunScript
}

/** A folder with records of these runs. */
async function folderWith(...kept: readonly Kept[]): Promise<string> {
  const cwd = emptyFolder()
  for (const { id, age = 0, script } of kept) {
    const { events } = await playRun(script ?? RUN_SCRIPTS['a call and an answer'] ?? { replies: [] })
    const journal = openJournal(fileOf(cwd, id), { env: {}, now: () => Date.now() - age * DAY })
    for (const event of events) journal.onEvent(event)
    journal.close()
  }
  return cwd
}

function fileOf(cwd: string, id: string): string {
  return join(cwd, '.saydo', 'runs', `${id}.jsonl`)
}

function idsIn(cwd: string): string[] {
  return readdirSync(join(cwd, '.saydo', 'runs')).map(name => name.replace('.jsonl', ''))
}

const THREE: readonly Kept[] = [
  { id: 'a1-old', age: 40 },
  { id: 'a2-mid', age: 2, script: RUN_SCRIPTS['no decision at all'] ?? { replies: [] } },
  { id: 'b1-new', script: RUN_SCRIPTS['an endpoint that fails'] ?? { replies: [] } },
]

describe('saydo runs', () => {
  test('lists them in one line each, newest first', async () => {
    const { code, stdout } = await saydo(['runs'], { cwd: await folderWith(...THREE) })
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toEqual([
      'b1-new  just now  2 steps  error         What is the capital of Veltria?',
      'a2-mid  2d ago    2 steps  unclear       What is the capital of Veltria?',
      'a1-old  40d ago   2 steps  final_answer  What is the capital of Veltria?',
    ])
  })

  test('--json writes an array with the whole of what is known', async () => {
    const { stdout } = await saydo(['runs', '--json'], { cwd: await folderWith(...THREE) })
    const list = JSON.parse(stdout)
    expect(list.map(({ id }: { id: string }) => id)).toEqual(['b1-new', 'a2-mid', 'a1-old'])
    expect(list[2]).toMatchObject({
      id: 'a1-old',
      state: 'ended',
      stop: 'final_answer',
      task: 'What is the capital of Veltria?',
      model: 'scripted',
      steps: 2,
      answer: 'Ostrava Bay',
      file: join('.saydo', 'runs', 'a1-old.jsonl'),
    })
    expect(Date.now() - Date.parse(list[2].started)).toBeGreaterThan(39 * DAY)
  })

  test('tells runs that are still going, that broke off, that are damaged and that hold nothing', async () => {
    const cwd = await folderWith({ id: 'damaged' }, { id: 'broken' }, { id: 'nothing' })
    writeFileSync(fileOf(cwd, 'damaged'), readFileSync(fileOf(cwd, 'damaged'), 'utf8').replace('"step":1', '"step":9'))
    truncateSync(fileOf(cwd, 'broken'), readFileSync(fileOf(cwd, 'broken')).length - 30)
    truncateSync(fileOf(cwd, 'nothing'), 10)
    const journal = openJournal(fileOf(cwd, 'running'), { env: {} })
    journal.onEvent({ type: 'run_start', run: 'r', agent: 'a', task: 't', model: 'm', dialect: 'react', tools: [], options: {} })
    const states = JSON.parse((await saydo(['runs', '--json'], { cwd })).stdout) as { id: string; state: string; stop: unknown }[]
    journal.close()
    expect(states.map(({ id, state, stop }) => [id, state, stop])).toEqual([
      ['running', 'running', null],
      ['nothing', 'unfinished', null],
      ['damaged', 'damaged', null],
      ['broken', 'unfinished', null],
    ])
  })

  test('of a folder without any is an empty list', async () => {
    const cwd = emptyFolder()
    expect((await saydo(['runs', '--json'], { cwd })).stdout).toBe('[]\n')
    const { code, stdout, stderr } = await saydo(['runs'], { cwd })
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain('no run is recorded')
  })

  test('shows a task on one line, and nothing in it that steers a terminal', async () => {
    const cwd = emptyFolder()
    const journal = openJournal(fileOf(cwd, 'x'), { env: {} })
    const start: AgentEvent = {
      type: 'run_start',
      run: 'r',
      agent: 'a',
      task: `one\ntwo\u001b[2J ${'long '.repeat(30)}`,
      model: 'm',
      dialect: 'react',
      tools: [],
      options: {},
    }
    journal.onEvent(start)
    journal.close()
    const { stdout } = await saydo(['runs'], { cwd })
    expect(stdout).toMatch(/one two\\u\{1b\}\[2J long .*…\n$/)
    expect(stdout.split('\n')).toHaveLength(2)
  })

  test('knows no other words', async () => {
    expect((await saydo(['runs', 'delete'])).verdict).toMatch(/error CONFIG.*'delete'.*rm and salvage/)
  })
})

describe('saydo runs rm', () => {
  test('removes those whose ids begin so', async () => {
    const cwd = await folderWith(...THREE)
    const { code, verdict } = await saydo(['runs', 'rm', 'a1', 'b1-new'], { cwd })
    expect([code, verdict, idsIn(cwd)]).toEqual([0, 'removed 2 runs', ['a2-mid']])
  })

  test.each([
    [['a'], /'a' is the beginning of 2 runs.*a2-mid, a1-old/],
    [['c'], /there is no run 'c'.*newest is b1-new/],
    [[], /say which runs/],
    [['a1', '--all'], /say which runs/],
    [['--older-than', '30d'], /nobody can be asked: remove 1 run\?.*--yes/],
  ])('%j removes nothing and exits 2', async (argv, message) => {
    const cwd = await folderWith(...THREE)
    const { code, stderr } = await saydo(['runs', 'rm', ...argv], { cwd })
    expect([code, idsIn(cwd).length]).toEqual([2, 3])
    expect(stderr).toMatch(message)
  })

  test.each([
    [['--all', '--yes'], []],
    [
      ['--older-than', '30d', '-y'],
      ['a2-mid', 'b1-new'],
    ],
    [['--older-than', '47h', '-y'], ['b1-new']],
  ])('%j leaves %j', async (argv, left) => {
    const cwd = await folderWith(...THREE)
    expect((await saydo(['runs', 'rm', ...argv], { cwd })).code).toBe(0)
    expect(idsIn(cwd)).toEqual(left)
  })

  test('leaves a run that is still going, and takes what a crashed one left beside it', async () => {
    const cwd = await folderWith({ id: 'crashed' })
    writeFileSync(`${fileOf(cwd, 'crashed')}.lock-1-1-1-1`, '')
    const journal = openJournal(fileOf(cwd, 'going'), { env: {} })
    try {
      expect((await saydo(['runs', 'rm', 'going'], { cwd })).verdict).toMatch(/going is still running/)
      expect((await saydo(['runs', 'rm', '--all', '--yes'], { cwd })).verdict).toBe('removed 1 run')
      expect(existsSync(journal.file)).toBe(true)
      expect(readdirSync(join(cwd, '.saydo', 'runs')).filter(name => name.startsWith('crashed'))).toEqual([])
    } finally {
      journal.close()
    }
  })

  test('refuses an age that is none', async () => {
    expect((await saydo(['runs', 'rm', '--older-than', 'yesterday'])).stderr).toMatch(/such as 30d/)
  })
})

describe('what is no record among the records', () => {
  test('a link that leads nowhere is listed, is not the newest, and can be removed', async () => {
    const cwd = await folderWith({ id: 'a1' })
    symlinkSync('/no/such/record', fileOf(cwd, 'z9'))
    expect((await saydo(['runs'], { cwd })).stdout).toMatch(/^z9 .*damaged/)
    const going = ['chat', '-c', '--url', 'http://127.0.0.1:9', '--model', 'm', '--tools', 'tools.mjs']
    writeFileSync(join(cwd, 'tools.mjs'), TOOLS)
    expect((await saydo(going, { cwd, stdin: '/undo' })).stderr).toContain('taken back: What is the capital of Veltria?')
    expect((await saydo(['runs', 'rm', 'z9'], { cwd })).code).toBe(0)
    expect(idsIn(cwd)).toEqual(['a1'])
  })

  test('a folder is left where it is', async () => {
    const cwd = await folderWith({ id: 'a1' })
    mkdirSync(fileOf(cwd, 'z9'))
    const { code, verdict } = await saydo(['runs', 'rm', 'z9'], { cwd })
    expect([code, verdict]).toEqual([2, expect.stringContaining('cannot remove')])
  })
})

describe('saydo runs salvage', () => {
  test('saves what stands before the damage, of a run or a file', async () => {
    const cwd = await folderWith({ id: 'one' })
    appendFileSync(fileOf(cwd, 'one'), `rubbish\n${readFileSync(fileOf(cwd, 'one'), 'utf8').split('\n')[1]}\n`)
    const { code, verdict } = await saydo(['runs', 'salvage', 'o', 'good.jsonl'], { cwd })
    expect(code).toBe(0)
    expect(verdict).toMatch(/^saved \d+ lines in good\.jsonl; \d+ bytes/)
    expect(readJournal(join(cwd, 'good.jsonl')).events.at(-1)?.type).toBe('run_end')
    mkdirSync(join(cwd, 'x'))
    expect((await saydo(['runs', 'salvage', 'good.jsonl', 'x/again.jsonl'], { cwd })).code).toBe(0)
    expect((await saydo(['runs', 'salvage', 'good.jsonl', 'x/again.jsonl'], { cwd })).verdict).toMatch(/there already/)
  })
})
