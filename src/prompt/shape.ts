// What data a template may name, as a value: the same shape checks a template ahead, cuts data to what is documented, and makes samples.
import type { JsonObject, JsonValue } from '../core/json.js'

/**
 * `value` is text, a number or a boolean; `any` is any JSON; `[shape]` is a list; an object has named parts, those whose name ends in `?`
 * may be absent.
 */
export type Shape = 'value' | 'any' | readonly [Shape] | ObjectShape
export interface ObjectShape {
  readonly [name: string]: Shape
}

export const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape)

export const isObject = (shape: Shape): shape is ObjectShape => typeof shape === 'object' && !isList(shape)

/** The names that a template may use on an object of this shape, without their `?`. */
export const namesOf = (shape: ObjectShape): readonly string[] => Object.keys(shape).map(bare)

/** The shape of a part; undefined when there is no such part. Own names only: `constructor` is not one. */
export function partOf(shape: ObjectShape, name: string): Shape | undefined {
  if (Object.hasOwn(shape, name)) return shape[name]
  return Object.hasOwn(shape, `${name}?`) ? shape[`${name}?`] : undefined
}

/**
 * Data cut to a shape, as plain JSON: nothing undocumented gets through, nothing in it can be called, and where text is
 * expected an object becomes its JSON text. `null` counts as absent; an absent list is empty.
 */
export function conform(data: unknown, shape: ObjectShape): JsonObject {
  const result: Record<string, JsonValue> = {}
  const given = typeof data === 'object' && data !== null ? data : {}
  for (const [key, part] of Object.entries(shape)) {
    const name = bare(key)
    const value = Object.hasOwn(given, name)
      ? conformPart((given as Record<string, unknown>)[name], part)
      : conformPart(null, part)
    if (value !== undefined) result[name] = value
  }
  return result
}

/** Data that fits a shape: with only what must be there and empty lists, or with everything and lists of one. */
export function sample(shape: ObjectShape, fill: 'least' | 'full'): JsonObject {
  const parts = Object.entries(shape).filter(([key]) => fill === 'full' || !key.endsWith('?'))
  return Object.fromEntries(parts.map(([key, part]) => [bare(key), samplePart(bare(key), part, fill)]))
}

const bare = (key: string): string => (key.endsWith('?') ? key.slice(0, -1) : key)

function conformPart(value: unknown, shape: Shape): JsonValue | undefined {
  if (isList(shape)) {
    const items = Array.isArray(value) ? value : []
    return items.map(item => conformPart(item, shape[0])).filter(item => item !== undefined)
  }
  if (value === null || value === undefined) return undefined
  if (isObject(shape)) return conform(value, shape)
  const plain = toJson(value)
  if (plain === undefined || shape === 'any' || typeof plain !== 'object') return plain
  return JSON.stringify(plain)
}

function toJson(value: unknown): JsonValue | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  const text = JSON.stringify(value)
  return text === undefined ? undefined : (JSON.parse(text) as JsonValue)
}

function samplePart(name: string, shape: Shape, fill: 'least' | 'full'): JsonValue {
  if (isList(shape)) return fill === 'full' ? [samplePart(name, shape[0], fill)] : []
  if (isObject(shape)) return sample(shape, fill)
  return name
}
