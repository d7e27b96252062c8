// A response's bytes → the JSON values in it: one whole object, or the events of a stream. What counts is what the body holds, not its
// content-type and not what was asked for. Bytes are decoded across chunks; the time until the next byte is limited.
import { createParser } from 'eventsource-parser'
import { redact } from './endpoint.js'
import { EndpointError, type Place, serverMessage } from './endpoint-error.js'
import { brokenBodyError, brokenStreamError } from './network-error.js'
import type { TimeLimit, Watch } from './watch.js'

export type Payload =
  | { readonly kind: 'whole'; readonly json: unknown }
  | { readonly kind: 'event'; readonly json: unknown }
  /** An event of the name `error`, or one that holds no object. */
  | { readonly kind: 'error'; readonly body: string }
  /** `[DONE]`. */
  | { readonly kind: 'done' }

export interface BodyReading {
  readonly place: Place
  readonly watch: Watch
  /** Limit for the next byte, asked before each wait; `anyByte` when some came before. */
  readonly limit: (anyByte: boolean) => TimeLimit
}

/** Longest body of one JSON object, and longest single event, in characters. */
const MAX_BUFFERED = 16 * 1024 * 1024

/**
 * The values in the pieces they came in: each list holds what one piece completed. Ends with the body, which says nothing about completeness: an event without a `[DONE]` or a finish reason after it may be half the reply.
 * Throws `MODEL_BROKEN_STREAM`, `MODEL_BAD_RESPONSE` or the watch's reason.
 */
export async function* readPayloads(response: Response, reading: BodyReading): AsyncGenerator<readonly Payload[]> {
  const pieces = readText(response, reading)
  let start = ''
  for await (const piece of pieces) {
    // blanks that never end are not kept
    start = (start + piece).trimStart()
    const first = start[0]
    if (first === undefined) continue
    if (first === '{' || first === '[') yield [await readWhole(start, pieces, reading.place)]
    // `data:` `event:` `id:` `retry:` or a comment
    else if (':deir'.includes(first)) yield* readEvents(start, pieces, reading.place)
    else throw await notJson(start, pieces, reading.place)
    return
  }
  const streaming = response.headers.get('content-type')?.includes('event-stream')
  if (streaming) throw brokenStreamError('nothing came', reading.place)
  throw new EndpointError('MODEL_BAD_RESPONSE', `${reading.place.request} answered ${response.status} with an empty body`, {
    retryable: true,
  })
}

/** Kept open on purpose: leaving a loop over this must not close the body, its owner does. */
interface Pieces extends AsyncIterable<string> {
  next(): Promise<IteratorResult<string, undefined>>
}

function readText(response: Response, { place, watch, limit }: BodyReading): Pieces {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let over = reader === undefined
  let anyByte = false
  const pieces: Pieces = {
    async next() {
      if (over || !reader) return { done: true, value: undefined }
      const { done, value } = await watch.race(reader.read(), limit(anyByte)).catch(error => {
        throw watch.signal.aborted ? watch.signal.reason : brokenBodyError(error, place)
      })
      over = done
      anyByte = true
      return { done: false, value: done ? decoder.decode() : decoder.decode(value, { stream: true }) }
    },
    [Symbol.asyncIterator]: () => ({ next: () => pieces.next() }),
  }
  return pieces
}

async function readWhole(start: string, pieces: Pieces, place: Place): Promise<Payload> {
  const parts = [start]
  let size = start.length
  for await (const piece of pieces) {
    parts.push(piece)
    size += piece.length
    if (size > MAX_BUFFERED) throw new EndpointError('MODEL_BAD_RESPONSE', `${place.request} answered with more than 16 MiB`)
  }
  const text = parts.join('')
  try {
    return { kind: 'whole', json: JSON.parse(text) }
  } catch (cause) {
    if (cutShort(text)) throw brokenStreamError('its JSON is cut short', place, cause)
    throw new EndpointError(
      'MODEL_BAD_RESPONSE',
      `${place.request} answered with broken JSON: ${serverMessage(redact(text, place))}`,
      { cause },
    )
  }
}

async function* readEvents(start: string, pieces: Pieces, place: Place): AsyncGenerator<readonly Payload[]> {
  const arrived: Payload[] = []
  let atEnd = false
  let overflow = false
  const parser = createParser({
    maxBufferSize: MAX_BUFFERED,
    onEvent: ({ data, event }) => {
      const payload = toPayload(data, event)
      // the body ended inside this event
      if (atEnd && payload?.kind === 'error' && event !== 'error') return
      if (payload) arrived.push(payload)
    },
    onError: error => {
      overflow ||= error.type === 'max-buffer-size-exceeded'
    },
  })
  let text = start
  for (;;) {
    parser.feed(text)
    if (overflow) throw new EndpointError('MODEL_BAD_RESPONSE', `${place.request} sent a single event of more than 16 MiB`)
    yield arrived.splice(0)
    const next = await pieces.next()
    if (next.done) break
    text = next.value
  }
  atEnd = true
  parser.feed('\n\n') // repair: a last event without its blank line
  yield arrived
}

function toPayload(data: string, event: string | undefined): Payload | undefined {
  const text = data.trim()
  if (text === '') return undefined
  if (text === '[DONE]') return { kind: 'done' }
  if (event === 'error') return { kind: 'error', body: data }
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? { kind: 'event', json } : { kind: 'error', body: data }
  } catch {
    return { kind: 'error', body: data }
  }
}

/** A web page, a greeting, a proxy's apology: the beginning is worth showing. */
async function notJson(start: string, pieces: Pieces, place: Place): Promise<EndpointError> {
  let text = start
  while (text.length < 1000) {
    const next = await pieces.next().catch(() => ({ done: true as const, value: undefined }))
    if (next.done) break
    text += next.value
  }
  return new EndpointError(
    'MODEL_BAD_RESPONSE',
    `${place.request} answered with something else than a reply: ${serverMessage(redact(text, place))}`,
    {
      hint: 'Is this the base URL of an OpenAI-compatible API? Most end in /v1.',
    },
  )
}

/** JSON that ends before its last closer, as a broken connection leaves it. */
function cutShort(text: string): boolean {
  const open: string[] = []
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (inString) {
      if (char === '\\') at++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') open.push(char)
    else if (char === '}' || char === ']') open.pop()
  }
  return inString || open.length > 0
}
