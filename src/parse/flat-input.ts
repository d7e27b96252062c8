// JSON text of one object, and a tool → its input, when the object is flat, its keys are the tool's parameters and its values, of the right types,
// are short plain texts, whole numbers, true or false; undefined for any other text. Most inputs are such, and are read here in a third of the time
// that JSON.parse, the look for what it does not say, the check of the types and the copy without a prototype take together.
import type { JsonObject, JsonValue } from '../core/json.js'
import type { ParameterShape, ToolShape } from './tool-shape.js'

/** Reads `text[start, end)`. Escapes, keys written twice, numbers that need care and texts that may be placeholders are left to others. */
export function readFlatInput(text: string, start: number, end: number, shape: ToolShape): JsonObject | undefined {
  if (end - start > LONGEST) return undefined
  const input = Object.create(null) as Record<string, JsonValue>
  let required = 0
  let at = skipSpace(text, start + 1)
  while (text.charCodeAt(at) === QUOTE) {
    const parameter = parameterAt(text, at + 1, shape)
    if (!parameter || parameter.name in input || parameter.enum) return undefined
    const colon = skipSpace(text, at + parameter.name.length + 2)
    if (text.charCodeAt(colon) !== COLON) return undefined
    const from = skipSpace(text, colon + 1)
    const to = scalarEnd(text, from, parameter)
    if (to < 0) return undefined
    input[parameter.name] = scalarAt(text, from, to)
    if (parameter.required) required++
    at = skipSpace(text, to)
    if (text.charCodeAt(at) === CLOSE) return at + 1 === end && required === shape.required.length ? input : undefined
    if (text.charCodeAt(at) !== COMMA) return undefined
    at = skipSpace(text, at + 1)
  }
  return undefined
}

/** The parameter whose name stands at `at`, up to a quote. */
function parameterAt(text: string, at: number, shape: ToolShape): ParameterShape | undefined {
  if (!shape.plainKeys) return undefined
  for (const parameter of shape.parameters) {
    const { name } = parameter
    if (text.charCodeAt(at + name.length) === QUOTE && text.startsWith(name, at)) return parameter
  }
  return undefined
}

/** Behind the value at `from`; -1 when none stands there that the parameter takes as it is. */
function scalarEnd(text: string, from: number, { types }: ParameterShape): number {
  const code = text.charCodeAt(from)
  if (code === QUOTE) return types.has('string') ? textEnd(text, from) : -1
  if (code === MINUS || isDigit(code)) return types.has('integer') || types.has('number') ? integerEnd(text, from) : -1
  const word = code === 116 ? 'true' : 'false'
  return types.has('boolean') && text.startsWith(word, from) ? from + word.length : -1
}

function scalarAt(text: string, from: number, to: number): JsonValue {
  const code = text.charCodeAt(from)
  if (code === QUOTE) return text.slice(from + 1, to - 1)
  return code === MINUS || isDigit(code) ? Number(text.slice(from, to)) : code === 116
}

/** Behind the text in quotes at `at`; -1 when it has escapes or control characters, or begins like a placeholder. */
function textEnd(text: string, at: number): number {
  const first = text.charCodeAt(at + 1)
  if (first <= 32 || first > 126 || first === 60 || first === 91 || first === 123) return -1
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) return i + 1
    if (code === BACKSLASH || code < 32) return -1
  }
  return -1
}

function integerEnd(text: string, from: number): number {
  const first = text.charCodeAt(from) === MINUS ? from + 1 : from
  let i = first
  while (isDigit(text.charCodeAt(i))) i++
  const digits = i - first
  const next = text.charCodeAt(i)
  const plain = digits > 0 && digits < 16 && !(digits > 1 && text.charCodeAt(first) === 48) && next !== 46 && (next | 32) !== 101
  return plain ? i : -1
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function skipSpace(text: string, from: number): number {
  let i = from
  for (let code = text.charCodeAt(i); code === 32 || code === 10 || code === 13 || code === 9; code = text.charCodeAt(i)) i++
  return i
}

const LONGEST = 400
const CLOSE = 125
const QUOTE = 34
const COLON = 58
const COMMA = 44
const MINUS = 45
const BACKSLASH = 92
