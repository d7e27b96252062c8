// The name of a record → the run it holds. A record that broke off gives the run as far as it goes.

import { counted } from '../core/counted.js'
import { SaydoError } from '../core/errors.js'
import { runsIn } from '../transcript/conversation.js'
import { readGoodPart, readJournal } from '../transcript/read-journal.js'
import { type Transcript, transcriptsOf } from '../transcript/transcript.js'
import { newestFile, recordPath } from './run-files.js'

export interface ReadRun {
  readonly path: string
  /** The runs of its conversation, oldest first; mostly one. */
  readonly runs: readonly [Transcript, ...Transcript[]]
  /** The one that is meant, by default the last. */
  readonly transcript: Transcript
  /** Those that are meant: that one, or all of them. */
  readonly shown: readonly [Transcript, ...Transcript[]]
}

export interface RunChoice {
  /** Which run of a conversation is meant, from 1; default the last, and that is said; `all`: nothing is. */
  readonly turn?: number | 'all'
  /** A damaged record is read up to the damage. */
  readonly damaged?: true
}

/**
 * `name` is a file or the beginning of a run's id; undefined the one that was written last. `say` is told what of the file is left out. Throws `CONFIG` when there
 * is no such run, and as `readJournal` does, but for damage that is allowed.
 */
export function readRun(
  name: string | undefined,
  cwd: string,
  say: (line: string) => void,
  { turn, damaged }: RunChoice = {},
): ReadRun {
  const path = recordOf(name, cwd)
  const { events, torn } = damaged ? goodPart(path, say) : readJournal(path)
  const runs = transcriptsOf(events)
  const transcript = typeof turn === 'number' ? runs[turn - 1] : (runs.at(-1) ?? runs[0])
  const record = name ?? path
  if (transcript === undefined)
    throw new SaydoError('CONFIG', `${record} has no turn ${turn}`, { hint: `it has ${counted(runs.length, 'turn')}` })
  if (torn > 0) say(`the last line of ${record} broke off and is left out`)
  if (runs.length > 1 && turn === undefined) say(`${record} holds several runs; this is of the last one, ${transcript.run}`)
  const takenBack = runsIn(events).length - runs.length
  if (takenBack > 0) say(`left out is what was taken back: ${counted(takenBack, 'run')} of ${record}`)
  return { path, runs, transcript, shown: turn === 'all' ? runs : [transcript] }
}

/** The file of a record; without a name the one that was written last. Throws `CONFIG` when there is none. */
export function recordOf(name: string | undefined, cwd: string): string {
  return name === undefined ? newestFile(cwd) : recordPath(name, cwd)
}

function goodPart(path: string, say: (line: string) => void): Pick<ReturnType<typeof readJournal>, 'events' | 'torn'> {
  try {
    return readJournal(path)
  } catch (error) {
    if (!(error instanceof SaydoError && error.code === 'JOURNAL_DAMAGED')) throw error
    const { events } = readGoodPart(path)
    if (events.length === 0) throw error
    say(`${error.message}; what stands before it is shown`)
    return { events, torn: 0 }
  }
}
