// The form of a reply: what stands in front of its labels, how they are dressed, and whether its step only stands in a fence. What is odd about it
// is noted.
import { isProtocol } from './grammar.js'
import type { Mark } from './marks.js'
import { type Reading, think } from './reading.js'

/** A heading of the prompt's own in front, where reading does not begin yet. */
export function noteHeading(r: Reading): void {
  const head = r.text.slice(0, r.lexed.from)
  if (!/\p{L}/u.test(head)) return
  r.notes.add('PREAMBLE', HEADING, { start: head.length - head.trimStart().length, end: head.trimEnd().length }, 0)
}

/** Text before the first label. */
export function readPreface(r: Reading, text: string, start: number, first: Mark): void {
  const trimmed = text.trim()
  if (!trimmed) return
  const rest = trimmed.replace(/^#{1,6}\s{0,4}(?:Response|Answer|Output)\s{0,4}:?\s{0,40}(?=\n|$)/i, '').trim()
  const from = start + text.length - text.trimStart().length
  const restFrom = from + trimmed.length - rest.length
  if (rest !== trimmed) r.notes.add('PREAMBLE', HEADING, { start: from, end: restFrom }, 0)
  if (!rest || (first.role === 'object' && /^[`\s]*$/.test(rest))) return
  r.notes.add('LABEL_MISSING', 'The text before the first label is read as a thought.', { start: restFrom, end: first.start }, 0)
  think(r, rest)
}

/** Notes how the labels that were used are dressed. */
export function noteDress(r: Reading): void {
  for (const mark of r.marks) {
    const match = mark.match
    if (!match || match.plain || !isProtocol(mark.role)) continue
    const place = { start: match.word, end: match.value }
    if (match.doubled) r.notes.add('LABEL_DOUBLED', 'A label is written twice.', place, 0)
    if (match.doubled && match.dress === 'plain') continue
    if (!match.colon) r.notes.add('LABEL_COLON', 'A label has no colon.', place, 0)
    else if (match.dress !== 'plain' || match.bullet) r.notes.add('LABEL_DECORATED', 'A label is decorated.', place, 0)
    else {
      const written = r.text.slice(match.word, match.value)
      const word = /^([^:：﹕∶]{0,64})[:：﹕∶\s]{0,16}$/.exec(written)?.[1]?.trimEnd() ?? written
      const folded = r.grammar.exactKeys.has(match.key)
      if (!r.grammar.exact.has(word))
        if (folded) r.notes.add('LABEL_CASE', 'A label is written in another case.', place, 0)
        else r.notes.add('LABEL_SPELLING', 'A label is spelled in its own way.', place, 0)
      else r.notes.add('LABEL_COLON', 'A label has another colon, or stands off its place.', place, 0)
    }
  }
}

/** A fence shows an action or answer before any other label, and no prose below it says that it only shows it. */
export function stepInFence(r: Reading): boolean {
  const shown = r.lexed.fencedAction
  if (!shown) return false
  // what stands before it decides
  if (r.marks.some(mark => mark.start < shown[0] && DECIDES.has(mark.role))) return false
  const first = r.marks.find(mark => mark.role !== 'speaker' && mark.role !== 'turn')
  const behind = r.marks.find(mark => mark.start > shown[1])
  // whoever goes on with a result meant the action
  if (behind?.role === 'observation') return true
  if (!first || shown[0] > first.start) return false
  const lines = r.text.slice(shown[1], first.start).split('\n')
  const close = lines.findIndex(line => /^\s{0,8}(?:`{3,8}|~{3,8})\s{0,8}$/.test(line))
  return close < 0 || !lines.slice(close + 1).some(line => line.trim())
}

const DECIDES: ReadonlySet<Mark['role']> = new Set(['action', 'answer', 'native', 'object'])
const HEADING = "The prompt's own heading was left out."
