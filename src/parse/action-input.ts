// Text that should be JSON → a value, up a ladder: JSON, normalised JSON, JSON5, repair. Says which rung held, each repair with a cost. The only
// door to json5 and jsonrepair, both behind limits and a check that nothing got lost.
import JSON5 from 'json5'
import { jsonrepair } from 'jsonrepair'
import type { JsonObject, JsonValue } from '../core/json.js'
import type { ProblemCode, UnclearCode } from '../core/reply.js'
import { deepestNesting, inspectJson, type JsonFacts, MAX_DEPTH, scanJson } from './json-scan.js'
import { type JsonRepair, type Keys, NO_KEYS } from './json-string.js'
import { normaliseJson } from './normalise-json.js'
import { type Notes, type Place, quote, type Refusal, refuse } from './notes.js'

export type JsonReading = { readonly ok: true; readonly value: JsonValue; readonly end: number } | Refusal

/** Reads one JSON value at the beginning of `text`; what follows it is the caller's to judge. `keys`: those to expect, where they are known. */
export function readJson(text: string, start: number, notes: Notes, keys: Keys = NO_KEYS): JsonReading {
  const opens = text.charAt(0)
  const bracket = opens === '{' || opens === '[' || opens === '｛'
  const found = bracket ? scanJson(text, 0, text.length) : undefined
  if (found?.closed) {
    const read = readPiece(text.slice(0, found.end), start, notes, keys)
    if (read.ok) return { ok: true, value: read.value, end: found.end }
    if (found.end === text.length || FINAL.has(read.code)) return read
  }
  const read = readPiece(text.trimEnd(), start, notes, keys)
  return read.ok ? { ok: true, value: read.value, end: text.length } : read
}

