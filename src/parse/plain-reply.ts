// A reply exactly as the dialect writes it → its reading, or undefined as soon as anything about it is odd: then the general reader decides.
// It exists because most replies of a model that keeps to the format need no marks, no repairs and no copies, and are read ten times faster
// without. It claims nothing of its own: what is read here, the general reader reads the same, to the last character of every delta
// (test/parse/plain-reply.test.ts). So each rule below answers one question: could the general reader see anything else in this? Where that is
// not plain, its own functions are asked; doubt means undefined.
// Rare characters are searched for, since a search is many times faster than a walk over the characters.
import { strictJson } from './action-input.js'
import { holdsToken } from './clean.js'
import { isFence, lineEnd } from './fence-line.js'
import { opensFinish } from './finish-text.js'
import { fitObject, type InputReading } from './fit-input.js'
import { readActionInput } from './input-text.js'
import { saysNone } from './input-value.js'
import { type Grammar, matchLabel, skipBlank, type WrittenLabels } from './labels.js'
import { findLookalike } from './lookalike.js'
import { labelBefore } from './midline.js'
import { isNativeAt } from './native-words.js'
import { Notes } from './notes.js'
import { callWithin, missingIn } from './read-answer.js'
import type { Assembled } from './reading.js'
import { findStopWord } from './stop-word.js'
import { holdsResultTag } from './tag-labels.js'
import { isObject, type Toolbox } from './tool-shape.js'

/** Reads a whole reply that was not cut off by the endpoint. */
export function readPlainReply(text: string, grammar: Grammar, box: Toolbox): Assembled | undefined {
  const written = grammar.written
  if (!written || holdsToken(text) || holdsResultTag(text) || ODD_COLON.test(text)) return undefined
  const prose = new Prose(text, written, grammar, box)
  const begins = text.startsWith(written.thought) ? written.thought.length : -1
  const at = begins < 0 ? 0 : prose.thoughtEnd(begins)
  if (at < 0) return undefined
  const thought = begins < 0 ? null : text.slice(begins, at).trim() || null
  if (text.startsWith(written.action, at)) return readCall(text, at, thought, written, grammar, box)
  if (text.startsWith(written.answer, at)) return readAnswer(text, at, thought, prose, grammar, box)
  return undefined
}

/** The lines of one action with its input, and nothing behind them. */
function readCall(
  text: string,
  at: number,
  thought: string | null,
  { action, input }: WrittenLabels,
  grammar: Grammar,
  box: Toolbox,
): Assembled | undefined {
  const end = text.indexOf('\n', at)
  if (end < 0 || !text.startsWith(input, end + 1)) return undefined
  const shape = box.byName.get(text.slice(at + action.length, end).trim())
  if (!shape?.plainName) return undefined
  const from = end + 1 + input.length
  const raw = text.slice(from)
  const written = raw.trim()
  const notes = new Notes(same)
  let reading: InputReading
  if (written.startsWith('{')) {
    const value = shape.parameters.length > 0 || written === '{}' ? strictJson(written) : undefined
    if (!isObject(value)) return undefined
    const start = text.indexOf('{', from)
    reading = fitObject(value, shape, { start, end: start + written.length }, notes)
  } else {
    if (!isPlainLine(text, end + 1, from, written, grammar) || saysNone(written, grammar)) return undefined
    reading = readActionInput(raw, from, shape, notes)
  }
  const problems = notes.list()
  if (!reading.ok || notes.costSince(0) > shape.doubt || problems.some(({ code }) => code === 'TEXT_AFTER_CALL')) return undefined
  return {
    thought,
    decision: { kind: 'act', calls: [{ id: '1', tool: shape.name, input: reading.input }] },
    problems,
    kept: [0, text.length],
    inputText: written,
  }
}

/** A text of one line, on the line of its label, that can hold neither a label nor the beginning of anything else. */
function isPlainLine(text: string, start: number, from: number, written: string, grammar: Grammar): boolean {
  if (written === '' || OPENERS.includes(written.charAt(0)) || isFence(written, 0)) return false
  const end = lineEnd(text, from)
  if (written.includes('\n') || skipBlank(text, from, text.length) >= end) return false
  if (matchLabel(text, start, end, grammar)?.doubled !== false) return false
  for (const colon of ':：')
    for (let at = text.indexOf(colon, from); at >= 0; at = text.indexOf(colon, at + 1))
      if (labelBefore(text, at, from, grammar)) return false
  return findStopWord(text, 0, text.length, grammar) === undefined
}

