// The word for an observation without its colon: cut short at the end of a reply, or alone on a line before another label.
import { foldWord, isSpace, skipBlank } from './characters.js'
import type { Grammar } from './grammar.js'

/** A stop word that the endpoint, or we, cut in the middle: the last line, alone, or the last lines when all are one. */
export function findStopWord(text: string, from: number, to: number, grammar: Grammar): readonly [number, number] | undefined {
  let start = to
  for (let found = stopLine(text, from, to, grammar); found >= 0; found = stopLine(text, from, start, grammar)) start = found
  return start < to ? [start, to] : undefined
}

/** Where the last line begins, when it is a stop word; else -1. */
function stopLine(text: string, from: number, to: number, grammar: Grammar): number {
  let end = to
  while (end > from && isSpace(text.charCodeAt(end - 1))) end--
  if (end - from < 4) return -1
  // a search that goes forward is quicker, and most last lines are long
  const newline = text.indexOf('\n', Math.max(from, end - LONGEST - 1))
  if (newline < 0 || newline >= end) return -1
  const lineStart = text.lastIndexOf('\n', end - 1) + 1
  const line = text.slice(lineStart, end)
  if (!/^[\s*#>`_]{0,12}[\p{L}]{1,24}[\s*#`_\d]{0,16}[:：]?[\s*`_]{0,4}$/u.test(line)) return -1
  const letters = foldWord(line.replace(/[:：]/, '')).replace(/(?<!\d)\d{1,40}$/, '')
  const wide = /[^\u0000-\u007f]/.test(letters)
  if (letters.length < (wide ? 2 : 3)) return -1
  for (const [key, role] of grammar.roles) {
    if (role !== 'observation' || !key.startsWith(letters)) continue
    // a word that was cut short has no number behind it
    if (letters.length === key.length || !/\d/.test(line)) return lineStart
  }
  return -1
}

/** `Observation` alone on its line, without a colon, right before another label. */
export function isBareObservation(
  text: string,
  grammar: Grammar,
  position: number,
  end: number,
  to: number,
  isLabelLine: (position: number) => boolean,
): boolean {
  if (end - position > 40 || end >= to) return false
  const line = text.slice(position, end)
  if (!/^[\s*#>`_]{0,8}\p{L}{2,24}[\s*#`_\d]{0,8}$/u.test(line)) return false
  if (grammar.roles.get(foldWord(line).replace(/\d{1,8}$/, '')) !== 'observation') return false
  const below = skipBlank(text, end, to)
  return below < to && isLabelLine(text.lastIndexOf('\n', below - 1) + 1)
}

/** Of the last line. */
const LONGEST = 40
