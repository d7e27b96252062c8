// A reply with all that is known about its places → the reply in pieces, each of which is one thing: kept, moved or struck, part of a field or not,
// under the same problems.
import type { Part } from '../catalogue/account.js'
import type { Fate } from '../catalogue/entry.js'
import type { Problem, Span } from '../core/reply.js'
import type { Field } from './fields.js'

export interface Segment {
  readonly text: string
  readonly fate: Fate
  readonly field?: string
  /** Places in the list of problems, from 0. */
  readonly problems: readonly number[]
  /** Those that begin here. */
  readonly begins: readonly number[]
}

/** The pieces join to the reply; but for an empty problem's, none is empty. */
export function segmentsOf(
  reply: string,
  parts: readonly Part[],
  fields: readonly Field[],
  problems: readonly Pick<Problem, 'span'>[],
): readonly Segment[] {
  const spans = problems.map(({ span }) => clamp(span, reply.length))
  const edges = new Set([0, reply.length])
  for (const { start, end } of parts) edges.add(start).add(end)
  for (const { span } of fields) edges.add(span[0]).add(span[1])
  for (const [start, end] of spans) edges.add(start).add(end)
  const sorted = [...edges].filter(at => at >= 0 && at <= reply.length).sort((a, b) => a - b)
  const begun = new Set<number>()
  const segments: Segment[] = []
  for (const [at, start] of sorted.entries()) {
    const end = sorted[at + 1]
    if (end === undefined) break
    const covers = ([from, to]: Span): boolean => from <= start && to >= end
    const over = spans.flatMap((span, index) => (covers(span) && span[1] > span[0] ? [index] : []))
    const begins = spans.flatMap(([from, to], index) =>
      !begun.has(index) && from === start && (to > from || !over.includes(index)) ? [index] : [],
    )
    for (const index of begins) begun.add(index)
    const field = fields.find(({ span }) => covers(span))?.name
    const fate = parts.find(part => part.start <= start && part.end >= end)?.fate ?? 'kept'
    segments.push({ text: reply.slice(start, end), fate, ...(field === undefined ? {} : { field }), problems: over, begins })
  }
  // what is missing at the end of a reply has its place behind it
  const late = spans.flatMap((_, index) => (begun.has(index) ? [] : [index]))
  return late.length === 0 ? segments : [...segments, { text: '', fate: 'kept', problems: late, begins: late }]
}

function clamp([start, end]: Span, length: number): Span {
  const from = Math.min(Math.max(0, start), length)
  return [from, Math.min(Math.max(from, end), length)]
}
