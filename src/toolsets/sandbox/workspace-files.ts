// The files of a workspace folder, read and written from outside the sandbox: every path is walked (see walk.ts), what others run by is not touched.
import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { link, lstat, open, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { nearNames } from '../../core/near-names.js'
import { type SandboxEntry, SandboxError } from '../../core/sandbox.js'
import { PROTECTED } from './protected-paths.js'
import { nameWithin, type Place, removeFolder, type WalkOptions, withPlace } from './walk.js'

const MOST_BYTES = 10 * 1024 * 1024
/** Most names that are told in place of one that is not there. */
const MOST_NAMED = 20

export class WorkspaceFiles {
  readonly #root: string
  readonly #visibleRoot: string

  /** `root`: the real path of the folder; `visibleRoot`: as programs see it. */
  constructor(root: string, visibleRoot: string) {
    this.#root = root
    this.#visibleRoot = visibleRoot
  }

  async read(path: string, maxBytes = MOST_BYTES): Promise<Uint8Array> {
    return this.#at(path, {}, async place => {
      if (place.stats === undefined) throw await this.#missing(path)
      requireFile(place, path)
      // not blocking: a pipe that came in its place meanwhile would wait for a writer
      const file = await open(place.at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
      try {
        const stats = await file.stat()
        if (!stats.isFile()) throw notAFile(path)
        if (stats.size > maxBytes) throw tooLarge(path, maxBytes)
        const bytes = await readUpTo(file, maxBytes + 1)
        if (bytes.length > maxBytes) throw tooLarge(path, maxBytes)
        return bytes
      } finally {
        await file.close()
      }
    })
  }

  async write(path: string, bytes: Uint8Array | string, exclusive = false): Promise<void> {
    const options = { makeFolders: true, beforeMake: requireUnprotected }
    await this.#at(path, options, async place => {
      requireUnprotected(place.path)
      if (place.stats !== undefined) {
        requireFile(place, path)
        if (exclusive) throw new SandboxError('exists', `${path} exists already`)
      }
      const beside = place.beside(`.saydo-${randomBytes(8).toString('hex')}`)
      const mode = place.stats === undefined ? 0o666 : place.stats.mode & 0o7777
      const file = await open(beside, 'wx', mode)
      try {
        await file.writeFile(bytes)
        // once more, since the mask of this process took bits from it
        if (place.stats !== undefined) await file.chmod(mode)
        await file.close()
        await (exclusive ? putAnew(beside, place.at, path) : rename(beside, place.at))
      } catch (error) {
        await file.close().catch(() => {})
        await rm(beside, { force: true })
        throw error
      }
    })
  }

  async list(path: string): Promise<readonly SandboxEntry[]> {
    return this.#at(path, {}, async place => {
      const { within } = place
      if (place.stats === undefined) throw await this.#missing(path)
      if (within === undefined) throw new SandboxError('not_a_folder', `${path} is no folder`)
      const names = (await readdir(within)).sort()
      const entries = names.map(async name => {
        const stats = await lstat(join(within, name)).catch(() => undefined)
        if (stats) return entryOf([...place.path, name], stats)
        // a name that is no UTF-8 can't be asked for; any other is gone by now
        return name.includes('\uFFFD') ? nameless([...place.path, name], name) : undefined
      })
      return (await Promise.all(entries)).filter(entry => entry !== undefined)
    })
  }

  async stat(path: string): Promise<SandboxEntry | undefined> {
    try {
      return await this.#at(path, {}, async ({ path, stats }) => stats && entryOf(path, stats))
    } catch (error) {
      if (error instanceof SandboxError && error.code === 'not_found') return undefined
      throw error
    }
  }

  async remove(path: string, recursive = false): Promise<void> {
    await this.#at(path, { keepLastLink: true }, async place => {
      requireUnprotected(place.path)
      if (place.stats === undefined) throw await this.#missing(path)
      if (place.path.length === 0) throw new SandboxError('protected', 'the workspace itself cannot be removed')
      if (!place.stats.isDirectory()) return unlink(place.at)
      if (recursive) {
        const inside = await nameWithin(place.at, isProtected)
        if (inside !== undefined) throw new SandboxError('protected', `${path} holds ${inside}, which is protected`)
        return removeFolder(place.at)
      }
      await rmdir(place.at).catch(cause => {
        throw new SandboxError('not_a_file', `${path} is a folder with something in it`, cause)
      })
    })
  }

  /** Whoever has guessed a name need not guess again. */
  async #missing(path: string): Promise<SandboxError> {
    const folder = posix.dirname(path)
    const names = await this.#at(folder, {}, ({ within }) => (within === undefined ? Promise.resolve([]) : readdir(within)))
    const near = nearNames(posix.basename(path), names)
    const told = (near.length > 0 ? near : names.sort().slice(0, MOST_NAMED)).map(name => JSON.stringify(name))
    const more = near.length === 0 && names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
    const there = told.length === 0 ? 'nothing else either' : `${told.join(', ')}${more}`
    return new SandboxError('not_found', `${path} does not exist; in its folder there is ${there}`)
  }

  async #at<T>(path: string, options: Omit<WalkOptions, 'visibleRoot'>, use: (place: Place) => Promise<T>): Promise<T> {
    return withPlace(this.#root, path, { ...options, visibleRoot: this.#visibleRoot }, use).catch(error => {
      throw error instanceof SandboxError ? error : unreached(path, error)
    })
  }
}

/** A second name that fails where there is one already, in place of a name that would be replaced. */
async function putAnew(from: string, to: string, path: string): Promise<void> {
  await link(from, to).catch(cause => {
    throw cause.code === 'EEXIST' ? new SandboxError('exists', `${path} exists already`, cause) : cause
  })
  await unlink(from)
}

async function readUpTo(file: Awaited<ReturnType<typeof open>>, most: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let length = 0
  while (length < most) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(65_536, most - length)))
    if (bytesRead === 0) break
    chunks.push(buffer.subarray(0, bytesRead))
    length += bytesRead
  }
  return Buffer.concat(chunks)
}

/** What the system says, without the paths of this machine in it. */
function unreached(path: string, cause: NodeJS.ErrnoException): SandboxError {
  const [, why = cause.message] = /^[A-Z0-9]{2,20}: ([^,]{1,200}),/.exec(cause.message) ?? []
  return new SandboxError('bad_path', `${path} cannot be used: ${why}`, cause)
}

function requireFile({ stats }: Place, path: string): void {
  if (!stats?.isFile()) throw notAFile(path)
}

function requireUnprotected(path: readonly string[]): void {
  const name = path.find(isProtected)
  if (name !== undefined) throw new SandboxError('protected', `${name} is protected: it cannot be changed from here`)
}

function isProtected(name: string): boolean {
  // some disks take .GIT for .git
  return PROTECTED.includes(name.toLowerCase())
}

function entryOf(path: readonly string[], stats: Stats): SandboxEntry {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other'
  const { size, mtimeMs } = stats
  return { path: path.join('/') || '.', name: path.at(-1) ?? '.', kind, size, mode: stats.mode & 0o7777, mtimeMs }
}

function nameless(path: readonly string[], name: string): SandboxEntry {
  return { path: path.join('/'), name, kind: 'other', size: 0, mode: 0, mtimeMs: 0 }
}

function notAFile(path: string): SandboxError {
  return new SandboxError('not_a_file', `${path} is no regular file`)
}

function tooLarge(path: string, most: number): SandboxError {
  return new SandboxError('too_large', `${path} has more than ${most} bytes`)
}
