// An object, and the shape of a tool → the tool's input, or what is wrong with it: envelopes, folded keys, types, required and forbidden keys.

import { isObject, type JsonObject, type JsonValue } from '../core/json.js'
import { parseStrict } from './action-input.js'
import { foldWord } from './characters.js'
import { coerce } from './coerce.js'
import { MAX_DEPTH } from './json-scan.js'
import { type Notes, type Place, quote, type Refusal, refuse } from './notes.js'
import { FORBIDDEN_KEYS, isTextual, type ParameterShape, type ParameterType, type ToolShape } from './tool-shape.js'

export type InputReading = { readonly ok: true; readonly input: JsonObject } | Refusal

/** Fits an object to a tool: envelopes, folded keys, types, required and forbidden keys. */
export function fitObject(value: JsonObject, shape: ToolShape | undefined, place: Place, notes: Notes): InputReading {
  if (shape && fitsExactly(value, shape)) return { ok: true, input: bare(value) as JsonObject }
  const bad = forbiddenKey(value)
  if (bad)
    return refuse('FORBIDDEN_KEY', `The key "${bad}" is not allowed.`, place, {
      ...(shape ? { tool: shape.name } : {}),
      quote: bad,
    })
  if (!shape) return { ok: true, input: bare(value) as JsonObject }
  let object = value
  const unwrapped = unwrap(object, shape)
  if (unwrapped) {
    notes.add('INPUT_UNWRAPPED', 'The arguments stood in an envelope.', place, 1)
    object = unwrapped
  }
  const input = emptyInput()
  const unknown: string[] = []
  for (const [key, given] of Object.entries(object)) {
    const name = parameterName(key, shape, object)
    if (name === undefined) {
      unknown.push(key)
      input[key] = bare(given)
      continue
    }
    if (name !== key) notes.add('INPUT_KEY_FOLDED', `"${key}" is read as the parameter "${name}".`, place, 1)
    if (Object.hasOwn(input, name))
      return refuse('DUPLICATE_KEY', `The parameter "${name}" is written twice.`, place, { tool: shape.name, quote: key })
    input[name] = bare(given)
  }
  const missing = shape.required
    .filter(
      parameter => !Object.hasOwn(input, parameter.name) || (input[parameter.name] === null && !parameter.types.has('null')),
    )
    .map(parameter => parameter.name)
  if (missing.length > 0) {
    const whole = wholeObject(value, shape, unknown, notes, place)
    if (whole) return { ok: true, input: whole }
    const all = Object.keys(object).length === 0 && missing.length === shape.required.length
    return refuse(
      all ? 'MISSING_INPUT' : 'INVALID_INPUT',
      `${shape.name} needs ${missing.map(name => `"${name}"`).join(', ')}.`,
      place,
      { tool: shape.name, missing, ...(unknown.length > 0 ? { unknown } : {}) },
    )
  }
  if (unknown.length > 0 && shape.closed)
    return refuse('INVALID_INPUT', `${shape.name} has no parameter ${unknown.map(name => `"${name}"`).join(', ')}.`, place, {
      tool: shape.name,
      unknown,
    })
  for (const parameter of shape.parameters) {
    if (!Object.hasOwn(input, parameter.name)) continue
    const fitted = coerce(input[parameter.name] as JsonValue, parameter)
    if (!fitted.ok) return wrongType(shape, parameter, fitted.wanted, JSON.stringify(input[parameter.name]), place)
    if (fitted.change)
      notes.add(
        fitted.change === 'enum' ? 'INPUT_ENUM_FOLDED' : 'INPUT_COERCED',
        `"${parameter.name}" was turned into what the tool wants.`,
        place,
        1,
      )
    if (isOwnName(fitted.value, parameter.name))
      return refuse('PLACEHOLDER', `"${parameter.name}" holds its own name, a placeholder.`, place, {
        tool: shape.name,
        parameter: parameter.name,
        quote: `<${parameter.name}>`,
      })
    input[parameter.name] = bare(fitted.value)
  }
  return { ok: true, input }
}

/** A value that the parameter can't take; `got` as it was written. */
export function wrongType(shape: ToolShape, { name }: ParameterShape, wanted: string, got: string, place: Place): Refusal {
  return refuse('INVALID_INPUT', `"${name}" must be ${wanted}.`, place, {
    tool: shape.name,
    parameter: name,
    wanted,
    got: quote(got),
  })
}

/** Every key is a parameter, every value of its type, nothing is missing: nothing has to be forgiven. */
export function fitsExactly(value: JsonObject, shape: ToolShape): boolean {
  let required = 0
  for (const key of Object.keys(value)) {
    const parameter = shape.byName.get(key)
    const given = value[key] as JsonValue
    if (!parameter || FORBIDDEN_KEYS.has(key) || !isExact(given, parameter) || isOwnName(given, key)) return false
    if (typeof given === 'object' && forbiddenKey(given)) return false
    if (parameter.required) required++
  }
  return required === shape.required.length
}

