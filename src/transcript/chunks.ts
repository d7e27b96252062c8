// A recorded reply → the chunks of a model: as they came, character by character, or cut anywhere. What is read of a reply must not depend on it.
import type { ModelChunk } from '../core/model.js'
import type { FixtureReply } from './fixture.js'

/** `recorded`: where they were cut then; in one piece where the record does not say. `seed`: a whole number; the same one gives the same cuts. */
export type Chunking = 'recorded' | 'each-char' | { readonly random: number }

export function* chunksOf(
  { model = '', reasoning, finish = 'stop', meta = {} }: FixtureReply,
  chunking: Chunking,
): Generator<ModelChunk> {
  if (reasoning !== undefined && reasoning !== model) yield { kind: 'reasoning', text: reasoning }
  let from = 0
  for (const to of [...cutsOf(model, chunking, meta.cuts ?? []), model.length]) {
    if (to > from) yield { kind: 'text', text: model.slice(from, to) }
    from = Math.max(from, to)
  }
  const { in: promptTokens, out: completionTokens } = meta
  const usage = promptTokens === undefined || completionTokens === undefined ? {} : { usage: { promptTokens, completionTokens } }
  yield { kind: 'end', finish, ...usage }
}

function cutsOf({ length }: string, chunking: Chunking, recorded: readonly number[]): readonly number[] {
  if (chunking === 'recorded') return recorded.every(cut => cut < length) ? recorded : []
  if (chunking === 'each-char') return Array.from({ length: Math.max(0, length - 1) }, (_, at) => at + 1)
  const next = randomFrom(chunking.random)
  const cuts: number[] = []
  for (let at = 1 + Math.floor(next() * 12); at < length; at += 1 + Math.floor(next() * 12)) cuts.push(at)
  return cuts
}

/** Numbers from 0 up to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
