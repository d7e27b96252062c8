// The text of an input → a plain JSON object for the tool, up a ladder: JSON, normalised JSON, JSON5, repair, key/value lines, plain text.
// Says which rung held, each repair with a cost. The only door to json5 and jsonrepair, both behind limits and a check that nothing got lost.
import JSON5 from 'json5'
import { jsonrepair } from 'jsonrepair'
import type { JsonObject, JsonValue } from '../core/json.js'
import type { ProblemCode } from '../core/reply.js'
import { coerce } from './coerce.js'
import { deepestNesting, scanJson } from './json-scan.js'
import { foldWord } from './labels.js'
import { type JsonRepair, normaliseJson } from './normalise-json.js'
import { type Notes, type Place, quote, type Refusal, refuse } from './notes.js'
import { isObject, isTextual, type ToolShape } from './tool-shape.js'
import { unfence } from './unfence.js'

export type InputReading = { readonly ok: true; readonly input: JsonObject } | Refusal

export type JsonReading = { readonly ok: true; readonly value: JsonValue; readonly end: number } | Refusal

const MAX_BYTES = 256 * 1024
const MAX_REPAIR = 8 * 1024
const MAX_DEPTH = 64

/** Reads what stands after an input label. `shape` is unset when no tools were given. `cut`: the endpoint broke the reply off in it. */
export function readActionInput(raw: string, start: number, shape: ToolShape | undefined, notes: Notes): InputReading {
  const trimmed = trimRange(raw)
  const text = raw.slice(trimmed.start, trimmed.end)
  const place: Place = { start: start + trimmed.start, end: start + trimmed.end }
  if (shape && shape.parameters.length === 0 && !isFilledObject(text)) {
    if (text && !EMPTY_INPUTS.has(text.toLowerCase()))
      notes.add('INPUT_IGNORED', `The tool takes no parameters; its input was left out.`, place, 0)
    return { ok: true, input: emptyInput() }
  }
  if (!text) return emptyFor(shape, place)
  if (text.length > MAX_BYTES) return refuse('INPUT_TOO_LARGE', 'The input is longer than 256 KiB.', place)
  const body = unfence(text)
  if (!body.kind && /^(?:```|~~~)/.test(text) && text.indexOf(text.slice(0, 3), 3) > 0)
    return refuse('AMBIGUOUS_INPUT', 'The input is a fence and more.', place, withTool(shape, text))
  if (body.open && !looksJson(body.text))
    return refuse('TRUNCATED', 'A fence around the input is still open at the end.', place, { quote: quote(text) })
  if (body.kind) notes.add('INPUT_FENCED', `The input stands in ${body.kind === 'fence' ? 'a fence' : 'a tag'}.`, place, 0)
  return readBody(body.text, place.start + body.offset, shape, notes, body.kind === 'fence' || body.kind === 'tag')
}

/** Reads one JSON value at the beginning of `text`; what follows it is the caller's to judge. */
export function readJson(text: string, start: number, keys: ReadonlySet<string>, notes: Notes): JsonReading {
  const opens = text.charAt(0)
  const bracket = opens === '{' || opens === '[' || opens === '｛'
  const found = bracket ? scanJson(text, 0, text.length) : { end: text.length, closed: true, inString: false, depth: 0 }
  let end = found.end
  if (bracket && found.closed) {
    const piece = text.slice(0, end)
    const read = readPiece(piece, start, keys, notes)
    if (read.ok || end === text.length || read.code === 'DUPLICATE_KEY' || read.code === 'INPUT_TOO_LARGE')
      return read.ok ? { ...read, end } : read
  }
  if (bracket && !found.closed && found.end < text.length) end = text.length
  end = text.length
  const read = readPiece(text.slice(0, end).trimEnd(), start, keys, notes)
  return read.ok ? { ...read, end } : read
}

/** Fits an object to a tool: envelopes, folded keys, types, required and forbidden keys. */
export function fitObject(value: JsonObject, shape: ToolShape | undefined, place: Place, notes: Notes): InputReading {
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
      })
    if (fitted.change)
      notes.add(
        fitted.change === 'enum' ? 'INPUT_ENUM_FOLDED' : 'INPUT_COERCED',
        `"${parameter.name}" was turned into what the tool wants.`,
        place,
        1,
      )
    input[parameter.name] = bare(fitted.value)
  }
  return { ok: true, input }
}

/** Gives plain text to the parameter that takes text. */
export function fitText(text: string, shape: ToolShape | undefined, place: Place, notes: Notes): InputReading {
  if (!shape) return { ok: true, input: Object.assign(emptyInput(), { input: text }) }
  const target = shape.textParameter
  if (!target) {
    const missing = shape.required.map(parameter => parameter.name)
    return refuse('INVALID_INPUT', `${shape.name} takes several parameters, so its input must be an object.`, place, {
      tool: shape.name,
      missing,
      quote: quote(text),
    })
  }
  if (target.required && NO_VALUE.has(text.toLowerCase()))
    return refuse('MISSING_INPUT', `${shape.name} needs "${target.name}".`, place, { tool: shape.name, missing: [target.name] })
  if (target.required && ELLIPSIS.has(text))
    return refuse('MISSING_INPUT', `${shape.name} needs "${target.name}".`, place, { tool: shape.name, missing: [target.name] })
  if (/^[<[{][^\n]{1,64}[>\]}]$/.test(text) && shape.byName.has(text.slice(1, -1).trim()))
    return refuse('PLACEHOLDER', 'The input is a placeholder.', place, { tool: shape.name, quote: quote(text) })
  const fitted = coerce(text, target, true)
  if (!fitted.ok)
    return refuse('INVALID_INPUT', `"${target.name}" must be ${fitted.wanted}.`, place, {
      tool: shape.name,
      parameter: target.name,
      wanted: fitted.wanted,
      quote: quote(text),
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

function readBody(text: string, start: number, shape: ToolShape | undefined, notes: Notes, boxed: boolean): InputReading {
  const tagged = /^json\s{0,8}(?=[{[])/i.exec(text.slice(0, 16))
  // repair: a language tag without its fence
  if (tagged) return readBody(text.slice(tagged[0].length), start + tagged[0].length, shape, notes, boxed)
  const place: Place = { start, end: start + text.length }
  const first = text.charAt(0)
  const single = shape?.textParameter
  if (first === '{' || first === '｛' || first === '[') {
    const mark = notes.mark
    const read = readJson(text, start, keysOf(shape), notes)
    if (read.ok) {
      const rest = text.slice(read.end)
      const after = restOf(rest)
      if (first === '[' && single && isTextual(single) && !isArgumentList(read.value) && (after || !Array.isArray(read.value))) {
        notes.rewind(mark)
        return fitText(text, shape, place, notes)
      }
      if (after.startsWith('{') || after.startsWith('｛'))
        return refuse('AMBIGUOUS_INPUT', 'Two argument objects stand here for one call.', place, withTool(shape, text))
      if (first === '[' && !single?.types.has('array') && notes.since(mark).some(problem => problem.code === 'INPUT_CLOSED'))
        return refuse('TRUNCATED', 'A bracket around the input is still open at the end.', place, withTool(shape, text))
      if (after)
        notes.add('TEXT_AFTER_CALL', 'Text after the input was left out.', { start: start + read.end, end: place.end }, 0)
      const fitted = fitValue(read.value, shape, { start, end: start + read.end }, notes)
      if (fitted.ok || !after) return fitted
      return fitted
    }
    if (read.code === 'DUPLICATE_KEY' || read.code === 'INPUT_TOO_LARGE') return read
    // `{plain text}` is text for a string, `{parameter …` is an object that nobody could read
    const objectLike =
      namesParameter(text, shape) ||
      /^[{[｛]\s*["'“]/.test(text.slice(0, 12)) ||
      first === '｛' ||
      /^\[\s*\{/.test(text.slice(0, 12))
    if (objectLike || !single || !isTextual(single)) return { ...read, data: { ...withTool(shape, text), ...read.data } }
    notes.rewind(mark)
    if (first === '{' && shape && !objectLike && !text.endsWith('}') && text.indexOf('}') < 0)
      return refuse('TRUNCATED', 'A brace around the input is still open at the end.', place, withTool(shape, text))
    return fitText(text, shape, place, notes)
  }
  if (first === '"' || first === '“') {
    const quoted = readQuoted(text, start, shape, notes)
    if (quoted) return quoted
  }
  if (shape && !boxed) {
    const lines = readLines(text, shape, place, notes)
    if (lines) return lines
  }
  if (boxed) return fitText(text, shape, place, notes)
  if (shape && holdsArguments(text, shape))
    return refuse('AMBIGUOUS_INPUT', 'Text stands around what may be the arguments.', place, withTool(shape, text))
  if (text.startsWith('|\n'))
    return refuse('AMBIGUOUS_INPUT', 'The input begins like a YAML block.', place, withTool(shape, text))
  const block = tripleQuoted(text)
  if (block !== undefined) {
    notes.add('INPUT_UNQUOTED', 'Quotes around the input were taken off.', place, 0)
    return fitText(block, shape, place, notes)
  }
  const bareText = unquote(text)
  if (bareText !== text) {
    if (shape && NO_VALUE.has(bareText.toLowerCase()) && isTextual(single ?? NO_PARAMETER))
      return Object.freeze(fitString(bareText, shape, place, notes))
    const inner = bareText.trim()
    if (inner.startsWith('{') && (shape === undefined || namesParameter(inner, shape))) {
      const mark = notes.mark
      const read = readJson(inner, start + 1, keysOf(shape), notes)
      if (read.ok && isObject(read.value) && !restOf(inner.slice(read.end))) {
        notes.add('INPUT_UNWRAPPED', 'The arguments were JSON within a string.', place, 1)
        return fitObject(read.value, shape, place, notes)
      }
      notes.rewind(mark)
    }
    notes.add('INPUT_UNQUOTED', 'Quotes around the input were taken off.', place, 0)
    return fitText(bareText, shape, place, notes)
  }
  if ((first === '"' || first === "'" || first === '“') && !closesLater(text))
    return refuse('TRUNCATED', 'A quote around the input is still open at the end.', place, withTool(shape, text))
  return fitText(bareText, shape, place, notes)
}

/** A quoted word that reads like "no value" is a value all the same. */
function fitString(text: string, shape: ToolShape, place: Place, notes: Notes): InputReading {
  const target = shape.textParameter
  if (!target) return fitText(text, shape, place, notes)
  notes.add('INPUT_UNQUOTED', 'Quotes around the input were taken off.', place, 0)
  return { ok: true, input: Object.assign(emptyInput(), { [target.name]: text }) }
}

/** A whole input in double quotes: a JSON string, perhaps with JSON inside. */
function readQuoted(text: string, start: number, shape: ToolShape | undefined, notes: Notes): InputReading | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'string') return undefined
  const place = { start, end: start + text.length }
  const inner = value.trim()
  if (inner.startsWith('{') && (!shape || namesParameter(inner, shape))) return fitValue(value, shape, place, notes)
  notes.add('INPUT_UNQUOTED', 'Quotes around the input were taken off.', place, 0)
  if (shape && NO_VALUE.has(inner.toLowerCase())) return fitString(value, shape, place, notes)
  return inner ? fitText(value, shape, place, notes) : emptyFor(shape, place)
}

function readPiece(
  piece: string,
  start: number,
  keys: ReadonlySet<string>,
  notes: Notes,
): { ok: true; value: JsonValue } | Refusal {
  const place: Place = { start, end: start + piece.length }
  if (piece.length > MAX_BYTES) return refuse('INPUT_TOO_LARGE', 'The input is longer than 256 KiB.', place)
  if (deepestNesting(piece) > MAX_DEPTH)
    return refuse('INPUT_TOO_LARGE', `The input nests deeper than ${MAX_DEPTH} levels.`, place)
  const strict = parseStrict(piece)
  if (strict !== undefined && pairsIn(piece) === pairsOf(strict) && !DRIVE.test(piece) && !hugeNumber(piece))
    return { ok: true, value: strict }
  const normal = normaliseJson(piece, keys)
  if (normal.ok) {
    const value = parseStrict(normal.json)
    if (value !== undefined) {
      noteRepairs(normal.repairs, place, notes)
      return { ok: true, value }
    }
  }
  const code: ProblemCode = normal.ok ? 'BROKEN_INPUT' : normal.code
  const message = normal.ok ? 'The input is not JSON.' : normal.message
  const at = normal.ok ? 0 : normal.at
  const broken = refuse(code, message, place, { quote: quote(piece.slice(Math.max(0, at - 30), at + 50)) })
  if (strict !== undefined && code !== 'DUPLICATE_KEY') return { ok: true, value: strict }
  if (normal.ok || normal.final) return broken
  return byLibrary(piece, place, notes) ?? broken
}

/** The last rungs. Both libraries drop what they don't understand, so the letters and digits must be the same before and after. */
function byLibrary(piece: string, place: Place, notes: Notes): { ok: true; value: JsonValue } | undefined {
  if (piece.length > MAX_REPAIR) return undefined
  const doubled = piece.replace(/\\(?!["\\/bfnrtu])/g, '\\\\')
  try {
    const value: JsonValue = JSON5.parse(doubled)
    if (sameContent(doubled, value)) {
      notes.add('INPUT_JSON5', 'The input was read as JSON5.', place, 1)
      return { ok: true, value }
    }
  } catch {
    // the next rung
  }
  try {
    const value: JsonValue = JSON.parse(jsonrepair(doubled))
    if (sameContent(doubled, value)) {
      notes.add('INPUT_REPAIRED', 'The input was repaired by guessing.', place, 3)
      return { ok: true, value }
    }
  } catch {
    // nothing held
  }
  return undefined
}

function sameContent(text: string, value: JsonValue): boolean {
  return letters(text) === letters(JSON.stringify(value))
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function noteRepairs(repairs: ReadonlySet<JsonRepair>, place: Place, notes: Notes): void {
  for (const repair of repairs) {
    const [code, cost, message] = REPAIRS[repair]
    notes.add(code, message, place, cost)
  }
}

/** `key: value` lines or `key=value` pairs, only when every key is a parameter. */
function readLines(text: string, shape: ToolShape, place: Place, notes: Notes): InputReading | undefined {
  const head = /^["'`]?([\w.-]{1,64})["'`]?[ \t]{0,4}[:=：]/.exec(text.slice(0, 90))
  if (!head || !shape.byName.has(head[1] as string)) return undefined
  const lines = text.split('\n').filter(line => line.trim())
  const pairs =
    lines.length > 1 || !/[=:].*,\s*\w+\s*[=:]/.test(text.slice(0, 2000)) ? lines.map(splitPair) : splitTop(text).map(splitPair)
  const object: Record<string, JsonValue> = emptyInput() as Record<string, JsonValue>
  for (const pair of pairs) {
    if (!pair || !shape.byName.has(pair.key)) {
      // a text for the only parameter may well begin like a pair; with several parameters nobody knows
      return shape.textParameter && shape.parameters.length === 1
        ? undefined
        : refuse('AMBIGUOUS_INPUT', 'Only a part of the input reads as "key: value".', place, withTool(shape, text))
    }
    if (Object.hasOwn(object, pair.key))
      return refuse('DUPLICATE_KEY', `The key "${pair.key}" is written twice.`, place, { tool: shape.name, quote: pair.key })
    object[pair.key] = readScalar(pair.value, shape.byName.get(pair.key), place, notes)
  }
  notes.add('INPUT_LINES', 'The input was read from "key: value" pairs.', place, 1)
  return fitObject(object, shape, place, notes)
}

export interface Pair {
  readonly key: string
  readonly value: string
}

/** `key: value` or `key=value`; undefined when it is neither. */
export function splitPair(text: string): Pair | undefined {
  const match = /^["'`]?([\w.-]{1,64})["'`]?[ \t]{0,4}[:=：]/.exec(text.trim().slice(0, 90))
  if (!match) return undefined
  return { key: match[1] as string, value: text.trim().slice(match[0].length).trim().replace(/,$/, '') }
}

/** Splits at commas outside quotes and brackets. */
export function splitTop(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quoted = ''
  let before = ','
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    if (quoted) {
      if (char === '\\') i++
      else if (char === quoted) quoted = ''
    } else if (char === '"' || (char === "'" && ',=:[({'.includes(before))) quoted = char
    else if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth--
    else if (char === ',' && depth <= 0) {
      parts.push(text.slice(from, i))
      from = i + 1
    }
    if (char !== ' ') before = char
  }
  parts.push(text.slice(from))
  return parts
}

/** One written value: quoted, a literal, a list or object, or plain text. */
export function readScalar(
  text: string,
  parameter: { readonly types: ReadonlySet<string> } | undefined,
  place: Place,
  notes: Notes,
): JsonValue {
  const trimmed = text.trim()
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) {
    const mark = notes.mark
    const read = readJson(trimmed, place.start, NO_KEYS, notes)
    if (read.ok && read.end === trimmed.length) return read.value
    notes.rewind(mark)
  }
  const bareText = unquote(trimmed)
  if (bareText !== trimmed) return decodeEscapes(bareText)
  const literal = LITERAL[trimmed]
  if (literal !== undefined && !(parameter?.types.has('string') && trimmed !== 'None' && trimmed !== 'null')) return literal
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(trimmed) && !parameter?.types.has('string')) return Number(trimmed)
  return trimmed
}

/** Takes one pair of quotes off when the same quote does not stand unescaped inside. */
export function unquote(text: string): string {
  const first = text.charAt(0)
  const close = first === '“' ? '”' : first === '‘' ? '’' : first
  if (text.length < 2 || !'"\'`“‘'.includes(first) || !text.endsWith(close)) return text
  const inner = text.slice(1, -1)
  for (let i = 0; i < inner.length; i++) {
    if (inner[i] === '\\') i++
    else if (inner[i] === close || inner[i] === first) return text
  }
  if (inner.endsWith('\\') && !inner.endsWith('\\\\')) return text
  return inner.includes('\\') ? inner.split(`\\${close}`).join(close) : inner
}

function decodeEscapes(text: string): string {
  return text.includes('\\')
    ? text.replace(/\\([nt"'\\])/g, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char))
    : text
}

function closesLater(text: string): boolean {
  const close = text.startsWith('“') ? '”' : text.charAt(0)
  return text.indexOf(close, 1) > 0
}

function parseStrict(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

/** How many `key:` pairs stand in strict JSON text; when the value has fewer, a key was written twice. */
function pairsIn(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 34) {
      for (i++; i < text.length; i++) {
        const inner = text.charCodeAt(i)
        if (inner === 92) i++
        else if (inner === 34) break
      }
    } else if (code === 58) count++
  }
  return count
}

function pairsOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const element of value as readonly JsonValue[]) count += pairsOf(element)
  else for (const key of Object.keys(value)) count += 1 + pairsOf((value as JsonObject)[key] as JsonValue)
  return count
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
    })
  notes.add('INPUT_TO_ONLY_PARAMETER', `The value is given to "${target.name}".`, place, fitted.change ? 1 : 0)
  return { ok: true, input: Object.assign(emptyInput(), { [target.name]: bare(fitted.value) }) }
}

