// Text and the place of an opening bracket → where it closes. Knows strings, comments and nesting; one pass, no recursion.

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
  const stack: string[] = []
  let deepest = 0
  let quote = ''
  let before = '('
  let firstLabel = -1
  for (let i = start; i < limit; i++) {
    const char = text[i] as string
    if (char === '\n' && isLabelLine?.(i + 1)) {
      if (!quote) return { end: i, closed: false, inString: false, depth: deepest }
      if (firstLabel < 0) firstLabel = i
    }
    if (quote) {
      if (char === '\\') i++
      else if (char === quote) {
        quote = ''
        before = '"'
      }
      continue
    }
    switch (char) {
      case '{':
      case '｛':
        stack.push('}')
        break
      case '[':
        stack.push(']')
        break
      case '(':
        stack.push(')')
        break
      case '}':
      case '｝':
      case ']':
      case ')': {
        const closer = char === '｝' ? '}' : char
        // repair: an inner bracket that was never closed ends with the one around it
        if (stack[stack.length - 1] !== closer) return { end: i, closed: false, inString: false, depth: deepest }
        stack.pop()
        if (stack.length === 0) return { end: i + 1, closed: true, inString: false, depth: deepest }
        break
      }
      case '"':
        quote = '"'
        break
      case '“':
        quote = '”'
        break
      case "'":
      case '`':
        if (VALUE_FOLLOWS.includes(before)) quote = char
        break
      case '/':
        if (text[i + 1] === '/' && before !== ':') i = lineEnd(text, i, limit) - 1
        else if (text[i + 1] === '*') {
          const close = text.indexOf('*/', i + 2)
          if (close >= 0 && close < limit) i = close + 1
        }
        break
    }
    if (stack.length > deepest) deepest = stack.length
    if (char !== ' ' && char !== '\n' && char !== '\t' && char !== '\r') before = char
  }
  return firstLabel >= 0
    ? { end: firstLabel, closed: false, inString: true, depth: deepest }
    : { end: limit, closed: false, inString: quote !== '', depth: deepest }
}

/** Where the bracket at `start` closes, counting only brackets of its own kind; for text in brackets. -1 when it never does. */
function scanBracket(text: string, start: number, limit: number): number {
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
      if (!isEscaped(text, at)) break
    }
    at++
  }
  return { pairs, depth, huge, drive }
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === 92) before--
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

function lineEnd(text: string, start: number, limit: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 || end > limit ? limit : end
}

const HUGE = /[:[,]\s{0,8}-?\d{16}|\d[eE]\+?\d{3}/
const VALUE_FOLLOWS = '{[(,:=｛，：'
const CLOSERS: { readonly [open: string]: string | undefined } = {
  '[': ']',
  '(': ')',
  '{': '}',
  '｛': '｝',
  '（': '）',
  '【': '】',
}
