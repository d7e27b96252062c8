// A value of any kind, or a text, and the shape of a tool → the tool's input, or what is wrong with it. What is no object goes to the one parameter that
// can take it.
import { isObject, type JsonObject, type JsonValue } from '../core/json.js'
import { readJson } from './action-input.js'
import { coerce } from './coerce.js'
import { bare, emptyInput, fitObject, forbiddenKey, type InputReading, wrongType } from './fit-object.js'
import { type Notes, type Place, quote, type Refusal, refuse } from './notes.js'
import { isTextual, type ToolShape } from './tool-shape.js'

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
  if (!fitted.ok) return wrongType(shape, target, fitted.wanted, text, place)
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
      const read = readJson(inner, place.start, notes, shape?.byName)
      if (read.ok && isObject(read.value) && !restOf(inner.slice(read.end))) {
        notes.add('INPUT_UNWRAPPED', 'The arguments were JSON within a string.', place, 1)
        return fitObject(read.value, shape, place, notes)
      }
      notes.rewind(mark)
      // what was meant as arguments is no text
      if (namesParameter(inner, shape)) return read.ok ? surrounded(inner, shape, place) : { ...read, place }
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

/** What stands after a value, without a closing fence, quote or bracket that belongs to it. */
export function restOf(text: string): string {
  return text.replace(/^[\s`)\]*;,]+/, '').trim()
}

export function surrounded(text: string, shape: ToolShape | undefined, place: Place): Refusal {
  return refuse('AMBIGUOUS_INPUT', 'Text stands around what may be the arguments.', place, withTool(shape, text))
}

export function withTool(shape: ToolShape | undefined, text: string): JsonObject {
  return { ...(shape ? { tool: shape.name } : {}), quote: quote(text) }
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
  if (!fitted.ok) return wrongType(shape, target, fitted.wanted, JSON.stringify(value), place)
  notes.add('INPUT_TO_ONLY_PARAMETER', `The value is given to "${target.name}".`, place, fitted.change ? 1 : 0)
  return { ok: true, input: Object.assign(emptyInput(), { [target.name]: bare(fitted.value) }) }
}

export const NO_VALUE = new Set(['none', 'null', 'n/a', 'undefined', 'nil', '{}', '()'])
const ELLIPSIS = new Set(['...', '…', '<...>', '[...]', '{...}'])
