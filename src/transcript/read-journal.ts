// A file → the events of the run it holds. What a crash tore off its end is left out and said; any other damage is an error that names the line.
import { SaydoError } from '../core/errors.js'
import type { AgentEvent } from '../core/event.js'
import { createFile, type Disk, nodeDisk, readBytes, writeAll } from './disk.js'
import { JOURNAL_VERSION } from './line.js'
import { type Damage, type Scan, scanJournal } from './scan.js'

/** An event with the time it was written, in ms since 1970. */
export type RecordedEvent = AgentEvent & { readonly at?: number }

export interface JournalReading {
  readonly events: readonly RecordedEvent[]
  /** The version of saydo that wrote it. */
  readonly saydo?: string
  /** Bytes at the end that no whole line was made of: 0 but after a crash. */
  readonly torn: number
  /** Each line was checked. False for the plain lines of `saydo run --jsonl`: of those only the form is known to be good. */
  readonly checked: boolean
}

export interface JournalFile {
  /** Default the real one. */
  readonly disk?: Disk
}

/**
 * Throws `CONFIG` for a file that can't be read, `JOURNAL_DAMAGED` for a damaged, missing, doubled or swapped line in front of others, and
 * `JOURNAL_VERSION` for a format of later versions.
 */
export function readJournal(file: string, { disk = nodeDisk }: JournalFile = {}): JournalReading {
  const scan = scanJournal(readBytes(file, disk))
  if (scan.damage) throw damaged(file, scan.damage)
  return readingOf(scan)
}

/** The longest good beginning of a damaged journal. Throws as `readJournal` does, but for damage. */
export function readGoodPart(file: string, { disk = nodeDisk }: JournalFile = {}): JournalReading {
  const scan = scanJournal(readBytes(file, disk))
  if (scan.damage?.kind === 'newer') throw damaged(file, scan.damage)
  return readingOf(scan)
}

export interface Salvaged {
  /** Lines in the copy. */
  readonly lines: number
  /** Bytes that were left behind, from the first damage on. */
  readonly lost: number
}

/**
 * Writes the good beginning of a damaged journal to a new file, byte for byte. What stands behind the damage is left out even where it is good:
 * a run with a hole is none. Throws `CONFIG` when `to` is there already.
 */
export function salvageJournal(file: string, to: string, { disk = nodeDisk }: JournalFile = {}): Salvaged {
  const bytes = readBytes(file, disk)
  const { records, length, damage } = scanJournal(bytes)
  if (damage?.kind === 'newer') throw damaged(file, damage)
  const fd = createFile(to, disk)
  try {
    writeAll(fd, bytes.subarray(0, length), 0, disk)
    disk.sync(fd)
  } finally {
    disk.close(fd)
  }
  return { lines: records.length, lost: bytes.length - length }
}

export function damaged(file: string, damage: Damage): SaydoError {
  if (damage.kind === 'newer')
    return new SaydoError(
      'JOURNAL_VERSION',
      `${file} is written in format ${damage.version}, and this saydo reads up to ${JOURNAL_VERSION}`,
      {
        hint: 'read it with the version of saydo that wrote it, or a newer one',
      },
    )
  const what = damage.kind === 'bad' ? 'is damaged' : 'is out of its place: lines are missing, doubled or swapped'
  return new SaydoError('JOURNAL_DAMAGED', `${file}: line ${damage.line} ${what}`, {
    hint:
      damage.line === 1
        ? 'nothing of it can be read, unless it is no record at all: saydo fixtures convert FILE.saydo.yaml RUN.jsonl makes one of a fixture'
        : `what stands before it can be saved: saydo runs salvage ${file} COPY.jsonl`,
  })
}

function readingOf({ records, torn, seed }: Scan): JournalReading {
  const saydo = records[0]?.saydo
  return {
    events: records.map(({ saydo: _, ...event }) => event as unknown as RecordedEvent),
    ...(typeof saydo === 'string' ? { saydo } : {}),
    torn,
    checked: seed !== undefined,
  }
}
