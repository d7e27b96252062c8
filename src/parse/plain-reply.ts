// A reply exactly as the dialect writes it → its reading, or undefined as soon as anything about it is odd: then the general reader decides.
// It exists because most replies of a model that keeps to the format need no marks, no repairs and no copies, and are read ten times faster
// without. It claims nothing of its own: what is read here, the general reader reads the same, to the last character of every delta
// (test/parse/plain-reply.test.ts). So each rule below answers one question: could the general reader see anything else in this? Where that is
// not plain, its own functions are asked; doubt means undefined.
// Rare characters are searched for, since a search is many times faster than a walk over the characters.
import { isObject, type JsonObject } from '../core/json.js'
import type { Problem } from '../core/reply.js'
import { strictJson } from './action-input.js'
import { skipBlank, standsAt } from './characters.js'
import { isFence } from './fence-line.js'
import { bare, fitsExactly } from './fit-object.js'
import type { Grammar, WrittenLabels } from './grammar.js'
import { readActionInput } from './input-text.js'
import { saysNone } from './input-value.js'
import { matchLabel } from './labels.js'
import { lineEnd } from './line.js'
import { holdsOddColon } from './lookalike.js'
import { labelBefore } from './midline.js'
import { Notes } from './notes.js'
import { readPlainInput } from './plain-input.js'
import { opensSomething, PlainLines } from './plain-lines.js'
import { callWithin, missingIn } from './read-answer.js'
import type { Assembled } from './reading.js'
import { holdsToken } from './special-tokens.js'
import { findStopWord } from './stop-word.js'
import { holdsStep } from './stray-call.js'
import { holdsResultTag } from './tag-labels.js'
import type { Toolbox, ToolShape } from './tool-shape.js'

/** Reads a whole reply that was not cut off by the endpoint. */
export function readPlainReply(text: string, grammar: Grammar, box: Toolbox): Assembled | undefined {
  const written = grammar.written
  const angle = text.indexOf('<')
  const square = text.indexOf('[')
  const wide = WIDE.test(text)
  if (!written || (wide && holdsOddColon(text)) || ((wide || angle >= 0 || square >= 0) && holdsToken(text))) return undefined
  if (angle >= 0 && holdsResultTag(text)) return undefined
  const lines = new PlainLines(text, grammar, box, angle, square, wide)
  const begins = standsAt(text, written.thought, 0) ? written.thought.length : -1
  const at = begins < 0 ? 0 : lines.thoughtEnd(begins)
  if (at < 0) return undefined
  const thought = begins < 0 ? null : text.slice(begins, at).trim() || null
  if (standsAt(text, written.action, at)) return readCall(text, at, thought, written, grammar, box)
  // what ends a thought is one of the two
  return begins < 0 && !standsAt(text, written.answer, at) ? undefined : readAnswer(text, at, thought, lines, grammar, box)
}

/** The lines of one action with its input, and nothing behind them. */
function readCall(
  text: string,
  at: number,
  thought: string | null,
  { action, input: label }: WrittenLabels,
  grammar: Grammar,
  box: Toolbox,
): Assembled | undefined {
  const line = text.indexOf('\n', at) + 1
  if (line === 0 || !standsAt(text, label, line)) return undefined
  const shape = box.byName.get(text.slice(skipBlank(text, at + action.length, line), line - 1))
  if (!shape?.plainName) return undefined
  const from = line + label.length
  const start = skipSpace(text, from)
  if (text.charCodeAt(start) !== BRACE) {
    const raw = text.slice(from)
    const written = raw.trim()
    const reading = isPlainLine(text, line, from, written, grammar) ? readText(raw, from, shape) : undefined
    return reading && acted(text, thought, shape, reading.input, reading.problems, written)
  }
  const end = text.trimEnd().length
  if (shape.doubt < 0 || (shape.parameters.length === 0 && end > start + 2)) return undefined
  const written = text.slice(start, end)
  const input = readPlainInput(text, start, end, shape) ?? readExact(written, shape)
  return input && acted(text, thought, shape, input, NONE, written)
}

/** JSON that says what the tool takes, with whatever escapes and numbers. */
function readExact(written: string, shape: ToolShape): JsonObject | undefined {
  const value = strictJson(written)
  return isObject(value) && fitsExactly(value, shape) ? (bare(value) as JsonObject) : undefined
}

/** A text for the parameter that takes texts, and the remark that it was given to it. */
function readText(raw: string, from: number, shape: ToolShape): { input: JsonObject; problems: readonly Problem[] } | undefined {
  const notes = new Notes()
  const reading = readActionInput(raw, from, shape, notes)
  const problems = notes.list()
  const sound = reading.ok && notes.costSince(0) <= shape.doubt && !problems.some(({ code }) => code === 'TEXT_AFTER_CALL')
  return sound ? { input: reading.input, problems } : undefined
}

function acted(
  text: string,
  thought: string | null,
  shape: ToolShape,
  input: JsonObject,
  problems: readonly Problem[],
  inputText: string,
): Assembled {
  const calls = [{ id: '1', tool: shape.name, input }] as const
  return { thought, decision: { kind: 'act', calls }, problems, kept: [0, text.length], inputText }
}

/** A text of one line, on the line of its label, that can hold neither a label nor the beginning of anything else. */
function isPlainLine(text: string, start: number, from: number, written: string, grammar: Grammar): boolean {
  if (written === '' || opensSomething(written) || isFence(written, 0)) return false
  const end = lineEnd(text, from)
  if (written.includes('\n') || skipBlank(text, from, text.length) >= end) return false
  if (matchLabel(text, start, end, grammar)?.doubled !== false) return false
  for (const colon of ':：')
    for (let at = text.indexOf(colon, from); at >= 0; at = text.indexOf(colon, at + 1))
      if (labelBefore(text, at, from, grammar)) return false
  return !saysNone(written, grammar) && findStopWord(text, 0, text.length, grammar) === undefined
}

function readAnswer(
  text: string,
  at: number,
  thought: string | null,
  lines: PlainLines,
  grammar: Grammar,
  box: Toolbox,
): Assembled | undefined {
  const from = at + (grammar.written as WrittenLabels).answer.length
  if (!lines.isAnswer(at, from)) return undefined
  const answer = text.slice(from).trim()
  if (thought !== null && holdsStep(thought, grammar, box)) return undefined
  const place = { start: from, end: text.length }
  if (missingIn(answer, place, false, grammar) || callWithin(answer, place, box)) return undefined
  if (findStopWord(text, 0, text.length, grammar)) return undefined
  return { thought, decision: { kind: 'answer', text: answer }, problems: NONE, kept: [0, text.length], inputText: '' }
}

/** Over what JSON takes for white space. */
function skipSpace(text: string, from: number): number {
  let i = from
  for (let code = text.charCodeAt(i); code === 32 || code === 10 || code === 13 || code === 9; code = text.charCodeAt(i)) i++
  return i
}

const BRACE = 123
const NONE: readonly never[] = []
/** Whatever of the wide characters matters here; in a text without any wide characters it costs nothing to look. */
const WIDE = /[：◁﹕∶꞉ː׃︓⩴]|𐞁/
