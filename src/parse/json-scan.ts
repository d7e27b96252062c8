// Text and the place of an opening bracket → where it closes. Knows strings, comments and nesting; one pass, no recursion.
import { lineEnd } from './line.js'
import { nextPlace } from './next-place.js'

export interface JsonEnd {
  /** After the closing bracket, or where the scan gave up. */
  readonly end: number
  readonly closed: boolean
  /** The text ended within a string. */
  readonly inString: boolean
  readonly depth: number
}

/**
 * Finds the end of the `{…}`, `[…]` or `(…)` that opens at `start`. `isLabelLine(position)` is asked at each line start: a label in the
 * structure ends the scan there, one within a string only when the string never closes.
 */
export function scanJson(text: string, start: number, limit: number, isLabelLine?: (position: number) => boolean): JsonEnd {
  const stack: number[] = []
  let deepest = 0
  let before = ROUND
  let firstLabel = -1
  let newline = -1
  let comment = -1
  for (let i = start; i < limit; i++) {
    const code = text.charCodeAt(i)
    switch (code) {
      case SPACE:
      case TAB:
      case RETURN:
        continue
      case NEWLINE:
        if (isLabelLine?.(i + 1)) return { end: i, closed: false, inString: false, depth: deepest }
        continue
      case CURLY:
      case WIDE_CURLY:
        deepest = Math.max(deepest, stack.push(CURLY_CLOSE))
        break
      case SQUARE:
        deepest = Math.max(deepest, stack.push(SQUARE_CLOSE))
        break
      case ROUND:
        deepest = Math.max(deepest, stack.push(ROUND_CLOSE))
        break
      case CURLY_CLOSE:
      case WIDE_CURLY_CLOSE:
      case SQUARE_CLOSE:
      case ROUND_CLOSE:
        // repair: an inner bracket that was never closed ends with the one around it
        if (stack.pop() !== (code === WIDE_CURLY_CLOSE ? CURLY_CLOSE : code))
          return { end: i, closed: false, inString: false, depth: deepest }
        if (stack.length === 0) return { end: i + 1, closed: true, inString: false, depth: deepest }
        break
      case QUOTE:
      case WIDE_QUOTE:
      case APOSTROPHE:
      case BACKTICK: {
        if (code > QUOTE && code < 0x80 && !VALUE_FOLLOWS.includes(String.fromCharCode(before))) break
        const close = stringClose(text, i, limit)
        const stop = close < 0 ? limit : close
        if (isLabelLine && firstLabel < 0)
          for (newline = nextPlace(text, '\n', newline, i); newline < stop; newline = nextPlace(text, '\n', newline, newline + 1))
            if (firstLabel < 0 && !isEscaped(text, newline, i) && isLabelLine(newline + 1)) firstLabel = newline
        if (close < 0)
          return firstLabel >= 0
            ? { end: firstLabel, closed: false, inString: true, depth: deepest }
            : { end: limit, closed: false, inString: true, depth: deepest }
        i = close
        before = QUOTE
        continue
      }
      case SLASH:
        if (text.charCodeAt(i + 1) === SLASH && before !== COLON) i = lineEnd(text, i, limit) - 1
        else if (text.charCodeAt(i + 1) === ASTERISK) {
          comment = nextPlace(text, '*/', comment, i + 2)
          if (comment < limit) i = comment + 1
        }
        break
    }
    before = code
    if (deepest > DEEPEST) break
  }
  return firstLabel >= 0
    ? { end: firstLabel, closed: false, inString: true, depth: deepest }
    : { end: limit, closed: false, inString: false, depth: deepest }
}

/** Where the string that opens at `open` closes; -1 when it does not before `limit`. */
function stringClose(text: string, open: number, limit: number): number {
  const quote = text[open] === '“' ? '”' : (text[open] as string)
  for (let at = text.indexOf(quote, open + 1); at >= 0 && at < limit; at = text.indexOf(quote, at + 1))
    if (!isEscaped(text, at, open)) return at
  return -1
}

