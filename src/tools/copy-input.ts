// An input as data → a copy of its own: what somebody does to the one shows in no other. Inputs have no prototype, and no key that reaches one.
import { isObject, type JsonObject, type JsonValue } from '../core/json.js'

const REACHING_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

export function copyInput(input: JsonObject): JsonObject {
  return copyValue(input) as JsonObject
}

/** A value from outside as an input; undefined when it is no plain JSON object, or has a key that no input may have. Never throws. */
export function readInput(value: unknown): JsonObject | undefined {
  try {
    const plain: JsonValue = JSON.parse(JSON.stringify(value))
    return isObject(plain) ? copyInput(plain) : undefined
  } catch {
    return undefined
  }
}

function copyValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyValue)
  if (!isObject(value)) return value
  const copy: Record<string, JsonValue> = Object.create(null)
  for (const [key, item] of Object.entries(value)) {
    if (REACHING_KEYS.has(key)) throw new TypeError(`an input has no key ${key}`)
    copy[key] = copyValue(item)
  }
  return copy
}