export function parseStrict(text: string): JsonValue | undefined {
  // to be told by an error costs as much as to read all of it
  if (breaksOff(text.trim())) return undefined
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

/** A bracket opens with the text, and none closes with it. */
function breaksOff(text: string): boolean {
  const close = text.startsWith('{') ? '}' : text.startsWith('[') ? ']' : ''
  return !text.endsWith(close)
}

/** JSON that needs no forgiving: nothing gets lost in it, and nothing in it is a slip that happens to be JSON. */
export function strictJson(text: string): JsonValue | undefined {
  const strict = tryStrict(text)
  return isFaithful(strict) ? strict.value : undefined
}

/** What JSON.parse makes of a text. */
interface Strict {
  /** Undefined when it is no JSON, or too long to try. */
  readonly value: JsonValue | undefined
  readonly facts: JsonFacts | undefined
}

function tryStrict(piece: string): Strict {
  const value = piece.length > MAX_BYTES ? undefined : parseStrict(piece)
  return { value, facts: value === undefined ? undefined : inspectJson(piece) }
}

/** Every pair of the text is in the value, no number is beyond what JavaScript holds exactly, no path lost its backslashes. */
function isFaithful({ value, facts }: Strict): boolean {
  if (value === undefined || !facts || facts.huge || facts.drive || facts.depth > MAX_DEPTH) return false
  // when the outer object has as many pairs as the text, none are further in
  return keyCount(value) === facts.pairs || pairsOf(value) === facts.pairs
}

function readPiece(piece: string, start: number, notes: Notes, keys: Keys): { ok: true; value: JsonValue } | Refusal {
  const strictly = tryStrict(piece)
  const { value: strict, facts } = strictly
  const place: Place = { start, end: start + piece.length }
  if (piece.length > MAX_BYTES) return refuse('INPUT_TOO_LARGE', 'The input is longer than 256 KiB.', place)
  if ((facts?.depth ?? deepestNesting(piece)) > MAX_DEPTH)
    return refuse('INPUT_TOO_LARGE', `The input nests deeper than ${MAX_DEPTH} levels.`, place)
  if (strict !== undefined && isFaithful(strictly)) return { ok: true, value: strict }
  const normal = normaliseJson(piece, keys)
  // where a string ends was a guess: what is plain JSON5 needs none
  const doubtful = normal.ok ? normal.repairs.has('inner_quotes') : normal.code === 'BROKEN_INPUT'
  const known = doubtful ? byJson5(piece, place, notes) : undefined
  if (known) return known
  if (normal.ok) {
    const value = parseStrict(normal.json)
    if (value !== undefined) {
      noteRepairs(normal.repairs, place, notes)
      return { ok: true, value }
    }
  }
  const code: UnclearCode = normal.ok ? 'BROKEN_INPUT' : normal.code
  const message = normal.ok ? 'The input is not JSON.' : normal.message
  const at = normal.ok ? 0 : normal.at
  const seen = quote(piece.slice(Math.max(0, at - 30), at + 50))
  const broken = refuse(code, message, place, { quote: seen, ...(code === 'INVALID_INPUT' ? { number: true } : {}) })
  if (strict !== undefined && code !== 'DUPLICATE_KEY' && code !== 'INVALID_INPUT') return { ok: true, value: strict }
  if (normal.ok || normal.final) return broken
  return byRepair(piece, place, notes) ?? broken
}

/** Both libraries drop what they don't understand, so the letters and digits must be the same before and after. */
function byJson5(piece: string, place: Place, notes: Notes): { ok: true; value: JsonValue } | undefined {
  return byLibrary(
    piece,
    text => JSON5.parse(text),
    () => notes.add('INPUT_JSON5', 'The input was read as JSON5.', place, 1),
  )
}

function byRepair(piece: string, place: Place, notes: Notes): { ok: true; value: JsonValue } | undefined {
  const remark = () => notes.add('INPUT_REPAIRED', 'The input was repaired by guessing.', place, 3)
  const repaired = (text: string) => {
    const value = JSON.parse(jsonrepair(text)) as JsonValue
    if (holdsPair(value)) throw new Error('a string took in a key')
    return value
  }
  return byLibrary(piece, repaired, remark)
}

function byLibrary(
  piece: string,
  parse: (text: string) => JsonValue,
  remark: () => void,
): { ok: true; value: JsonValue } | undefined {
  if (piece.length > MAX_REPAIR) return undefined
  const doubled = piece.replace(/\\(?!["\\/bfnrtu])/g, '\\\\')
  try {
    const value = parse(doubled)
    if (!sameContent(doubled, value) || !sameShape(piece, value)) return undefined
    remark()
    return { ok: true, value }
  } catch {
    return undefined
  }
}

function sameContent(text: string, value: JsonValue): boolean {
  return letters(text) === letters(JSON.stringify(value))
}

/** A string of it holds the end of another and a key: the guess went too far. */
function holdsPair(value: JsonValue): boolean {
  if (typeof value === 'string')
    return /["'”]\s{0,8}[,，]?\s{0,8}["'“]?[\p{L}_][\p{L}\p{N}_.-]{0,40}["'”]?\s{0,8}[:：]/u.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsPair)
}

/** An object stays an object, a list a list, and no key took in a part of the structure. */
function sameShape(piece: string, value: JsonValue): boolean {
  const opens = piece.charAt(0)
  if (opens === '[') return Array.isArray(value)
  if (opens !== '{' && opens !== '｛') return true
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return !Object.keys(value).some(key => /[:：{｛]/.test(key))
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function noteRepairs(repairs: ReadonlySet<JsonRepair>, place: Place, notes: Notes): void {
  for (const repair of repairs) {
    const [code, cost, message] = REPAIRS[repair]
    notes.add(code, message, place, cost)
  }
}

function keyCount(value: JsonValue): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0
  let count = 0
  for (const _ in value) count++
  return count
}

function pairsOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const element of value as readonly JsonValue[]) count += pairsOf(element)
  else for (const key of Object.keys(value)) count += 1 + pairsOf((value as JsonObject)[key] as JsonValue)
  return count
}

/** Refusals that no other way of reading may change. */
const FINAL: ReadonlySet<UnclearCode> = new Set(['DUPLICATE_KEY', 'INPUT_TOO_LARGE', 'INVALID_INPUT'])
export const MAX_BYTES = 256 * 1024
const MAX_REPAIR = 8 * 1024
const REPAIRS: { readonly [repair in JsonRepair]: readonly [ProblemCode, number, string] } = {
  quotes: ['INPUT_JSON5', 0, 'Strings were in other quotes than JSON has.'],
  literals: ['INPUT_JSON5', 0, "Python's True, False or None was read as JSON's."],
  punctuation: ['INPUT_REPAIRED', 0, 'Full-width punctuation was read as plain.'],
  comma: ['INPUT_REPAIRED', 1, 'A comma was missing or one too many.'],
  comments: ['INPUT_JSON5', 0, 'A comment was left out.'],
  unquoted: ['INPUT_JSON5', 0, 'A key had no quotes.'],
  unquoted_value: ['INPUT_REPAIRED', 2, 'A text value had no quotes.'],
  newlines: ['INPUT_ESCAPES', 0, 'A string held raw line breaks or tabs.'],
  inner_quotes: ['INPUT_INNER_QUOTES', 2, 'A string held quotes that were not escaped.'],
  escapes: ['INPUT_ESCAPES', 1, "An escape that JSON doesn't know kept its backslash."],
  path: ['INPUT_ESCAPES', 1, 'The backslashes of a path were taken as they stand.'],
  closed: ['INPUT_CLOSED', 1, 'Missing closing brackets were added.'],
  closed_open: ['INPUT_CLOSED', 3, 'Missing closing brackets were added behind a list or number that may have gone on.'],
  repeated_key: ['INPUT_REPAIRED', 1, 'A key was written twice with the same value.'],
}
