// The port to a language model: a prompt and a signal in, chunks of one reply out, the last of them saying how it ended.
import type { Prompt } from './message.js'

/**
 * How a reply ended: `stop` by itself, at a stop string or because we cut it; `length` at a token limit; `filter` by a content filter;
 * `unknown` when the endpoint gave a reason that is none of these.
 */
export type Finish = (typeof FINISHES)[number]

export const FINISHES = ['stop', 'length', 'filter', 'unknown'] as const

/** Token counts as the endpoint reports them. */
export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
}

/** A part of one reply, in order. The `end` chunk comes exactly once and last; a stream that ends without it is a broken model. */
export type ModelChunk =
  | { readonly kind: 'text'; readonly text: string }
  /** Reasoning that the endpoint keeps apart from the reply (`reasoning_content`). */
  | { readonly kind: 'reasoning'; readonly text: string }
  /** Something the user should know once, such as a parameter the endpoint refused. */
  | { readonly kind: 'notice'; readonly code: string; readonly message: string }
  | { readonly kind: 'end'; readonly finish: Finish; readonly usage?: Usage }

export interface ModelCallOptions {
  /** Aborts the request; the stream then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * A language model. The text chunks join to the whole turn of the assistant: an implementation that *continues* `prompt.text` yields
 * `prompt.opener` as its first text, so that a reply reads the same whichever endpoint gave it.
 * A consumer may stop reading at any time (`return()`); the model then closes the connection.
 */
export interface Model {
  /** What to call it in transcripts and messages, e.g. `qwen2.5-coder-1.5b`. */
  readonly name: string
  /** Rejects with a `SaydoError` whose code begins with `MODEL_`; never yields part of a reply as if it were whole. */
  stream(prompt: Prompt, options?: ModelCallOptions): AsyncIterable<ModelChunk>
}

/** One whole reply. `text` is the assistant's turn exactly as received (see `Model`). */
export interface ModelReply {
  readonly text: string
  readonly reasoning?: string
  readonly finish: Finish
  readonly usage?: Usage
}
