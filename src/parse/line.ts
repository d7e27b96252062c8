// A place in a text → the line that begins there, or where the line of that place ends.
import { isSpace, skipBlank } from './characters.js'

export interface Line {
  readonly start: number
  readonly end: number
  /** Where the next line begins. */
  readonly next: number
  /** Its first character that is not blank; its end when all of it is. */
  readonly inner: number
}

/** The line from `start` on; the text is read up to `to`. */
export function lineAt(text: string, start: number, to: number): Line {
  const end = lineEnd(text, start, to)
  const next = end < to && text[end] === '\n' ? end + 1 : Math.max(end, start + 1)
  return { start, end, next, inner: skipBlank(text, start, end) }
}

export function lineEndsWith(text: string, end: number, char: string): boolean {
  let i = end - 1
  while (i >= 0 && isSpace(text.charCodeAt(i)) && text[i] !== '\n') i--
  return text[i] === char
}

/** Where the line of `position` ends, at most at `to`. */
export function lineEnd(text: string, position: number, to = text.length): number {
  const end = text.indexOf('\n', position)
  return end < 0 || end > to ? to : end
}
