// A text and the most code points of it that may stay → its beginning and its end, with the number of what was left out between them.
// Cut on code points, so that no half of a surrogate pair is left.
import { SaydoError } from '../core/errors.js'
import type { Say } from '../core/text.js'

const HEAD_SHARE = 0.6

/** Most code points of an observation's text; 0, false, null or undefined: no limit. */
export type MaxObserve = number | false | null | undefined

export interface Truncated {
  readonly text: string
  /** Code points left out; 0 when the text is whole. */
  readonly omitted: number
}

/**
 * Keeps the first 60 % and the last 40 % of `most` code points; the text between them is `say('truncated', {omitted, total})` on lines of
 * its own, which count beyond `most`. without a limit it is never cut.
 */
export function truncate(text: string, most: MaxObserve, say: Say): Truncated {
  requireMaxObserve(most)
  // a code point has at least one code unit, so most texts need not be counted
  if (!most || text.length <= most) return { text, omitted: 0 }
  const total = countCodePoints(text)
  if (total <= most) return { text, omitted: 0 }
  const head = Math.ceil(most * HEAD_SHARE)
  const tail = most - head
  const omitted = total - most
  const marker = say('truncated', { omitted, total })
  return { text: `${text.slice(0, offsetFromStart(text, head))}\n${marker}\n${text.slice(offsetFromEnd(text, tail))}`, omitted }
}

/** @throws SaydoError `CONFIG` unless the value is a whole number of code points, or a way to say no limit */
export function requireMaxObserve(value: unknown): asserts value is MaxObserve {
  if (value === undefined || value === null || value === false || (Number.isSafeInteger(value) && Number(value) >= 0)) return
  throw new SaydoError('CONFIG', `maxObserve is ${String(value)}.`, {
    hint: 'Give the most characters of one observation as a whole number; 0 switches the limit off.',
  })
}

function countCodePoints(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += widthAt(text, at)) count++
  return count
}

function offsetFromStart(text: string, codePoints: number): number {
  let at = 0
  for (let seen = 0; seen < codePoints; seen++) at += widthAt(text, at)
  return at
}

function offsetFromEnd(text: string, codePoints: number): number {
  let at = text.length
  for (let seen = 0; seen < codePoints; seen++) at -= isPair(text, at - 2) ? 2 : 1
  return at
}

function widthAt(text: string, at: number): number {
  return isPair(text, at) ? 2 : 1
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
}
