// A reply and its reading → every character of the reply, once: kept, moved to another place or form, or struck.
import type { ParsedReply, ProblemCode } from '../core/reply.js'
import type { Fate } from './entry.js'
import { isForgiven, PROBLEMS } from './index.js'

/** [start, end) in UTF-16 code units of the reply; the parts of one reply join without gaps. */
export interface Part {
  readonly start: number
  readonly end: number
  readonly fate: Fate
}

/** In order, neighbours of one fate as one part. A struck part wins over a moved one. Behind what was decided nothing is kept. */
export function accountFor(reply: string, { decision, problems, kept }: ParsedReply): readonly Part[] {
  // beside a decision, a problem that leaves none is about a call that was left out
  const fateOf = (code: ProblemCode): Fate =>
    isForgiven(code) || decision.kind === 'unclear' ? (PROBLEMS[code].fate ?? 'kept') : 'struck'
  const spans = problems
    .map(({ code, span }) => ({ start: span[0], end: span[1], fate: fateOf(code) }))
    .filter(({ fate }) => fate !== 'kept')
  const cuts = new Set([0, reply.length, ...kept, ...spans.flatMap(({ start, end }) => [start, end])])
  const edges = [...cuts].filter(at => at >= 0 && at <= reply.length).sort((a, b) => a - b)
  const parts: Part[] = []
  for (let i = 0; i + 1 < edges.length; i++) {
    const start = edges[i] as number
    const end = edges[i + 1] as number
    const fates = spans.filter(span => span.start <= start && span.end >= end).map(span => span.fate)
    const outside = (end <= kept[0] || start >= kept[1]) && reply.slice(start, end).trim() !== ''
    const fate: Fate = outside || fates.includes('struck') ? 'struck' : fates.includes('moved') ? 'moved' : 'kept'
    const before = parts.at(-1)
    if (before?.fate === fate) parts[parts.length - 1] = { ...before, end }
    else parts.push({ start, end, fate })
  }
  return parts
}
