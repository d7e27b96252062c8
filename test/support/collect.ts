// A model's stream in, one whole reply out. A stream without its `end` chunk is an error, never a short reply.
import { SaydoError } from '../../src/core/errors.js'
import type { ModelChunk, ModelReply } from '../../src/core/model.js'

export interface CollectOptions {
  /** Called with every chunk, the last included. */
  readonly onChunk?: (chunk: ModelChunk) => void
}

/** Rejects as the stream does, and with `MODEL_BROKEN_STREAM` when it ends without an `end` chunk. */
export async function collectReply(stream: AsyncIterable<ModelChunk>, options: CollectOptions = {}): Promise<ModelReply> {
  const text: string[] = []
  const reasoning: string[] = []
  let end: Extract<ModelChunk, { kind: 'end' }> | undefined
  for await (const chunk of stream) {
    options.onChunk?.(chunk)
    if (chunk.kind === 'text') text.push(chunk.text)
    if (chunk.kind === 'reasoning') reasoning.push(chunk.text)
    if (chunk.kind === 'end') end = chunk
  }
  if (!end) throw new SaydoError('MODEL_BROKEN_STREAM', 'The model ended its reply without saying so', { retryable: true })
  return {
    text: text.join(''),
    ...(reasoning.length > 0 && { reasoning: reasoning.join('') }),
    finish: end.finish,
    ...(end.usage && { usage: end.usage }),
  }
}
