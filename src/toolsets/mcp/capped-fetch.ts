// A fetch → the same, whose answers end with an error when one message of them is longer than a limit: an event of a stream, or a whole body. It also tells
// of a stream that is over for good, since whoever waits for an answer in it would wait on.
import { isObject } from '../../core/json.js'

export interface CappedFetchOptions {
  /** Longest message, in bytes. */
  readonly most: number
  /** The stream that should have answered the request of that number has ended, or was cut off; whether the answer was in it, the number does not say. */
  readonly onOver?: (id: number | string) => void
}

export function cappedFetch({ most, onOver = () => {} }: CappedFetchOptions): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const { body, status, statusText, headers } = response
    if (!body) return response
    const isStream = headers.get('content-type')?.includes('text/event-stream') === true
    const capped = body.pipeThrough(cap(most, isStream))
    const id = isStream ? requestIn(init?.body) : undefined
    const watched = id === undefined ? capped : watchedToEnd(capped, () => onOver(id))
    // the address it came from is read off it, which a new answer does not have
    return Object.defineProperty(new Response(watched, { status, statusText, headers }), 'url', { value: response.url })
  }
}

/** The number of a request; undefined for a message that wants no answer. */
function requestIn(body: unknown): number | string | undefined {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
  const id = isObject(message) && typeof message.method === 'string' ? message.id : undefined
  return typeof id === 'number' || typeof id === 'string' ? id : undefined
}

/** Whoever reads it has what was in it before anybody is told. A stream whose events have numbers can be taken up again, and is not over. */
function watchedToEnd(stream: ReadableStream<Uint8Array>, onOver: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  let isNumbered = false
  let end = ''
  const over = (): void => {
    if (!isNumbered) setTimeout(onOver, READ_MS).unref()
  }
  return new ReadableStream({
    async pull(out) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          over()
          return out.close()
        }
        const text = end + Buffer.from(value).toString('latin1')
        isNumbered ||= /(?:^|[\r\n])id:/.test(text)
        end = text.slice(-3)
        out.enqueue(value)
      } catch (error) {
        over()
        out.error(error)
      }
    },
    cancel: reason => reader.cancel(reason),
  })
}

/** Time to read what has come, in ms. */
const READ_MS = 200

function cap(most: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let length = 0
  let lastByte = 0
  return new TransformStream({
    transform(chunk, stream) {
      const end = isStream ? endOfEvent(chunk, lastByte) : -1
      length = end < 0 ? length + chunk.length : chunk.length - end
      lastByte = chunk.at(-1) ?? lastByte
      if (length > most) stream.error(new Error(`the answer was longer than ${Math.round(most / 1024)} kB`))
      else stream.enqueue(chunk)
    },
  })
}

/** Where the last empty line of a chunk ends; -1 for none. A carriage return may stand before each line feed. */
function endOfEvent(chunk: Uint8Array, before: number): number {
  for (let at = chunk.length - 1; at >= 0; at--) {
    if (chunk[at] !== 10) continue
    const previous = chunk[at - 1] === 13 ? (chunk[at - 2] ?? before) : (chunk[at - 1] ?? before)
    if (previous === 10) return at + 1
  }
  return -1
}
