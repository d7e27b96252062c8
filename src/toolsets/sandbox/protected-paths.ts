// A workspace → what lies in it that others run by, to be shown to programs as read-only: what saydo and git read from there would otherwise be run
// outside of the sandbox, later.
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MOST_DEPTH = 3
const MOST_FOLDERS = 2000

export interface ProtectedPaths {
  /** From the workspace. */
  readonly paths: readonly string[]
  /** Of those, what was made only to be protected: it goes when the sandbox does, where it is still as it was made. */
  readonly made: readonly string[]
}

/** A `.git` of the workspace and of folders in it, three levels deep; saydo's own records and settings, which are made when they are missing. */
export function protectPaths(root: string): ProtectedPaths {
  const made = OWN.filter(name => !lstatSync(join(root, name), { throwIfNoEntry: false }))
  makeMissing(root, made)
  // a link is followed by bwrap, and may lead out: what it names could be put in its place
  const own = OWN.filter(name => !lstatSync(join(root, name)).isSymbolicLink())
  return { paths: [...own, ...repositories(root)], made }
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
const OWN = ['.saydo', SETTINGS]
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
      if (entry.name === '.git' && !entry.isSymbolicLink()) found.push(path)
      else if (entry.isDirectory() && entry.name !== 'node_modules' && path.split('/').length < MOST_DEPTH) folders.push(path)
    }
  }
  return found
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
