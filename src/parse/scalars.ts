// Written values and lists of them, as in `key=value` or the brackets of a call: quotes, literals, commas.
import type { JsonValue } from '../core/json.js'
import { readJson } from './action-input.js'
import { LITERALS } from './json-string.js'
import type { Notes, Place } from './notes.js'

export interface Pair {
  readonly key: string
  readonly value: string
}

/** `key: value` or `key=value`, be it an item of a list; undefined when it is neither. */
export function splitPair(text: string): Pair | undefined {
  const trimmed = text.trim()
  const match = PAIR.exec(trimmed.slice(0, 100))
  if (!match) return undefined
  return { key: match[1] as string, value: trimmed.slice(match[0].length).trim().replace(/,$/, '') }
}

/** Splits at commas outside quotes and brackets. */
export function splitTop(text: string): string[] {
  const starts = [...startsOf(text, ',')]
  return starts.map((start, i) => text.slice(start, i + 1 < starts.length ? (starts[i + 1] as number) - 1 : text.length))
}

/** Where the pieces begin that stand between any of `separators`, outside quotes and brackets. */
export function* startsOf(text: string, separators: string): Generator<number> {
  let depth = 0
  let quoted = ''
  let before = ','
  yield 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    if (quoted) {
      if (char === '\\') i++
      else if (char === quoted) quoted = ''
    } else if (char === '"' || (char === "'" && ',=:[({'.includes(before))) quoted = char
    else if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth--
    else if (depth <= 0 && separators.includes(char)) yield i + 1
    if (char !== ' ') before = char
  }
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
    const read = readJson(trimmed, place.start, notes)
    if (read.ok && read.end === trimmed.length) return read.value
    notes.rewind(mark)
  }
  const bareText = unquote(trimmed)
  if (bareText !== trimmed) return decodeEscapes(bareText)
  const literal = LITERALS.get(trimmed)
  if (literal !== undefined && !(parameter?.types.has('string') && trimmed !== 'None' && trimmed !== 'null')) return literal
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(trimmed) && !parameter?.types.has('string')) return Number(trimmed)
  return trimmed
}

/** Takes one pair of quotes off when the same quote does not stand unescaped inside. */
export function unquote(text: string): string {
  const first = text.charAt(0)
  const close = text.charAt(text.length - 1)
  if (text.length < 2 || !CLOSING_QUOTES[first]?.includes(close)) return text
  const inner = text.slice(1, -1)
  for (let i = 0; i < inner.length; i++) {
    if (inner[i] === '\\') i++
    else if (inner[i] === close || inner[i] === first) return text
  }
  if (inner.endsWith('\\') && !inner.endsWith('\\\\')) return text
  if (GUILLEMETS.includes(first)) return inner.trim()
  return inner.includes('\\') ? inner.split(`\\${close}`).join(close) : inner
}

function decodeEscapes(text: string): string {
  return text.includes('\\')
    ? text.replace(/\\(?:u([0-9a-fA-F]{4})|([nrt"'\\]))/g, (_, hex: string | undefined, char: string) =>
        hex === undefined ? (CONTROLS[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text
}

/** Every language has its own; what may close a quote, by what opens it. */
const CLOSING_QUOTES: { readonly [open: string]: string | undefined } = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '„': '“”',
  '‚': '‘’',
  '«': '»',
  '»': '«',
  '「': '」',
  '『': '』',
}
/** French sets blanks between these and the text. */
const GUILLEMETS = '«»'

/** A bullet may stand before a key, and bold letters or quotes around it. */
const PAIR = /^(?:[-*•+] {1,4}|\d{1,2}[.)] {1,4})?(?:\*\*|["'`])?([\p{L}\p{N}_.-]{1,64})(?:\*\*|["'`])?[ \t]{0,4}[:=：](?:\*\*)?/u

const CONTROLS: { readonly [char: string]: string | undefined } = { n: '\n', r: '\r', t: '\t' }
