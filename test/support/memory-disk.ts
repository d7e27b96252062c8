// A disk in memory, and disks that fail on purpose: small real implementations of the port a journal writes through.
import { basename, dirname } from 'node:path'
import type { Disk } from '../../src/transcript/disk.js'

export interface MemoryDisk extends Disk {
  /** The bytes of each file. */
  readonly files: Map<string, Buffer>
  /** What a power cut at this moment would leave of them at the least: all that was synced. */
  readonly safe: Map<string, Buffer>
}

export function memoryDisk(files = new Map<string, Buffer>()): MemoryDisk {
  const open = new Map<number, string>()
  const safe = new Map<string, Buffer>()
  let next = 3
  const opened = (file: string): number => {
    open.set(next, file)
    return next++
  }
  const bytesOf = (file: string): Buffer => files.get(file) ?? fail('ENOENT')
  const nameOf = (fd: number): string => open.get(fd) ?? fail('EBADF')
  return {
    files,
    safe,
    makeFolder() {},
    create(file) {
      if (files.has(file)) fail('EEXIST')
      files.set(file, Buffer.alloc(0))
      return opened(file)
    },
    open(file) {
      bytesOf(file)
      return opened(file)
    },
    write(fd, bytes, from, position) {
      const file = nameOf(fd)
      const before = bytesOf(file)
      const after = Buffer.alloc(Math.max(before.length, position + bytes.length - from))
      before.copy(after)
      after.set(bytes.subarray(from), position)
      files.set(file, after)
      return bytes.length - from
    },
    sync: fd => void safe.set(nameOf(fd), bytesOf(nameOf(fd))),
    truncate(fd, length) {
      files.set(nameOf(fd), bytesOf(nameOf(fd)).subarray(0, length))
    },
    close(fd) {
      nameOf(fd)
      open.delete(fd)
    },
    read: bytesOf,
    list: folder => [...files.keys()].filter(file => dirname(file) === folder).map(file => basename(file)),
    remove(file) {
      bytesOf(file)
      files.delete(file)
    },
    syncFolder() {},
  }
}

export interface Fault {
  /** The call that fails, counted from 1. */
  readonly at: number
  readonly code: string
  /** So do all after it. */
  readonly lasting: boolean
  /** A write that fails has put half of its bytes on the disk. */
  readonly torn: boolean
}

/** The disk as it is, but for one call of it, or all from one on. */
export function faultyDisk(disk: Disk, { at, code, lasting, torn }: Fault): Disk & { readonly calls: number } {
  let calls = 0
  const fails = (): boolean => {
    calls += 1
    return calls === at || (lasting && calls > at)
  }
  const step =
    <Args extends readonly unknown[], Result>(act: (...args: Args) => Result) =>
    (...args: Args): Result =>
      fails() ? fail(code) : act(...args)
  return {
    get calls() {
      return calls
    },
    makeFolder: step(disk.makeFolder),
    create: step(disk.create),
    open: step(disk.open),
    write(fd, bytes, from, position) {
      if (!fails()) return disk.write(fd, bytes, from, position)
      if (torn) disk.write(fd, bytes.subarray(0, from + Math.ceil((bytes.length - from) / 2)), from, position)
      return fail(code)
    },
    sync: step(disk.sync),
    truncate: step(disk.truncate),
    close: step(disk.close),
    read: step(disk.read),
    list: step(disk.list),
    remove: step(disk.remove),
    syncFolder: step(disk.syncFolder),
  }
}

function fail(code: string): never {
  throw Object.assign(new Error(`${code}: it failed on purpose`), { code })
}
