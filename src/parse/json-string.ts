// A string of almost-JSON → its text and where it ends. A quote ends it only where what follows says so; no character is lost.
import { isDigit, isLatin, isSpace, skipBlank } from './characters.js'

export type JsonRepair =
  | 'quotes'
  | 'literals'
  | 'punctuation'
  | 'comma'
  | 'comments'
  | 'unquoted'
  | 'unquoted_value'
  | 'newlines'
  | 'inner_quotes'
  | 'escapes'
  | 'path'
  | 'closed'
  | 'repeated_key'
  | 'closed_open'

/** The keys that an object may have: in an object of them, any other bare word is text. */
export type Keys = Pick<ReadonlySet<string>, 'has' | 'size'>

/** Nobody knows which to expect. */
export const NO_KEYS: Keys = new Set()

/** No quote closes the string that opens at `start`. */
export function isOpenString(text: string, start: number): boolean {
  const close = QUOTES[text[start] ?? ''] ?? '"'
  const last = text.lastIndexOf(close)
  return last <= start || text.slice(last + 1).trim() === ''
}

interface StringRead {
  readonly value: string
  readonly end: number
}

export function readString(
  text: string,
  start: number,
  isKey: boolean,
  inObject: boolean,
  keys: Keys,
  repairs: Set<JsonRepair>,
): StringRead | undefined {
  const open = text[start] as string
  const close = QUOTES[open] as string
  if (open !== '"') repairs.add('quotes') // repair: single or smart quotes, or a template of code
  if ((open === '"' || open === "'") && text.startsWith(open.repeat(3), start)) {
    const end = text.indexOf(open.repeat(3), start + 3)
    if (end < 0) return undefined
    repairs.add('quotes') // repair: triple quotes
    return { value: text.slice(start + 3, end), end: end + 3 }
  }
  const parts: string[] = []
  let from = start + 1
  let inner = 0
  let apart = true
  let foreign: boolean | undefined
  let path = /^[A-Za-z]:\\/.test(text.slice(start + 1, start + 4))
  if (path && text[start + 4] === '\\') path = false
  for (let i = start + 1; i < text.length; i++) {
    const char = text[i] as string
    if (char === '\\') {
      parts.push(text.slice(from, i))
      const next = text[i + 1] ?? ''
      const decoded = ESCAPES[next]
      if (foreign === undefined && (next === 'b' || next === 'f')) foreign = hasUnknownEscape(text, start)
      if (next === close || next === '\\') parts.push(next)
      else if (path) {
        parts.push(`\\${next}`) // repair: the backslashes of a Windows path
        repairs.add('path')
      } else if (next === 'u' && /^[0-9a-f]{4}$/i.test(text.slice(i + 2, i + 6))) {
        parts.push(String.fromCharCode(Number.parseInt(text.slice(i + 2, i + 6), 16)))
        i += 4
      } else if ((next === 'b' || next === 'f') && foreign) parts.push(`\\${next}`)
      else if (decoded !== undefined) parts.push(decoded)
      else {
        // repair: \' is an apostrophe, another unknown escape keeps its backslash
        parts.push(next === "'" || next === '"' ? next : `\\${next}`)
        repairs.add('escapes')
      }
      i++
      from = i + 1
      continue
    }
    if (char === '\n' || char === '\t' || char === '\r') repairs.add('newlines') // repair: raw line breaks in a string
    if (char === close || (close === '”' && char === '"')) {
      if (!isKey && isCode(text, i + 1)) return undefined
      if (!isKey && !endsString(text, i + 1, close, inObject, keys)) {
        // a key without quotes, or a text that looks like one: nobody knows
        if (mayBeKey(text, i + 1)) return undefined
        apart &&= inner % 2 === 0 ? isBlankAt(text, i + 1) : isBlankAt(text, i - 1)
        inner++
        repairs.add('inner_quotes') // repair: a quote that is part of the text
        continue
      }
      // several strings with something between them, such as `"a" or "b"`: nobody knows which, or how they go together
      if (inner > 0 && inner % 2 === 0 && apart) return undefined
      const last = text.slice(from, i)
      const value = parts.length === 0 ? last : parts.join('') + last
      return open === '`' && value.includes('${') ? undefined : { value, end: i + 1 }
    }
  }
  return undefined
}

function isBlankAt(text: string, at: number): boolean {
  return isSpace(text.charCodeAt(at))
}

/** The string holds an escape that JSON does not know, so that \\b and \\f are no control characters in it either. */
function hasUnknownEscape(text: string, start: number): boolean {
  return /\\[ac-eg-mo-qsv-zA-Z]/.test(
    text
      .slice(start, start + 4000)
      .split('"', 2)
      .join('"'),
  )
}

