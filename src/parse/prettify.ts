// A problem and the reply it is about → an excerpt for people: the sentence, the lines it is about, carets under the span. Needs no agent.
import type { Problem } from '../core/reply.js'
import { columnsOf, fitting, showText } from './columns.js'

/** Columns of a line that are shown; a longer one is cut around the spot. */
const WIDTH = 100
/** Columns of a cut line that are shown before the spot. */
const BEFORE = 30
/** More of a line than can ever be shown, in UTF-16 code units. */
const SLICE = 4 * WIDTH
/** A span over more lines is shown by its first and its last one. */
const MOST_LINES = 3

/** A few lines of text, the last one without a line break; never throws, whatever the span. */
export function prettify(problem: Pick<Problem, 'code' | 'message' | 'span'>, text: string): string {
  return [`${problem.code}: ${problem.message}`, ...excerpt(problem.span, text)].join('\n')
}

/** The lines that a span touches, each with its number in front and carets below. */
export function excerpt(span: Problem['span'], text: string): readonly string[] {
  const start = wholeCharacter(text, Math.max(0, Math.min(span[0], text.length)))
  const last = Math.max(start, Math.min(span[1], text.length))
  const end = wholeCharacter(text, last) < last ? last + 1 : last
  // what follows the last letter of a span is no part of what is shown
  const lines = linesIn(text, start, Math.max(start, start + text.slice(start, end).trimEnd().length))
  const first = countLines(text, start)
  const gutter = String(first + lines.length - 1).length
  const skipped = lines.length > MOST_LINES ? lines.length - 2 : 0
  return lines.flatMap((line, index) => {
    if (skipped > 0 && index > 0 && index < lines.length - 1)
      return index === 1 ? [`${'…'.padStart(gutter)} | ${skipped} more lines`] : []
    return underlined(text, line, String(first + index).padStart(gutter), index === 0)
  })
}

interface Line {
  /** The whole line, without its line break. */
  readonly start: number
  readonly end: number
  /** The part of it that is in the span. */
  readonly from: number
  readonly to: number
}

function linesIn(text: string, start: number, end: number): readonly Line[] {
  const lines: Line[] = []
  let lineStart = text.lastIndexOf('\n', start - 1) + 1
  for (;;) {
    const newline = text.indexOf('\n', lineStart)
    const next = newline < 0 ? text.length : newline
    const lineEnd = next > lineStart && text[next - 1] === '\r' ? next - 1 : next
    lines.push({
      start: lineStart,
      end: lineEnd,
      from: Math.min(Math.max(start, lineStart), lineEnd),
      to: Math.min(end, lineEnd),
    })
    if (newline < 0 || next >= end) return lines
    lineStart = next + 1
  }
}

function underlined(text: string, line: Line, number: string, first: boolean): readonly string[] {
  const from = fits(text, line.start, line.end) ? line.start : backFrom(text, line)
  const to = from + fitting(text.slice(from, Math.min(line.end, from + SLICE)), WIDTH)
  const left = from > line.start ? '…' : ''
  const shown = `${number} | ${left}${showText(text.slice(from, to))}${to < line.end ? '…' : ''}`
  const carets = columnsOf(showText(text.slice(line.from, Math.min(line.to, to))))
  if (carets === 0 && !first) return [shown.trimEnd()]
  const before = left.length + columnsOf(showText(text.slice(from, line.from)))
  return [shown, `${' '.repeat(number.length)} | ${' '.repeat(before)}${'^'.repeat(Math.max(1, carets))}`]
}

function fits(text: string, start: number, end: number): boolean {
  return end - start < SLICE && columnsOf(showText(text.slice(start, end))) <= WIDTH
}

/** Where a cut line begins: a few columns before the spot. */
function backFrom(text: string, line: Line): number {
  let from = line.from
  for (let columns = 0; from > line.start; ) {
    const before = wholeCharacter(text, from - 1)
    columns += columnsOf(showText(text.slice(before, from)))
    if (columns > BEFORE) break
    from = before
  }
  return from
}

/** Where the character begins that stands at `at`. */
function wholeCharacter(text: string, at: number): number {
  return LOW_HALF.test(text[at] ?? '') && HIGH_HALF.test(text[at - 1] ?? '') ? at - 1 : at
}

function countLines(text: string, end: number): number {
  let lines = 1
  for (let i = text.indexOf('\n'); i >= 0 && i < end; i = text.indexOf('\n', i + 1)) lines++
  return lines
}

const HIGH_HALF = /[\ud800-\udbff]/
const LOW_HALF = /[\udc00-\udfff]/
