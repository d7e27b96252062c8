// An endpoint's address, key and headers → requests to it. The only door of the `openai` package, which is loaded with the first request: it says
// where a request goes and with which headers, once for all of a kind, and knows the environment variables. Sending, reading, retrying and time
// limits are ours, because the package ends truncated streams as if they were whole, sleeps deaf to abort, and splits long events in quadratic time.
import type { OpenAI } from 'openai'
import { LONGEST_DELAY_MS } from '../core/longest-delay.js'
import { once } from '../core/once.js'
import { type Endpoint, type EndpointOptions, resolveEndpoint } from './endpoint.js'
import { type Place, refusedError } from './endpoint-error.js'
import { unreachableError } from './network-error.js'
import { patientFetch } from './patient-fetch.js'
import { refusalBody } from './refusal-body.js'

export interface ConnectOptions extends EndpointOptions {
  /** In place of the global one; called once per request. */
  readonly fetch?: typeof globalThis.fetch
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