function readAnswer(
  text: string,
  at: number,
  thought: string | null,
  prose: Prose,
  grammar: Grammar,
  box: Toolbox,
): Assembled | undefined {
  const from = at + (grammar.written as WrittenLabels).answer.length
  if (!prose.isAnswer(at, from)) return undefined
  const answer = text.slice(from).trim()
  const place = { start: from, end: text.length }
  if (missingIn(answer, place, false, grammar) || callWithin(answer, place, box)) return undefined
  if (findStopWord(text, 0, text.length, grammar)) return undefined
  return { thought, decision: { kind: 'answer', text: answer }, problems: NONE, kept: [0, text.length], inputText: '' }
}

/** The lines of a thought or an answer. The next place of each character that may matter is remembered, so that none is searched for twice. */
class Prose {
  readonly #text: string
  readonly #written: WrittenLabels
  readonly #grammar: Grammar
  readonly #box: Toolbox
  #colon = -1
  #wideColon = -1
  #round = -1
  #square = -1
  #angle = -1

  constructor(text: string, written: WrittenLabels, grammar: Grammar, box: Toolbox) {
    this.#text = text
    this.#written = written
    this.#grammar = grammar
    this.#box = box
  }

  /** Where the line of the action or the answer begins, behind a thought whose label's value begins at `from`; -1 when it is odd. */
  thoughtEnd(from: number): number {
    const text = this.#text
    let end = lineEnd(text, from)
    if (!this.#isPlain(0, from, end, 'label') || !this.#namesNothing(from, end)) return -1
    while (end < text.length) {
      const start = end + 1
      if (text.startsWith(this.#written.action, start) || text.startsWith(this.#written.answer, start)) return start
      end = lineEnd(text, start)
      if (!this.#isPlain(start, start, end, 'thought') || !this.#namesNothing(start, end)) return -1
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
    const first = text.charAt(inner)
    if (OPENERS.includes(first)) return false
    if (DECORATION.includes(first) && (isFence(text, inner) || (line !== 'label' && this.#isLabel(start, end)))) return false
    if (line === 'thought' && MARKUP_FIRSTS.includes(first) && isNativeAt(text, inner, true, this.#box)) return false
    let colon = this.#nextColon(inner)
    if (colon >= end) return true
    if (line === 'label' ? this.#isDoubled(start, end) : this.#isLabel(start, end)) return false
    if (line !== 'label' && findLookalike(text, start, end, this.#grammar)) return false
    for (; colon < end; colon = this.#nextColon(colon + 1)) if (labelBefore(text, colon, inner, this.#grammar)) return false
    return true
  }

  /** No call and no markup within a line of a thought. */
  #namesNothing(from: number, end: number): boolean {
    const text = this.#text
    this.#round = next(text, '(', this.#round, from)
    this.#square = next(text, '[', this.#square, from)
    this.#angle = next(text, '<', this.#angle, from)
    if (Math.min(this.#round, this.#square) < end && opensFinish(text, skipBlank(text, from, end), end, this.#grammar, this.#box))
      return false
    for (; this.#square < end; this.#square = next(text, '[', this.#square, this.#square + 1))
      if (text.startsWith('[TOOL_CALLS]', this.#square) || text.startsWith('[ARGS]', this.#square)) return false
    for (; this.#angle < end; this.#angle = next(text, '<', this.#angle, this.#angle + 1))
      if (!AFTER_LESS.includes(text.charAt(this.#angle + 1))) return false
    return true
  }

  #isLabel(start: number, end: number): boolean {
    return matchLabel(this.#text, start, end, this.#grammar) !== undefined
  }

  #isDoubled(start: number, end: number): boolean {
    return matchLabel(this.#text, start, end, this.#grammar)?.doubled !== false
  }

  #nextColon(from: number): number {
    this.#colon = next(this.#text, ':', this.#colon, from)
    this.#wideColon = next(this.#text, '：', this.#wideColon, from)
    return Math.min(this.#colon, this.#wideColon)
  }
}

/** The next place of `char` from `from` on, which is `known` unless that was passed. */
function next(text: string, char: string, known: number, from: number): number {
  if (known >= from) return known
  const at = text.indexOf(char, from)
  return at < 0 ? NEVER : at
}

function same(position: number): number {
  return position
}

const NONE: readonly never[] = []
const NEVER = Number.POSITIVE_INFINITY
/** Colons that only imitate one, and what some screens show as one. */
const ODD_COLON = /[﹕∶꞉ː׃︓⩴]|𐞁/
/** What opens an object, a list or markup on the first place of a line. */
const OPENERS = '{[｛<'
/** What may open a fence, or stand before a label that needs no colon then. */
const DECORATION = '#>*`_~-•+–0123456789'
/** What leaked markup begins with, besides the openers. */
const MARKUP_FIRSTS = '✿>ftc'
/** Behind these `<` is a comparison, an arrow or a number. */
const AFTER_LESS = ' =-0123456789'
