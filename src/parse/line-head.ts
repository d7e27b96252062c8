// The beginning of a line, as far as it came → a label, certainly none, or still open. What it says does not depend on how much more of the line
// is there: it is settled at the first character that settles it, so that any chunking gives the same.
import { COLONS, foldWord, isColon, isDigit, isLatin, isSpace } from './characters.js'
import type { Grammar } from './grammar.js'
import { type LabelMatch, matchLabel, skipStep } from './labels.js'
import { skeleton } from './skeleton.js'
import { branch, type Ended, type WordTree, wordTree } from './word-tree.js'

/** `odd`: neither a plain label nor plain text; perhaps markup, a call, an imitation of a label, or a label without a colon. */
export type LineHead = LabelMatch | 'text' | 'open' | 'odd'

/** The words a line may begin with. */
export interface HeadWords {
  readonly grammar: Grammar
  readonly labels: WordTree
  /** With the names that end a run, which stand before a bracket. */
  readonly thought: WordTree
}

export function headWords(grammar: Grammar): HeadWords {
  const labels: Ended[] = [...grammar.roles.keys(), ...grammar.resultOf].map(word => [word, COLONS])
  const finish: Ended[] = [...grammar.finish].map(word => [word, '[('])
  return { grammar, labels: wordTree(labels), thought: wordTree([...labels, ...finish]) }
}

/**
 * Reads `text[start, end)`. `whole`: the line ends there; `thought`: the line may also begin a call without a label.
 * A label is given once the character behind its colon is there.
 */
export function readLineHead(
  text: string,
  start: number,
  end: number,
  whole: boolean,
  words: HeadWords,
  thought: boolean,
): LineHead {
  const limit = Math.min(end, start + LONGEST)
  const head = readHead({ text, start, end: limit, whole: whole && limit === end, words, thought })
  if (head === 'open') return whole || limit < end || limit - start >= LONGEST ? plain(text, start, limit, thought) : 'open'
  return head === 'text' ? plain(text, start, limit, thought) : head
}

/** Where the line ends that `start` stands on, when what begins there may reach so far; -1 when it can't. */
export function endNear(text: string, start: number): number {
  const near = text.slice(start, start + LONGEST + 1).indexOf('\n')
  return near < 0 ? -1 : start + near
}

interface Line {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly whole: boolean
  readonly words: HeadWords
  readonly thought: boolean
}

/** Below a thought a fence, a bracket or a tag is no plain text. */
function plain(text: string, start: number, end: number, thought: boolean): 'text' | 'odd' {
  if (!thought) return 'text'
  let first = start
  while (first < end && isSpace(text.charCodeAt(first))) first++
  const odd = '{[<'.includes(text.charAt(first) || ' ') || FENCES.some(fence => text.startsWith(fence, first))
  return odd ? 'odd' : 'text'
}

function readHead(line: Line): LineHead {
  const { text, end, thought } = line
  const word = skipDress(text, line.start, end)
  if (word === NUMBER) return 'text'
  if (word >= end) return 'open'
  const leaked = thought ? readLeaked(text, word, end) : 'text'
  if (leaked === 'odd') return 'odd'
  const label = skipStep(text, word, end, line.words.grammar)
  const head = label < 0 ? 'open' : readWords(line, label)
  return head === 'text' && leaked === 'open' ? 'open' : head
}

/** Goes along the letters of the label's words. */
function readWords(line: Line, start: number): LineHead {
  const { text, end, words, thought } = line
  let tree: WordTree = thought ? words.thought : words.labels
  // behind `Result` any words may follow, up to the colon
  let free = false
  let closed = false
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (isColon(code)) return readColon(line, i)
    if ((code === 91 || code === 40) && tree.ends.includes(text.charAt(i))) return 'odd'
    if (code === 32 && !free && words.grammar.resultOf.has(foldWord(text.slice(start, i)))) free = true
    if (isFiller(code, i > start)) continue
    if (code === 42 || code === 96 || isDigit(code)) closed = true
    else if (closed) return readLookalike(line, i)
    else if (!free) {
      const next = branch(tree, text, i)
      if (!next) return readLookalike(line, i)
      tree = next
    } else if (code < 128 && !isLatin(code)) return 'text'
  }
  if (!line.whole) return 'open'
  // a label without its colon, alone on its line
  if (tree.ends !== '' || matchLabel(text, line.start, end, words.grammar)) return 'odd'
  return readLookalike(line, end - 1)
}

/** A colon stands at `colon`: what decorates it may close right behind it. */
function readColon(line: Line, colon: number): LineHead {
  const { text, start, end, words } = line
  let after = colon + 1
  while (after < end && '*_`~'.includes(text.charAt(after))) after++
  if (after >= end && !line.whole && end - start < LONGEST) return 'open'
  const match = matchLabel(text, start, after, words.grammar)
  return match?.colon ? match : readLookalike(line, colon)
}

/** No label goes on with what stands at `at`; but a line that looks like one all the same is odd. */
function readLookalike(line: Line, at: number): LineHead {
  if (skeleton(line.text.slice(line.start, at + 1)) === undefined) return 'text'
  const like = skeleton(line.text.slice(line.start, line.end)) ?? ''
  const head = readHead({ ...line, text: like, start: 0, end: like.length, thought: false })
  return head === 'text' || head === 'open' ? head : 'odd'
}

/** A line that may begin a call in a model's own markup. */
function readLeaked(text: string, word: number, end: number): 'text' | 'open' | 'odd' {
  for (const start of LEAKED) {
    const leaked = readWord(text, word, end, start)
    if (leaked !== 'text') return leaked
  }
  const name = nameEnd(text, word, end)
  return name === word ? 'text' : readWord(text, name, end, '[ARGS]')
}

/** Whether the line goes on with `word` at `at`, as far as it came. */
function readWord(text: string, at: number, end: number, word: string): 'text' | 'open' | 'odd' {
  const to = Math.min(end - at, word.length)
  for (let i = 0; i < to; i++) if (text.charCodeAt(at + i) !== word.charCodeAt(i)) return 'text'
  return to === word.length ? 'odd' : 'open'
}

/** Where a tool's name ends that begins at `start`. */
function nameEnd(text: string, start: number, end: number): number {
  let i = start
  while (i < end && isNamed(text.charCodeAt(i))) i++
  return i
}

function isNamed(code: number): boolean {
  return isLatin(code) || isDigit(code) || code === 95 || code === 45 || code === 46
}

/** Goes over blanks, bullets, numbers and decoration; gives where the words begin, at most `end`, or `NUMBER`. */
function skipDress(text: string, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (isDigit(code)) {
      let digits = i + 1
      while (digits < end && digits < i + 3 && isDigit(text.charCodeAt(digits))) digits++
      if (digits >= end) return end
      if (!'.)'.includes(text.charAt(digits))) return NUMBER
      if (digits + 1 >= end) return end
      if (text[digits + 1] !== ' ') return NUMBER
      i = digits
    } else if (!isSpace(code) && !'*#>`_~•+–-'.includes(text.charAt(i))) return i
  }
  return end
}

/** What may stand between the letters of a label. */
function isFiller(code: number, within: boolean): boolean {
  if (code < 128) return code === 32 || code === 9 || code === 95 || code === 45 || code === 35 || (code === 39 && within)
  return isSpace(code) || code === 0x2019
}

/** No label is longer, its decoration included. */
const LONGEST = 64
const NUMBER = -1
const FENCES = ['```', '~~~', '>>>']
const LEAKED = ['functions.', 'functools[', 'call:', 'to=functions.', '>>>', '✿FUNCTION✿']
