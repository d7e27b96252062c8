// A workspace → what lies in it that others run by, to be shown to programs as read-only: what saydo and git read from there would otherwise be run
// outside of the sandbox, later.
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SaydoError } from '../../core/errors.js'

const MOST_DEPTH = 3
const MOST_FOLDERS = 2000

export interface ProtectedPaths {
  /** From the workspace. */
  readonly paths: readonly string[]
  /** The folders they lie in, outermost first: whoever could move one away would put another in its place, with all that is in it. */
  readonly held: readonly string[]
  /** Of the paths, what was made only to be protected: it goes when the sandbox does, where it is still as it was made. */
  readonly made: readonly string[]
}

/**
 * A `.git` of the workspace and of folders in it, three levels deep; saydo's own records and settings, which are made when they are missing. Throws
 * `CONFIG` for one that is a link: a link cannot be held in its place, and may lead out.
 */
export function protectPaths(root: string): ProtectedPaths {
  const paths = [...OWN, ...repositories(root)]
  const stats = paths.map(path => lstatSync(join(root, path), { throwIfNoEntry: false }))
  const link = paths.find((_, at) => stats[at]?.isSymbolicLink())
  if (link !== undefined)
    throw new SaydoError('CONFIG', `${link} in the workspace is a link, which cannot be protected from programs.`, {
      hint: 'Put what it leads to in its place, or name another workspace.',
    })
  const made = OWN.filter((_, at) => stats[at] === undefined)
  try {
    makeMissing(root, made)
  } catch (cause) {
    throw new SaydoError('CONFIG', `Nothing can be written into the workspace: ${(cause as Error).message}.`, {
      hint: 'See whose folder it is, and whether its disk is writable.',
      cause,
    })
  }
  return { paths, held: foldersAround(paths), made }
}

/** Makes again what was made, where somebody outside has removed it meanwhile. */
export function makeMissing(root: string, made: readonly string[]): void {
  for (const name of made) {
    const path = join(root, name)
    if (lstatSync(path, { throwIfNoEntry: false })) continue
    if (name === SETTINGS) writeFileSync(path, NOTHING, { flag: 'wx' })
    else mkdirSync(path)
  }
}

const SETTINGS = 'saydo.config.json5'
/** What saydo runs by. */
const OWN = ['.saydo', SETTINGS]
const REPOSITORY = '.git'
/** The names of all that is protected, wherever they stand in a path. */
export const PROTECTED: readonly string[] = [REPOSITORY, ...OWN]
/** Settings that say nothing. */
export const NOTHING = '{}\n'

function repositories(root: string): readonly string[] {
  const found: string[] = []
  const folders = ['']
  let seen = 0
  for (const folder of folders) {
    if (seen++ === MOST_FOLDERS) break
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.name === REPOSITORY) found.push(path)
      else if (entry.isDirectory() && entry.name !== 'node_modules' && path.split('/').length < MOST_DEPTH) folders.push(path)
    }
  }
  return found
}

function foldersAround(paths: readonly string[]): readonly string[] {
  const around = paths.flatMap(path =>
    path
      .split('/')
      .slice(0, -1)
      .map((_, at, parts) => parts.slice(0, at + 1).join('/')),
  )
  return [...new Set(around)].sort()
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
