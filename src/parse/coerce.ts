// A value as read and a parameter's shape → the value the tool wants. Strict first; then one short table, each row with a cost.

import type { JsonValue } from '../core/json.js'
import { strictJson } from './action-input.js'
import { foldWord } from './characters.js'
import type { ParameterShape, ParameterType } from './tool-shape.js'

export type Coerced =
  | { readonly ok: true; readonly value: JsonValue; readonly change?: 'type' | 'enum' }
  | { readonly ok: false; readonly wanted: string }

/** `text`: the value was written as plain text, without quotes or JSON around it. */
export function coerce(value: JsonValue, shape: ParameterShape, text = false): Coerced {
  if (value === null && !shape.required) return { ok: true, value }
  const typed = coerceType(value, shape.types, shape.items, text)
  if (!typed.ok) return { ok: false, wanted: describe(shape) }
  return shape.enum ? coerceEnum(typed, shape.enum) : typed
}

function coerceType(
  value: JsonValue,
  types: ReadonlySet<ParameterType>,
  items: ReadonlySet<ParameterType>,
  text: boolean,
): Coerced {
  if (types.size === 0) return { ok: true, value }
  if (types.has(typeOf(value)) || (typeof value === 'number' && types.has('number'))) return elements(value, items)
  if (typeof value === 'number' && types.has('integer') && Number.isInteger(value)) return { ok: true, value }
  if (typeof value === 'string') {
    const trimmed = value.trim()
    if ((types.has('number') || types.has('integer')) && NUMERIC.test(trimmed)) {
      const number = Number(trimmed)
      if (
        Number.isFinite(number) &&
        (types.has('number') || Number.isInteger(number)) &&
        (!Number.isInteger(number) || Number.isSafeInteger(number))
      )
        return { ok: true, value: number, change: 'type' }
    }
    const lower = trimmed.toLowerCase()
    if (types.has('boolean') && (lower === 'true' || lower === 'false'))
      return { ok: true, value: lower === 'true', change: 'type' }
    const inner =
      types.has('array') && trimmed.startsWith('[')
        ? strictJson(trimmed)
        : types.has('object') && trimmed.startsWith('{')
          ? strictJson(trimmed)
          : undefined
    if (inner !== undefined) {
      const decoded = coerceType(inner, types, items, false)
      return decoded.ok ? { ...decoded, change: 'type' } : decoded
    }
    // several values in one text: which?
    if (types.has('array') && !types.has('string') && /[,;\n]|^\[/.test(trimmed)) return { ok: false, wanted: '' }
    if (text && types.has('null') && (lower === 'null' || lower === 'none')) return { ok: true, value: null, change: 'type' }
  }
  if (types.has('array') && !Array.isArray(value) && value !== null) {
    // one value → array of one
    const single = coerceType(value, items, EMPTY, text)
    if (single.ok) return { ok: true, value: [single.value], change: 'type' }
  }
  if (Array.isArray(value) && value.length === 1 && !types.has('array')) {
    const single = coerceType(value[0] as JsonValue, types, EMPTY, text)
    if (single.ok) return { ok: true, value: single.value, change: 'type' }
  }
  return { ok: false, wanted: '' }
}

/** The elements of a list, each to its type. */
function elements(value: JsonValue, items: ReadonlySet<ParameterType>): Coerced {
  if (!Array.isArray(value) || items.size === 0) return { ok: true, value }
  let changed = false
  const list: JsonValue[] = []
  for (const element of value as readonly JsonValue[]) {
    const one = coerceType(element, items, EMPTY, false)
    if (!one.ok) return one
    if (one.change) changed = true
    list.push(one.value)
  }
  return changed ? { ok: true, value: list, change: 'type' } : { ok: true, value }
}

function coerceEnum(typed: Coerced & { ok: true }, values: readonly JsonValue[]): Coerced {
  const { value } = typed
  if (value === null || typeof value === 'object' || values.includes(value)) return typed
  if (typeof value === 'string') {
    const fold = foldWord(value)
    const same = fold ? values.filter(option => typeof option === 'string' && foldWord(option) === fold) : []
    if (same.length === 1) return { ok: true, value: same[0] as JsonValue, change: 'enum' }
  }
  return {
    ok: false,
    wanted: `one of ${values
      .slice(0, 12)
      .map(option => JSON.stringify(option))
      .join(', ')}`,
  }
}

function describe(shape: ParameterShape): string {
  return shape.types.size > 0 ? [...shape.types].join(' or ') : 'value'
}

function typeOf(value: JsonValue): ParameterType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object'
}

const EMPTY: ReadonlySet<ParameterType> = new Set()
const NUMERIC = /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?$/
