// Words of a grammar → a tree of their letters, which is walked along a text: does one of them stand here, may one still come, or neither?
// Folded as labels are: case, blanks, `_` and `-` count for nothing, accents may be written in one character or in two.
import { isDigit, isIdeograph } from './characters.js'

export interface WordTree {
  readonly next: ReadonlyMap<number, WordTree>
  /** What must stand behind a word that ends here, such as a colon; empty when none ends here. */
  readonly ends: string
}

/** A word, and the characters of which one must follow it. */
export type Ended = readonly [word: string, ends: string]

/** `NEVER`: none of the words stands here, whatever follows. `OPEN`: the text ends before that is known. Otherwise: where the word's end is. */
export const NEVER = -1
export const OPEN = -2

interface Branch extends WordTree {
  readonly next: Map<number, Branch>
  ends: string
}

export function wordTree(words: Iterable<Ended>): WordTree {
  const root: Branch = { next: new Map(), ends: '' }
  for (const [word, ends] of words) {
    let at = root
    for (const unit of unitsOf(word)) {
      const known = at.next.get(unit)
      const next = known ?? { next: new Map(), ends: '' }
      if (!known) at.next.set(unit, next)
      at = next
    }
    at.ends += ends
  }
  return root
}

/** The branch that the letter at `at` leads to; undefined when no word goes on with it. */
export function branch(tree: WordTree, text: string, at: number): WordTree | undefined {
  const code = text.charCodeAt(at)
  if (code < 128) return tree.next.get(code >= 65 && code <= 90 ? code + 32 : code)
  if (isIdeograph(code)) return tree.next.get(code)
  let found: WordTree | undefined = tree
  for (const unit of unitsOf(text.charAt(at))) found = found?.next.get(unit)
  return found
}

/** Walks from the letter at `start`; gives where the word's end is, or `NEVER`, or `OPEN`. Looks at fifty characters at most. */
export function walkWord(tree: WordTree, text: string, start: number): number {
  let at = tree
  let closing = false
  const limit = Math.min(text.length, start + LONGEST)
  for (let i = start; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 32 || code === 95 || code === 45) continue
    const behind = at.ends !== ''
    if (behind && at.ends.includes(text.charAt(i))) return i + 1
    if (behind && isTrimming(code)) closing = true
    else {
      const next: WordTree | undefined = closing ? undefined : branch(at, text, i)
      if (!next) return NEVER
      at = next
    }
  }
  return start + LONGEST <= text.length ? NEVER : OPEN
}

/** All characters that a word can begin with. */
export function firstCharacters(words: Iterable<Ended>): ReadonlySet<number> {
  const firsts = new Set<number>()
  for (const [word] of words) {
    const first = word.charAt(0)
    for (const form of [first, first.toUpperCase(), first.normalize('NFD'), first.toUpperCase().normalize('NFD')])
      firsts.add(form.charCodeAt(0))
  }
  return firsts
}

/** What may stand between a label and its colon: digits, and marks of decoration. */
function isTrimming(code: number): boolean {
  return isDigit(code) || code === 42 || code === 96 || code === 35 || code === 9
}

function unitsOf(word: string): number[] {
  const plain = word.normalize('NFD').toLowerCase()
  return Array.from({ length: plain.length }, (_, i) => plain.charCodeAt(i))
}

const LONGEST = 50
