// A value or a text, and the shape of a tool → the tool's input, or what is wrong with it. Envelopes, folded keys, types, required and forbidden keys.

import { isObject, type JsonObject, type JsonValue } from '../core/json.js'
import { MAX_DEPTH, NO_KEYS, parseStrict, readJson } from './action-input.js'
import { coerce } from './coerce.js'
import { foldWord } from './labels.js'
import { type Notes, type Place, quote, type Refusal, refuse } from './notes.js'
import { FORBIDDEN_KEYS, isTextual, type ParameterShape, type ToolShape } from './tool-shape.js'

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
  const input = emptyInput() as Record<string, JsonValue>
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
    if (!fitted.ok)
      return refuse('INVALID_INPUT', `"${parameter.name}" must be ${fitted.wanted}.`, place, {
        tool: shape.name,
        parameter: parameter.name,
        wanted: fitted.wanted,
        got: quote(JSON.stringify(input[parameter.name])),
      })
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

function isExact(given: JsonValue, parameter: ParameterShape): boolean {
  if (given === null) return !parameter.required || parameter.types.has('null')
  if (typeof given === 'string' && !parameter.enum) return isTextual(parameter)
  const fitted = coerce(given, parameter)
  return fitted.ok && !fitted.change && fitted.value === given
}

/** Gives plain text to the parameter that takes text. */
export function fitText(text: string, shape: ToolShape | undefined, place: Place, notes: Notes): InputReading {
  if (!shape) return { ok: true, input: Object.assign(emptyInput(), { input: text }) }
  const target = shape.textParameter
  if (!target) {
    const missing = shape.required.map(parameter => parameter.name)
    return refuse('INVALID_INPUT', `${shape.name} takes several parameters, so its input must be an object.`, place, {
      tool: shape.name,
      object: true,
      missing,
      quote: quote(text),
    })
  }
  if (target.required && (NO_VALUE.has(text.toLowerCase()) || ELLIPSIS.has(text)))
    return refuse('MISSING_INPUT', `${shape.name} needs "${target.name}".`, place, { tool: shape.name, missing: [target.name] })
  if (/^[<[{][^\n]{1,64}[>\]}]$/.test(text) && shape.byName.has(text.slice(1, -1).trim()))
    return refuse('PLACEHOLDER', 'The input is a placeholder.', place, { tool: shape.name, quote: quote(text) })
  const fitted = coerce(text, target, true)
  if (!fitted.ok)
    return refuse('INVALID_INPUT', `"${target.name}" must be ${fitted.wanted}.`, place, {
      tool: shape.name,
      parameter: target.name,
      wanted: fitted.wanted,
      got: quote(text),
    })
  notes.add('INPUT_TO_ONLY_PARAMETER', `Plain text is given to "${target.name}".`, place, fitted.change === 'enum' ? 1 : 0)
  return { ok: true, input: Object.assign(emptyInput(), { [target.name]: bare(fitted.value) }) }
}

/** Any value that was given as the input of a tool. */
export function fitValue(value: JsonValue, shape: ToolShape | undefined, place: Place, notes: Notes): InputReading {
  if (isObject(value)) return fitObject(value, shape, place, notes)
  if (typeof value === 'string') {
    const inner = value.trim()
    // repair: the arguments as JSON within a string
    if (
      (inner.startsWith('{') || inner.startsWith('"{')) &&
      !(shape?.textParameter && isTextual(shape.textParameter) && shape.parameters.length === 1 && !namesParameter(inner, shape))
    ) {
      const mark = notes.mark
      const read = readJson(inner, place.start, keysOf(shape), notes)
      if (read.ok && isObject(read.value)) {
        notes.add('INPUT_UNWRAPPED', 'The arguments were JSON within a string.', place, 1)
        return fitObject(read.value, shape, place, notes)
      }
      notes.rewind(mark)
    }
    if (shape && shape.parameters.length === 0) return { ok: true, input: emptyInput() }
    if (!inner) return emptyFor(shape, place)
    return fitText(value, shape, place, notes)
  }
  if (value === null) return emptyFor(shape, place)
  if (Array.isArray(value)) return fitArray(value, shape, place, notes)
  if (!shape) return { ok: true, input: Object.assign(emptyInput(), { input: value }) }
  return fitSingle(value, shape, place, notes)
}

