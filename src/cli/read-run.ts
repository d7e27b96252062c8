// The name of a record → the run it holds. A record that broke off gives the run as far as it goes.
import { SaydoError } from '../core/errors.js'
import { readGoodPart, readJournal } from '../transcript/read-journal.js'
import { type Transcript, transcriptOf } from '../transcript/transcript.js'
import { recordPath, runFile, runIds } from './run-files.js'

export interface ReadRun {
  readonly path: string
  readonly transcript: Transcript
}

/**
 * `name` is a file or the beginning of a run's id; undefined the newest run. `say` is told what of the file is left out. Throws `CONFIG` when there
 * is no such run, and as `readJournal` does, but for damage when `damaged` allows it: the run is then read up to there.
 */
export function readRun(name: string | undefined, cwd: string, say: (line: string) => void, damaged?: 'allowed'): ReadRun {
  const path = recordOf(name, cwd)
  const { events, torn } = damaged ? goodPart(path, say) : readJournal(path)
  const last = events.findLastIndex(event => event.type === 'run_start')
  const transcript = transcriptOf(events.slice(Math.max(0, last)))
  if (torn > 0) say(`the last line of ${name ?? path} broke off and is left out`)
  if (last > 0) say(`${name ?? path} holds several runs; this is of the last one, ${transcript.run}`)
  return { path, transcript }
}

/** The file of a record; without a name that of the newest run. Throws `CONFIG` when there is none. */
export function recordOf(name: string | undefined, cwd: string): string {
  if (name !== undefined) return recordPath(name, cwd)
  const [newest] = runIds(cwd)
  if (newest === undefined) throw new SaydoError('CONFIG', 'no run is recorded here', { hint: 'saydo demo records one' })
  return runFile(newest, cwd)
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
