// A list of replies in, a model that plays them one by one. It stands for a server that ignores stop strings: nothing is cut, so a test sees
// what the engine itself does about an invented observation.
import { SaydoError } from '../core/errors.js'
import type { Prompt } from '../core/message.js'
import type { Finish, Model, ModelCallOptions, ModelChunk, Usage } from '../core/model.js'
import { abortedError } from './watch.js'

export interface ScriptedReply {
  /** The assistant's whole turn. */
  readonly text: string
  /** Comes before the text. */
  readonly reasoning?: string
  /** Default `stop`. */
  readonly finish?: Finish
  readonly usage?: Usage
  /** Thrown after the text, in place of an end: a reply that breaks off. */
  readonly error?: SaydoError
}

export interface ScriptedOptions {
  /** Default `scripted`. */
  readonly name?: string
  /** Characters (UTF-16 code units) in one chunk; default the whole text at once. */
  readonly chunk?: number
}

export interface ScriptedModel extends Model {
  /** The prompts it was given, in order, the one that found the script exhausted included. */
  readonly prompts: readonly Prompt[]
  /** How many replies have not been asked for. */
  readonly left: number
}

/**
 * Plays one reply per call of `stream`. The call after the last one rejects with `SCRIPT_EXHAUSTED`; its message holds the number of replies
 * and the end of the prompt that asked for more.
 */
export function scriptedModel(replies: readonly (string | ScriptedReply)[], options: ScriptedOptions = {}): ScriptedModel {
  const size = options.chunk ?? Number.POSITIVE_INFINITY
  if (!(size >= 1)) throw new SaydoError('CONFIG', `A scripted model needs chunks of at least 1 character, not ${options.chunk}`)
  const prompts: Prompt[] = []
  let next = 0
  return {
    name: options.name ?? 'scripted',
    prompts,
    get left() {
      return replies.length - next
    },
    stream(prompt, { signal } = {}) {
      prompts.push(prompt)
      const reply = replies[next]
      if (reply === undefined) return failing(exhausted(replies.length, prompt))
      next += 1
      return play(typeof reply === 'string' ? { text: reply } : reply, size, signal)
    },
  }
}

async function* play(reply: ScriptedReply, size: number, signal: ModelCallOptions['signal']): AsyncGenerator<ModelChunk> {
  for (const kind of ['reasoning', 'text'] as const) {
    for (const text of pieces(reply[kind] ?? '', size)) {
      if (signal?.aborted) throw abortedError(signal)
      yield { kind, text }
    }
  }
  if (signal?.aborted) throw abortedError(signal)
  if (reply.error) throw reply.error
  yield { kind: 'end', finish: reply.finish ?? 'stop', ...(reply.usage && { usage: reply.usage }) }
}

function* pieces(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

// biome-ignore lint/correctness/useYield: it fails before it has anything to yield
async function* failing(error: SaydoError): AsyncGenerator<ModelChunk> {
  throw error
}

const SHOWN = 2000

function exhausted(count: number, prompt: Prompt): SaydoError {
  const soFar = prompt.text || prompt.messages.map(message => `[${message.role}] ${message.text}`).join('\n')
  const tail = soFar.length > SHOWN ? `…${soFar.slice(-SHOWN)}` : soFar
  const had = count === 1 ? 'its only reply has' : `all ${count} replies have`
  return new SaydoError(
    'SCRIPT_EXHAUSTED',
    `The script was asked for reply ${count + 1}, but ${had} been played. So far:\n${tail}`,
    {
      hint: 'Add a reply to the script, or check why the run goes on.',
    },
  )
}
