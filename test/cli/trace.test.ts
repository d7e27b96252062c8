import { execFile, execFileSync } from 'node:child_process'
import { lstatSync, readFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openJournal } from '../../src/transcript/journal.js'
import { emptyFolder, saydo } from '../support/cli.js'
import { playRun, RUN_SCRIPTS, type RunScript } from '../support/recorded-runs.js'
import { folderOf, recordFile } from '../support/records.js'

const ODD: RunScript = RUN_SCRIPTS['odd replies'] ?? { replies: [] }
const PLAIN: RunScript = RUN_SCRIPTS['a call and an answer'] ?? { replies: [] }
const INVENTED: RunScript = {
  replies: [
    'Thought: I look.\nAction: capital\nAction Input: {"country": "Veltria"}\nObservation: Tarn\nFinal Answer: Tarn',
    'Final Answer: Ostrava Bay',
  ],
}

describe('saydo trace', () => {
  test('shows the newest run from its task to its answer', async () => {
    const cwd = await folderOf({ 'a1-old': ODD, 'a2-new': PLAIN })
    const { code, stdout, verdict } = await saydo(['trace'], { cwd })
    expect([code, verdict]).toEqual([0, 'run run-1: final_answer, 2 steps'])
    const lines = stdout.split('\n')
    expect(lines[0]).toBe('Task: What is the capital of Veltria?')
    expect(stdout).toContain('  │ Action Input: {"country": "Veltria"}\n  Observation: Ostrava Bay\n── 2 ·')
    expect(lines.at(-2)).toBe('  Ostrava Bay')
  })

  test('shows, without a name, the one that was written last: an older one that went on is that', async () => {
    const cwd = await folderOf({ 'a1-old': PLAIN, 'a2-new': ODD })
    utimesSync(recordFile(cwd, 'a1-old'), new Date(), new Date(Date.now() + 60_000))
    expect((await saydo(['trace'], { cwd })).stdout).toContain('  Ostrava Bay')
    expect((await saydo(['fixtures', 'from', '--name', 'last'], { cwd })).stderr).toContain('2 replies')
  })

  test('marks what was struck in its place and says why', async () => {
    const { stdout } = await saydo(['trace', 'x'], { cwd: await folderOf({ x: INVENTED }) })
    expect(stdout).toContain('  │ ~~Observation: T~~\n  ~ INVENTED_OBSERVATION: ')
    expect(stdout).toContain('\n  call     capital {"country":"Veltria"}\n')
  })

  test('says of a reply that left no decision why, and what the model was told', async () => {
    const { stdout } = await saydo(['trace', 'x'], { cwd: await folderOf({ x: ODD }) })
    expect(stdout).toContain('  unclear  ONLY_THOUGHT: ')
    expect(stdout).not.toContain('~ ONLY_THOUGHT')
    expect(stdout).toContain('  Told the model: ')
    expect(stdout).toContain('── 1.2 · ')
  })

  test('shows one step with the place of every problem, and all its attempts unless one is named', async () => {
    const cwd = await folderOf({ x: ODD })
    const all = await saydo(['trace', 'x', '--step', '1'], { cwd })
    expect(all.stdout.match(/^── 1/gm)?.length).toBeGreaterThan(1)
    expect(all.stdout).toMatch(/\^\^\^/)
    expect(all.stdout).not.toContain('Task:')
    const one = await saydo(['trace', 'x', '--step', '1.1'], { cwd })
    expect(one.stdout.match(/^── 1/gm)).toHaveLength(1)
    const none = await saydo(['trace', 'x', '--step', '9'], { cwd })
    expect(none.code).toBe(2)
    expect(none.verdict).toMatch(/no step 9 — it has 1, 1\.2/)
  })

  test('--raw gives a reply to the byte', async () => {
    const { stdout } = await saydo(['trace', 'x', '--raw', '--step', '1'], { cwd: await folderOf({ x: PLAIN }) })
    expect(stdout).toBe(PLAIN.replies[0])
  })

  test('--prompt shows the turns that were sent', async () => {
    const { stdout } = await saydo(['trace', 'x', '--prompt', '--step', '2'], { cwd: await folderOf({ x: PLAIN }) })
    expect(stdout).toMatch(/^── 1 system /)
    expect(stdout).toContain('assistant · so far')
  })

  test('--diff shows what the next prompt adds and leaves out', async () => {
    const cwd = await folderOf({ x: ODD })
    const { stdout } = await saydo(['trace', 'x', '--diff', '1'], { cwd })
    expect(stdout).toMatch(/^── from the prompt of 1 to that of 1\.2 /)
    expect(stdout).toContain('+   Thought: I should look.')
    const left = await saydo(['trace', 'x', '--diff', '1.2'], { cwd })
    expect(left.stdout).toContain('-   Thought: I should look.')
    expect((await saydo(['trace', 'x', '--diff', '4'], { cwd })).verdict).toContain('nothing was sent after step 4')
  })

  test('--json writes the run as one object, each reply with what became of its characters', async () => {
    const { stdout } = await saydo(['trace', 'x', '--json'], { cwd: await folderOf({ x: INVENTED }) })
    const run = JSON.parse(stdout)
    expect(run).toMatchObject({ task: 'What is the capital of Veltria?', result: { stop: 'final_answer' } })
    expect(run.turns[0].parts.map(({ fate }: { fate: string }) => fate)).toEqual(['kept', 'struck'])
    expect(run.turns[1].prompt.changes.map(({ kind }: { kind: string }) => kind)).toEqual(['keep', 'add'])
  })

  test('shows where a run went in circles, and by which steps', async () => {
    const { stdout } = await saydo(['trace', 'x'], { cwd: await folderOf({ x: RUN_SCRIPTS.circles ?? PLAIN }) })
    expect(stdout).toContain('↺ the same calls and results as in steps 1, 2: the model was told')
  })

  test.each([
    ['an endpoint that fails', '! no such key', 'MODEL_AUTH'],
    ['a reply that breaks off', '! the stream ended', 'Ostrava Bay'],
    ['a call that is changed', 'changed', 'made     capital {"country":"Morn"}'],
    ['two calls side by side', 'Observation of capital: Ostrava Bay', 'Observation of capital: Tarn'],
    ['a tool that throws', 'Observation (threw):', 'there is no such country'],
  ])('tells of %s', async (name, ...told) => {
    const { stdout } = await saydo(['trace', 'x'], { cwd: await folderOf({ x: RUN_SCRIPTS[name] ?? PLAIN }) })
    for (const text of told) expect(stdout).toContain(text)
  })

  test('shows a record that breaks off as far as it goes, and what was under way', async () => {
    const cwd = await folderOf({ x: PLAIN })
    const file = recordFile(cwd, 'x')
    const text = readFileSync(file, 'utf8')
    truncateSync(file, text.indexOf('\n', text.indexOf('"type":"call_start"')) + 1)
    const { code, stdout, verdict } = await saydo(['trace'], { cwd })
    expect([code, verdict]).toEqual([0, 'run run-1: not at its end, 1 step'])
    expect(stdout).toContain('! capital was called, and the outcome is unknown')
    expect(stdout).toMatch(/── the record breaks off here ─+\n {2}capital was called, and the outcome is unknown\n$/)
  })

  test('shows a damaged record up to the damage, and says so', async () => {
    const cwd = await folderOf({ x: PLAIN })
    const lines = readFileSync(recordFile(cwd, 'x'), 'utf8').split('\n')
    lines.splice(9, 1)
    writeFileSync(recordFile(cwd, 'x'), lines.join('\n'))
    const { stdout, stderr } = await saydo(['trace'], { cwd })
    expect(stdout).toContain('the record breaks off here')
    expect(stderr).toMatch(/line 10 .*; what stands before it is shown/)
  })

  test('shortens a long observation, unless its step is asked for', async () => {
    const long = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n')
    const script: RunScript = { ...PLAIN, options: { confirm: () => ({ observation: long }) } }
    const cwd = await folderOf({ x: script })
    expect((await saydo(['trace'], { cwd })).stdout).toContain('line 11 … (--step 1 shows all)')
    expect((await saydo(['trace', '--step', '1'], { cwd })).stdout).toContain('line 39')
  })

  test('writes nothing that steers a terminal', async () => {
    const script: RunScript = { replies: ['Final Answer: \u001b[2Jgone\u202e'] }
    const { stdout } = await saydo(['trace'], { cwd: await folderOf({ x: script }) })
    expect(stdout).toContain('\\u{1b}[2Jgone\\u{202e}')
    expect(stdout).not.toMatch(/[\u001b\u202e]/)
  })

  test.each([
    [['--raw', '--json'], /--raw and --json show different things/],
    [['--diff', '1', '--step', '1'], /--diff is not of one step/],
    [['a', 'b'], /too many arguments/],
    [['--open'], /--open is of a page/],
    [['nosuch'], /there is no run 'nosuch'/],
    [[], /no run is recorded here/],
  ])('refuses %j', async (flags, message) => {
    const { code, verdict } = await saydo(['trace', ...flags], { cwd: emptyFolder() })
    expect(code).toBe(2)
    expect(verdict).toMatch(message)
  })
})

