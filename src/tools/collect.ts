// A generator or a stream that a tool returned → the one text it yields, bounded; any other value → itself. Bytes are read as UTF-8.
import { readResult } from './result.js'

const MOST_UNITS = 1024 * 1024

/** Reads until the end, until about 1 MiB of text is there (the source is then closed), or until the signal is aborted. */
export async function collect(value: unknown, signal: AbortSignal): Promise<unknown> {
  const source = iteratorOf(value)
  if (source === undefined) return value
  const parts: string[] = []
  const decoder = new TextDecoder()
  let units = 0
  for await (const chunk of source) {
    const part = chunk instanceof Uint8Array ? decoder.decode(chunk, { stream: true }) : textOf(chunk)
    parts.push(part)
    units += part.length
    // a source that yields nothing for ever counts too
    if (units > MOST_UNITS || parts.length > MOST_UNITS || signal.aborted) {
      parts.push('\n[the output went on]')
      break
    }
  }
  return parts.join('') + decoder.decode()
}

function textOf(chunk: unknown): string {
  if (typeof chunk === 'string') return chunk
  const { text } = readResult(chunk)
  return text === null ? '' : `${text}\n`
}

// streams and generators, but not what merely can be iterated: lists, maps and sets have a better form
function iteratorOf(value: unknown): AsyncIterable<unknown> | Iterable<unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const candidate = value as { [Symbol.asyncIterator]?: unknown; [Symbol.iterator]?: unknown; next?: unknown }
  if (typeof candidate[Symbol.asyncIterator] === 'function') return value as AsyncIterable<unknown>
  if (typeof candidate[Symbol.iterator] === 'function' && typeof candidate.next === 'function') return value as Iterable<unknown>
  return undefined
}
