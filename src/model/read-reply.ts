// The response to one request → the chunks of one reply. Either the reply is complete (the endpoint said how it ended, or we cut it), and
// then an `end` chunk comes last; or an error is thrown. Nothing in between.
import { SaydoError } from '../core/errors.js'
import type { ModelChunk, Usage } from '../core/model.js'
import { type Payload, readPayloads } from './body.js'
import { EndpointError, type Place, refusedError } from './endpoint-error.js'
import { brokenStreamError } from './network-error.js'
import { type CallPart, callsAsText, finishOf, readPayload, type Saying } from './payload.js'
import { createStopGuard } from './stop-guard.js'
import type { TimeLimit, Watch } from './watch.js'

export interface ReplyReading {
  readonly place: Place
  readonly watch: Watch
  readonly stops: readonly string[]
  /** Comes before the model's own text, when there is any. */
  readonly opener: string
  /** Limit for the first byte, and for each later one. */
  readonly firstByte: TimeLimit
  readonly idle: TimeLimit
}

/** Longest reply in characters; a longer one is cut and finishes with `length`. */
export const MAX_REPLY = 1024 * 1024
/** How long to wait for the token counts after a reply that is complete. */
const LINGER_MS = 2_000
/** How long to wait for the server to close after `[DONE]`, which lets the connection be used again. */
const CLOSING_MS = 100

export async function* readReply(response: Response, reading: ReplyReading): AsyncGenerator<ModelChunk> {
  const { place } = reading
  const guard = createStopGuard(reading.stops)
  const calls: CallPart[] = []
  let opener = reading.opener
  let usage: Usage | undefined
  let reason: string | undefined
  let size = 0
  let heard = false
  let spoke = false
  let done = false
  let chosen = false

  const limit = (): TimeLimit => {
    if (done) return { ...reading.idle, ms: CLOSING_MS }
    if (reason !== undefined) return { ...reading.idle, ms: LINGER_MS }
    return heard ? reading.idle : reading.firstByte
  }
  const spoken = (text: string): ModelChunk[] => {
    if (text === '') return []
    const whole = opener + text
    opener = ''
    spoke = true
    return [{ kind: 'text', text: whole }]
  }

  try {
    for await (const payload of readPayloads(response, { place, watch: reading.watch, limit: () => limit() })) {
      heard = true
      if (done) continue // nothing after [DONE] is part of the reply
      if (payload.kind === 'done') {
        done = true
        continue
      }
      const saying = understood(payload, place)
      chosen ||= saying.choice
      usage = saying.usage ?? usage
      reason = saying.finish ?? reason
      calls.push(...saying.calls)
      const room = MAX_REPLY - size
      size += saying.text.length + saying.reasoning.length
      if (saying.reasoning) yield { kind: 'reasoning', text: saying.reasoning.slice(0, room) }
      yield* spoken(guard.push(saying.text.slice(0, room)))
      if (guard.hit !== undefined) return yield { kind: 'end', finish: 'stop', ...(usage && { usage }) }
      if (size > MAX_REPLY) {
        yield* spoken(guard.end())
        return yield { kind: 'end', finish: 'length', ...(usage && { usage }) }
      }
      if (payload.kind === 'whole') done = true
    }
  } catch (error) {
    const complete = done || reason !== undefined
    const caller = error instanceof SaydoError && error.code === 'ABORTED'
    if (!complete || caller) throw error
  }

  if (!chosen && done)
    throw new EndpointError('MODEL_BAD_RESPONSE', `${place.request} answered without any choice`, { retryable: true })
  if (!done && reason === undefined) throw brokenStreamError('it ended without a finish reason', place)
  const finish = finishOf(reason)
  if (finish === 'broken') throw brokenStreamError(`the endpoint gave up (finish reason ${reason})`, place)
  yield* spoken(guard.end())
  if (calls.length > 0 && finish !== 'filter') yield* spoken(`${spoke ? '\n' : ''}${callsAsText(calls)}`)
  if (finish === 'filter' && !spoke) {
    throw new EndpointError('MODEL_FILTERED', `${place.request}: a content filter held back the whole reply`, {
      hint: 'Word the task differently, or use another endpoint.',
    })
  }
  yield { kind: 'end', finish, ...(usage && { usage }) }
}

function understood(payload: Exclude<Payload, { kind: 'done' }>, place: Place): Saying {
  if (payload.kind === 'error') throw refusedError({ body: payload.body }, place)
  const saying = readPayload(payload.json)
  if (saying.failed) throw refusedError({ body: JSON.stringify(payload.json) }, place)
  if (payload.kind === 'whole' && !saying.choice) {
    throw new EndpointError(
      'MODEL_BAD_RESPONSE',
      `${place.request} answered with JSON that holds no choice: ${JSON.stringify(payload.json).slice(0, 200)}`,
    )
  }
  return saying
}