describe('saydo trace --follow', () => {
  test('tells a run while it goes on, up to its end', async () => {
    const cwd = emptyFolder()
    const { events } = await playRun(PLAIN)
    const journal = openJournal(recordFile(cwd, 'x'), { env: {} })
    for (const event of events.slice(0, 5)) journal.onEvent(event)
    const following = saydo(['trace', '--follow'], { cwd })
    for (const event of events.slice(5)) {
      await sleep(2)
      journal.onEvent(event)
    }
    journal.close()
    const { code, stdout, verdict } = await following
    expect([code, verdict]).toEqual([0, 'the run has ended: final_answer'])
    expect(stdout).toMatch(/^Task: What is the capital of Veltria\?\n/)
    expect(stdout.match(/Observation: Ostrava Bay/g)).toHaveLength(1)
    expect(stdout).toContain('Answer: Ostrava Bay')
  })

  test('ends where nobody writes any more', async () => {
    const cwd = await folderOf({ x: PLAIN })
    truncateSync(recordFile(cwd, 'x'), readFileSync(recordFile(cwd, 'x')).length - 20)
    const { code, verdict } = await saydo(['trace', '--follow'], { cwd })
    expect([code, verdict]).toEqual([0, 'the record breaks off here, and nobody writes it'])
  })

  test.each([
    ['is removed', (file: string) => rmSync(file), /cannot read .*x\.jsonl/],
    [
      'becomes that of another run',
      (file: string) => renameSync(file.replace('x.', 'y.'), file),
      /is another record than it was/,
    ],
  ])('ends when the file %s', async (_, change, said) => {
    const cwd = await folderOf({ y: ODD })
    const journal = openJournal(recordFile(cwd, 'x'), { env: {} })
    for (const event of (await playRun(PLAIN)).events.slice(0, 5)) journal.onEvent(event)
    const following = saydo(['trace', 'x', '--follow'], { cwd })
    await sleep(100)
    change(recordFile(cwd, 'x'))
    const { code, verdict } = await following
    journal.close()
    expect([code, verdict]).toEqual([2, expect.stringMatching(said)])
  })

  test('ends at Ctrl-C', async () => {
    const cwd = emptyFolder()
    const journal = openJournal(recordFile(cwd, 'x'), { env: {} })
    for (const event of (await playRun(PLAIN)).events.slice(0, 5)) journal.onEvent(event)
    const { code, verdict } = await saydo(['trace', '--follow'], { cwd, signal: AbortSignal.timeout(100) })
    journal.close()
    expect([code, verdict]).toEqual([130, 'interrupted; the run itself goes on'])
  })
})

