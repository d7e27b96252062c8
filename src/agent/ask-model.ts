// A prompt sent to a model → one reply, read while it arrives. Hangs up as soon as nothing more can change the decision, or the model only repeats
// itself.
import type { Dialect, ReplyParser } from '../core/dialect.js'
import { SaydoError } from '../core/errors.js'
import type { Prompt } from '../core/message.js'
import type { Finish, Model, ModelChunk, ModelReply, Usage } from '../core/model.js'
import type { Delta, ParsedReply, ProblemCode } from '../core/reply.js'
import type { ToolSpec } from '../core/tool.js'
import { RepetitionWatch } from './repetition-watch.js'
import { untilAborted } from './until-aborted.js'

export interface AskOptions {
  readonly model: Model
  readonly dialect: Dialect
  readonly tools: readonly ToolSpec[]
  /** See `ParserOptions.labels`. */
  readonly labels: string
  /** See `ParserOptions.strict`. */
  readonly strict?: readonly ProblemCode[]
  readonly signal: AbortSignal
  readonly onDelta: (delta: Delta) => void
  readonly onNotice: (code: string, message: string) => void
}

/** One turn of the model: what it wrote, and what it says. */
export interface Turn {
  readonly reply: ModelReply
  readonly parsed: ParsedReply
  /** About how many tokens its prompt and reply took, for an endpoint that doesn't say; default from the reply alone. */
  readonly estimate?: number
  /** Where the chunks of the reply's text ended (see `reply_end`). */
  readonly cuts?: readonly number[]
}

/**
 * Rejects with what the model's stream rejects with, `ABORTED` when the signal fires, and `MODEL_BROKEN_STREAM` when the stream ends without
 * saying how; then nothing of the reply is used.
 */
export async function askModel(prompt: Prompt, options: AskOptions): Promise<Turn> {
  const parser = openParser(options)
  let text = ''
  let reasoning = ''
  const cuts: number[] = []
  let finish: Finish | undefined
  let usage: Usage | undefined
  const watches = { text: new RepetitionWatch(), reasoning: new RepetitionWatch() }
  for await (const chunk of untilAborted(streamOf(prompt, options), options.signal)) {
    requireChunk(chunk, options.model)
    if (chunk.kind === 'text') {
      if (text !== '') cuts.push(text.length)
      text += chunk.text
      for (const delta of parser.push(chunk.text)) options.onDelta(delta)
      if (parser.done) break
    } else if (chunk.kind === 'reasoning') reasoning += chunk.text
    else if (chunk.kind === 'notice') options.onNotice(chunk.code, chunk.message)
    else {
      finish = chunk.finish
      usage = isCounted(chunk.usage) ? chunk.usage : undefined
    }
    if ((chunk.kind === 'text' || chunk.kind === 'reasoning') && watches[chunk.kind].push(chunk.text)) {
      // a reply that was cut off: what is complete in it may still be read
      finish = 'length'
      options.onNotice('REPETITION_CUT', 'the model repeats itself without end; its reply was cut off there')
      break
    }
  }
  // a reply that we cut ourselves is whole
  if (parser.done) finish ??= 'stop'
  if (finish === undefined)
    throw new SaydoError('MODEL_BROKEN_STREAM', 'the model ended its reply without saying so', { retryable: true })
  const rest = { finish, ...(usage ? { usage } : {}) }
  if (reasoning !== '' && text.replace(prompt.opener, '').trim() === '') {
    const spoken = readReasoning(reasoning, options, finish)
    if (spoken) {
      options.onNotice('REASONING_READ', 'the reply was empty; what it says stood in its reasoning')
      return { reply: { text: reasoning, ...rest }, parsed: spoken }
    }
  }
  const reading = finishReading(parser, finish, options.onDelta)
  return {
    reply: { text, ...(reasoning === '' ? {} : { reasoning }), ...rest },
    parsed: reading,
    ...(cuts.length > 0 ? { cuts } : {}),
  }
}

/** A model of somebody's own may give anything. */
function streamOf(prompt: Prompt, { model, signal }: AskOptions): AsyncIterable<ModelChunk> {
  const stream: Partial<AsyncIterable<ModelChunk>> | undefined = model.stream(prompt, { signal })
  if (typeof stream?.[Symbol.asyncIterator] === 'function') return stream as AsyncIterable<ModelChunk>
  throw new SaydoError('CONFIG', `the stream of the model ${model.name} cannot be read`, {
    hint: 'let it be an async iterable at once, such as `async *stream(prompt, { signal }) { … }` gives',
  })
}

function requireChunk(chunk: ModelChunk, { name }: Model): void {
  const { kind, text } = (chunk ?? {}) as { readonly kind?: unknown; readonly text?: unknown }
  const said = kind === 'text' || kind === 'reasoning'
  if (typeof kind === 'string' && (!said || typeof text === 'string')) return
  throw new SaydoError('CONFIG', `the model ${name} gave what is no part of a reply`, {
    hint: "let its stream give {kind: 'text', text}, and at last {kind: 'end', finish: 'stop'}",
  })
}

/** Reasoning stands for an empty reply only when it holds the protocol's own labels; by itself it is no answer. */
function readReasoning(reasoning: string, options: AskOptions, finish: Finish): ParsedReply | undefined {
  const parser = openParser(options)
  const deltas = [...parser.push(reasoning)]
  const { deltas: last, ...parsed } = parser.end(finish)
  const unlabelled = parsed.problems.some(({ code }) => code === 'ANSWER_UNLABELLED' || code === 'CALL_OBJECT')
  if (parsed.decision.kind === 'unclear' || unlabelled) return undefined
  for (const delta of [...deltas, ...last]) options.onDelta(delta)
  return parsed
}

/** Some endpoints count nonsense; then there is no count. */
function isCounted(usage: Usage | undefined): usage is Usage {
  return Number(usage?.promptTokens) >= 0 && Number(usage?.completionTokens) >= 0
}

function openParser({ dialect, tools, labels, strict }: AskOptions): ReplyParser {
  return dialect.createParser({ tools, labels, ...(strict ? { strict } : {}) })
}

function finishReading(parser: ReplyParser, finish: Finish, onDelta: (delta: Delta) => void): ParsedReply {
  const { deltas, ...parsed } = parser.end(finish)
  for (const delta of deltas) onDelta(delta)
  return parsed
}
