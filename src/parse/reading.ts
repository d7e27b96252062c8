// The state of one reading and the small moves that all its parts share: where a value ends, what is kept, how it is refused.
import type { Decision, ParsedReply, Problem, ProblemCode, Span } from '../core/reply.js'
import type { CleanText } from './clean.js'
import { type Grammar, skipBlank } from './labels.js'
import type { Lexed, Mark } from './marks.js'
import type { Notes, Place, Refusal } from './notes.js'
import type { Toolbox } from './tool-shape.js'

/** One reading under way: the cleaned text with its marks, and what has been found so far. */
export interface Reading {
  readonly reply: string
  readonly clean: CleanText
  readonly lexed: Lexed
  readonly text: string
  readonly grammar: Grammar
  readonly box: Toolbox
  /** The endpoint broke the reply off. */
  readonly cut: boolean
  readonly notes: Notes
  readonly thoughts: string[]
  readonly marks: readonly Mark[]
  /** Reads another text under the same rules. */
  readonly readAgain: (text: string) => Decision
  keptEnd: number
  /** The inputs of the calls as written. */
  input: string
  /** The model wrote an observation of its own before any action. */
  invented: boolean
  /** Where the remarks begin that count as doubt about a call. */
  doubtFrom: number
}

/** A reading with the texts that were streamed or could have been. */
export interface Assembled extends ParsedReply {
  /** The inputs of the calls as written, joined by line breaks. */
  readonly inputText: string
}

export function unclear(r: Reading, refusal: Refusal, attempted?: { tool: string; input: string }): Assembled {
  const problem = r.notes.add(refusal.code, refusal.message, refusal.place, 0, refusal.data)
  r.keptEnd = unclearEnd(r)
  return finishReading(r, { kind: 'unclear', problem, ...(attempted ? { attempted } : {}) })
}

export function finishReading(r: Reading, decision: Decision): Assembled {
  const thought = r.thoughts.join('\n').trim()
  const start = r.clean.original(r.lexed.from)
  const end = Math.max(start, Math.min(r.reply.length, r.clean.original(r.keptEnd)))
  const kept: Span = [start, end]
  return {
    thought: thought || null,
    decision,
    problems: r.notes.list() as readonly Problem[],
    kept,
    inputText: r.input,
  }
}

export function think(r: Reading, text: string): void {
  const trimmed = text.trim()
  if (trimmed) r.thoughts.push(trimmed)
}

/** Where the value of mark `k` ends: at the next mark, or where a special token was struck. */
export function valueEnd(r: Reading, k: number): number {
  const mark = r.marks[k] as Mark
  const next = r.marks[k + 1]?.start ?? r.lexed.to
  return Math.min(next, limitOf(r, mark.value, next))
}

export function limitOf(r: Reading, from: number, end = r.lexed.to): number {
  const { breaks } = r.clean
  if (breaks.length === 0) return end
  // a token before the value is no end of it
  const first = skipBlank(r.text, from, end)
  let low = 0
  let high = breaks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((breaks[middle] as number) > first) high = middle
    else low = middle + 1
  }
  const at = breaks[low]
  if (at !== undefined && at < end) return at
  return end
}

/** Text behind a struck token, up to the next label: still a part of the thought. */
export function afterBreak(r: Reading, k: number): string {
  const next = r.marks[k + 1]?.start ?? r.lexed.to
  const end = valueEnd(r, k)
  return end < next && k + 1 < r.marks.length ? r.text.slice(end, next) : ''
}

/** The line on which a value stands: the label's own, or the one below. */
export function firstLine(r: Reading, from: number, end: number): Place {
  let start = skipIndent(r.text, from, end)
  if (r.text[start] === '\r') start++
  if (r.text[start] === '\n') start = skipIndent(r.text, start + 1, end)
  const newline = r.text.indexOf('\n', start)
  return { start, end: newline < 0 || newline > end ? end : newline }
}

function skipIndent(text: string, from: number, end: number): number {
  let at = from
  while (at < end && (text[at] === ' ' || text[at] === '\t')) at++
  return at
}

export function onlyGlue(r: Reading, from: number, end: number): boolean {
  return (
    /^(?:[\s,;`*]|\band\b)*$/.test(r.text.slice(from, Math.min(end, from + 200))) &&
    (end - from <= 200 || !r.text.slice(from, end).trim())
  )
}

/** When the endpoint cut the reply off, that is the reason for whatever is missing. */
export function orCut(r: Reading, refusal: Refusal): Refusal {
  return r.cut && refusal.code !== 'UNKNOWN_TOOL'
    ? { ...refusal, code: 'TRUNCATED', message: `${refusal.message} The reply was cut off at its length limit.` }
    : refusal
}

export function orCutAt(r: Reading, refusal: Refusal, next: number, end: number): Refusal {
  return next >= r.marks.length &&
    end >= r.text.trimEnd().length - 1 &&
    (refusal.code === 'MISSING_INPUT' || refusal.code === 'BROKEN_INPUT')
    ? orCut(r, refusal)
    : refusal
}

export function wholePlace(r: Reading): Place {
  return { start: r.lexed.from, end: r.lexed.to }
}

export function hasSince(r: Reading, mark: number, code: ProblemCode): boolean {
  return r.notes.since(mark).some(problem => problem.code === code)
}

/** An unclear reply is kept up to the first thing that was not the model's to write. */
function unclearEnd(r: Reading): number {
  let acted = false
  for (const mark of r.marks) {
    if (mark.role === 'action' || mark.role === 'native') acted = true
    if (acted && (mark.role === 'observation' || mark.role === 'turn')) return mark.start
  }
  return r.lexed.to
}

export type CallShape = ReturnType<Toolbox['byName']['get']>
