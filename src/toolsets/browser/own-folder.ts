// A folder for all that a browser writes → it is gone when the browser is closed, and so is the browser; also when this process is gone, whatever ended it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Keeper } from '../sandbox/keeper.js'
import { MARK } from '../sandbox/processes.js'

export interface OwnFolder {
  readonly path: string
  /** What a browser must be started with, to be found again. */
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

export async function openFolder(): Promise<OwnFolder> {
  const path = await mkdtemp(join(tmpdir(), 'saydo-browser-'))
  const mark = basename(path)
  // where there is no shell, nobody cleans up behind a process that was killed
  const keeper = await Keeper.start({ cleanUp: 'kill_marked "$2"; clear_away "$1" ""', args: [path, mark] }).catch(
    () => undefined,
  )
  return {
    path,
    env: { [MARK]: `${mark}.0`, ...(path.length <= LONGEST ? { TMPDIR: path } : {}) },
    close: async () => {
      await keeper?.end()
      await rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
    },
  }
}

/** Chromium makes a socket below it, whose path may have no more than 108 characters. */
const LONGEST = 60
