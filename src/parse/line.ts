// A place in a text → the line that begins there.
import { lineEnd } from './fence-line.js'
import { skipBlank } from './labels.js'

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
