// An OpenAI-compatible endpoint → a Model. The only door of the `openai` package, which is loaded with the first request: it says where a request
// goes and with which headers, once for all of a kind, and knows the environment variables. Sending, reading, retrying and time limits are ours,
// because the package ends truncated streams as if they were whole, sleeps deaf to abort, and splits long events in quadratic time.

import type { OpenAI } from 'openai'
import { SaydoError } from '../core/errors.js'
import type { NoticeCode } from '../core/event.js'
import { LONGEST_DELAY_MS } from '../core/longest-delay.js'
import type { Model } from '../core/model.js'
import { once } from '../core/once.js'
import type { Asking, Timeouts } from './ask.js'
import { type Endpoint, type EndpointOptions, resolveEndpoint } from './endpoint.js'
import { EndpointError, type Place, refusedError } from './endpoint-error.js'
import { modelNames, shortList } from './list-models.js'
import { unreachableError } from './network-error.js'
import { patientFetch } from './patient-fetch.js'
import { type Api, firstPlan } from './plan.js'
import { refusalBody } from './refusal-body.js'
import { pause as defaultPause, type Pause } from './retry.js'
import { openWatch } from './watch.js'

export interface ConnectOptions extends EndpointOptions {
  /** In place of the global one; called once per request. */
  readonly fetch?: typeof globalThis.fetch
}

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

const loadAsk = once(() => import('./ask.js'))

const DEFAULT_TIMEOUTS: Timeouts = { firstByteMs: 300_000, idleMs: 60_000, totalMs: 600_000 }
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
  const { baseURL, placeOf, request } = connect(options)
  const forced = options.api === 'chat' || options.api === 'completions' ? options.api : undefined
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const maxRetries = options.maxRetries ?? 3
  checkNumbers({ ...timeouts, maxRetries, ...(options.maxTokens !== undefined && { maxTokens: options.maxTokens }) })
  let model = options.model?.trim() || process.env.OPENAI_MODEL?.trim()
  let plan = firstPlan(forced ?? 'chat', options.stream ?? true)

  return {
    get name() {
      return model ?? 'the only model listed'
    },
    async *stream(prompt, { signal } = {}) {
      if (!model) {
        model = await onlyModel({ ...options, ...(signal && { signal }) })
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
        pause: options.pause ?? defaultPause,
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

/** Requests of any kind to an endpoint, with its key and headers, the way a model's own are sent. */
export interface Connection {
  readonly baseURL: string
  /** `path` goes behind the base URL; a whole URL stands for itself. */
  placeOf(method: 'get' | 'post', path: string, model?: string): Place
  /** Resolves to an answer with a status of 200 to 299; everything else is thrown as the error for the user, or the signal's reason. */
  request(method: 'get' | 'post', path: string, place: Place, signal: AbortSignal, body?: unknown): Promise<Response>
}

/** Throws `CONFIG` like `openaiModel`. Nothing is sent before the first request. */
export function connect(options: ConnectOptions): Connection {
  const endpoint = resolveEndpoint(options)
  const frameOf = frames(endpoint)
  const fetch = options.fetch ?? patientFetch
  const { baseURL, secrets } = endpoint
  const keySent =
    endpoint.apiKey !== undefined || Object.keys(endpoint.headers).some(name => name.toLowerCase() === 'authorization')
  return {
    baseURL,
    placeOf(method, path, model = '') {
      const url = /^https?:/.test(path) ? path : baseURL + path
      return { request: `${method.toUpperCase()} ${url}`, model, keySent, secrets }
    },
    async request(method, path, place, signal, body) {
      const response = await send(await frameOf(method, path, body !== undefined), fetch, signal, body).catch(error => {
        throw signal.aborted ? signal.reason : unreachableError(error, place)
      })
      if (response.ok) return response
      const refusal = { status: response.status, headers: response.headers, body: await refusalBody(response) }
      signal.throwIfAborted()
      throw refusedError(refusal, place)
    },
  }
}

export interface ListModelsOptions extends ConnectOptions {
  readonly signal?: AbortSignal
  /** In ms; default 30,000. */
  readonly timeoutMs?: number
}

/** The names of the models that an endpoint lists, in its order. Rejects like a model does. */
export async function listModels(options: ListModelsOptions = {}): Promise<string[]> {
  const { request, placeOf } = connect(options)
  const place = placeOf('get', '/models')
  const timeoutMs = options.timeoutMs ?? 30_000
  const late = () =>
    new EndpointError('MODEL_TIMEOUT', `${place.request} did not answer within ${timeoutMs / 1000} s`, { retryable: true })
  const watch = openWatch(options.signal, { ms: timeoutMs, error: late })
  try {
    const response = await watch.race(request('get', '/models', place, watch.signal))
    return modelNames(await watch.race(response.text()), place)
  } catch (error) {
    if (watch.signal.aborted) throw watch.signal.reason
    throw error instanceof SaydoError ? error : unreachableError(error, place)
  } finally {
    watch.close()
  }
}

/** The only model that an endpoint lists. Rejects with `CONFIG` when it lists none or several, and names them. */
export async function onlyModel(options: ListModelsOptions): Promise<string> {
  const names = await listModels(options)
  const [first] = names
  if (first !== undefined && names.length === 1) return first
  const { baseURL } = resolveEndpoint(options)
  throw new SaydoError(
    'CONFIG',
    `No model is set, and ${baseURL} lists ${names.length === 0 ? 'none' : `several: ${shortList(names)}`}`,
    {
      hint: 'Choose one: model, --model or OPENAI_MODEL.',
    },
  )
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

/** What all requests of one kind have in common. */
interface RequestFrame {
  readonly method: string
  readonly url: string
  readonly headers: Headers
}

/** As the package would send them; built once for each kind. */
function frames(endpoint: Endpoint): (method: 'get' | 'post', path: string, hasBody: boolean) => Promise<RequestFrame> {
  const client = once(() => openClient(endpoint))
  const known = new Map<string, Promise<RequestFrame>>()
  const build = async (method: 'get' | 'post', path: string, hasBody: boolean): Promise<RequestFrame> => {
    const { url, req } = await (await client()).buildRequest({ method, path, ...(hasBody && { body: {} }) })
    return { method: method.toUpperCase(), url, headers: new Headers(req.headers) }
  }
  return (method, path, hasBody) => {
    const kind = `${method} ${path} ${hasBody}`
    const frame = known.get(kind) ?? build(method, path, hasBody)
    known.set(kind, frame)
    return frame
  }
}

async function send(
  { url, method, headers }: RequestFrame,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
  body: unknown,
): Promise<Response> {
  // a `fetch` of the user's may add to the headers
  const request = { method, headers: new Headers(headers), signal }
  return fetch(url, body === undefined ? request : { ...request, body: JSON.stringify(body) })
}

async function openClient(endpoint: Endpoint): Promise<OpenAI> {
  const { OpenAI } = await import('openai')
  return new OpenAI({
    baseURL: endpoint.baseURL,
    // the client insists on a key; without one the header is taken out again
    apiKey: endpoint.apiKey ?? 'none',
    defaultHeaders: { ...(endpoint.apiKey === undefined && { Authorization: null }), ...endpoint.headers },
    defaultQuery: { ...endpoint.query },
    timeout: LONGEST_DELAY_MS,
    // OPENAI_LOG would print the query and every header but the key's, and onto stdout
    logLevel: 'off',
  })
}

function checkNumbers(numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    const least = name === 'maxRetries' ? 0 : 1
    if (!(value >= least)) throw new SaydoError('CONFIG', `${name} must be a number of at least ${least}, not ${value}`)
  }
}
