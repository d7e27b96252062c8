// A text → the same text in pieces, for everything that must not depend on the chunking.
import type { ReadReply, ReplyParser } from '../../src/core/dialect.js'
import type { Finish } from '../../src/core/model.js'
import type { Delta } from '../../src/core/reply.js'

/** Whole, by 1 (which splits surrogate pairs), by 7, and by pieces whose lengths come from a seed. */
export function chunkings(text: string): ReadonlyMap<string, readonly string[]> {
  let seed = text.length + 1
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return 1 + ((seed >>> 24) % 9)
  }
  return new Map([
    ['whole', [text]],
    ['by 1', cut(text, () => 1)],
    ['by 7', cut(text, () => 7)],
    ['at random', cut(text, random)],
  ])
}

export interface Fed {
  readonly read: ReadReply
  /** Joined per channel. */
  readonly deltas: Readonly<Record<Delta['channel'], string>>
}

export function feed(parser: ReplyParser, chunks: readonly string[], finish?: Finish): Fed {
  const deltas: Delta[] = []
  for (const chunk of chunks) deltas.push(...parser.push(chunk))
  const read = parser.end(finish)
  return { read, deltas: joined([...deltas, ...read.deltas]) }
}

export function joined(deltas: readonly Delta[]): Fed['deltas'] {
  const texts = { thought: '', input: '', answer: '' }
  for (const { channel, text } of deltas) texts[channel] += text
  return texts
}

function cut(text: string, length: () => number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const next = at + length()
    pieces.push(text.slice(at, next))
    at = next
  }
  return pieces
}
