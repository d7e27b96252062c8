// The bytes of a record → its longest good beginning, and what is wrong behind it. A crash can only spoil the end, so what no good line follows is
// a torn tail; anything else that is wrong is damage, and named by its line. Lines as `saydo run --jsonl` prints them are read too: they hold no
// checksums, so of them only the form is checked.
import type { JsonObject } from '../core/json.js'
import { isEvent } from './event-shape.js'
import { type OpenedLine, openLine, parsedObject } from './line.js'

export interface Scan {
  /** The records of the good lines, in order. */
  readonly records: readonly JsonObject[]
  /** Length of the good lines, in bytes. */
  readonly length: number
  /** Bytes of a torn tail. */
  readonly torn: number
  /** Checksum of the first line; undefined when there is none, as in plain lines. */
  readonly seed: number | undefined
  readonly damage?: Damage
}

export type Damage =
  /** `line` counts from 1. */
  { readonly kind: 'bad' | 'misplaced'; readonly line: number } | { readonly kind: 'newer'; readonly version: number }

export function scanJournal(bytes: Buffer): Scan {
  // a journal's line begins with its version, so no damage to one makes it look like this
  if (bytes.toString('latin1', 0, PLAIN.length) === PLAIN) return scanPlain(bytes)
  const lines = linesOf(bytes)
  const [first] = lines
  if (first === undefined) return { records: [], length: 0, torn: bytes.length, seed: undefined }
  const header = openLine(first, 0)
  if (header.kind === 'newer') return { records: [], length: 0, torn: 0, seed: undefined, damage: header }
  if (header.kind === 'bad' || header.seq !== 0 || !isEvent(header.record))
    return { records: [], length: 0, torn: 0, seed: undefined, damage: { kind: 'bad', line: 1 } }
  return follow(bytes, lines, header)
}

function follow(bytes: Buffer, lines: readonly Buffer[], header: GoodLine): Scan {
  const seed = header.crc
  const records = [header.record]
  let length = (lines[0]?.length ?? 0) + 1
  for (const [at, line] of lines.entries()) {
    if (at === 0) continue
    const opened = openLine(line, seed)
    if (opened.kind !== 'good' || opened.seq !== at) {
      const good = { records, length, seed }
      if (opened.kind === 'good') return { ...good, torn: 0, damage: { kind: 'misplaced', line: at + 1 } }
      const followed = lines.slice(at + 1).some(later => openLine(later, seed).kind === 'good')
      if (followed) return { ...good, torn: 0, damage: { kind: 'bad', line: at + 1 } }
      break
    }
    if (!isEvent(opened.record)) return { records, length, seed, torn: 0, damage: { kind: 'bad', line: at + 1 } }
    records.push(opened.record)
    length += line.length + 1
  }
  return { records, length, torn: bytes.length - length, seed }
}

type GoodLine = Extract<OpenedLine, { kind: 'good' }>

const PLAIN = '{"type":'

function scanPlain(bytes: Buffer): Scan {
  const records: JsonObject[] = []
  let length = 0
  for (const line of linesOf(bytes)) {
    const record = parsedObject(line.toString('utf8'))
    if (record === undefined || !isEvent(record))
      return { records, length, torn: 0, seed: undefined, damage: { kind: 'bad', line: records.length + 1 } }
    records.push(record)
    length += line.length + 1
  }
  return { records, length, torn: bytes.length - length, seed: undefined }
}

/** The lines that have their line break, without it. What stands behind the last break was being written. */
function linesOf(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0; ; ) {
    const end = bytes.indexOf(LINE_FEED, start)
    if (end < 0) return lines
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
}

const LINE_FEED = 0x0a
