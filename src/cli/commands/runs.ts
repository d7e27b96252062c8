// `saydo runs`: the records of this folder, newest first; `saydo runs rm` removes some, `saydo runs salvage` saves what is good of a damaged one.
import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { counted } from '../../core/counted.js'
import { SaydoError } from '../../core/errors.js'
import { RUNS } from '../../transcript/runs-folder.js'
import { colourOptions } from '../colour-options.js'
import type { Command, Invocation, Io, Verdict } from '../command.js'
import { type Paint, paintFor } from '../paint.js'
import { Person } from '../person.js'
import type { RunSummary } from '../run-files.js'
import { visible, visibleJson } from '../visible.js'

export const runs: Command = {
  name: 'runs',
  summary: 'list the recorded runs of this folder, newest first, or remove some',
  positional: '[action] [ids...]',
  options: [
    { flags: '--json', description: 'write the list as a JSON array' },
    { flags: '--all', description: 'rm: all runs that have ended' },
    { flags: '--older-than <age>', description: 'rm: those that began longer ago, such as 30d, 12h or 45m', parse: readAge },
    { flags: '-y, --yes', description: 'rm: do not ask' },
    ...colourOptions('stdout'),
  ],
  examples: [
    'saydo runs',
    'saydo runs --json',
    'saydo runs rm m5x',
    'saydo runs rm --older-than 30d',
    'saydo runs salvage m5x good.jsonl',
  ],
  async run(invocation) {
    const [action, ...rest] = invocation.args
    if (action === undefined) return list(invocation)
    if (action === 'rm') return remove(rest, invocation)
    if (action === 'salvage') return salvage(rest, invocation)
    throw new SaydoError('CONFIG', `saydo runs does not know '${action}'`, {
      hint: 'it knows rm and salvage, or lists without a word',
    })
  },
}

async function list({ options, io }: Invocation): Promise<Verdict> {
  const { runIds, summaryOf } = await import('../run-files.js')
  const found = runIds(io.cwd).map(id => summaryOf(id, io.cwd))
  if (options.json === true) io.stdout.write(`${visibleJson(found, 2)}\n`)
  else {
    const paint = paintFor(io.stdout, io.env, { color: options.color })
    for (const line of table(found, paint)) io.stdout.write(`${line}\n`)
    io.stderr.write(found.length === 0 ? `no run is recorded in ${RUNS}\n` : '')
  }
  return { code: 0 }
}

/** One line a run: id, when, steps, how it ended, the task. */
function table(found: readonly RunSummary[], paint: Paint): readonly string[] {
  const rows = found.map(run => ({ run, cells: [run.id, ago(run.started), counted(run.steps, 'step'), endOf(run)] }))
  const widths = [0, 1, 2, 3].map(column => Math.max(0, ...rows.map(({ cells }) => cells[column]?.length ?? 0)))
  return rows.map(({ run, cells }) => {
    const [id = '', when = '', steps = '', end = ''] = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    const colour = run.stop === 'final_answer' ? paint.green : paint.yellow
    return [paint.cyan(id), paint.dim(when), steps, colour(end), taskLine(run.task)].join('  ').trimEnd()
  })
}

const LONGEST_TASK = 60

function taskLine(task: string): string {
  const line = visible(task)
    .replace(/\s{1,100}/g, ' ')
    .trim()
  return line.length > LONGEST_TASK ? `${line.slice(0, LONGEST_TASK - 1)}…` : line
}

function endOf({ state, stop }: RunSummary): string {
  return state === 'ended' && stop !== null ? stop : state
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const

function ago(started: string | null): string {
  if (started === null) return '?'
  const ms = Date.now() - Date.parse(started)
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? []
  return unit === undefined ? 'just now' : `${Math.floor(ms / length)}${unit} ago`
}

/** `30d`, `12h` or `45m` → ms. */
function readAge(text: string): number {
  const [, count, unit] = /^(\d{1,6})([dhm])$/.exec(text.trim()) ?? []
  const length = UNITS.find(([name]) => name === unit)?.[1]
  if (length === undefined) throw new Error('an age such as 30d, 12h or 45m is wanted')
  return Number(count) * length
}

async function remove(names: readonly string[], { options, io }: Invocation): Promise<Verdict> {
  const { findRun, runFile, runIds, summaryOf } = await import('../run-files.js')
  const { all, olderThan } = options
  const chosen = all === true || typeof olderThan === 'number'
  if (chosen === names.length > 0)
    throw new SaydoError('CONFIG', 'say which runs to remove', { hint: 'name them, or give --all or --older-than 30d' })
  const ids = new Set(chosen ? runIds(io.cwd) : names.map(name => findRun(name, io.cwd)))
  const found = [...ids].map(id => summaryOf(id, io.cwd)).filter(run => typeof olderThan !== 'number' || isOlder(run, olderThan))
  const running = found.filter(({ state }) => state === 'running')
  if (running.length > 0 && !chosen)
    throw new SaydoError('CONFIG', `run ${running[0]?.id} is still running`, { hint: 'wait for its end, or stop it' })
  const doomed = found.filter(({ state }) => state !== 'running')
  if (chosen && options.yes !== true && doomed.length > 0 && !(await agrees(`remove ${counted(doomed.length, 'run')}?`, io)))
    return { code: 1, line: 'nothing was removed' }
  for (const { id } of doomed) removeRecord(runFile(id, io.cwd))
  return { code: 0, line: `removed ${counted(doomed.length, 'run')}` }
}

function isOlder({ started }: RunSummary, age: number): boolean {
  return started !== null && Date.now() - Date.parse(started) > age
}

/** With what a writer that crashed left beside it. */
function removeRecord(file: string): void {
  try {
    rmSync(file)
  } catch (cause) {
    throw new SaydoError('CONFIG', `cannot remove ${file}: ${(cause as Error).message}`, { cause })
  }
  for (const name of readdirSync(dirname(file)))
    if (name.startsWith(`${basename(file)}.lock-`)) rmSync(join(dirname(file), name), { force: true })
}

/** Asks somebody at a terminal; where nobody sits, that must have been said before. */
async function agrees(question: string, io: Io): Promise<boolean> {
  const person = new Person(io)
  if (!person.isThere) throw new SaydoError('CONFIG', `nobody can be asked: ${question}`, { hint: 'add --yes' })
  const answer = await person.ask(`${question} (y/n) `, io.signal)
  return /^y(?:es)?$/i.test(answer?.trim() ?? '')
}

async function salvage([name, copy, ...more]: readonly string[], { io }: Invocation): Promise<Verdict> {
  if (name === undefined || copy === undefined || more.length > 0)
    throw new SaydoError('CONFIG', 'a damaged record and a new file are wanted', {
      hint: 'saydo runs salvage ID|FILE COPY.jsonl',
    })
  const [{ recordPath }, { salvageJournal }] = await Promise.all([
    import('../run-files.js'),
    import('../../transcript/read-journal.js'),
  ])
  const { lines, lost } = salvageJournal(recordPath(name, io.cwd), resolve(io.cwd, copy))
  return {
    code: 0,
    line: `saved ${counted(lines, 'line')} in ${copy}; ${lost} bytes from the first damage on are left behind`,
  }
}
