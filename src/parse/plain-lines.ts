// The lines of a thought or an answer as they stand in a reply → whether a label, an imitation of one, a call, a fence or markup could be seen
// in them. The next place of each character that may matter is remembered, so that none is searched for twice.
import { skipBlank, standsAt } from './characters.js'
import { isFence } from './fence-line.js'
import { opensFinish } from './finish-text.js'
import type { Grammar, WrittenLabels } from './grammar.js'
import { matchLabel } from './labels.js'
import { lineEnd } from './line.js'
import { findLookalike } from './lookalike.js'
import { labelBefore } from './midline.js'
import { isNativeAt } from './native-words.js'
import { NEVER, nextPlace } from './next-place.js'
import type { Toolbox } from './tool-shape.js'

export class PlainLines {
  readonly #text: string
  readonly #written: WrittenLabels
  readonly #grammar: Grammar
  readonly #box: Toolbox
  #colon = -1
  #wideColon: number
  #round = -1
  #square: number
  #angle: number

  /** `angle`, `square`: where the first `<` and `[` stand, -1 for none; `wide`: there may be a wide colon. */
  constructor(text: string, grammar: Grammar, box: Toolbox, angle: number, square: number, wide: boolean) {
    this.#text = text
    this.#written = grammar.written as WrittenLabels
    this.#grammar = grammar
    this.#box = box
    this.#angle = angle < 0 ? NEVER : angle
    this.#square = square < 0 ? NEVER : square
    this.#wideColon = wide ? -1 : NEVER
  }

  /** Where the line of the action or the answer begins, behind a thought whose label's value begins at `from`; -1 when it is odd. */
  thoughtEnd(from: number): number {
    const text = this.#text
    const { action, answer } = this.#written
    let end = lineEnd(text, from)
    if (!this.#isPlain(0, from, end, 'label') || this.#holdsMarkup(from, end)) return -1
    while (end < text.length) {
      const start = end + 1
      if (standsAt(text, action, start) || standsAt(text, answer, start)) return start
      end = lineEnd(text, start)
      if (!this.#isPlain(start, start, end, 'thought') || this.#opensFinish(start, end) || this.#holdsMarkup(start, end))
        return -1
    }
    return -1
  }

  /** The label at `at`, with its value from `from` to the end of the text, is an answer and nothing else. */
  isAnswer(at: number, from: number): boolean {
    const text = this.#text
    let end = lineEnd(text, from)
    if (!this.#isPlain(at, from, end, 'label')) return false
    while (end < text.length) {
      const start = end + 1
      end = lineEnd(text, start)
      if (!this.#isPlain(start, start, end, 'answer')) return false
    }
    return true
  }

  /** No label, no imitation of one, and nothing that opens a fence, an object or markup on the line. Its text begins at `from`. */
  #isPlain(start: number, from: number, end: number, line: 'label' | 'thought' | 'answer'): boolean {
    const text = this.#text
    const inner = skipBlank(text, from, end)
    if (inner === end) return true
    const first = kindOf(text.charCodeAt(inner))
    if (first === OPENER) return false
    if (first === DECORATION && (isFence(text, inner) || (line !== 'label' && this.#isHeading(start, end)))) return false
    if (first !== LETTER && line === 'thought' && isNativeAt(text, inner, true, this.#box)) return false
    let colon = this.#nextColon(inner)
    if (colon >= end) return true
    if (line === 'label' ? this.#isDoubled(start, end) : this.#isLabel(start, end)) return false
    if (line !== 'label' && findLookalike(text, start, end, this.#grammar)) return false
    for (; colon < end; colon = this.#nextColon(colon + 1)) if (labelBefore(text, colon, inner, this.#grammar)) return false
    return true
  }

  /** `Finish[…]` at the start of a line of a thought. */
  #opensFinish(start: number, end: number): boolean {
    this.#round = nextPlace(this.#text, '(', this.#round, start)
    this.#square = nextPlace(this.#text, '[', this.#square, start)
    if (Math.min(this.#round, this.#square) >= end) return false
    return opensFinish(this.#text, skipBlank(this.#text, start, end), end, this.#grammar, this.#box)
  }

  /** Something within a line of a thought that markup may begin with. */
  #holdsMarkup(from: number, end: number): boolean {
    const text = this.#text
    this.#square = nextPlace(text, '[', this.#square, from)
    this.#angle = nextPlace(text, '<', this.#angle, from)
    for (; this.#square < end; this.#square = nextPlace(text, '[', this.#square, this.#square + 1))
      if (text.startsWith('[TOOL_CALLS]', this.#square) || text.startsWith('[ARGS]', this.#square)) return true
    for (; this.#angle < end; this.#angle = nextPlace(text, '<', this.#angle, this.#angle + 1))
      if (!AFTER_LESS.includes(text.charAt(this.#angle + 1))) return true
    return false
  }

  /** A label that needs no colon. */
  #isHeading(start: number, end: number): boolean {
    return this.#text.slice(start, Math.min(end, start + 24)).includes('#') && this.#isLabel(start, end)
  }

  #isLabel(start: number, end: number): boolean {
    return matchLabel(this.#text, start, end, this.#grammar) !== undefined
  }

  #isDoubled(start: number, end: number): boolean {
    return matchLabel(this.#text, start, end, this.#grammar)?.doubled !== false
  }

  #nextColon(from: number): number {
    this.#colon = nextPlace(this.#text, ':', this.#colon, from)
    this.#wideColon = nextPlace(this.#text, '：', this.#wideColon, from)
    return Math.min(this.#colon, this.#wideColon)
  }
}

/** JSON, a list or markup begins with the text. */
export function opensSomething(text: string): boolean {
  return kindOf(text.charCodeAt(0)) === OPENER
}

function kindOf(code: number): number {
  if (code < 128) return KINDS[code] as number
  return code === 0xff5b ? OPENER : code === 0x2022 || code === 0x2013 ? DECORATION : code === 0x273f ? MARKUP : LETTER
}

/** What the first character of a line may be. */
const LETTER = 0
/** It opens an object, a list or markup. */
const OPENER = 1
/** It may open a fence, or stand before a label that needs no colon then. */
const DECORATION = 2
/** Leaked markup may begin with it. */
const MARKUP = 3
const KINDS = new Uint8Array(128)
for (const char of '{[<') KINDS[char.charCodeAt(0)] = OPENER
for (const char of '#>*`_~-+0123456789') KINDS[char.charCodeAt(0)] = DECORATION
for (const char of 'ftc') KINDS[char.charCodeAt(0)] = MARKUP
/** Behind these `<` is a comparison, an arrow or a number. */
const AFTER_LESS = ' =-0123456789'