/** A bare word and a colon stand there, behind a comma, on a line of their own, or before the beginning of a value. */
function mayBeKey(text: string, after: number): boolean {
  const behind = text.slice(after, after + 90)
  const key = /^[\]}]{0,4}(?:\s{0,8}[,，]\s{0,8}|\s{1,8})[\p{L}_$][\p{L}\p{N}_$.-]{0,40}\s{0,8}[:：]/u.exec(behind)?.[0]
  if (key === undefined) return false
  return /[,，\n]/.test(key) || /^\s{0,8}(?:["'“[{\d-]|true|false|null|none)/i.test(behind.slice(key.length))
}

/** A string that is a part of an expression: `"a" + b`, `"a".join(`. */
function isCode(text: string, after: number): boolean {
  return /^(?:\s{0,8}[+%]\s{0,8}["'\w(]|\.\w{1,40}\()/.test(text.slice(after, after + 60))
}

/** Whether what follows a quote shows that the string ended: a closer, the end, or a comma with a key or value behind it. */
function endsString(text: string, after: number, close: string, inObject: boolean, keys: Keys): boolean {
  let i = skipBlank(text, after, text.length)
  const char = text[i]
  if (char === undefined || char === '}' || char === ']' || char === '｝' || char === ':' || char === '：')
    return char !== '}' && char !== ']' ? true : closersFollow(text, i)
  if (char === '#' || (char === '/' && (text[i + 1] === '/' || text[i + 1] === '*'))) return true
  if (char === ',' || char === '，') {
    i = skipBlank(text, i + 1, text.length)
    const next = text[i]
    if (next === undefined || next === '}' || next === ']') return true
    if (next === '#' || (next === '/' && (text[i + 1] === '/' || text[i + 1] === '*'))) return true
    // a quote at the very end opens a key that never came
    if (QUOTES[next] && skipBlank(text, i + 1, text.length) === text.length) return true
    if (!inObject) return QUOTES[next] !== undefined || /[-\d[{tfnTFN]/.test(next)
    return keyAt(text, i, keys)
  }
  // repair: a missing comma, when a key (or another string of a list) follows
  if (QUOTES[char] && i > after) return inObject ? keyAt(text, i, keys) : close === char && !/[\w"']/.test(text[after] ?? '"')
  return inObject && i > after && keys.size > 0 && keyAt(text, i, keys) && text.slice(after, i).includes('\n')
}

/** After closers only closers, commas and the end may come; otherwise the bracket is part of a text. */
function closersFollow(text: string, start: number): boolean {
  let i = start
  while (i < text.length && (isSpace(text.charCodeAt(i)) || text[i] === '}' || text[i] === ']')) i++
  const char = text[i]
  return (
    char === undefined ||
    char === ',' ||
    char === '，' ||
    char === '｝' ||
    char === '/' ||
    char === '#' ||
    QUOTES[char] !== undefined
  )
}

/** A key stands here: quoted and followed by a colon, or a bare word and a colon. Unknown quoted keys count as well. */
function keyAt(text: string, start: number, keys: Keys): boolean {
  const close = QUOTES[text[start] ?? '']
  const from = close ? start + 1 : start
  let end = from
  const limit = Math.min(text.length, from + 80)
  while (end < limit && (close ? text[end] !== close && text[end] !== '\n' : isWordChar(text.charCodeAt(end)))) end++
  if (end === from) return false
  const name = text.slice(from, end)
  if (close && text[end] !== close) return false
  const i = skipBlank(text, close ? end + 1 : end, text.length)
  // where the text ends behind a quoted word, it was to be a key
  if (i >= text.length) return close !== undefined
  if (text[i] !== ':' && text[i] !== '：') return false
  return close !== undefined || keys.size === 0 || keys.has(name)
}

export function isWordChar(code: number): boolean {
  return (
    isLatin(code) ||
    isDigit(code) ||
    code === 95 ||
    code === 36 ||
    code === 45 ||
    (code > 127 && !isSpace(code) && !'：，｛｝“”'.includes(String.fromCharCode(code)))
  )
}

export const QUOTES: { readonly [open: string]: string | undefined } = {
  '"': '"',
  "'": "'",
  '“': '”',
  '”': '”',
  '‘': '’',
  '「': '」',
  '`': '`',
}

/** The words that are values, as JSON and as Python write them. */
export const LITERALS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
])

const ESCAPES: { readonly [char: string]: string | undefined } = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '/': '/',
  '"': '"',
}
