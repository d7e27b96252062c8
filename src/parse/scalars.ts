// Written values and lists of them, as in `key=value` or the brackets of a call: quotes, literals, commas.

import type { JsonValue } from '../core/json.js'
import { NO_KEYS, readJson } from './action-input.js'
import type { Notes, Place } from './notes.js'

export interface Pair {
  readonly key: string
  readonly value: string
}

/** `key: value` or `key=value`; undefined when it is neither. */
export function splitPair(text: string): Pair | undefined {
  const match = /^["'`]?([\p{L}\p{N}_.-]{1,64})["'`]?[ \t]{0,4}[:=：]/u.exec(text.trim().slice(0, 90))
  if (!match) return undefined
  return { key: match[1] as string, value: text.trim().slice(match[0].length).trim().replace(/,$/, '') }
}

/** Splits at commas outside quotes and brackets. */
export function splitTop(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quoted = ''
  let before = ','
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    if (quoted) {
      if (char === '\\') i++
      else if (char === quoted) quoted = ''
    } else if (char === '"' || (char === "'" && ',=:[({'.includes(before))) quoted = char
    else if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth--
    else if (char === ',' && depth <= 0) {
      parts.push(text.slice(from, i))
      from = i + 1
    }
    if (char !== ' ') before = char
  }
  parts.push(text.slice(from))
  return parts
}

/** One written value: quoted, a literal, a list or object, or plain text. */
export function readScalar(
  text: string,
  parameter: { readonly types: ReadonlySet<string> } | undefined,
  place: Place,
  notes: Notes,
): JsonValue {
  const trimmed = text.trim()
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) {
    const mark = notes.mark
    const read = readJson(trimmed, place.start, NO_KEYS, notes)
    if (read.ok && read.end === trimmed.length) return read.value
    notes.rewind(mark)
  }
  const bareText = unquote(trimmed)
  if (bareText !== trimmed) return decodeEscapes(bareText)
  const literal = LITERAL[trimmed]
  if (literal !== undefined && !(parameter?.types.has('string') && trimmed !== 'None' && trimmed !== 'null')) return literal
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(trimmed) && !parameter?.types.has('string')) return Number(trimmed)
  return trimmed
}

/** Takes one pair of quotes off when the same quote does not stand unescaped inside. */
export function unquote(text: string): string {
  const first = text.charAt(0)
  const close = first === '“' ? '”' : first === '‘' ? '’' : first
  if (text.length < 2 || !'"\'`“‘'.includes(first) || !text.endsWith(close)) return text
  const inner = text.slice(1, -1)
  for (let i = 0; i < inner.length; i++) {
    if (inner[i] === '\\') i++
    else if (inner[i] === close || inner[i] === first) return text
  }
  if (inner.endsWith('\\') && !inner.endsWith('\\\\')) return text
  return inner.includes('\\') ? inner.split(`\\${close}`).join(close) : inner
}

function decodeEscapes(text: string): string {
  return text.includes('\\')
    ? text.replace(/\\(?:u([0-9a-fA-F]{4})|([nrt"'\\]))/g, (_, hex: string | undefined, char: string) =>
        hex === undefined ? (CONTROLS[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text
}

const CONTROLS: { readonly [char: string]: string | undefined } = { n: '\n', r: '\r', t: '\t' }

const LITERAL: { readonly [word: string]: JsonValue | undefined } = {
  true: true,
  false: false,
  True: true,
  False: false,
  None: null,
  null: null,
}