/** Where the bracket at `start` closes, counting only brackets of its own kind; for text in brackets. -1 when it never does. */
export function scanBracket(text: string, start: number, limit: number): number {
  const open = text[start] as string
  const close = CLOSERS[open]
  if (!close) return -1
  let depth = 0
  for (let i = start; i < limit; i++) {
    const char = text[i]
    if (char === open) depth++
    else if (char === close && --depth === 0) return i + 1
  }
  return -1
}

/** As `scanBracket`, but brackets within quoted strings do not count, when that works out. */
export function scanCall(text: string, start: number, limit: number): number {
  const quoted = scanJson(text, start, limit)
  if (quoted.closed) return quoted.end
  return scanBracket(text, start, limit)
}

/** What JSON.parse does not say about a text. */
export interface JsonFacts {
  /** `key: value` pairs; more than the value has when a key was written twice. */
  readonly pairs: number
  /** How deep the brackets nest. */
  readonly depth: number
  /** A number stands in it that JavaScript can't hold exactly. */
  readonly huge: boolean
  /** A string begins like a path whose backslashes were not doubled, `"C:\dir`: what JSON makes of it is not what was meant. */
  readonly drive: boolean
}

/** Looks at what stands between the strings of `text`, and how they begin. It must be JSON that can be parsed. */
export function inspectJson(text: string): JsonFacts {
  let pairs = 0
  let depth = 0
  let level = 0
  let huge = false
  let drive = false
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at)
    const stop = quote < 0 ? text.length : quote
    for (let i = at; i < stop; i++) {
      const code = text.charCodeAt(i)
      if (code === 58) pairs++
      else if (code === 123 || code === 91) {
        if (++level > depth) depth = level
      } else if (code === 125 || code === 93) level--
    }
    if (stop - at > 4 && HUGE.test(text.slice(at, stop))) huge = true
    if (quote < 0) break
    // to the closing quote; an escaped one may open a path as well
    for (at = quote; ; ) {
      if (opensDrive(text, at)) drive = true
      at = text.indexOf('"', at + 1)
      if (at < 0) return { pairs, depth, huge, drive }
      if (!isEscaped(text, at, quote)) break
    }
    at++
  }
  return { pairs, depth, huge, drive }
}

/** An odd number of backslashes stands before `at`, in the string that opens at `open`. */
function isEscaped(text: string, at: number, open: number): boolean {
  let before = at - 1
  while (before > open && text.charCodeAt(before) === 92) before--
  return (at - before) % 2 === 0
}

function opensDrive(text: string, quote: number): boolean {
  if (text.charCodeAt(quote + 2) !== 58 || text.charCodeAt(quote + 3) !== 92) return false
  const letter = text.charCodeAt(quote + 1) | 32
  const next = text.charCodeAt(quote + 4)
  return letter >= 97 && letter <= 122 && next !== 92 && next !== 34
}

/** How many brackets nest at most in the text, outside double-quoted strings. */
export function deepestNesting(text: string): number {
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quoted) {
      if (code === 92) i++
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if (code === 123 || code === 91) {
      if (++depth > deepest) deepest = depth
    } else if (code === 125 || code === 93) depth--
  }
  return deepest
}

const HUGE = /[:[,]\s{0,8}-?\d{16}|\d[eE]\+?\d{3}/
const TAB = 9
const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const QUOTE = 34
const APOSTROPHE = 39
const ROUND = 40
const ROUND_CLOSE = 41
const ASTERISK = 42
const SLASH = 47
const COLON = 58
const SQUARE = 91
const SQUARE_CLOSE = 93
const BACKTICK = 96
const CURLY = 123
const CURLY_CLOSE = 125
const WIDE_QUOTE = 0x201c
const WIDE_CURLY = 0xff5b
const WIDE_CURLY_CLOSE = 0xff5d
/** Deeper nesting is not read. */
export const MAX_DEPTH = 64
/** Far deeper than anything that is read. */
const DEEPEST = 1000
const VALUE_FOLLOWS = '{[(,:=｛，：'
const CLOSERS: { readonly [open: string]: string | undefined } = {
  '[': ']',
  '(': ')',
  '{': '}',
  '｛': '｝',
  '（': '）',
  '【': '】',
}
