// Single characters → what they are to the reader: white space, digits, colons, breaks of a line; and words without what does not count in them.

/** Letters and digits only, lower case: `Action_Input`, `action input` and `ActionInput` are one word. */
export function foldWord(text: string): string {
  let folded = ''
  let from = 0
  let capital = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    capital ||= isCapital(code)
    if (isLatin(code) || isDigit(code) || isIdeograph(code)) continue
    if (code > 127 && !isSpace(code)) return foldWide(text)
    folded += text.slice(from, i)
    from = i + 1
  }
  const kept = from === 0 ? text : folded + text.slice(from)
  return capital ? kept.toLowerCase() : kept
}

/** `text.startsWith(word, at)` for a short word, in a fifth of the time. */
export function standsAt(text: string, word: string, at: number): boolean {
  for (let i = 0; i < word.length; i++) if (text.charCodeAt(at + i) !== word.charCodeAt(i)) return false
  return true
}

export function skipDigits(text: string, start: number, end: number): number {
  let i = start
  while (i < end && isDigit(text.charCodeAt(i))) i++
  return i
}

export function skipBlank(text: string, start: number, end: number): number {
  let i = start
  while (i < end && isSpace(text.charCodeAt(i))) i++
  return i
}

/** A letter from a to z, in either case. */
export function isLatin(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

/** A Chinese character: a letter that has neither case nor accents. */
export function isIdeograph(code: number): boolean {
  return code >= 0x4e00 && code <= 0x9fff
}

/** The character at `at` in lower case. That it has no case is many times quicker to see than to ask for. */
export function lowerAt(text: string, at: number): string {
  const code = text.charCodeAt(at)
  const char = text.charAt(at)
  return isCaseless(code) ? char : char.toLowerCase()
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** What may stand behind a label. */
export const COLONS = ':：﹕∶'

export function isColon(code: number): boolean {
  return code === 58 || code === 0xff1a || code === 0xfe55 || code === 0x2236
}

/** What breaks a line on somebody's screen, and may hide a label behind it: all but `\n` and `\r`. */
export function isOddBreak(code: number): boolean {
  return code === 11 || code === 12 || code === 0x85 || code === 0x2028 || code === 0x2029
}

export function isSpace(code: number): boolean {
  return (
    code === 32 ||
    (code >= 9 && code <= 13) ||
    code === 0xa0 ||
    code === 0x3000 ||
    code === 0xfeff ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x85 ||
    (code >= 0x2000 && code <= 0x200a)
  )
}

/** The text shows nothing to anybody: no more than white space, control characters, and what stands for bytes that nobody could read. */
export function isInvisible(text: string): boolean {
  return !isLatin(text.charCodeAt(0)) && !/[^\s\p{Cc}\p{Cf}\p{Cs}\ufffd]/u.test(text)
}

/** A letter from A to Z. */
function isCapital(code: number): boolean {
  return code >= 65 && code <= 90
}

/** Surely without case: what is small, a sign or a digit, and the scripts of East Asia with their signs. */
function isCaseless(code: number): boolean {
  return code < 128 ? !isCapital(code) : (code >= 0x2e80 && code <= 0xa63f) || (code >= 0xff00 && code <= 0xff20)
}

function foldWide(text: string): string {
  let folded = ''
  for (const char of text.normalize('NFC').toLowerCase()) {
    const code = char.codePointAt(0) as number
    if (code > 127 ? !isSpace(code) && code !== 0x2019 : isLatin(code) || isDigit(code)) folded += char
  }
  return folded
}
