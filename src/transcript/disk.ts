// The few things a journal asks of a disk, one after the other and each done when it returns. An implementation of its own can fail on purpose.
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { SaydoError } from '../core/errors.js'

/** Every method throws as `node:fs` does, with `error.code`. */
export interface Disk {
  /** Makes a folder and those above it; readable for its owner alone. */
  makeFolder(folder: string): void
  /** Makes a new file, mode 0600, for writing. `EEXIST` when it is there. */
  create(file: string): number
  /** Opens a file that is there, for writing. */
  open(file: string): number
  /** Writes bytes at a place of the file; how many of them, it returns. */
  write(fd: number, bytes: Uint8Array, from: number, position: number): number
  /** Returns when all that was written is safe from a power cut. */
  sync(fd: number): void
  truncate(fd: number, length: number): void
  close(fd: number): void
  read(file: string): Buffer
  /** The names in a folder. */
  list(folder: string): readonly string[]
  remove(file: string): void
  /** Makes the names in a folder safe; does nothing where that is not possible. */
  syncFolder(folder: string): void
}

export const nodeDisk: Disk = {
  makeFolder,
  create: file => openSync(file, 'wx', 0o600),
  open: file => openSync(file, 'r+'),
  write: (fd, bytes, from, position) => writeSync(fd, bytes, from, bytes.length - from, position),
  sync: fsyncSync,
  truncate: ftruncateSync,
  close: closeSync,
  read: file => readFileSync(file),
  list: folder => readdirSync(folder),
  remove: unlinkSync,
  syncFolder(folder) {
    // Windows opens no folders
    if (process.platform === 'win32') return
    const fd = openSync(folder, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  },
}

/** One after the other: Node's own way to make several at once never returns where the system makes none, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above)
  try {
    mkdirSync(folder, 0o700)
  } catch (error) {
    // another process may have been faster
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The bytes of a file; `CONFIG` when it can't be read. */
export function readBytes(file: string, disk: Disk): Buffer {
  try {
    return disk.read(file)
  } catch (error) {
    throw new SaydoError('CONFIG', `cannot read ${file}: ${messageOf(error)}`, { cause: error })
  }
}

/** A new file; `CONFIG` when there is one of that name or none can be made. */
export function createFile(file: string, disk: Disk): number {
  try {
    return disk.create(file)
  } catch (error) {
    const there = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw new SaydoError('CONFIG', there ? `${file} is there already` : `cannot write ${file}: ${messageOf(error)}`, {
      hint: there ? 'name a new file: a record is never written over' : 'name a file in a folder that can be written',
      cause: error,
    })
  }
}

/** Writes until everything is written: a full disk may take a part. */
export function writeAll(fd: number, bytes: Uint8Array, position: number, disk: Disk): void {
  for (let from = 0; from < bytes.length; ) {
    const written = disk.write(fd, bytes, from, position + from)
    if (written <= 0) throw Object.assign(new Error('the disk takes no more'), { code: 'ENOSPC' })
    from += written
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