function emptyFor(shape: ToolShape | undefined, place: Place): InputReading {
  if (shape && shape.required.length > 0) {
    const missing = shape.required.map(parameter => parameter.name)
    return refuse('MISSING_INPUT', `${shape.name} needs ${missing.map(name => `"${name}"`).join(', ')}.`, place, {
      tool: shape.name,
      missing,
    })
  }
  return { ok: true, input: emptyInput() }
}

/** The text begins like an object whose first key is one of the tool's parameters. */
function namesParameter(text: string, shape: ToolShape | undefined): boolean {
  const match = /^[{｛"\\\s]{1,12}["'“\\]{0,4}\s{0,4}([\w.-]{1,64})/.exec(text.slice(0, 90))
  return match !== null && shape?.byName.has(match[1] as string) === true
}

/** An object of arguments, or a call of the tool itself, within other text. */
function holdsArguments(text: string, shape: ToolShape): boolean {
  if (text.startsWith(`${shape.name}(`) && text.endsWith(')')) return true
  for (let brace = text.indexOf('{'); brace >= 0; brace = text.indexOf('{', brace + 1)) {
    const key = /^\{\s{0,8}["']([\w.-]{1,64})["']\s{0,4}:/.exec(text.slice(brace, brace + 90))?.[1]
    if (key !== undefined && shape.byName.has(key)) return true
  }
  return false
}

/** The text between triple quotes around all of it. */
function tripleQuoted(text: string): string | undefined {
  const mark = text.slice(0, 3)
  if ((mark !== '"""' && mark !== "'''") || text.length < 7 || !text.endsWith(mark)) return undefined
  const inner = text.slice(3, -3)
  return inner.includes(mark) ? undefined : inner.replace(/^\n/, '').trimEnd()
}

function isArgumentList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 0 && isObject(value[0])
}

function isFilledObject(text: string): boolean {
  return text.startsWith('{') && text.length > 2 && text.slice(1, -1).trim() !== '' && parseStrict(text) !== undefined
}

function looksJson(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[')
}

/** What stands after a value, without a closing fence, quote or bracket that belongs to it. */
function restOf(text: string): string {
  return text.replace(/^[\s`)\]*;,]+/, '').trim()
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
    if (FORBIDDEN.has(key)) return key
    const bad = forbiddenKey((value as JsonObject)[key] as JsonValue, depth + 1)
    if (bad) return bad
  }
  return undefined
}

/** A copy whose objects have no prototype. */
export function bare(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(bare)
  const copy = emptyInput() as Record<string, JsonValue>
  for (const key of Object.keys(value)) copy[key] = bare((value as JsonObject)[key] as JsonValue)
  return copy
}

function emptyInput(): JsonObject {
  return Object.create(null) as JsonObject
}

function trimRange(text: string): { start: number; end: number } {
  const start = text.length - text.trimStart().length
  return { start, end: Math.max(start, text.trimEnd().length) }
}

function withTool(shape: ToolShape | undefined, text: string): JsonObject {
  return { ...(shape ? { tool: shape.name } : {}), quote: quote(text) }
}

/** A number that JavaScript can't hold exactly. */
function hugeNumber(text: string): boolean {
  return /[:[,]\s{0,8}-?\d{16,}/.test(text)
}

const DRIVE = /"[A-Za-z]:\\[^\\"]/
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])
const ENVELOPES = new Set(['kwargs', 'args', 'arguments', 'parameters', 'params', 'input', 'actioninput', 'toolinput'])
const EMPTY_INPUTS = new Set([
  'none',
  'null',
  '{}',
  '()',
  '[]',
  'n/a',
  '""',
  "''",
  'no input',
  'no input required',
  'no input needed',
  'empty',
])
const NO_VALUE = new Set(['none', 'null', 'n/a', 'undefined', 'nil', '{}', '()'])
const ELLIPSIS = new Set(['...', '…', '<...>', '[...]', '{...}'])
const NO_KEYS: ReadonlySet<string> = new Set()
const NO_PARAMETER = { name: '', types: new Set<never>(), required: false, items: new Set<never>() }
const LITERAL: { readonly [word: string]: JsonValue | undefined } = {
  true: true,
  false: false,
  True: true,
  False: false,
  None: null,
  null: null,
}
const REPAIRS: { readonly [repair in JsonRepair]: readonly [ProblemCode, number, string] } = {
  quotes: ['INPUT_JSON5', 0, 'Strings were in other quotes than JSON has.'],
  literals: ['INPUT_JSON5', 0, "Python's True, False or None was read as JSON's."],
  punctuation: ['INPUT_REPAIRED', 0, 'Full-width punctuation was read as plain.'],
  comma: ['INPUT_REPAIRED', 1, 'A comma was missing or one too many.'],
  comments: ['INPUT_JSON5', 0, 'A comment was left out.'],
  unquoted: ['INPUT_JSON5', 0, 'A key had no quotes.'],
  unquoted_value: ['INPUT_REPAIRED', 2, 'A text value had no quotes.'],
  newlines: ['INPUT_ESCAPES', 0, 'A string held raw line breaks or tabs.'],
  inner_quotes: ['INPUT_INNER_QUOTES', 2, 'A string held quotes that were not escaped.'],
  escapes: ['INPUT_ESCAPES', 1, "An escape that JSON doesn't know kept its backslash."],
  path: ['INPUT_ESCAPES', 1, 'The backslashes of a path were taken as they stand.'],
  closed: ['INPUT_CLOSED', 1, 'Missing closing brackets were added.'],
  repeated_key: ['INPUT_REPAIRED', 1, 'A key was written twice with the same value.'],
}
