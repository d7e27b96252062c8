// A colon in the middle of a line → the label word right before it, if there is one. Looks back over at most forty characters.
import { lowerAt, skipBlank } from './characters.js'
import type { Grammar, ProtocolRole } from './grammar.js'
import { matchLabel } from './labels.js'
import { lineEnd } from './line.js'
import { isRegistered } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'

export interface MidlineLabel {
  readonly role: ProtocolRole
  readonly start: number
  readonly value: number
}

/** The label word that ends right before the colon at `colon`. */
export function labelBefore(text: string, colon: number, from: number, grammar: Grammar): MidlineLabel | undefined {
  let i = colon - 1
  while (i >= from && ' *`_0123456789#\t'.includes(text[i] as string)) i--
  const found = i < from ? undefined : wordBefore(text, i, from, grammar)
  if (!found) return undefined
  const before = text[found.start - 1]
  if (found.start > from && before !== undefined) {
    if ('"\'`“‘「（'.includes(before)) return undefined
    const first = text[found.start] as string
    // a label inside a word counts only when its capital shows where it begins
    if (/[\p{L}\p{N}_]/u.test(before) && first < '\u0080' && !(first >= 'A' && first <= 'Z')) return undefined
  }
  if (oddTicks(text, from, found.start)) return undefined
  let value = colon + 1
  while (text[value] === '*') value++
  let start = found.start
  while (start > from && (text[start - 1] === '*' || text[start - 1] === '_')) start--
  // a bullet before it is no text
  let bullet = start
  while (bullet > from && ' \t-*+•>'.includes(text[bullet - 1] as string)) bullet--
  if (text[bullet - 1] === '\n') start = bullet
  return { role: found.role, start, value }
}

/** The longest label word whose last letter stands at `last`. */
function wordBefore(
  text: string,
  last: number,
  from: number,
  grammar: Grammar,
): { readonly role: MidlineLabel['role']; readonly start: number } | undefined {
  const words = grammar.endings.get(lowerAt(text, last))
  if (!words) return undefined
  for (const [key, role] of words) {
    const start = startOf(key, text, last, from)
    if (start >= 0) return { role, start }
  }
  return undefined
}

/** Where the word begins that ends at `last` and folds to `key`; -1 when it is another. */
function startOf(key: string, text: string, last: number, from: number): number {
  let left = key.length
  for (let i = last; i >= from && last - i < 40; i--) {
    const code = text.charCodeAt(i)
    if (code === 32 || code === 95 || code === 45) continue
    const lower = lowerAt(text, i)
    if (code <= 126 && (lower < 'a' || lower > 'z')) return -1
    if (!key.endsWith(lower, left)) return -1
    left -= lower.length
    if (left === 0) return i
  }
  return -1
}

/** Somebody else's turn that begins in the middle of the line which ends at `end`; `certain` behind the end of a sentence. */
export function turnWithin(
  text: string,
  from: number,
  end: number,
  grammar: Grammar,
): { readonly at: number; readonly certain: boolean } | undefined {
  const last = from + text.slice(from, end).trimEnd().length
  const line = Math.max(from, text.lastIndexOf('\n', last - 1) + 1, last - 1000)
  let found: { at: number; certain: boolean } | undefined
  for (let i = line + 1; i < last && !found?.certain; i++) {
    const char = text[i - 1] as string
    const sentence = endsSentence(text, line, i)
    if (!sentence && char !== ' ') continue
    const label = matchLabel(text, i, last, grammar)
    if (label?.role !== 'turn' || !label.colon || label.word !== i || oddTicks(text, line, i)) continue
    const capital = text.charAt(i)
    if (sentence) found = { at: i, certain: true }
    else if (capital !== capital.toLowerCase()) found ??= { at: i, certain: false }
  }
  return found
}

/** A sentence ends right before `at`. */
export function endsSentence(text: string, from: number, at: number): boolean {
  return SENTENCE_END.test(text.slice(Math.max(from, at - 8), at))
}

/** A registered tool's name with an input stands at `at`, on the line that ends at `end` or over to the next one. */
export function actionFollows(text: string, at: number, end: number, grammar: Grammar, box: Toolbox): boolean {
  const from = skipBlank(text, at, end)
  const rest = text.slice(from, Math.min(end, from + 400))
  for (let i = from; i < Math.min(end, from + 200); i++) {
    if (text[i] !== ':' && text[i] !== '：') continue
    const label = labelBefore(text, i, from, grammar)
    if (label?.role !== 'input') break
    return isRegistered(text.slice(from, label.start), box)
  }
  const bracket = rest.search(/[[({]/)
  if (bracket > 0 && isRegistered(rest.slice(0, bracket), box)) return true
  // no name goes over so much of a line
  if (end > from + rest.length || !isRegistered(rest, box)) return false
  const after = skipBlank(text, end, text.length)
  const lineStart = text.lastIndexOf('\n', after - 1) + 1
  return matchLabel(text, lineStart, lineEnd(text, after), grammar)?.role === 'input'
}

function oddTicks(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(from, to - 1000), to)
  let ticks = 0
  for (let at = before.indexOf('`'); at >= 0; at = before.indexOf('`', at + 1)) ticks++
  return ticks % 2 === 1
}

/** Behind it a new sentence begins: at once in scripts without blanks, elsewhere after one. */
const SENTENCE_END = /(?:[.!?…]["'”’)\]*]{0,2}\s{1,4}|[。！？…][”’」』）*]{0,2}\s{0,4})$/
