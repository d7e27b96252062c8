// A problem and the reply it is about → an excerpt for people: the line, carets under the span, the sentence.
import type { Problem } from '../core/reply.js'

const WIDTH = 100

/** A few lines of text; never throws, whatever the span. */
export function prettify(problem: Problem, text: string): string {
  const start = Math.max(0, Math.min(problem.span[0], text.length))
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const newline = text.indexOf('\n', start)
  const lineEnd = newline < 0 ? text.length : newline
  const number = countLines(text, lineStart)
  const from = start - lineStart > WIDTH - 20 ? start - 40 : lineStart
  const shown = visible(text.slice(from, Math.min(lineEnd, from + WIDTH)))
  const before = (from > lineStart ? 1 : 0) + visible(text.slice(from, start)).length
  const until = Math.max(start + 1, Math.min(problem.span[1], lineEnd, from + WIDTH))
  const carets = '^'.repeat(Math.max(1, visible(text.slice(start, until)).length))
  const gutter = `${number} | `
  return [
    `${problem.code}: ${problem.message}`,
    `${gutter}${from > lineStart ? '…' : ''}${shown}${lineEnd > from + WIDTH ? '…' : ''}`,
    `${' '.repeat(gutter.length - 2)}| ${' '.repeat(before)}${carets}`,
  ].join('\n')
}

function countLines(text: string, end: number): number {
  let lines = 1
  for (let i = text.indexOf('\n'); i >= 0 && i < end; i = text.indexOf('\n', i + 1)) lines++
  return lines
}

/** Control and format characters would move the carets, or worse: one dot each. */
function visible(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]/g, '·')
}
