// The state of one reading and the small moves that all its parts share: where a value ends, what is kept, how it is refused.
import { type Decision, type ParsedReply, type Problem, type ProblemCode, type Span, UNCLEAR_CODES } from '../core/reply.js'
import { skipBlank } from './characters.js'
import type { CleanText } from './clean.js'
import { type Grammar, isProtocol } from './grammar.js'
import type { Lexed, Mark } from './marks.js'
import type { Notes, Place, Refusal } from './notes.js'
import type { Toolbox } from './tool-shape.js'

/** Whether the endpoint broke the reply off: at its limit, or for what it says. */
export type Cut = 'limit' | 'filter' | undefined

/** One reading under way: the cleaned text with its marks, and what has been found so far. */
export interface Reading {
  readonly reply: string
  readonly clean: CleanText
  readonly lexed: Lexed
  readonly text: string
  readonly grammar: Grammar
  readonly box: Toolbox
  readonly cut: Cut
  readonly notes: Notes
  readonly thoughts: string[]
  /** How many of them were struck as reasoning. */
  readonly reasoned: number
  readonly marks: readonly Mark[]
  /** Reads another text under the same rules. */
  readonly readAgain: (text: string) => Decision
  keptEnd: number
  /** The inputs of the calls as written. */
  input: string
  /** The model wrote an observation of its own before any action. */
  invented: boolean
  /** Other text stands behind a complete input: no further call can follow. */
  closed: boolean
  /** Where the remarks begin that count as doubt about a call. */
  doubtFrom: number
}

/** A reading with the texts that were streamed or could have been. */
export interface Assembled extends ParsedReply {
  /** The inputs of the calls as written, joined by line breaks. */
  readonly inputText: string
}

export function unclear(r: Reading, refusal: Refusal, attempted?: { tool: string; input: string }): Assembled {
  const data = refusal.code === 'TRUNCATED' && r.cut === 'limit' ? { ...refusal.data, atLimit: true } : refusal.data
  const problem = r.notes.add(refusal.code, refusal.message, refusal.place, 0, data)
  r.keptEnd = unclearEnd(r)
  return finishReading(r, { kind: 'unclear', problem, ...(attempted ? { attempted } : {}) })
}

export function finishReading(r: Reading, decision: Decision): Assembled {
  if (decision.kind !== 'unclear') noteRest(r)
  const thought = r.thoughts.join('\n').trim()
  const from = r.clean.original(r.lexed.from)
  const start = r.clean.thoughtAt < 0 ? from : Math.min(from, r.clean.thoughtAt)
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

/** What stands behind the decision and has not been named yet: nothing is left out in silence. */
function noteRest(r: Reading): void {
  const kept = r.clean.original(r.keptEnd)
  let from = kept
  const to = r.clean.original(r.lexed.full ? r.text.length : r.lexed.to)
  if (from >= to) return
  for (const { code, span } of r.notes.list()) {
    if (span[0] < kept || span[1] <= from) continue
    // a call that can't be made was left out with all that follows it
    if (UNCLEAR.has(code)) return
    if (span[0] > from) noteGap(r, from, Math.min(span[0], to))
    from = Math.max(from, span[1])
  }
  if (from < to) noteGap(r, from, to)
}

function noteGap(r: Reading, from: number, to: number): void {
  // closing marks of what was kept are no text
  const text = r.reply.slice(from, to).replace(/<[^<>\n]{1,60}>/g, '')
  if (!/[\p{L}\p{N}]/u.test(text)) return
  r.notes.addOriginal({
    code: 'TEXT_AFTER_CALL',
    message: 'Text behind what was decided was left out.',
    span: [from, to],
    cost: 0,
  })
}

const UNCLEAR: ReadonlySet<string> = new Set(UNCLEAR_CODES)

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

/** Something stands behind `end`, so that what ends there is whole even where the endpoint cut the reply off. */
export function isClosedAt(r: Reading, end: number): boolean {
  return end < r.lexed.to || r.clean.turnCut || r.lexed.stopWord !== undefined
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

/** The label is a tag. */
export function isTag(r: Reading, mark: Mark): boolean {
  return !mark.match && isProtocol(mark.role) && r.text[mark.start] === '<'
}

/** Where an observation that the model wrote itself begins in mid-line, right behind a closed bracket or fence in `text[from, end)`; else -1. */
export function observedBehindCall(r: Reading, from: number, end: number): number {
  const observation = r.lexed.observations.find(label => label.start >= from && label.start < end)
  const behind = observation !== undefined && /[)\]}｝`][\s`*_]{0,8}$/.test(r.text.slice(from, observation.start).slice(-10))
  return behind ? observation.start : -1
}

export function onlyGlue(r: Reading, from: number, end: number): boolean {
  return (
    /^(?:[\s,;`*]|\band\b)*$/.test(r.text.slice(from, Math.min(end, from + 200))) &&
    (end - from <= 200 || !r.text.slice(from, end).trim())
  )
}

/** When the endpoint cut the reply off, that is the reason for whatever is missing. */
export function orCut(r: Reading, refusal: Refusal): Refusal {
  return r.cut !== undefined && refusal.code !== 'UNKNOWN_TOOL'
    ? { ...refusal, code: 'TRUNCATED', message: `${refusal.message} The endpoint cut the reply off.` }
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