/** The parameter takes the value as it is. */
export function isExact(given: JsonValue, parameter: ParameterShape): boolean {
  if (given === null) return !parameter.required || parameter.types.has('null')
  if (!parameter.enum && !Array.isArray(given)) {
    if (parameter.types.has(typeof given as ParameterType)) return true
    if (typeof given === 'string') return isTextual(parameter)
  }
  const fitted = coerce(given, parameter)
  return fitted.ok && !fitted.change && fitted.value === given
}

export function emptyInput(): Record<string, JsonValue> {
  return Object.create(null)
}

/** A copy whose objects have no prototype. */
export function bare(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(bare)
  const copy = emptyInput()
  for (const key of Object.keys(value)) copy[key] = bare((value as JsonObject)[key] as JsonValue)
  return copy
}

/** The first key by which a prototype can be reached. */
export function forbiddenKey(value: JsonValue, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined
  if (Array.isArray(value)) {
    for (const element of value as readonly JsonValue[]) {
      const bad = forbiddenKey(element, depth + 1)
      if (bad) return bad
    }
    return undefined
  }
  for (const key of Object.keys(value)) {
    if (FORBIDDEN_KEYS.has(key)) return key
    const bad = forbiddenKey((value as JsonObject)[key] as JsonValue, depth + 1)
    if (bad) return bad
  }
  return undefined
}

/** The one other shape that an input may stand in: an envelope, or an echo of the schema with values in it. */
function unwrap(object: JsonObject, shape: ToolShape): JsonObject | undefined {
  const keys = Object.keys(object)
  if (keys.length === 1) {
    const key = keys[0] as string
    if (!shape.byName.has(key) && ENVELOPES.has(foldWord(key))) {
      const inner = object[key]
      if (isObject(inner)) return inner
      if (typeof inner === 'string' && inner.trim().startsWith('{')) {
        const parsed = parseStrict(inner)
        if (isObject(parsed)) return parsed
      }
    }
    return undefined
  }
  if (
    !shape.byName.has('properties') &&
    isObject(object.properties) &&
    keys.every(key => key === 'properties' || key === 'type' || key === 'required' || key === 'title')
  ) {
    const inner = object.properties
    const values = Object.values(inner)
    if (
      values.length > 0 &&
      Object.keys(inner).every(key => shape.byName.has(key)) &&
      !values.some(value => isObject(value) && 'type' in value)
    )
      return inner
  }
  return undefined
}

/** The parameter that a key means, by its letters alone if need be. `object`: what else is given. */
export function parameterName(key: string, shape: ToolShape, object: JsonObject = {}): string | undefined {
  if (shape.byName.has(key)) return key
  const fold = foldWord(key)
  if (!fold) return undefined
  const same = shape.parameters.filter(parameter => foldWord(parameter.name) === fold)
  const only = same.length === 1 ? same[0] : undefined
  return only && !Object.hasOwn(object, only.name) ? only.name : undefined
}

/** The only parameter is an object, and what was written is that object itself. */
function wholeObject(
  value: JsonObject,
  shape: ToolShape,
  unknown: readonly string[],
  notes: Notes,
  place: Place,
): JsonObject | undefined {
  const only = shape.parameters.length === 1 ? shape.parameters[0] : undefined
  if (!only?.types.has('object') || only.types.size !== 1 || unknown.length === 0 || unknown.length !== Object.keys(value).length)
    return undefined
  notes.add('INPUT_TO_ONLY_PARAMETER', `The object is given to "${only.name}".`, place, 1)
  return Object.assign(emptyInput(), { [only.name]: bare(value) })
}

/** `<query>` as the query, or as the one element of a list: copied from a prompt. */
function isOwnName(value: JsonValue, name: string): boolean {
  if (Array.isArray(value)) return value.length === 1 && isOwnName(value[0] as JsonValue, name)
  if (typeof value !== 'string' || value.length > 80 || isLetterLike(value.charCodeAt(0))) return false
  const inner = /^\s{0,8}(?:<([^<>]{1,64})>|\{{1,2}([^{}]{1,64})\}{1,2}|\[([^[\]]{1,64})\])\s{0,8}$/.exec(value)
  return inner !== null && foldWord(inner[1] ?? inner[2] ?? inner[3] ?? '') === foldWord(name)
}

/** A letter, a digit or a mark that can't open a placeholder. */
function isLetterLike(code: number): boolean {
  return code > 32 && code < 127 && code !== 60 && code !== 91 && code !== 123
}

const ENVELOPES = new Set(['kwargs', 'args', 'arguments', 'parameters', 'params', 'input', 'actioninput', 'toolinput'])
