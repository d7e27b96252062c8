// Where a run of the command line is recorded, and the recording of it. By default each run has a file of its own in `.saydo/runs`, which git does
// not see; where that can't be made the run goes on without, and says so. A file that was asked for must be there.
import { join, relative, resolve } from 'node:path'
import { newRunId } from '../agent/run-options.js'
import { SaydoError } from '../core/errors.js'
import type { AgentEvent } from '../core/event.js'
import type { Journal } from '../transcript/journal.js'
import { RECORDS } from '../transcript/runs-folder.js'
import type { Secrets } from '../transcript/secrets.js'
import type { Io, OptionSpec } from './command.js'
import { hideFromGit, runFile } from './run-files.js'
import { secretsOfScenes } from './scenes/index.js'
import type { Settings } from './settings.js'
import { visible } from './visible.js'

export const RECORD_OPTIONS: readonly OptionSpec[] = [
  { flags: '--record <file>', description: 'record the run in this new file (default: .saydo/runs/ID.jsonl)' },
  { flags: '--no-record', description: 'leave no record of the run' },
]

export interface RecordSettings {
  /** `record`, `quiet`. */
  readonly options: Readonly<Record<string, unknown>>
  readonly secrets: Secrets
}

export interface Recording {
  readonly runId: string
  /** The run must not go on when it throws. */
  readonly onEvent: (event: AgentEvent) => void
}

/**
 * Does work with a record open, and names the record at its end. Where there should be a record and can't be one, it says so and goes on.
 * Rejects with `CONFIG`, before the work, when the file of `--record` can't be made, and with what the work rejects with.
 */
export async function recorded<T>(settings: RecordSettings, io: Io, work: (recording: Recording) => Promise<T>): Promise<T> {
  const runId = newRunId()
  const journal = settings.options.record === false ? undefined : await openRecord(runId, settings, io)
  if (!journal) return work({ runId, onEvent: () => {} })
  return closing(journal, settings.options, io, onEvent => work({ runId, onEvent }))
}

/**
 * Does work with the record of a run that goes on: what it adds is written behind what is there. Rejects with `CONFIG`, before the work, for flags that
 * name another record, and for a file that is none of a run or can't be written, `JOURNAL_*` as `openJournal` does, and with what the work rejects with.
 */
export async function continued<T>(
  file: string,
  { options, flags, secrets }: Settings,
  io: Io,
  work: (events: readonly AgentEvent[], onEvent: Recording['onEvent']) => Promise<T>,
): Promise<T> {
  if (flags.record !== undefined)
    throw new SaydoError('CONFIG', `--${flags.record === false ? 'no-record' : 'record'} is of a new run`, {
      hint: 'what goes on is recorded where it was',
    })
  const [{ openJournal }, { readJournal }] = await Promise.all([
    import('../transcript/journal.js'),
    import('../transcript/read-journal.js'),
  ])
  const journal = openJournal(file, { secrets: { ...secrets, ...(await secretsOfScenes(options, io)) }, env: {}, append: true })
  return closing(journal, options, io, onEvent => {
    // read when nobody else writes it any more
    return work(readJournal(file).events, onEvent)
  })
}

/** Names the record when something was written. */
async function closing<T>(
  journal: Journal,
  { quiet }: RecordSettings['options'],
  io: Io,
  work: (onEvent: Recording['onEvent']) => Promise<T>,
): Promise<T> {
  let begun = false
  try {
    return await work(event => {
      journal.onEvent(event)
      begun = true
    })
  } finally {
    journal.close()
    if (begun && quiet !== true) io.stderr.write(`${visible(`recorded: ${relative(io.cwd, journal.file)}`)}\n`)
  }
}

async function openRecord(runId: string, { options, secrets: known }: RecordSettings, io: Io): Promise<Journal | undefined> {
  const { openJournal } = await import('../transcript/journal.js')
  const secrets = { ...known, ...(await secretsOfScenes(options, io)) }
  // the environment is among the secrets already
  const hidden = { secrets, env: {} }
  if (typeof options.record === 'string') return openJournal(resolve(io.cwd, options.record), hidden)
  try {
    hideFromGit(join(io.cwd, RECORDS))
    return openJournal(runFile(runId, io.cwd), hidden)
  } catch (error) {
    io.stderr.write(`${visible(`! this run is not recorded: ${(error as Error).message}`)}\n`)
    return undefined
  }
}
