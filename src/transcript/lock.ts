// A file → the right to write it, for one process at a time. Each process that wants it puts an empty file beside it whose name says who it is, and
// looks who else has one: whoever came second sees the first, so never two go on. A file of a process that is no more counts for nothing. It
// names its machine, its boot and its start, so a number that was given anew misleads nobody.
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { SaydoError } from '../core/errors.js'
import type { Disk } from './disk.js'

/** Two that come at once both step back; each tries again after a while of its own, so often and for so long at most (ms). */
const TRIES = 8
const LONGEST_PAUSE = 25

/** Gives the function that returns the right. Throws `JOURNAL_LOCKED` when another process, or this one, has it. */
export function lockFile(file: string, disk: Disk): () => void {
  const mine = join(dirname(file), prefixOf(file) + nameOf(own()))
  for (let tries = 1; ; tries++) {
    claim(mine, file, disk)
    const release = () => removeQuietly(mine, disk)
    try {
      const others = claimsOn(file, disk).filter(({ path }) => path !== mine)
      const alive = others.find(({ process }) => isAlive(process))
      if (alive === undefined) {
        for (const { path } of others) removeQuietly(path, disk)
        return release
      }
      if (tries === TRIES) throw locked(file, alive)
    } catch (error) {
      release()
      throw error
    }
    release()
    pause(Math.random() * LONGEST_PAUSE)
  }
}

/** The number of a live process that writes a file now; undefined when none does, or its folder can't be read. */
export function writerOf(file: string, disk: Disk): number | undefined {
  try {
    return claimsOn(file, disk).find(({ process }) => isAlive(process))?.process.pid
  } catch {
    return undefined
  }
}

interface Process {
  readonly host: string
  /** Of the machine's last start; `0` where that is unknown. */
  readonly boot: string
  readonly pid: number
  /** When it began, in the machine's own count; `0` where that is unknown. */
  readonly start: string
}

interface Claim {
  readonly path: string
  readonly process: Process
}

let known: Process | undefined

/** This process; looked up when it is first wanted. */
function own(): Process {
  known ??= {
    host: hash(hostname()),
    boot: hash(textOf('/proc/sys/kernel/random/boot_id')),
    pid: process.pid,
    start: startOf(process.pid),
  }
  return known
}

const CLAIM = /^([0-9a-f]{1,8})-([0-9a-f]{1,8})-(\d{1,10})-(\d{1,20})$/

function prefixOf(file: string): string {
  return `${basename(file)}.lock-`
}

function nameOf({ host, boot, pid, start }: Process): string {
  return `${host}-${boot}-${pid}-${start}`
}

function claim(mine: string, file: string, disk: Disk): void {
  try {
    disk.close(disk.create(mine))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new SaydoError('JOURNAL_LOCKED', `this process is writing ${file} already`, { hint: 'close it first', cause: error })
  }
}

function claimsOn(file: string, disk: Disk): readonly Claim[] {
  const prefix = prefixOf(file)
  return disk.list(dirname(file)).flatMap(name => {
    if (!name.startsWith(prefix)) return []
    const [, host = '', boot = '', pid, start = ''] = CLAIM.exec(name.slice(prefix.length)) ?? []
    return pid === undefined ? [] : [{ path: join(dirname(file), name), process: { host, boot, pid: Number(pid), start } }]
  })
}

/** In doubt it lives: of another machine's processes nothing is known. */
function isAlive({ host, boot, pid, start }: Process): boolean {
  if (host !== own().host) return true
  if (boot !== own().boot || !isRunning(pid)) return false
  const now = startOf(pid)
  return start === '0' || now === '0' || start === now
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // it is there, and somebody else's
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The 22nd field of the process's line; the second one, its name, may hold blanks and brackets. */
function startOf(pid: number): string {
  const line = textOf(`/proc/${pid}/stat`)
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '0'
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function hash(text: string): string {
  return text === '' ? '0' : crc32(text).toString(16)
}

function locked(file: string, { path, process: { host, pid } }: Claim): SaydoError {
  const who = host === own().host ? `process ${pid}` : `process ${pid} of another machine`
  return new SaydoError('JOURNAL_LOCKED', `${who} is writing ${file}`, {
    hint: host === own().host ? 'wait until it has ended' : `if that one is gone, remove ${path}`,
  })
}

function removeQuietly(path: string, disk: Disk): void {
  try {
    disk.remove(path)
  } catch {
    // a leftover: it counts for nothing once its process is gone
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
