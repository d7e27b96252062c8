// Whatever a tool returned → the text a model reads, and the same as JSON data where it is that. Never throws and never loses a value
// silently: what has no JSON form (a cycle, a function, binary data) leaves a short note in its place.
import type { JsonValue } from '../core/json.js'

const MOST_NODES = 100_000
const DEEPEST = 64
const MOST_DATA_CHARS = 64 * 1024
const ONE_LINE = 400

export interface ReadResult {
  /** Null when the tool gave nothing: undefined, null or an empty string. 0, false and [] are something. */
  readonly text: string | null
  /** The value itself (a copy) when it is plain JSON of at most 64 KiB and no string: a string needs no parsing, it is the text. */
  readonly data?: JsonValue
}

/**
 * Strings stay as they are, but for halves of surrogate pairs. Objects become JSON: on one line up to 400 characters, else with one line
 * for each top-level entry, which is short and still reads well when its middle is cut out.
 */
export function readResult(value: unknown): ReadResult {
  if (value === undefined || value === null || value === '') return { text: null }
  if (typeof value === 'string')
    return { text: isBinary(value) ? `[binary data, ${value.length} characters]` : wellFormed(value) }
  const walk = new Walk()
  const json = walk.plain(value, 0)
  const text = typeof json === 'string' ? wellFormed(json) : jsonText(json)
  return walk.exact && text.length <= MOST_DATA_CHARS ? { text, data: json } : { text }
}

/** What an error, or anything else that was thrown, has to say; at most `most` code units. Never throws. */
export function messageOf(thrown: unknown, most = 1000): string {
  const message = attempt(() => {
    if (typeof thrown === 'string') return thrown
    if (typeof thrown !== 'object' || thrown === null) return `it threw ${String(thrown)}`
    const { message, name } = thrown as { message?: unknown; name?: unknown }
    if (typeof message === 'string' && message !== '') return message
    return typeof name === 'string' && name !== '' ? name : (readResult(thrown).text ?? '')
  })
  const text = wellFormed(message?.trim() || 'it failed without a message')
  return text.length <= most ? text : wellFormed(`${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')} …`)
}

function jsonText(json: JsonValue): string {
  const line = JSON.stringify(json)
  if (line.length <= ONE_LINE || typeof json !== 'object' || json === null) return line
  if (isList(json)) return `[\n${json.map(item => `  ${JSON.stringify(item)}`).join(',\n')}\n]`
  return `{\n${Object.entries(json)
    .map(([key, item]) => `  ${JSON.stringify(key)}: ${JSON.stringify(item)}`)
    .join(',\n')}\n}`
}

// One walk through a value. `exact` turns false as soon as something was not plain JSON and a note stands for it.
class Walk {
  exact = true
  #nodes = 0
  readonly #above = new Set<object>()

  plain(value: unknown, depth: number): JsonValue {
    switch (typeof value) {
      case 'string':
        return value
      case 'boolean':
        return value
      case 'number':
        return Number.isFinite(value) ? value : this.#note(String(value))
      case 'undefined':
        return this.#note('undefined')
      case 'bigint':
      case 'symbol':
        return this.#note(String(value))
      case 'function':
        return this.#note('[function]')
      default:
        return value === null ? null : this.#object(value as object, depth)
    }
  }

  #object(value: object, depth: number): JsonValue {
    if (this.#above.has(value)) return this.#note('[circular]')
    if (depth >= DEEPEST) return this.#note('[nested too deep]')
    this.#above.add(value)
    try {
      return this.#special(value, depth) ?? (Array.isArray(value) ? this.#list(value, depth) : this.#fields(value, depth))
    } catch {
      // a proxy may refuse even to say what it is
      return this.#note('[unreadable]')
    } finally {
      this.#above.delete(value)
    }
  }

  #special(value: object, depth: number): JsonValue | undefined {
    if (value instanceof Date) return this.#note(Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString())
    if (value instanceof Error) return this.#note(`${attempt(() => value.name) ?? 'Error'}: ${messageOf(value)}`)
    if (value instanceof RegExp) return this.#note(String(value))
    if (value instanceof Promise) return this.#note('[promise]')
    if (value instanceof ArrayBuffer || value instanceof DataView || value instanceof Uint8Array) {
      return this.#note(`[binary data, ${value.byteLength} bytes]`)
    }
    if (ArrayBuffer.isView(value))
      return this.#inexact(() => this.#list(Array.from(value as unknown as Iterable<unknown>), depth))
    if (value instanceof Set) return this.#inexact(() => this.#list([...value], depth))
    if (value instanceof Map) return this.#inexact(() => this.#map(value, depth))
    if (value instanceof Number || value instanceof String || value instanceof Boolean)
      return this.#inexact(() => this.plain(value.valueOf(), depth))
    const toJSON = attempt(() => (value as { toJSON?: unknown }).toJSON)
    if (typeof toJSON !== 'function') return undefined
    // a toJSON that throws leaves the fields to speak for themselves
    const json = attempt(() => ({ value: toJSON.call(value) as unknown }))
    return json === undefined ? undefined : this.#inexact(() => this.plain(json.value, depth + 1))
  }

  #map(map: ReadonlyMap<unknown, unknown>, depth: number): JsonValue {
    const entries = [...map]
    if (!entries.every(([key]) => typeof key === 'string')) return this.#list(entries, depth)
    return this.#fields(Object.fromEntries(entries), depth)
  }

  #list(list: readonly unknown[], depth: number): JsonValue {
    const result: JsonValue[] = []
    for (let at = 0; at < list.length; at++) {
      if (this.#full()) {
        result.push(this.#note(`[${list.length - at} more items]`))
        break
      }
      // a getter may stand in an array too
      const item = attempt(() => ({ value: list[at] }))
      if (item === undefined) result.push(this.#note('[unreadable]'))
      else result.push(item.value === undefined ? this.#inexact(() => null) : this.plain(item.value, depth + 1))
    }
    return result
  }

  #fields(value: object, depth: number): JsonValue {
    const prototype = Object.getPrototypeOf(value)
    const keys = Object.keys(value)
    if (prototype !== null && prototype !== Object.prototype) {
      this.exact = false
      // a Response or a WeakMap shows no fields: `{}` would be a lie
      if (keys.length === 0) return `[${attempt(() => prototype.constructor?.name as string) || 'object'}]`
    }
    const entries: [string, JsonValue][] = []
    for (const [at, key] of keys.entries()) {
      if (this.#full()) {
        entries.push(['…', this.#note(`[${keys.length - at} more fields]`)])
        break
      }
      const field = attempt(() => ({ value: (value as Record<string, unknown>)[key] }))
      if (field === undefined) entries.push([key, this.#note('[unreadable]')])
      else if (field.value === undefined) this.exact = false
      else entries.push([key, this.plain(field.value, depth + 1)])
    }
    // fromEntries defines its keys, so one called `__proto__` stays a key
    return Object.fromEntries(entries)
  }

  #full(): boolean {
    return ++this.#nodes > MOST_NODES
  }

  #note(text: string): string {
    this.exact = false
    return text
  }

  #inexact<T>(make: () => T): T {
    this.exact = false
    return make()
  }
}

// a file that is no text, read as if it were: more than a tenth of its beginning is control characters or was not readable
function isBinary(text: string): boolean {
  const sample = text.slice(0, 8192)
  const strange = sample.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]/g)?.length ?? 0
  return strange > sample.length / 10
}

// in every Node since 20, though not yet in the ES2023 types
function wellFormed(text: string): string {
  return (text as unknown as { toWellFormed(): string }).toWellFormed()
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
