// A fetch → the same, whose answers end with an error when one message of them is longer than a limit: an event of a stream, or a whole body.

/** `most`: in bytes. */
export function cappedFetch(most: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const { body, status, statusText, headers } = response
    if (!body) return response
    const isStream = headers.get('content-type')?.includes('text/event-stream') === true
    // the address it came from is read off it, which a new answer does not have
    return Object.defineProperty(new Response(body.pipeThrough(cap(most, isStream)), { status, statusText, headers }), 'url', {
      value: response.url,
    })
  }
}

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
