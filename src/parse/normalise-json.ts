// Almost-JSON → strict JSON text, or a reason why not. Repairs structure only, keeps every key and every character of every string, and
// refuses what would lose data: a missing value, an ellipsis, a key written twice. One pass, no recursion.

import type { UnclearCode } from '../core/reply.js'
import { isSpace } from './characters.js'
import { MAX_DEPTH } from './json-scan.js'
import { isOpenString, isWordChar, type JsonRepair, type Keys, LITERALS, NO_KEYS, QUOTES, readString } from './json-string.js'

export type Normalised =
  | { readonly ok: true; readonly json: string; readonly repairs: ReadonlySet<JsonRepair> }
  /** `final`: no other way of reading may be tried. */
  | { readonly ok: false; readonly code: UnclearCode; readonly message: string; readonly at: number; readonly final: boolean }

interface Level {
  readonly close: '}' | ']'
  /** Keys of an object with the JSON of their values. */
  readonly keys: Map<string, string> | undefined
  key: string
  /** Where in `out` the current key and its value begin. */
  from: number
  valueFrom: number
  want: 'key' | 'colon' | 'value' | 'comma'
  pendingComma: boolean
}

/** `text` holds exactly one value, from its first to its last character. `keys` are the parameters' names. */
export function normaliseJson(text: string, keys: Keys): Normalised {
  const repairs = new Set<JsonRepair>()
  const out: string[] = []
  const stack: Level[] = []
  let i = 0
  let bareEnd = -1
  let wordEnd = -1
  const fail = (message: string, code: UnclearCode = 'BROKEN_INPUT', final = true): Normalised => ({
    ok: false,
    code,
    message,
    at: i,
    final,
  })

  while (i < text.length) {
    const char = text[i] as string
    const code = text.charCodeAt(i)
    if (isSpace(code)) {
      i++
      continue
    }
    const level = stack[stack.length - 1]
    if (!level && out.length > 0) return fail('More text follows the value.')
    if (char === '#' || (char === '/' && (text[i + 1] === '/' || text[i + 1] === '*'))) {
      const end = text[i + 1] === '*' ? text.indexOf('*/', i + 2) : text.indexOf('\n', i)
      if (end < 0 && text[i + 1] === '*') return fail('A comment never ends.')
      i = end < 0 ? text.length : text[i + 1] === '*' ? end + 2 : end + 1
      repairs.add('comments') // repair: comments
      continue
    }
    const plain = FULL_WIDTH[char]
    if (plain) repairs.add('punctuation') // repair: full-width punctuation
    const mark = plain ?? char
    if (mark === '}' || mark === ']') {
      if (!level || level.close !== mark) return fail(`A "${mark}" closes nothing.`)
      if (level.want === 'value' && level.keys) return fail(`The key "${level.key}" has no value.`)
      if (level.want === 'colon') return fail(`The key "${level.key}" has no value.`)
      if (level.pendingComma) repairs.add('comma') // repair: a trailing comma
      const closing = finishEntry(level, out, repairs)
      if (closing !== undefined) return fail(`The key "${closing}" is written twice with different values.`, 'DUPLICATE_KEY')
      out.push(mark)
      stack.pop()
      const parent = stack[stack.length - 1]
      if (parent) parent.want = 'comma'
      i++
      continue
    }
    if (mark === ',') {
      if (level?.want !== 'comma' || level.pendingComma) return fail('A value is missing before a comma.')
      level.pendingComma = true
      i++
      continue
    }
    if (mark === ':') {
      if (level?.want !== 'colon') return fail('A colon stands where no key is.')
      out.push(':')
      level.valueFrom = out.length
      level.want = 'value'
      i++
      continue
    }
    // a key or a value begins here
    if (level?.want === 'colon') return fail(`The key "${level.key}" has no colon.`)
    if (level && level.want === 'comma') {
      if (!level.pendingComma) repairs.add('comma') // repair: a missing comma
      const twice = finishEntry(level, out, repairs)
      if (twice !== undefined) return fail(`The key "${twice}" is written twice with different values.`, 'DUPLICATE_KEY')
      out.push(',')
      level.pendingComma = false
      level.want = level.keys ? 'key' : 'value'
    }
    if (mark === '{' || mark === '[') {
      if (level?.keys && level.want === 'key') return fail('An object stands where a key should be.')
      if (stack.length >= MAX_DEPTH) return fail('It nests too deeply.', 'INPUT_TOO_LARGE')
      out.push(mark)
      const keysOf = mark === '{' ? new Map<string, string>() : undefined
      stack.push({
        close: mark === '{' ? '}' : ']',
        keys: keysOf,
        key: '',
        from: out.length,
        valueFrom: 0,
        want: keysOf ? 'key' : 'value',
        pendingComma: false,
      })
      i++
      continue
    }
    const isKey = level?.keys !== undefined && level.want === 'key'
    if (QUOTES[char]) {
      const read = readString(text, i, isKey, level?.keys !== undefined, stack.length > 1 ? NO_KEYS : keys, repairs)
      if (!read)
        return isOpenString(text, i)
          ? fail('The input breaks off within a string.', 'TRUNCATED')
          : fail('A string is a part of an expression, or never ends.', 'BROKEN_INPUT')
      i = read.end
      startEntry(level, out, isKey, read.value)
      out.push(JSON.stringify(read.value))
      afterEntry(level, isKey)
      continue
    }
    // a bare word
    let end = i
    while (end < text.length && !ENDS_WORD.has(text[end] as string) && !(end > i && isComment(text, end))) end++
    const word = text.slice(i, end).trimEnd()
    if (!word) return fail('Something here is not JSON.', 'BROKEN_INPUT', false)
    if (isKey) {
      if (!isIdentifier(word)) return fail('A key is not readable.', 'BROKEN_INPUT', false)
      repairs.add('unquoted') // repair: a key without quotes
      startEntry(level, out, true, word)
      out.push(JSON.stringify(word))
      level.want = 'colon'
      i = end
      continue
    }
    if (word.startsWith('...') || word.includes('…') || word === '<...>')
      return fail('An ellipsis stands for values that are not there.')
    startEntry(level, out, false, '')
    const literal = LITERALS.get(word)
    if (literal !== undefined) {
      if (String(literal) !== word) repairs.add('literals') // repair: Python's True, False, None
      out.push(String(literal))
    } else if (isNumber(word)) {
      if (!isExact(word))
        return fail('A number is too long to be held exactly; in quotes it would keep its digits.', 'INVALID_INPUT')
      out.push(word)
    } else {
      const next = text[end] ?? ''
      if (next === '(' || '"\'“'.includes(next || ' ')) return fail('A value is code, not data.', 'BROKEN_INPUT')
      if (!level || word.includes('(') || word.includes('\\') || REFUSED_WORDS.has(word))
        return fail(`"${word.slice(0, 40)}" is not a value.`, 'BROKEN_INPUT', REFUSED_WORDS.has(word))
      if (next === '\n' && level.keys && !/^\s*(?:[}\],]|["'“]?[\w-]+["'”]?\s*[:：])/.test(text.slice(end, end + 90)))
        return fail('A value without quotes runs over its line.')
      // a number in another spelling (0x1F, +1, 1e5) is left to the JSON5 reader
      if (/^[+.]?\d|^[+-]?0x/i.test(word) && /^[-+.\dxa-fe_]+$/i.test(word))
        return fail(`"${word.slice(0, 40)}" is not a JSON number.`, 'BROKEN_INPUT', false)
      repairs.add('unquoted_value') // repair: a text value without quotes
      wordEnd = end
      out.push(JSON.stringify(word))
    }
    afterEntry(level, false)
    i = end
    bareEnd = end
  }

  if (stack.length > 0) {
    // a word without quotes at the very end may have had more letters
    if (wordEnd === text.length) return fail('It breaks off in a word without quotes.', 'TRUNCATED')
    // the closers may have gone into a string
    if (repairs.has('inner_quotes')) return fail('It breaks off behind a string with quotes in it.', 'TRUNCATED')
    for (let open = stack.length - 1; open >= 0; open--) {
      const level = stack[open] as Level
      const complete = level.want === 'comma' && !level.pendingComma
      if (open === stack.length - 1 ? !complete : false) return fail('It breaks off in the middle.', 'TRUNCATED')
      const twice = finishEntry(level, out, repairs)
      if (twice !== undefined) return fail(`The key "${twice}" is written twice with different values.`, 'DUPLICATE_KEY')
      out.push(level.close)
    }
    // repair: missing closers; a list may have had more in it, and a number at the very end more digits
    repairs.add(bareEnd === text.length || stack.some(level => level.close === ']') ? 'closed_open' : 'closed')
  }
  if (out.length === 0) return fail('There is no value.', 'BROKEN_INPUT', false)
  return { ok: true, json: out.join(''), repairs }
}

function startEntry(level: Level | undefined, out: string[], isKey: boolean, value: string): void {
  if (!level || !isKey) return
  level.key = value
  level.from = out.length
}

function afterEntry(level: Level | undefined, isKey: boolean): void {
  if (level) level.want = isKey ? 'colon' : 'comma'
}

/** Remembers a finished key with its value. Gives the key back when it was there before with another value; drops a plain repetition. */
function finishEntry(level: Level, out: string[], repairs: Set<JsonRepair>): string | undefined {
  if (!level.keys || level.want !== 'comma' || level.valueFrom === 0) return undefined
  const from = level.valueFrom
  const value = from === out.length - 1 ? (out[from] as string) : out.slice(from).join('')
  const known = level.keys.get(level.key)
  level.valueFrom = 0
  if (known === undefined) {
    level.keys.set(level.key, value)
    return undefined
  }
  if (known !== value) return level.key
  repairs.add('repeated_key')
  return undefined
}

/** A comment begins here, set off by a space: a URL or a `#5` has none before it. */
function isComment(text: string, at: number): boolean {
  const char = text[at]
  if ((char !== '#' && char !== '/') || !isSpace(text.charCodeAt(at - 1))) return false
  const next = text[at + 1] ?? ''
  return char === '#' ? next === ' ' : next === '/' || next === '*'
}

function isIdentifier(word: string): boolean {
  if (word.length > 80) return false
  for (let i = 0; i < word.length; i++) if (!isWordChar(word.charCodeAt(i))) return false
  return true
}

function isNumber(word: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(word)
}

/** JavaScript holds this number as it is written. Fractions are rounded by everybody. */
function isExact(word: string): boolean {
  const value = Number(word)
  if (word.length < 16 || !/^-?\d{1,400}$/.test(word)) return Number.isFinite(value)
  return Number.isFinite(value) && BigInt(word) === BigInt(value)
}

const FULL_WIDTH: { readonly [char: string]: string | undefined } = { '｛': '{', '｝': '}', '：': ':', '，': ',' }

const REFUSED_WORDS = new Set(['undefined', 'NaN', 'Infinity', '-Infinity'])

const ENDS_WORD = new Set([',', '}', ']', '{', '[', ':', '，', '｝', '｛', '：', '"', '“', '\n', '('])
