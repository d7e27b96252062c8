// What a run has made of files → a line for people, and the patch in the file that was asked for.
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Artifacts } from '../core/step.js'
import type { Io } from './command.js'

const MOST_NAMED = 10

interface Telling {
  readonly io: Io
  readonly say: (line: string) => void
  /** The run goes on with an earlier one, whose changes are not among these. */
  readonly resumed: boolean
}

/** Says it where a patch was asked for and there is none, or its file cannot be written. */
export function tellChanges(artifacts: Artifacts | undefined, file: unknown, { io, say, resumed }: Telling): void {
  const since = resumed ? ' since the run went on' : ''
  const files = artifacts?.files ?? []
  const named = files.slice(0, MOST_NAMED).map(({ path, change }) => `${change} ${path}`)
  const more = files.length - named.length
  if (files.length > 0) say(`files${since}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`)
  if (typeof file !== 'string') return
  if (artifacts?.patch === undefined)
    return say(`no patch was written to ${file}: ${files.length > 0 ? 'it is too long' : `nothing was changed${since}`}`)
  try {
    writeFileSync(resolve(io.cwd, file), artifacts.patch)
    say(`the patch${resumed ? ' of what was changed since then' : ''} is in ${file}: git apply ${file}`)
  } catch (error) {
    say(`the patch cannot be written: ${(error as Error).message}`)
  }
}
