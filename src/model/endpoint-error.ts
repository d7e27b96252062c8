// What an endpoint answered (a status and a body, or an error inside a 200) → the error to throw: which code, which fix, worth another try?
// Server wordings differ, so a matter is told by its status and by words, most specific first. Keys never appear in a message.
import { type ErrorCode, SaydoError, type SaydoErrorOptions } from '../core/errors.js'
import { redact } from './endpoint.js'
import { field, parseJson } from './json-field.js'
import { MAX_WAIT_MS, requestedWaitMs } from './retry.js'

/** Where a request went, for messages. */
export interface Place {
  /** `POST http://localhost:8080/v1/chat/completions` */
  readonly request: string
  readonly model: string
  readonly keySent: boolean
  readonly secrets: readonly string[]
}

/** An answer that is no reply. */
export interface Refusal {
  /** Unset for an error inside a 200. */
  readonly status?: number
  readonly headers?: Headers
  /** The body as received, bounded. */
  readonly body: string
}

interface EndpointErrorOptions extends SaydoErrorOptions {
  readonly status?: number
  readonly said?: string
  readonly parameter?: string
  readonly again?: boolean
  readonly loading?: boolean
  readonly waitMs?: number
}

/** A `SaydoError` with what the next attempt has to know. */
export class EndpointError extends SaydoError {
  readonly status: number | undefined
  /** The server's own words (bounded, without keys), for recognising its complaint. */
  readonly said: string
  /** The parameter that the server names as the culprit. */
  readonly parameter: string | undefined
  /** Try the same request again, at most a few times. */
  readonly again: boolean
  /** The server is there, and says that it still loads its model: ask again until it is ready. */
  readonly loading: boolean
  /** How long the server asked us to wait. */
  readonly waitMs: number | undefined

  constructor(code: ErrorCode, message: string, options: EndpointErrorOptions = {}) {
    super(code, message, options)
    this.status = options.status
    this.said = options.said ?? ''
    this.parameter = options.parameter
    this.again = options.again ?? false
    this.loading = options.loading ?? false
    this.waitMs = options.waitMs
  }
}

const NEVER_AGAIN = new Set([400, 401, 403, 404, 422])
const OFTEN_PASSING = new Set([408, 409, 429])
const SHOWN = 300
const READ = 4_000

/** Reads a refusal; never throws. */
export function refusedError(refusal: Refusal, place: Place): EndpointError {
  const status = refusal.status ?? statusInside(refusal.body)
  const body = redact(refusal.body, place)
  const said = body.slice(0, READ)
  const words = serverMessage(body)
  const waitMs = refusal.headers && requestedWaitMs(refusal.headers)
  const forbidden = refusal.headers?.get('x-should-retry') === 'false'
  const kind = kindOf(status, said, place)
  const passing =
    !kind.lasting && status !== undefined && !NEVER_AGAIN.has(status) && (OFTEN_PASSING.has(status) || status >= 500)
  const tooLong = passing && waitMs !== undefined && waitMs > MAX_WAIT_MS
  const answered = refusal.status === undefined ? 'answered with an error' : `answered ${refusal.status}`
  const message = `${place.request} ${answered}${words ? `: ${words}` : ''}`
  return new EndpointError(kind.code, tooLong ? `${message} (asks to wait ${inWords(waitMs)}, longer than a minute)` : message, {
    ...(kind.hint !== undefined && { hint: kind.hint }),
    ...(status !== undefined && { status }),
    ...(waitMs !== undefined && { waitMs }),
    ...parameterNamed(body),
    said,
    retryable: passing,
    again: passing && !forbidden && !tooLong && !kind.loading,
    ...(kind.loading && { loading: !forbidden && !tooLong }),
  })
}

