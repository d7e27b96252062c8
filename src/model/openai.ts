// An OpenAI-compatible endpoint → a Model: the only network of an agent.
import { SaydoError } from '../core/errors.js'
import type { NoticeCode } from '../core/event.js'
import type { Model } from '../core/model.js'
import { once } from '../core/once.js'
import {
  A_FLAG,
  A_FUNCTION,
  A_NUMBER,
  A_TEXT,
  isGiven,
  namesWhere,
  type OptionTable,
  oneOf,
  requireFitting,
  requireKnown,
  requireObject,
} from '../core/options.js'
import type { Asking, Timeouts } from './ask.js'
import { type ConnectOptions, connect } from './connection.js'
import { EndpointError } from './endpoint-error.js'
import { listModels, onlyModel, shortList } from './list-models.js'
import { type Api, firstPlan } from './plan.js'
import { pause as defaultPause, type Pause } from './retry.js'

export interface OpenaiModelOptions extends ConnectOptions {
  /** Default `OPENAI_MODEL`, then the only model that the endpoint lists. */
  readonly model?: string
  /**
   * Which API to use. Default `auto`: chat, and completions where the endpoint has no chat or the model no chat template; what worked is
   * remembered.
   */
  readonly api?: 'auto' | Api
  /** Not sent by default. */
  readonly temperature?: number
  readonly seed?: number
  /** Tokens of one reply; default the endpoint's own limit on chat, 2,048 on completions. */
  readonly maxTokens?: number
  /** Default true. */
  readonly stream?: boolean
  /**
   * In ms: until the first byte of a streamed reply (default 300,000), between bytes (60,000), and for the whole call with all its attempts
   * and waits (600,000).
   */
  readonly timeouts?: Partial<Timeouts>
  /** New attempts after a passing fault (408, 409, 429, 5xx, a broken connection); default 3. */
  readonly maxRetries?: number
  /** How to wait between attempts; for tests. */
  readonly pause?: Pause
}

const OPTIONS: OptionTable<OpenaiModelOptions> = {
  baseURL: A_TEXT,
  apiKey: A_TEXT,
  headers: [value => typeof value === 'object', 'an object of texts by their names'],
  fetch: A_FUNCTION,
  model: A_TEXT,
  api: oneOf(['auto', 'chat', 'completions']),
  temperature: A_NUMBER,
  seed: A_NUMBER,
  maxTokens: 'elsewhere',
  stream: A_FLAG,
  timeouts: [value => typeof value === 'object', 'an object with firstByteMs, idleMs, totalMs'],
  maxRetries: 'elsewhere',
  pause: A_FUNCTION,
}

const loadAsk = once(() => import('./ask.js'))

export const DEFAULT_TIMEOUTS: Timeouts = { firstByteMs: 300_000, idleMs: 60_000, totalMs: 600_000 }
/** The hint of an error is worth a short wait, no more. */
const HINT_MS = 3_000

/**
 * A model behind an OpenAI-compatible endpoint. Tools are never sent; stop strings are sent and enforced here as well.
 *
 * What the endpoint refuses (a parameter, streaming, a system turn) is left out once, remembered by this instance, and told by one `notice`.
 * A reply that a content filter cut after some text ends with finish `filter`; one that it held back wholly rejects with `MODEL_FILTERED`.
 *
 * Throws `CONFIG` when neither a base URL nor a key is known, or an option makes no sense.
 */
export function openaiModel(options: OpenaiModelOptions = {}): Model {
  requireObject(options, 'a model')
  requireKnown(namesWhere(options, isGiven), OPTIONS, 'option')
  requireFitting(options, OPTIONS)
  const { baseURL, placeOf, request } = connect(options)
  const forced = options.api === 'chat' || options.api === 'completions' ? options.api : undefined
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const maxRetries = options.maxRetries ?? 3
  checkNumbers({ ...timeouts, maxRetries, ...(options.maxTokens !== undefined && { maxTokens: options.maxTokens }) })
  let model = options.model?.trim() || process.env.OPENAI_MODEL?.trim()
  let plan = firstPlan(forced ?? 'chat', options.stream ?? true)

  const pause = options.pause ?? defaultPause

  return {
    get name() {
      return model ?? 'the only model listed'
    },
    async *stream(prompt, { signal } = {}) {
      if (!model) {
        model = yield* onlyModel({ ...options, patienceMs: timeouts.firstByteMs, pause, ...(signal && { signal }) })
        yield {
          kind: 'notice',
          code: 'MODEL_CHOSEN' satisfies NoticeCode,
          message: `no model is set: ${model} is used, the only one that ${baseURL} lists`,
        }
      }
      const chosen = model
      const asking: Asking = {
        send: ({ path, body }, place, abort) => request('post', path, place, abort, body),
        placeOf: ({ path }) => placeOf('post', path, chosen),
        sampling: { model: chosen, temperature: options.temperature, seed: options.seed, maxTokens: options.maxTokens },
        timeouts,
        maxRetries,
        forced,
        pause,
      }
      const { ask } = await loadAsk()
      try {
        for await (const chunks of ask(prompt, plan, asking, worked => (plan = worked), signal))
          for (const chunk of chunks) yield chunk
      } catch (error) {
        throw await withModelList(error, chosen, options, signal)
      }
    },
  }
}

/** Says what the endpoint offers in place of a model it does not have. */
async function withModelList(error: unknown, model: string, options: ConnectOptions, signal?: AbortSignal): Promise<unknown> {
  if (!(error instanceof EndpointError) || error.code !== 'MODEL_NOT_FOUND') return error
  const names = await listModels({ ...options, timeoutMs: HINT_MS, ...(signal && { signal }) }).catch(() => [])
  if (names.length === 0) return error
  const hint = `The endpoint has no ${JSON.stringify(model)}; it offers ${shortList(names)}.`
  return new EndpointError(error.code, error.message, {
    hint,
    said: error.said,
    ...(error.status !== undefined && { status: error.status }),
  })
}

function checkNumbers(numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    const least = name === 'maxRetries' ? 0 : 1
    if (!(value >= least)) throw new SaydoError('CONFIG', `${name} must be a number of at least ${least}, not ${value}`)
  }
}