describe('saydo trace --html', () => {
  test('writes the run as one page, named after it', async () => {
    const cwd = await folderOf({ x: PLAIN })
    const { code, stdout, verdict } = await saydo(['trace', '--html'], { cwd })
    expect([code, stdout, verdict]).toEqual([0, '', 'wrote trace-x.html'])
    expect(readFileSync(join(cwd, 'trace-x.html'), 'utf8')).toMatch(/^<!doctype html>\n[\s\S]*"record":"x"/)
  })

  test('goes down a pipe, which stays one', async () => {
    const cwd = await folderOf({ x: PLAIN })
    execFileSync('mkfifo', [join(cwd, 'pipe.html')])
    const read = promisify(execFile)('cat', [join(cwd, 'pipe.html')], { maxBuffer: 1e8 })
    expect((await saydo(['trace', 'x', '--html', 'pipe.html'], { cwd })).code).toBe(0)
    expect(lstatSync(join(cwd, 'pipe.html')).isFIFO()).toBe(true)
    expect((await read).stdout).toContain('Ostrava Bay')
  })

  test('writes it where it is wanted, over an older one', async () => {
    const cwd = await folderOf({ x: PLAIN })
    writeFileSync(join(cwd, 'out.html'), 'old')
    expect((await saydo(['trace', 'x', '--html', 'out.html'], { cwd })).verdict).toBe('wrote out.html')
    expect(readFileSync(join(cwd, 'out.html'), 'utf8')).toContain('Ostrava Bay')
    const { code, verdict } = await saydo(['trace', 'x', '--html', 'no/such/folder.html'], { cwd })
    expect(code).toBe(2)
    expect(verdict).toMatch(/cannot write no\/such\/folder\.html.* — name a file in a folder that is there$/)
  })
})
