// The rest of a line whose beginning is decided → the first place where something may begin that is no plain text: a label in mid-line, a token,
// leaked markup, the end of the line. Most characters cost one look into a table.
import { COLONS } from './characters.js'
import type { Grammar } from './grammar.js'
import { type Ended, firstCharacters, NEVER, OPEN, type WordTree, walkWord, wordTree } from './word-tree.js'

/** Whose text the line is. */
export type Section = 'thought' | 'action' | 'input' | 'answer'

/** What ends the plain text of one section. */
export interface BodyStops {
  readonly words: WordTree
  /** What a character may begin, by its code up to 127. */
  readonly kinds: Uint8Array
  /** For the code of a label's first letter, which letters may come second: bit 0 is `a`. */
  readonly seconds: Int32Array
  /** The same as `kinds` for other characters, unless they begin nothing. */
  readonly wide: ReadonlyMap<number, number>
}

/** For each section, the labels that may stand within its lines and would end or change it. */
export function bodyStops(grammar: Grammar): Readonly<Record<Section, BodyStops>> {
  const labels = [...grammar.midline]
  const steps = labels.filter(([, role]) => role === 'action' || role === 'input')
  const turns = [...grammar.roles].filter(([, role]) => role === 'turn')
  const words = (list: readonly (readonly [string, string])[]): Ended[] => list.map(([word]) => [word, COLONS])
  return {
    thought: stopsOf([...words(steps), ['tool', '?'], ['tools', '?']], '<['),
    action: stopsOf([], `([{<（【｛${COLONS}`),
    input: stopsOf(words(labels), '<['),
    answer: stopsOf(words([...labels, ...turns]), '<['),
  }
}

/**
 * Where plain text ends, from `from` on; the length of the text when all of it is plain. `lastCode` is that of the character before the text:
 * within a word no label begins.
 */
export function plainTo(text: string, from: number, lastCode: number, stops: BodyStops): number {
  const { kinds, wide, seconds } = stops
  const last = from > 0 ? text.charCodeAt(from - 1) : lastCode
  const end = text.length
  let kind = last < 128 ? (kinds[last] as number) : OTHER
  for (let i = from; i < end; i++) {
    const before = kind
    const code = text.charCodeAt(i)
    kind = code < 128 ? (kinds[code] as number) : (wide.get(code) ?? OTHER)
    if (kind <= WORD) continue
    if (kind === FIRST && before >= WORD && before <= UNDERSCORE) continue
    if (kind === STOP) return i
    if (kind <= CAPITAL && code < 128) {
      if (i + 1 === end) return i
      // most words that begin with such a letter go on with another than a label does
      const letter = (text.charCodeAt(i + 1) | 32) - 97
      if (letter >= 0 && letter < 26 && ((seconds[code] as number) & (1 << letter)) === 0) continue
    }
    if (labelAt(text, i, stops) !== NEVER) return i
  }
  return end
}

/** A label that may begin at `start`, with what decorates it: where it ends, `OPEN` or `NEVER`. */
export function labelAt(text: string, start: number, { words, kinds }: BodyStops): number {
  let at = start
  while (at < start + MOST_DRESS && isDress(kinds[text.charCodeAt(at)])) at++
  return at === text.length ? OPEN : walkWord(words, text, at)
}

function stopsOf(words: readonly Ended[], signs: string): BodyStops {
  const tree = wordTree(words)
  const firsts = firstCharacters(words)
  const kinds = new Uint8Array(128)
  const seconds = new Int32Array(128)
  const wide = new Map<number, number>()
  for (let code = 0; code < 128; code++) {
    const char = String.fromCharCode(code)
    if (firsts.has(code)) kinds[code] = char >= 'a' ? FIRST : CAPITAL
    else if (firsts.size > 0 && char === '_') kinds[code] = UNDERSCORE
    else if (firsts.size > 0 && char === '*') kinds[code] = ASTERISK
    else if (/\w/.test(char)) kinds[code] = WORD
    for (const [next, branch] of tree.next) {
      if (next !== char.toLowerCase().charCodeAt(0)) continue
      for (const second of branch.next.keys()) seconds[code] = (seconds[code] as number) | (1 << (second - 97))
    }
  }
  for (const code of firsts) if (code > 127) wide.set(code, CAPITAL)
  for (const sign of `${signs}${LINE_BREAKS}◁`) {
    const code = sign.charCodeAt(0)
    if (code < 128) kinds[code] = STOP
    else wide.set(code, STOP)
  }
  return { words: tree, kinds, seconds, wide }
}

function isDress(kind: number | undefined): boolean {
  return kind === UNDERSCORE || kind === ASTERISK
}

const OTHER = 0
const WORD = 1
/** May begin a label, at the beginning of a word. */
const FIRST = 2
/** May begin a label anywhere: its case or script shows where it begins. */
const CAPITAL = 3
/** May decorate a label, and be part of a word. */
const UNDERSCORE = 4
/** May decorate a label. */
const ASTERISK = 5
const STOP = 6
const LINE_BREAKS = '\n\r\v\f\u0085\u2028\u2029'
const MOST_DRESS = 8
