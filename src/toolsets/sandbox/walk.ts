// A path and a workspace folder → the place it leads to, links resolved, or a refusal. On Linux each folder is held open while the next step is
// taken from it, so that what a program swaps meanwhile leads nowhere else; elsewhere such a race can be lost.
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, readlink, rmdir, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { SandboxError } from '../../core/sandbox.js'

/** As many links as Linux follows. */
const MOST_LINKS = 40
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Valid until the callback it is given to has ended. */
export interface Place {
  /** From the workspace, links resolved; empty for the workspace itself. */
  readonly path: readonly string[]
  /** What to hand to the functions of node:fs. Its last part may be a link by now: never follow it. */
  readonly at: string
  /** The same for what lies in it, where it is a folder: it is held open, and no link. */
  readonly within?: string
  /** A name that can be used beside it, in the same folder. */
  beside(name: string): string
  readonly stats: Stats | undefined
}

export interface WalkOptions {
  /** The workspace as programs see it: where absolute links and paths begin. */
  readonly visibleRoot: string
  /** Make the folders on the way. */
  readonly makeFolders?: boolean
  /** Stop at a link in the last place instead of following it. */
  readonly keepLastLink?: boolean
  /** Asked about every folder that is to be made. */
  readonly beforeMake?: (path: readonly string[]) => void
}

interface Level {
  readonly handle: FileHandle
  readonly name: string
  readonly at: string
}

/** Gives the place a path leads to, and lets go of it when `use` is done. Rejects with `SandboxError`. */
export async function withPlace<T>(
  root: string,
  path: string,
  options: WalkOptions,
  use: (place: Place) => Promise<T>,
): Promise<T> {
  const levels: Level[] = []
  try {
    levels.push(await openLevel(root, ''))
    return await use(await walk(levels, path, options))
  } finally {
    for (const { handle } of levels) await handle.close()
  }
}

/** The first name like that in a folder, or in those below it; links are not followed. */
export async function nameWithin(at: string, isMeant: (name: string) => boolean): Promise<string | undefined> {
  const level = await openLevel(at, basename(at))
  try {
    const entries = await readdir(level.at, { withFileTypes: true })
    const here = entries.find(({ name }) => isMeant(name))?.name
    if (here !== undefined) return here
    for (const entry of entries) {
      const below = entry.isDirectory() ? await nameWithin(join(level.at, entry.name), isMeant) : undefined
      if (below !== undefined) return below
    }
    return undefined
  } finally {
    await level.handle.close()
  }
}

/** Removes a folder with all that lies in it; links in it are removed, not followed. */
export async function removeFolder(at: string): Promise<void> {
  const level = await openLevel(at, basename(at))
  try {
    for (const entry of await readdir(level.at, { withFileTypes: true })) {
      const path = join(level.at, entry.name)
      await (entry.isDirectory() ? removeFolder(path) : unlink(path))
    }
  } finally {
    await level.handle.close()
  }
  await rmdir(at)
}

async function walk(levels: Level[], path: string, options: WalkOptions): Promise<Place> {
  const open = partsOf(path, path, options, levels)
  let links = 0
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    if (name === '..') {
      await up(levels, path)
      continue
    }
    const here = top(levels)
    const at = join(here.at, name)
    const isLast = open.length === 0
    const stats = await lstat(at).catch(missing)
    if (stats === undefined && isLast) return placeOf(levels, name, undefined)
    if (stats === undefined) {
      if (options.makeFolders !== true) throw new SandboxError('not_found', `${shown(path)} does not exist`)
      options.beforeMake?.([...pathOf(levels), name])
      await mkdir(at)
    } else if (stats.isSymbolicLink()) {
      if (isLast && options.keepLastLink === true) return placeOf(levels, name, stats)
      if (++links > MOST_LINKS) throw new SandboxError('bad_path', `${shown(path)} goes through too many links`)
      open.unshift(...partsOf(await readlink(at), path, options, levels))
      if (open.length === 0) break
      continue
    } else if (!stats.isDirectory()) {
      if (!isLast) throw new SandboxError('not_a_folder', `${[...pathOf(levels), name].join('/')} is no folder`)
      return placeOf(levels, name, stats)
    }
    levels.push(await openLevel(at, name))
  }
  return folderPlace(levels)
}

/** The parts to go, from where the walk is; an absolute path begins at the workspace, and is refused when it lies elsewhere. */
function partsOf(path: string, asked: string, { visibleRoot }: WalkOptions, levels: Level[]): string[] {
  if (path.includes('\0')) throw new SandboxError('bad_path', 'a path cannot hold a NUL character')
  const absolute = path.startsWith('/')
  const inside = absolute ? below(path, visibleRoot) : path
  if (inside === undefined) throw outside(asked)
  if (absolute) for (const { handle } of levels.splice(1)) void handle.close()
  return inside.split('/').filter(part => part !== '' && part !== '.')
}

function below(path: string, root: string): string | undefined {
  const [parts, above] = [path, root].map(each => each.split('/').filter(part => part !== '')) as [string[], string[]]
  return above.every((part, index) => parts[index] === part) ? parts.slice(above.length).join('/') : undefined
}

async function up(levels: Level[], path: string): Promise<void> {
  if (levels.length === 1) throw outside(path)
  await levels.pop()?.handle.close()
}

async function openLevel(at: string, name: string): Promise<Level> {
  const handle = await open(at, FOLDER).catch(cause => {
    throw new SandboxError('not_a_folder', `the folder ${name} is no folder, or cannot be entered`, cause)
  })
  return { handle, name, at: process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : at }
}

function placeOf(levels: readonly Level[], name: string, stats: Stats | undefined): Place {
  const { at } = top(levels)
  return { path: [...pathOf(levels), name], at: join(at, name), beside: other => join(at, other), stats }
}

async function folderPlace(levels: readonly Level[]): Promise<Place> {
  const { handle, at, name } = top(levels)
  const outer = levels.at(-2)
  return {
    path: pathOf(levels),
    at: outer === undefined ? at : join(outer.at, name),
    within: at,
    beside: other => join((outer ?? top(levels)).at, other),
    stats: await handle.stat(),
  }
}

function pathOf(levels: readonly Level[]): string[] {
  return levels.slice(1).map(({ name }) => name)
}

function top(levels: readonly Level[]): Level {
  return levels.at(-1) as Level
}

function outside(path: string): SandboxError {
  return new SandboxError('outside', `${shown(path)} lies outside the workspace`)
}

function shown(path: string): string {
  return path.length > 200 ? `${path.slice(0, 200)}…` : path
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  if (error.code === 'ENAMETOOLONG') throw new SandboxError('bad_path', 'a name in this path is too long', error)
  throw error
}
