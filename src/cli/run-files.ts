// The records of a working directory → which there are, what each of them says in short, and the one that somebody means by the beginning of its id.
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { SaydoError } from '../core/errors.js'
import type { StopReason } from '../core/step.js'
import { nodeDisk } from '../transcript/disk.js'
import { writerOf } from '../transcript/lock.js'
import { readGoodPart, readJournal } from '../transcript/read-journal.js'
import { RUNS } from '../transcript/runs-folder.js'
import { type Transcript, transcriptsOf } from '../transcript/transcript.js'

const ENDING = '.jsonl'

/** `ended`: the run came to its end, as `stop` says; `running`: a process is writing it; `unfinished`: none is, and it has no end. */
export type RunState = 'ended' | 'running' | 'unfinished' | 'damaged'

export interface RunSummary {
  readonly id: string
  readonly state: RunState
  /** Of the last turn; null for a run without an end. */
  readonly stop: StopReason | null
  /** ISO 8601; null when the record has no first line. */
  readonly started: string | null
  readonly task: string
  readonly model: string
  /** Of all its turns. */
  readonly steps: number
  /** Tasks, one after the other, as in a conversation; mostly 1. */
  readonly turns: number
  readonly answer?: string
  /** From the working directory. */
  readonly file: string
}

export function runFile(id: string, cwd: string): string {
  return join(cwd, RUNS, id + ENDING)
}

/** Newest first: an id begins with its time. */
export function runIds(cwd: string): readonly string[] {
  const folder = join(cwd, RUNS)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.endsWith(ENDING))
    .map(name => name.slice(0, -ENDING.length))
    .sort()
    .reverse()
}

/** The file that was written last. Throws `CONFIG` when there is none. */
export function newestFile(cwd: string): string {
  const times = runIds(cwd).flatMap(id => {
    const file = runFile(id, cwd)
    // a link that leads nowhere, or a file that is removed meanwhile
    const found = statSync(file, { throwIfNoEntry: false })
    return found?.isFile() ? [{ file, at: found.mtimeMs }] : []
  })
  const [first] = times.sort((a, b) => b.at - a.at)
  if (first === undefined) throw new SaydoError('CONFIG', 'no run is recorded here', { hint: 'saydo demo records one' })
  return first.file
}

/** The only run whose id begins so. Throws `CONFIG` when there is none, or several. */
export function findRun(prefix: string, cwd: string): string {
  const ids = runIds(cwd)
  const found = ids.includes(prefix) ? [prefix] : ids.filter(id => id.startsWith(prefix))
  const [id] = found
  if (id !== undefined && found.length === 1) return id
  if (id === undefined)
    throw new SaydoError('CONFIG', `there is no run '${prefix}' in ${RUNS}`, {
      hint: ids.length === 0 ? 'saydo run records one' : `saydo runs lists them; the newest is ${ids[0]}`,
    })
  throw new SaydoError('CONFIG', `'${prefix}' is the beginning of ${found.length} runs`, {
    hint: `say more of it: ${found.slice(0, 5).join(', ')}${found.length > 5 ? ' …' : ''}`,
  })
}

/** A record by its path, or by the beginning of its id. Throws `CONFIG` when it is neither. */
export function recordPath(name: string, cwd: string): string {
  const path = resolve(cwd, name)
  return existsSync(path) ? path : runFile(findRun(name, cwd), cwd)
}

/** What a record says in short, damaged or not; never throws for what stands in it. */
export function summaryOf(id: string, cwd: string): RunSummary {
  const path = runFile(id, cwd)
  const file = relative(cwd, path)
  const { runs, started, damaged } = readRecord(path)
  const run = runs.at(-1)
  const state = damaged ? 'damaged' : run?.result ? 'ended' : writerOf(path, nodeDisk) === undefined ? 'unfinished' : 'running'
  return {
    id,
    state,
    stop: run?.result?.stop ?? null,
    started: started === undefined ? null : new Date(started).toISOString(),
    task: runs[0]?.task ?? '',
    model: run?.model ?? '',
    steps: runs.reduce((sum, { turns }) => sum + new Set(turns.map(({ step }) => step)).size, 0),
    turns: runs.length,
    ...(run?.result?.answer === undefined ? {} : { answer: run.result.answer }),
    file,
  }
}

/** Records are of one machine; and of one person, who may have said what others should not read. */
export function hideFromGit(folder: string): void {
  const file = join(folder, '.gitignore')
  if (existsSync(file)) return
  nodeDisk.makeFolder(folder)
  writeFileSync(file, '*\n')
}

interface ReadRecord {
  /** None when not even the first line is there. */
  readonly runs: readonly Transcript[]
  readonly started?: number
  readonly damaged: boolean
}

function readRecord(path: string): ReadRecord {
  let damaged = false
  const { events } = (() => {
    try {
      return readJournal(path)
    } catch {
      damaged = true
      return goodPart(path)
    }
  })()
  const started = events[0]?.at
  if (events[0]?.type !== 'run_start') return { runs: [], damaged }
  return { runs: transcriptsOf(events), ...(started === undefined ? {} : { started }), damaged }
}

function goodPart(path: string): Pick<ReturnType<typeof readGoodPart>, 'events'> {
  try {
    return readGoodPart(path)
  } catch {
    return { events: [] }
  }
}
