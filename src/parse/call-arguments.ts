// What stands in the brackets of a call, `f(…)` or `f[…]` → the tool's input. Clear forms only; a mixture is refused.
import { readJson } from './action-input.js'
import { fitText, fitValue } from './fit-input.js'
import { emptyInput, fitObject, type InputReading } from './fit-object.js'
import { readActionInput } from './input-text.js'
import { type Notes, type Place, quote, refuse } from './notes.js'
import { readScalar, splitTop, unquote } from './scalars.js'
import { isTextual, type ToolShape } from './tool-shape.js'

/** Reads the text between the brackets; `square` for `f[…]`, which holds one text. */
export function readCallArguments(
  inner: string,
  start: number,
  shape: ToolShape | undefined,
  square: boolean,
  notes: Notes,
): InputReading {
  const text = inner.trim()
  const from = start + inner.length - inner.trimStart().length
  const place: Place = { start: from, end: from + text.length }
  if (!text || (shape && shape.parameters.length === 0)) return readActionInput(inner, start, shape, notes)
  const ambiguous = () =>
    refuse('AMBIGUOUS_INPUT', 'The arguments of the call can be read in more than one way.', place, {
      ...(shape ? { tool: shape.name } : {}),
      quote: quote(text),
    })
  if (text.startsWith('{')) {
    const mark = notes.mark
    const read = readJson(text, from, notes, shape?.byName)
    if (read.ok && read.end === text.length) return fitValue(read.value, shape, place, notes)
    notes.rewind(mark)
    return readActionInput(inner, start, shape, notes)
  }
  // a quote that opens the text and does not pair up with its end: code, or text with quotes of its own
  if (!square && /^["']/.test(text) && splitTop(text).length === 1 && !isQuoted(text)) return ambiguous()
  const parts = splitTop(text).map(part => part.trim())
  const keyed = parts.map(part => keyword(part))
  if (keyed.every(pair => pair !== undefined)) {
    const known = !shape || keyed.every(pair => shape.byName.has(pair.key))
    if (known) {
      // what stands without quotes is a name or an expression in code: one may be a text, several can't be told, and a variable is none
      const bare = keyed.filter(pair => !isLiteral(pair.value))
      if (!square && (bare.length > 1 || bare.some(pair => isVariable(pair, shape)))) return ambiguous()
      const object = emptyInput()
      for (const pair of keyed) {
        if (Object.hasOwn(object, pair.key))
          return refuse('DUPLICATE_KEY', `The argument "${pair.key}" is written twice.`, place, { quote: pair.key })
        if (!isLiteral(pair.value)) {
          if ((square ? /["']/ : /["'()[\]{}]/).test(pair.value)) return ambiguous()
          notes.add('CALL_FORM', 'An argument stands without quotes.', place, 1)
        }
        object[pair.key] = readScalar(pair.value, shape?.byName.get(pair.key), place, notes)
      }
      return fitObject(object, shape, place, notes)
    }
    if (!square && keyed.every(pair => isLiteral(pair.value))) return ambiguous()
  }
  if (parts.length === 1) return readOne(text, place, shape, notes)
  if (parts.every(isLiteral)) return readPositional(parts, place, shape, notes) ?? ambiguous()
  // one unquoted text with commas in it goes to the only string parameter
  if (keyed.some(pair => pair !== undefined && (!shape || shape.byName.has(pair.key)))) return ambiguous()
  if (parts.some(part => /^["']/.test(part)) && !square) return ambiguous()
  const target = shape?.textParameter
  if (!shape || (target && isTextual(target) && (shape.parameters.length === 1 || square)))
    return fitText(text, shape, place, notes)
  return ambiguous()
}

function readOne(text: string, place: Place, shape: ToolShape | undefined, notes: Notes): InputReading {
  if (shape && !shape.textParameter && shape.required.length > 1) {
    return refuse('INVALID_INPUT', `${shape.name} needs more than one argument.`, place, {
      tool: shape.name,
      object: true,
      missing: shape.required.map(parameter => parameter.name),
      quote: quote(text),
    })
  }
  if (shape && shape.parameters.length > 1 && !isLiteral(text) && !shape.textParameter)
    return refuse('AMBIGUOUS_INPUT', 'Which parameter is meant?', place, { tool: shape.name, quote: quote(text) })
  if (isQuoted(text)) {
    const target = shape?.textParameter ?? shape?.parameters[0]
    const value = readScalar(text, target, place, notes)
    return typeof value === 'string' && !value.trim().startsWith('{')
      ? fitExact(value, shape, place, notes)
      : fitValue(value, shape, place, notes)
  }
  return readActionInput(text, place.start, shape, notes)
}

/** A quoted text is that text, even if it reads like "no value". */
function fitExact(value: string, shape: ToolShape | undefined, place: Place, notes: Notes): InputReading {
  const target = shape?.textParameter ?? shape?.parameters[0]
  if (!shape || !target) return fitText(value, shape, place, notes)
  return fitObject({ [target.name]: value }, shape, place, notes)
}

function readPositional(
  parts: readonly string[],
  place: Place,
  shape: ToolShape | undefined,
  notes: Notes,
): InputReading | undefined {
  if (!shape) return undefined
  if (parts.length > shape.parameters.length) return undefined
  const object = emptyInput()
  parts.forEach((part, index) => {
    const parameter = shape.parameters[index]
    if (parameter) object[parameter.name] = readScalar(part, parameter, place, notes)
  })
  notes.add('CALL_FORM', 'The arguments were taken in the order of the parameters.', place, 1)
  return fitObject(object, shape, place, notes)
}

interface Keyword {
  readonly key: string
  readonly assigned: boolean
  readonly value: string
}

function keyword(part: string): Keyword | undefined {
  const match = /^(?:["']([\p{L}\p{N}_-]{1,64})["']|([\p{L}_][\p{L}\p{N}_-]{0,63}))[ \t]{0,4}([=:])(?!=)/u.exec(part.slice(0, 90))
  if (!match) return undefined
  const value = part.slice(match[0].length).trim()
  // a URL or a time of day is no keyword
  if (match[3] === ':' && (value.startsWith('//') || /^\d\d\b/.test(value))) return undefined
  return value ? { key: (match[1] ?? match[2]) as string, assigned: match[3] === '=', value } : undefined
}

/** `query=last_result`: code that names a value which nobody knows here, unless it is one that the parameter lists. */
function isVariable({ key, assigned, value }: Keyword, shape: ToolShape | undefined): boolean {
  const known = shape?.byName.get(key)?.enum?.some(option => String(option).toLowerCase() === value.toLowerCase())
  return assigned && !known && /^[A-Za-z_]\w{0,63}(?:\.[A-Za-z_]\w{0,63}){0,8}$/.test(value)
}

function isQuoted(text: string): boolean {
  return unquote(text) !== text
}

function isLiteral(text: string): boolean {
  return (
    isQuoted(text) ||
    /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ||
    /^(?:true|false|none|null)$/i.test(text) ||
    (/^[[{]/.test(text) && /[\]}]$/.test(text))
  )
}
