// JSON values → JSON text in one line, spaced as models write it.
import type { JsonObject, JsonValue } from '../core/json.js'

export function jsonText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const pairs = Object.entries(value as JsonObject).map(([key, inner]) => `${JSON.stringify(key)}: ${jsonText(inner)}`)
  return `{${pairs.join(', ')}}`
}

/** An input behind a label of its own: a text as it is, an object as JSON. */
export function plainOrJson(input: JsonObject | string): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

/** An input as a JSON value: an object as it is, a text that holds one as that object, any other text as a string. */
export function inputText(input: JsonObject | string): string {
  if (typeof input !== 'string') return jsonText(input)
  try {
    const value = JSON.parse(input) as JsonValue
    if (typeof value === 'object' && value !== null) return jsonText(value)
  } catch {
    // a text like any other
  }
  return JSON.stringify(input)
}
