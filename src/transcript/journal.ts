// The events of a run → lines of a file, as they happen. Whatever the run must not forget is safe on the disk before it goes on: a call's intent
// before the call, its result before the next step. When the disk fails, the file is put back to its last good line and the run gets an error,
// so nothing is done that is not on record.
import { dirname } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { SaydoError } from '../core/errors.js'
import type { AgentEvent } from '../core/event.js'
import { createFile, type Disk, nodeDisk, readBytes, writeAll } from './disk.js'
import { sealLine } from './line.js'
import { lockFile } from './lock.js'
import { damaged } from './read-journal.js'
import { scanJournal } from './scan.js'
import { createMask, type Secrets, secretsIn } from './secrets.js'

export interface JournalOptions {
  /** Values by name, beside those of the environment: `{OPENAI_API_KEY: 'sk-…'}`. In the file stands `[secret NAME]`. */
  readonly secrets?: Secrets
  /** Where secrets are looked for by their names (`*_KEY`, `*_TOKEN`, `*_SECRET`, `*_PASSWORD`); default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Goes on with a journal that is there; a torn tail is cut off first. Default: the file must be new. */
  readonly append?: boolean
  /** Default the real one. */
  readonly disk?: Disk
  /** ms since 1970; default `Date.now`. */
  readonly now?: () => number
}

export interface Journal {
  readonly file: string
  /**
   * Writes one event; for `RunOptions.onEvent`. Deltas are left out, the whole reply has their text. Throws `JOURNAL_WRITE` when the disk
   * fails, and from then on always.
   */
  readonly onEvent: (event: AgentEvent) => void
  /** Makes all of it safe and lets others write. Safe to call twice. */
  close(): void
}

/** What a run must not forget: the intent of an effect, its result, what was paid for, what a person said, and how it all began and ended. */
const SAFE: ReadonlySet<AgentEvent['type']> = new Set([
  'run_start',
  'reply_end',
  'approval',
  'call_start',
  'call_end',
  'observation',
  'run_end',
])

/**
 * Opens a journal, and makes the folders above it. Throws `CONFIG` when the file is there already (without `append`) or can't be made,
 * `JOURNAL_LOCKED` when another process writes it, `JOURNAL_DAMAGED` and `JOURNAL_VERSION` as `readJournal` does.
 */
export function openJournal(file: string, options: JournalOptions = {}): Journal {
  const { disk = nodeDisk, append = false } = options
  const unlock = prepared(file, disk)
  try {
    const start = append ? reopened(file, disk) : created(file, disk)
    return new JournalWriter(file, start, unlock, disk, options)
  } catch (error) {
    unlock()
    throw error
  }
}

class JournalWriter implements Journal {
  readonly file: string
  readonly #fd: number
  readonly #disk: Disk
  readonly #unlock: () => void
  readonly #now: () => number
  readonly #mask: (event: AgentEvent) => AgentEvent
  #seq: number
  #seed: number
  #length: number
  #fault: SaydoError | undefined
  #open = true

  constructor(file: string, start: Start, unlock: () => void, disk: Disk, { secrets, env = process.env, now }: JournalOptions) {
    this.file = file
    this.#fd = start.fd
    this.#seq = start.seq
    this.#seed = start.seed
    this.#length = start.length
    this.#unlock = unlock
    this.#disk = disk
    this.#now = now ?? Date.now
    this.#mask = createMask({ ...secretsIn(env), ...secrets })
  }

  readonly onEvent = (event: AgentEvent): void => {
    if (this.#fault) throw this.#fault
    if (event.type === 'delta') return
    if (!this.#open) throw new SaydoError('STATE', `the journal ${this.file} is closed`)
    const first = this.#seq === 0 ? { saydo: packageJson.version } : {}
    const record = { at: this.#now(), ...first, ...this.#mask(event) }
    const { bytes, crc } = sealLine(this.#seq, record, this.#seed)
    try {
      writeAll(this.#fd, bytes, this.#length, this.#disk)
      if (SAFE.has(event.type)) this.#disk.sync(this.#fd)
    } catch (error) {
      this.#fault = this.#failed(error)
      throw this.#fault
    }
    if (this.#seq === 0) this.#seed = crc
    this.#seq += 1
    this.#length += bytes.length
  }

  close(): void {
    if (!this.#open) return
    this.#open = false
    try {
      if (this.#fault === undefined) this.#disk.sync(this.#fd)
    } catch (error) {
      throw this.#failed(error)
    } finally {
      quietly(() => this.#disk.close(this.#fd))
      // a run that never began leaves nothing behind
      if (this.#length === 0) quietly(() => this.#disk.remove(this.file))
      this.#unlock()
    }
  }

  /** Puts the file back to its last good line, as far as the disk lets it: a reader drops a torn line anyway. */
  #failed(error: unknown): SaydoError {
    quietly(() => this.#disk.truncate(this.#fd, this.#length))
    return new SaydoError('JOURNAL_WRITE', `the run can't be recorded in ${this.file}: ${(error as Error).message}`, {
      hint: 'make room on the disk, or name another place with --record FILE; what was done so far is on record',
      cause: error,
    })
  }
}

/** Where writing goes on. */
interface Start {
  readonly fd: number
  readonly seq: number
  readonly seed: number
  readonly length: number
}

/** The folder is there and this process alone may write; gives what undoes the latter. */
function prepared(file: string, disk: Disk): () => void {
  try {
    disk.makeFolder(dirname(file))
    return lockFile(file, disk)
  } catch (error) {
    if (error instanceof SaydoError) throw error
    throw new SaydoError('CONFIG', `cannot write ${file}: ${(error as Error).message}`, {
      hint: 'name a file in a folder that can be written',
      cause: error,
    })
  }
}

function created(file: string, disk: Disk): Start {
  const fd = createFile(file, disk)
  try {
    disk.syncFolder(dirname(file))
  } catch (error) {
    quietly(() => disk.close(fd))
    quietly(() => disk.remove(file))
    throw new SaydoError('CONFIG', `cannot write ${file}: ${(error as Error).message}`, { cause: error })
  }
  return { fd, seq: 0, seed: 0, length: 0 }
}

function reopened(file: string, disk: Disk): Start {
  const { records, length, torn, seed, damage } = scanJournal(readBytes(file, disk))
  if (damage) throw damaged(file, damage)
  if (seed === undefined && records.length > 0)
    throw new SaydoError('CONFIG', `${file} holds plain lines and no journal`, { hint: 'record into a new file' })
  let fd: number | undefined
  try {
    fd = disk.open(file)
    if (torn > 0) {
      disk.truncate(fd, length)
      disk.sync(fd)
    }
  } catch (error) {
    quietly(() => fd === undefined || disk.close(fd))
    throw new SaydoError('CONFIG', `cannot go on writing ${file}: ${(error as Error).message}`, { cause: error })
  }
  return { fd, seq: records.length, seed: seed ?? 0, length }
}

/** For what comes after the fault that is told. */
function quietly(act: () => void): void {
  try {
    act()
  } catch {
    // the first fault is the one to tell
  }
}
