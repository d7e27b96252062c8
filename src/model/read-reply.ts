// The response to one request → the chunks of one reply. Either the reply is complete (the endpoint said how it ended, or we cut it), and
// then an `end` chunk comes last; or an error is thrown. Nothing in between.
import { SaydoError } from '../core/errors.js'
import type { Finish, ModelChunk, Usage } from '../core/model.js'
import { type Payload, readPayloads } from './body.js'
import { redact } from './endpoint.js'
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
const MAX_REPLY = 1024 * 1024
/** How long to wait for the token counts after a reply that is complete. */
const LINGER_MS = 2_000
/** How long to wait for the server to close after `[DONE]`, which lets the connection be used again. */
const CLOSING_MS = 100

/** Gives what came together in one list, never an empty one. Returns whether the body was read to its end, so that nothing is left to be closed. */
export async function* readReply(response: Response, reading: ReplyReading): AsyncGenerator<readonly ModelChunk[], boolean> {
  const reply = openReply(reading)
  let atEnd = false
  const limit = (anyByte: boolean): TimeLimit => {
    if (reply.done) return { ...reading.idle, ms: CLOSING_MS }
    if (reply.complete) return { ...reading.idle, ms: LINGER_MS }
    return anyByte ? reading.idle : reading.firstByte
  }
  try {
    for await (const payloads of readPayloads(response, { place: reading.place, watch: reading.watch, limit })) {
      const chunks = reply.take(payloads)
      if (chunks.length > 0) yield chunks
      if (reply.fault) throw reply.fault
      if (reply.cut) {
        yield [reply.ending(reply.cut)]
        return false
      }
    }
    atEnd = true
  } catch (error) {
    const byCaller = error instanceof SaydoError && error.code === 'ABORTED'
    if (!reply.complete || byCaller) throw error
  }
  yield reply.close()
  return atEnd
}

interface OpenReply {
  /** What the payloads add, as far as they are part of the reply: nothing is after `[DONE]`, after a cut or after a fault. */
  take(payloads: readonly Payload[]): ModelChunk[]
  /** The endpoint said that no more will come. */
  readonly done: boolean
  /** The endpoint said how the reply ended. */
  readonly complete: boolean
  /** Set when we ended it, and no more is wanted. */
  readonly cut: Finish | undefined
  /** An error in place of more. */
  readonly fault: EndpointError | undefined
  ending(finish: Finish): ModelChunk
  /** The last chunks of a reply that the endpoint ended; throws when it did not. */
  close(): ModelChunk[]
}

function openReply({ place, stops, opener }: ReplyReading): OpenReply {
  const guard = createStopGuard(stops)
  const calls: CallPart[] = []
  let room = MAX_REPLY
  let spoke = false
  let chosen = false
  let done = false
  let reason: string | undefined
  let usage: Usage | undefined
  let fault: EndpointError | undefined

  const spoken = (text: string): ModelChunk[] => {
    if (text === '') return []
    const whole = spoke ? text : opener + text
    spoke = true
    return [{ kind: 'text', text: whole }]
  }
  const ending = (finish: Finish): ModelChunk => ({ kind: 'end', finish, ...(usage && { usage }) })

  const takeOne = (payload: Payload): ModelChunk[] => {
    const saying = payload.kind === 'done' ? SILENCE : understood(payload, place)
    done = payload.kind !== 'event'
    chosen ||= saying.choice
    reason = saying.finish ?? reason
    usage = saying.usage ?? usage
    calls.push(...saying.calls)
    const reasoning = saying.reasoning.slice(0, Math.max(0, room))
    const text = saying.text.slice(0, Math.max(0, room - reasoning.length))
    room -= saying.reasoning.length + saying.text.length
    const chunks = [...(reasoning ? [{ kind: 'reasoning', text: reasoning } as const] : []), ...spoken(guard.push(text))]
    return room < 0 ? [...chunks, ...spoken(guard.end())] : chunks
  }

  return {
    take(payloads) {
      const chunks: ModelChunk[] = []
      for (const payload of payloads) {
        if (done || fault || this.cut) break
        try {
          chunks.push(...takeOne(payload))
        } catch (error) {
          fault = error as EndpointError
        }
      }
      return chunks
    },
    get done() {
      return done
    },
    get complete() {
      return done || reason !== undefined
    },
    get fault() {
      return fault
    },
    get cut() {
      if (guard.hit !== undefined) return 'stop'
      return room < 0 ? 'length' : undefined
    },
    ending,
    close() {
      if (!done && reason === undefined) throw brokenStreamError('it ended without a finish reason', place)
      if (!chosen)
        throw new EndpointError('MODEL_BAD_RESPONSE', `${place.request} answered without any choice`, { retryable: true })
      const finish = finishOf(reason)
      if (finish === 'broken') throw brokenStreamError(`the endpoint gave up (finish reason ${reason})`, place)
      const rest = spoken(guard.end())
      if (finish === 'filter' && !spoke) throw filteredError(place)
      if (calls.length > 0 && finish !== 'filter') rest.push(...spoken(`${spoke ? '\n' : ''}${callsAsText(calls)}`))
      return [...rest, ending(finish)]
    },
  }
}

const SILENCE: Saying = { choice: false, text: '', reasoning: '', calls: [], failed: false }

/** What a payload says; throws when it says an error, or when a whole body holds no choice. */
export function understood(payload: Exclude<Payload, { kind: 'done' }>, place: Place): Saying {
  if (payload.kind === 'error') throw refusedError({ body: payload.body }, place)
  const saying = readPayload(payload.json)
  if (saying.failed) throw refusedError({ body: JSON.stringify(payload.json) }, place)
  if (payload.kind === 'event' || saying.choice) return saying
  const shown = redact(JSON.stringify(payload.json), place).slice(0, 200)
  throw new EndpointError('MODEL_BAD_RESPONSE', `${place.request} answered with JSON that holds no choice: ${shown}`)
}

function filteredError(place: Place): EndpointError {
  return new EndpointError('MODEL_FILTERED', `${place.request}: a content filter held back the whole reply`, {
    hint: 'Word the task differently, or use another endpoint.',
  })
}