/** The names of a tool's parameters. */
export function keysOf(shape: ToolShape | undefined): ReadonlySet<string> {
  return shape ? (shape.byName as ReadonlyMap<string, unknown> as unknown as ReadonlySet<string>) : NO_KEYS
}

/** The text begins like an object whose first key is one of the tool's parameters. */
export function namesParameter(text: string, shape: ToolShape | undefined): boolean {
  const match = /^[{｛"\\\s]{1,12}["'“\\]{0,4}\s{0,4}([\p{L}\p{N}_.-]{1,64})/u.exec(text.slice(0, 90))
  return match !== null && shape?.byName.has(match[1] as string) === true
}

export function emptyFor(shape: ToolShape | undefined, place: Place): InputReading {
  if (shape && shape.required.length > 0) {
    const missing = shape.required.map(parameter => parameter.name)
    return refuse('MISSING_INPUT', `${shape.name} needs ${missing.map(name => `"${name}"`).join(', ')}.`, place, {
      tool: shape.name,
      missing,
    })
  }
  return { ok: true, input: emptyInput() }
}

export function emptyInput(): JsonObject {
  return Object.create(null) as JsonObject
}

export function withTool(shape: ToolShape | undefined, text: string): JsonObject {
  return { ...(shape ? { tool: shape.name } : {}), quote: quote(text) }
}

/** A copy whose objects have no prototype. */
export function bare(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(bare)
  const copy = emptyInput() as Record<string, JsonValue>
  for (const key of Object.keys(value)) copy[key] = bare((value as JsonObject)[key] as JsonValue)
  return copy
}

function fitArray(value: readonly JsonValue[], shape: ToolShape | undefined, place: Place, notes: Notes): InputReading {
  const only = value.length === 1 ? value[0] : undefined
  const target = shape?.textParameter
  if (isObject(only) && !(target?.types.has('array') && !shape?.byName.has(Object.keys(only)[0] ?? ''))) {
    notes.add('INPUT_UNWRAPPED', 'The arguments stood in a list of one.', place, 1)
    return fitObject(only, shape, place, notes)
  }
  if (!shape) return { ok: true, input: Object.assign(emptyInput(), { input: bare(value as JsonValue) }) }
  if (value.length === 0 && shape.required.length === 0) return { ok: true, input: emptyInput() }
  return fitSingle(value as JsonValue, shape, place, notes)
}

function fitSingle(value: JsonValue, shape: ToolShape, place: Place, notes: Notes): InputReading {
  const target = shape.textParameter
  if (!target)
    return refuse('INVALID_INPUT', `${shape.name} takes several parameters, so its input must be an object.`, place, {
      tool: shape.name,
      object: true,
      missing: shape.required.map(parameter => parameter.name),
    })
  const bad = forbiddenKey(value)
  if (bad) return refuse('FORBIDDEN_KEY', `The key "${bad}" is not allowed.`, place, { tool: shape.name, quote: bad })
  const asText = typeof value === 'number' || typeof value === 'boolean' ? isTextual(target) && target.types.size > 0 : false
  const fitted = coerce(asText ? String(value) : value, target)
  if (!fitted.ok)
    return refuse('INVALID_INPUT', `"${target.name}" must be ${fitted.wanted}.`, place, {
      tool: shape.name,
      parameter: target.name,
      wanted: fitted.wanted,
      got: quote(JSON.stringify(value)),
    })
  notes.add('INPUT_TO_ONLY_PARAMETER', `The value is given to "${target.name}".`, place, fitted.change ? 1 : 0)
  return { ok: true, input: Object.assign(emptyInput(), { [target.name]: bare(fitted.value) }) }
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

function parameterName(key: string, shape: ToolShape, object: JsonObject): string | undefined {
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

function forbiddenKey(value: JsonValue, depth = 0): string | undefined {
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

const ENVELOPES = new Set(['kwargs', 'args', 'arguments', 'parameters', 'params', 'input', 'actioninput', 'toolinput'])
export const NO_VALUE = new Set(['none', 'null', 'n/a', 'undefined', 'nil', '{}', '()'])
const ELLIPSIS = new Set(['...', '…', '<...>', '[...]', '{...}'])
