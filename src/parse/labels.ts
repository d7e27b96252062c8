// The beginning of a line, and a grammar → the label that stands there. One scan over at most a few dozen characters per line.
import { foldWord, isColon, isDigit, isLatin, isSpace, lowerAt, skipBlank, skipDigits } from './characters.js'
import { type Grammar, isResult, type LabelRole } from './grammar.js'

/** How a label is dressed; a label without a colon needs another in the same dress. */
export type Dress = 'plain' | 'bold' | 'heading' | 'numbered'

export interface LabelMatch {
  readonly role: LabelRole
  /** The label's letters, folded. */
  readonly key: string
  /** Where the label's letters begin; decoration stands before. */
  readonly word: number
  /** Where the value begins: after the colon and what decorates it. */
  readonly value: number
  readonly dress: Dress
  readonly colon: boolean
  readonly bullet: boolean
  /** Written twice in a row. */
  readonly doubled: boolean
  /** Decoration opened before the label and not closed right after it: `**Action: search**`. */
  readonly open: string
  /** The label stands as the dialect writes it. */
  readonly plain: boolean
}

const MAX_LABEL = 48
/** The label that a line begins with, or undefined. `end` is where the line ends. */
export function matchLabel(text: string, start: number, lineEnd: number, grammar: Grammar): LabelMatch | undefined {
  // a carriage return belongs to the line's end
  const end = lineEnd > start && text.charCodeAt(lineEnd - 1) === 13 ? lineEnd - 1 : lineEnd
  let i = start
  let decoration = ''
  let bullet = false
  let heading = false
  const stop = Math.min(end, start + 24)
  for (; i < stop; i++) {
    const char = text[i] as string
    if (char === ' ' || char === '\t') {
      if (i - start >= 8 && decoration === '') return undefined
    } else if (char === '#') heading = true
    else if (char === '>') continue
    else if (char === '*' && text[i + 1] === ' ' && !bullet && decoration === '') bullet = true
    else if (char === '*' || char === '`' || char === '_' || char === '~') decoration += char
    else if ((char === '-' || char === '•' || char === '+' || char === '–') && (text[i + 1] === ' ' || text[i + 1] === '*'))
      bullet = true
    else if (isDigit(text.charCodeAt(i))) {
      const after = skipDigits(text, i, stop)
      if ((text[after] === '.' || text[after] === ')') && text[after + 1] === ' ') {
        bullet = true
        i = after
      } else return undefined
    } else break
  }
  if (i >= end) return undefined
  const first = text.charCodeAt(i)
  if (first < 128) {
    const lower = first >= 65 && first <= 90 ? first + 32 : first
    if (!grammar.firstChars.has(String.fromCharCode(lower))) return undefined
  }
  const step = Math.max(i, skipStep(text, i, end, grammar))
  const found = readWord(text, step, end, grammar, decoration)
  if (!found) return undefined
  const { role, key, number } = found
  const open = decoration && !found.closed ? decoration : ''
  // what is struck through together with more than the label was taken back
  if (open.includes('~')) return undefined
  const dress: Dress = heading
    ? 'heading'
    : number || step > i
      ? 'numbered'
      : decoration.includes('*') || decoration.includes('_')
        ? 'bold'
        : 'plain'
  if (!found.colon && dress === 'plain') return undefined
  let value = found.after
  let doubled = false
  for (;;) {
    const again = skipBlank(text, value, end)
    const next = readWord(text, again, end, grammar, decorationBefore(text, again))
    if (!next?.colon || next.role !== role) break
    value = next.after
    doubled = true
  }
  const plain =
    i === start &&
    dress === 'plain' &&
    !doubled &&
    found.colon &&
    text[found.colonAt] === ':' &&
    grammar.exact.has(text.slice(i, found.colonAt))
  return { role, key, word: i, value, dress, colon: found.colon, bullet, doubled, open, plain }
}

interface Word {
  readonly role: LabelRole
  readonly key: string
  readonly number: boolean
  readonly closed: boolean
  readonly colon: boolean
  readonly colonAt: number
  readonly after: number
}

/** Reads `Word [number] [decoration] colon [decoration]` from `start`; `opened` is the decoration that may close behind the colon. */
function readWord(text: string, start: number, end: number, grammar: Grammar, opened: string): Word | undefined {
  const stop = Math.min(end, start + MAX_LABEL)
  let letters = start
  let number = false
  let closed = false
  let i = start
  let colon = false
  for (; i < stop; i++) {
    const code = text.charCodeAt(i)
    if (isLatin(code)) {
      if (number || closed) return undefined
      letters = i + 1
    } else if (isColon(code)) {
      colon = true
      break
    } else if (code === 32 || code === 9 || code === 95 || code === 45) continue
    else if (code === 42 || code === 96 || code === 126) closed = i > start
    else if (isDigit(code)) number = true
    else if (code === 35 && !number) continue
    else if (code > 127) {
      if (isSpace(code) || (code === 0x2019 && i > start && isElision(text, i, letters))) continue
      if (number || closed) return undefined
      letters = i + 1
    } else if (code === 39 && i > start && isElision(text, i, letters)) continue
    else return undefined
  }
  if (!colon && i < end) return undefined
  if (letters === start) return undefined
  const raw = text.slice(start, letters)
  const key = foldWord(raw)
  const role = grammar.roles.get(key) ?? (colon && isResult(raw, grammar) ? 'result' : undefined)
  if (!role) return undefined
  const colonAt = i
  let after = colon ? i + 1 : i
  // repair: the decoration that closes behind the colon, `**Action:**`, `**2. Action:**`
  while (after < end && opened.includes(text.charAt(after)) && !text.startsWith('``', after)) {
    closed = true
    after++
  }
  return { role, key, number, closed, colon, colonAt, after }
}

/** The marks of decoration that stand right before `at`. */
function decorationBefore(text: string, at: number): string {
  let from = at
  while (from > 0 && '*_~`'.includes(text.charAt(from - 1))) from--
  return text.slice(from, at)
}

/** An apostrophe between two words, as in `Entrée de l'action`. */
function isElision(text: string, at: number, letters: number): boolean {
  return letters === at && /^\p{L}{3}/u.test(text.slice(at + 1, at + 5))
}

/** Goes over `Step 3 - ` before a label; gives where the label begins, or -1 when `end` comes before that is known. */
export function skipStep(text: string, start: number, end: number, { steps }: Grammar): number {
  const first = lowerAt(text, start)
  for (const word of steps) {
    if (word[0] !== first) continue
    const behind = start + word.length
    if (behind >= end) {
      if (word.startsWith(text.slice(start, end).toLowerCase())) return -1
      continue
    }
    if (text.slice(start, behind).toLowerCase() !== word) continue
    const digits = skipBlank(text, behind, Math.min(end, behind + 8))
    if (digits >= end) return -1
    const number = skipDigits(text, digits, Math.min(end, digits + 4))
    if (number === digits) continue
    const dash = skipBlank(text, number, Math.min(end, number + 8))
    if (dash >= end) return -1
    if (!'-–—:.)：、．'.includes(text.charAt(dash))) continue
    const label = skipBlank(text, dash + 1, Math.min(end, dash + 9))
    return label >= end ? -1 : label
  }
  return start
}
