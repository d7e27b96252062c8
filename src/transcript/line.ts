// A record ↔ one line of a journal, `{"v":1,"seq":3,"crc":"0f3a…","at":…,"type":…}`. The checksum covers the line without its `crc`, and starts
// from that of the journal's first line: a line that was changed, or that comes from another run, does not fit.
import { crc32 } from 'node:zlib'
import { isObject, type JsonObject } from '../core/json.js'

/** The version of the format that is written, and the newest that is read. */
export const JOURNAL_VERSION = 1

export interface SealedLine {
  /** With its line break. */
  readonly bytes: Buffer
  readonly crc: number
}

/** `seed` is the checksum of the first line, or 0 for that line itself. */
export function sealLine(seq: number, record: object, seed: number): SealedLine {
  const head = `{"v":${JOURNAL_VERSION},"seq":${seq},`
  const rest = JSON.stringify(record).slice(1)
  const crc = crc32(rest, crc32(head, seed))
  return { bytes: Buffer.from(`${head}"crc":"${hex(crc)}",${rest}\n`), crc }
}

export type OpenedLine =
  | { readonly kind: 'good'; readonly seq: number; readonly crc: number; readonly record: JsonObject }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'bad' }

const HEAD = /^(\{"v":(\d{1,6}),"seq":(\d{1,15}),)"crc":"([0-9a-f]{8})",/
const LONGEST_HEAD = 64

/** Reads a line without its line break. Never throws. */
export function openLine(bytes: Buffer, seed: number): OpenedLine {
  const head = HEAD.exec(bytes.toString('latin1', 0, LONGEST_HEAD))
  if (head === null) return BAD
  const [whole, start = '', version, seq, stated] = head
  if (Number(version) > JOURNAL_VERSION) return { kind: 'newer', version: Number(version) }
  const rest = bytes.subarray(whole.length)
  const crc = crc32(rest, crc32(start, seed))
  if (Number(version) < 1 || hex(crc) !== stated) return BAD
  const record = parsedObject(`{${rest.toString('utf8')}`)
  return record === undefined ? BAD : { kind: 'good', seq: Number(seq), crc, record }
}

/** The JSON object that a text is, or undefined. */
export function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const BAD: OpenedLine = { kind: 'bad' }

function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0')
}
