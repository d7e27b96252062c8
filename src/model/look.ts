// One request for a reply → all there is to see of its answer, good or bad: for examining an endpoint. Nothing is tried again, cut or mended.
import type { Usage } from '../core/model.js'
import { type Payload, readPayloads } from './body.js'
import type { Connection } from './connection.js'
import { EndpointError } from './endpoint-error.js'
import { understood } from './read-reply.js'
import type { ModelRequest } from './request-body.js'
import { openWatch } from './watch.js'

export interface Look {
  readonly text: string
  readonly reasoning: string
  /** Pieces of a stream that held text or reasoning. */
  readonly pieces: number
  /** It came as events. */
  readonly streamed: boolean
  /** `[DONE]` was seen. */
  readonly done: boolean
  /** The endpoint's own word. */
  readonly finish?: string
  readonly usage?: Usage
  /** Until the first text or reasoning, and until the end, in ms. */
  readonly firstMs: number
  readonly ms: number
  /** What ended it early: a refusal, a broken connection, something else than a reply. */
  readonly error?: EndpointError
}

/** Rejects with the signal's reason alone. */
export async function lookAt(
  { path, body }: Pick<ModelRequest, 'path' | 'body'>,
  { request, placeOf }: Connection,
  signal: AbortSignal,
): Promise<Look> {
  const place = placeOf('post', path, String(body.model))
  const watch = openWatch(signal)
  const started = performance.now()
  const seen = { text: '', reasoning: '', pieces: 0, streamed: false, done: false }
  let firstMs: number | undefined
  let ending: { finish?: string; usage?: Usage } = {}
  let whole = false
  const take = (payload: Payload): void => {
    seen.streamed ||= payload.kind === 'event'
    whole ||= payload.kind === 'whole'
    if (payload.kind === 'done') {
      seen.done = true
      return
    }
    const { text, reasoning, finish, usage } = understood(payload, place)
    seen.text += text
    seen.reasoning += reasoning
    ending = { ...ending, ...(finish && { finish }), ...(usage && { usage }) }
    if (text === '' && reasoning === '') return
    seen.pieces += 1
    firstMs ??= performance.now() - started
  }
  let error: EndpointError | undefined
  try {
    const response = await watch.race(request('post', path, place, watch.signal, body))
    const patient = { ms: Number.POSITIVE_INFINITY, error: () => new EndpointError('MODEL_TIMEOUT', 'never') }
    for await (const payloads of readPayloads(response, { place, watch, limit: () => patient })) payloads.forEach(take)
    if (!seen.done && !whole && ending.finish === undefined)
      throw new EndpointError('MODEL_BROKEN_STREAM', `${place.request} ended without a finish reason`)
  } catch (cause) {
    if (!(cause instanceof EndpointError) || watch.signal.aborted) throw cause
    error = cause
  } finally {
    watch.close()
  }
  const ms = performance.now() - started
  return { ...seen, ...ending, firstMs: firstMs ?? ms, ms, ...(error && { error }) }
}