/** The words speak of a model that the endpoint does not have. */
export function namesMissingModel(said: string): boolean {
  return (
    MISSING_MODEL.test(said) ||
    saysNear(said, 'model', 120, /not found|does ?n[o']t exist|not exist|not loaded|unknown|no longer available|not available/i)
  )
}

/** The whole word stands in the text, and `then` on the same line, at most `reach` characters behind it. */
export function saysNear(said: string, word: string, reach: number, then: RegExp): boolean {
  const text = said.toLowerCase()
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (/\w/.test(text.charAt(at - 1) + text.charAt(at + word.length))) continue
    const behind = said.slice(at + word.length, at + word.length + reach)
    if (then.test(behind.split('\n', 1)[0] ?? '')) return true
  }
  return false
}

const MISSING_MODEL = /model_not_found|\b(?:unknown|no such|invalid|nonexistent) model\b|not a valid model/i
const CONTEXT =
  /context_length_exceeded|exceed_context|context[ _-]?(length|window|size|limit)|n_ctx|max_model_len|maximum (prompt|input) length|(prompt|input|request) (is )?too (long|large)|too many (input |prompt )?tokens|no user query found/i
const QUOTA = /insufficient_quota|credit balance|out of credits/i

interface Kind {
  readonly code: ErrorCode
  readonly hint?: string
  /** Trying again cannot help, whatever the status says. */
  readonly lasting?: boolean
  readonly loading?: boolean
}

function kindOf(status: number | undefined, said: string, place: Place): Kind {
  if (status === 401 || status === 403) {
    const sent = place.keySent ? 'the key that was sent is not accepted' : 'no key was sent'
    return { code: 'MODEL_AUTH', hint: `Set OPENAI_API_KEY or pass apiKey: ${sent}.` }
  }
  if (status === 429) {
    const used = QUOTA.test(said)
    return used
      ? { code: 'MODEL_RATE_LIMITED', hint: 'The quota of this key seems to be used up; waiting does not help.', lasting: true }
      : { code: 'MODEL_RATE_LIMITED', hint: 'Wait, ask for fewer requests at once, or use another endpoint.' }
  }
  if (CONTEXT.test(said)) {
    const hint =
      'The prompt is longer than this model reads: serve it with a larger context, or keep fewer steps, tools and examples.'
    return { code: 'MODEL_CONTEXT', hint, lasting: true }
  }
  if ((status === undefined || (status >= 400 && status < 500)) && namesMissingModel(said)) {
    return { code: 'MODEL_NOT_FOUND', hint: `The endpoint knows no model ${JSON.stringify(place.model)}.` }
  }
  if (/content[_ ]?(filter|policy)/i.test(said) && (status === undefined || status < 500)) {
    return { code: 'MODEL_FILTERED', hint: 'A content filter of the endpoint refused the prompt.', lasting: true }
  }
  if (status === 408) return { code: 'MODEL_TIMEOUT' }
  if (status === 502 || status === 503 || status === 504) {
    return {
      code: 'MODEL_UNREACHABLE',
      hint: 'Something answers there, but the model behind it is not ready; is it still loading?',
      loading: status === 503 && /\bloading\b/i.test(said),
    }
  }
  if (status === undefined || status >= 500)
    return { code: 'MODEL_BAD_RESPONSE', hint: 'The server itself failed; its log may say why.' }
  if (status === 404 || status === 405)
    return { code: 'MODEL_REFUSED', hint: 'Is the base URL right? That of an OpenAI-compatible API mostly ends in /v1.' }
  return { code: 'MODEL_REFUSED' }
}

/** `{"error":{"code":429}}` in a 200, as gateways send it. */
function statusInside(body: string): number | undefined {
  const error = field(parseJson(body), 'error')
  for (const key of ['code', 'status', 'status_code']) {
    const value = Number(field(error, key))
    if (Number.isInteger(value) && value >= 400 && value < 600) return value
  }
  return undefined
}

function parameterNamed(body: string): { parameter: string } | undefined {
  const parameter = field(field(parseJson(body), 'error'), 'param')
  return typeof parameter === 'string' && parameter !== '' ? { parameter } : undefined
}

/** The server's own sentence, on one line and bounded; empty when it gave none. */
export function serverMessage(body: string): string {
  const json = parseJson(body)
  const error = field(json, 'error')
  const text =
    asText(field(error, 'message')) ??
    asText(error) ??
    asText(field(json, 'message')) ??
    asText(field(json, 'detail')) ??
    asText(field(field(json, 'detail'), 'message')) ??
    body
  const plain = /^\s*</.test(text) ? `an HTML page (${htmlTitle(text)})` : text
  const line = plain.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}

function htmlTitle(html: string): string {
  const start = html.search(/<title>/i)
  return start === -1 ? html.slice(0, 80) : html.slice(start + 7, start + 107).split('<')[0]!
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return JSON.stringify(value) // FastAPI: a list of {loc, msg}
  return undefined
}

/** 90,000 → `90 s`, 86,400,000 → `24 h`. */
export function inWords(ms: number): string {
  if (ms < 10_000) return `${Math.round(ms / 100) / 10} s`
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`
}
