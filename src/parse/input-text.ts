// The text of an input → the tool's input: JSON where it looks like JSON, `key: value` lines where all keys are parameters, plain text otherwise.
import { isObject, type JsonValue } from '../core/json.js'
import { MAX_BYTES, parseStrict, readJson } from './action-input.js'
import { emptyFor, fitText, fitValue, NO_VALUE, namesParameter, restOf, surrounded, withTool } from './fit-input.js'
import { emptyInput, type InputReading } from './fit-object.js'
import { scanJson } from './json-scan.js'
import { TEXT_AFTER_INPUT } from './left-out.js'
import { isHtml, tagName } from './native-words.js'
import { type Notes, type Place, quote, refuse, trimmed } from './notes.js'
import { readPairs } from './pair-lines.js'
import { unquote } from './scalars.js'
import { isTextual, type ToolShape } from './tool-shape.js'
import { openFence, unfence } from './unfence.js'

/** Reads what stands after an input label. `shape` is unset when no tools were given. */
export function readActionInput(raw: string, start: number, shape: ToolShape | undefined, notes: Notes): InputReading {
  const text = raw.trim()
  const from = start + trimmed(raw, 0, raw.length).start
  const place: Place = { start: from, end: from + text.length }
  if (shape && shape.parameters.length === 0 && !isFilledObject(text)) {
    if (text && !EMPTY_INPUTS.has(text.toLowerCase()))
      notes.add('INPUT_IGNORED', `The tool takes no parameters; its input was left out.`, place, 0)
    // what stands behind a fence is no part of the input here either
    const { rest } = unfence(text)
    if (rest !== undefined) notes.add('TEXT_AFTER_CALL', TEXT_AFTER_INPUT, { start: from + rest, end: place.end }, 0)
    return { ok: true, input: emptyInput() }
  }
  if (!text) return emptyFor(shape, place)
  if (text.length > MAX_BYTES) return refuse('INPUT_TOO_LARGE', 'The input is longer than 256 KiB.', place)
  if (/^`{1,3}$/.test(text)) return refuse('TRUNCATED', 'The input is a fence that breaks off.', place, withTool(shape, text))
  // repair: a fence that closes nothing
  const stray = /\n`{3,8}$/.exec(text.slice(-10))
  if (stray && text.indexOf('```') > text.length - stray[0].length) {
    notes.add(
      'INPUT_FENCED',
      'A fence that closes nothing was left out.',
      { start: place.end - stray[0].length, end: place.end },
      1,
    )
    return readActionInput(text.slice(0, -stray[0].length), place.start, shape, notes)
  }
  const body = unfence(text)
  if (!body.kind && /^(?:```|~~~)/.test(text) && text.indexOf(text.slice(0, 3), 3) > 0)
    return refuse('AMBIGUOUS_INPUT', 'The input is a fence and more.', place, withTool(shape, text))
  if (body.open && !looksJson(body.text))
    return refuse('TRUNCATED', 'A fence around the input is still open at the end.', place, { quote: quote(text) })
  if (body.kind) notes.add('INPUT_FENCED', `The input stands in ${body.kind === 'fence' ? 'a fence' : 'a tag'}.`, place, 0)
  if (body.rest !== undefined)
    notes.add('TEXT_AFTER_CALL', TEXT_AFTER_INPUT, { start: place.start + body.rest, end: place.end }, 0)
  return readBody(body.text, place.start + body.offset, shape, notes, body.kind !== undefined)
}

function readBody(text: string, start: number, shape: ToolShape | undefined, notes: Notes, boxed: boolean): InputReading {
  const tagged = /^json\s{0,8}(?=[{[])/i.exec(text.slice(0, 16))
  // repair: a language tag without its fence
  if (tagged) {
    const { length } = tagged[0]
    notes.add('INPUT_FENCED', 'A language tag before the input was left out.', { start, end: start + length }, 0)
    return readBody(text.slice(length), start + length, shape, notes, boxed)
  }
  const place: Place = { start, end: start + text.length }
  const first = text.charAt(0)
  const single = shape?.textParameter
  if (first === '{' || first === '｛' || first === '[') {
    const mark = notes.mark
    const read = readJson(text, start, notes, shape?.byName)
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
      if (after) notes.add('TEXT_AFTER_CALL', TEXT_AFTER_INPUT, { start: start + read.end, end: place.end }, 0)
      return fitValue(read.value, shape, { start, end: start + read.end }, notes)
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
    if (shape && !text.includes(first === '{' ? '}' : ']'))
      return refuse('TRUNCATED', 'A bracket around the input is still open at the end.', place, withTool(shape, text))
    return fitText(text, shape, place, notes)
  }
  if (first === '"' || first === '“') {
    const quoted = readQuoted(text, start, shape, notes)
    if (quoted) return quoted
  }
  // repair: an object within one pair of backticks
  if (first === '`' && /^`[{[][^`]{1,4000}[}\]]`$/.test(text.slice(0, 4010))) {
    notes.add('INPUT_FENCED', 'The input stands in backticks.', place, 0)
    return readBody(text.slice(1, -1), start + 1, shape, notes, boxed)
  }
  const pairs = shape && readPairs(text, shape, place, notes, boxed)
  if (pairs) return pairs
  if (boxed) return fitText(text, shape, place, notes)
  if (shape && holdsArguments(text, shape)) return surrounded(text, shape, place)
  if (text.startsWith('|\n'))
    return refuse('AMBIGUOUS_INPUT', 'The input begins like a YAML block.', place, withTool(shape, text))
  const block = tripleQuoted(text)
  if (block !== undefined) {
    notes.add('INPUT_UNQUOTED', 'Quotes around the input were taken off.', place, 0)
    return fitText(block, shape, place, notes)
  }
  if (openFence(text)) return refuse('TRUNCATED', 'A fence in the input is still open at the end.', place, withTool(shape, text))
  const bareText = unquote(text)
  if (bareText !== text) {
    if (shape && NO_VALUE.has(bareText.toLowerCase())) return fitString(bareText, shape, place, notes)
    const inner = bareText.trim()
    if (inner.startsWith('{') && (!shape || namesParameter(inner, shape))) return fitValue(bareText, shape, place, notes)
    notes.add('INPUT_UNQUOTED', 'Quotes around the input were taken off.', place, 0)
    return fitText(bareText, shape, place, notes)
  }
  if (first === '"' && namesParameter(text, shape))
    return refuse('BROKEN_INPUT', 'The input begins like arguments within a string.', place, withTool(shape, text))
  if ((first === '"' || first === "'" || first === '“') && !closesLater(text))
    return refuse('TRUNCATED', 'A quote around the input is still open at the end.', place, withTool(shape, text))
  return fitText(bareText, shape, place, notes)
}

/** A quoted word that reads like "no value" is a value all the same, where one may be a text. */
function fitString(text: string, shape: ToolShape, place: Place, notes: Notes): InputReading {
  notes.add('INPUT_UNQUOTED', 'Quotes around the input were taken off.', place, 0)
  const target = shape.textParameter
  if (!target || !isTextual(target)) return fitText(text, shape, place, notes)
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
  if (shape && NO_VALUE.has(inner.toLowerCase())) return fitString(value, shape, place, notes)
  notes.add('INPUT_UNQUOTED', 'Quotes around the input were taken off.', place, 0)
  return inner ? fitText(value, shape, place, notes) : emptyFor(shape, place)
}

function closesLater(text: string): boolean {
  const close = text.startsWith('“') ? '”' : text.charAt(0)
  return text.indexOf(close, 1) > 0
}

function isArgumentList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 0 && isObject(value[0])
}

function isFilledObject(text: string): boolean {
  if (!text.startsWith('{')) return false
  const object = text.slice(0, scanJson(text, 0, text.length).end)
  return object.slice(1, -1).trim() !== '' && parseStrict(object) !== undefined
}

function looksJson(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[')
}

/** An object of arguments, or a call of the tool itself, within other text. */
function holdsArguments(text: string, shape: ToolShape): boolean {
  if (text.startsWith(`${shape.name}(`) && text.endsWith(')')) return true
  if (opensElement(text, shape)) return true
  for (let brace = text.indexOf('{'); brace >= 0; brace = text.indexOf('{', brace + 1)) {
    const key = /^\{\s{0,8}["']([\p{L}\p{N}_.-]{1,64})["']\s{0,4}:/u.exec(text.slice(brace, brace + 90))?.[1]
    if (key !== undefined && shape.byName.has(key)) return true
  }
  return false
}

/** An element named like the tool or one of its parameters, unless the only parameter may well hold such markup. */
function opensElement(text: string, shape: ToolShape): boolean {
  const name = text.startsWith('<') ? tagName(text, 0) : undefined
  if (name === undefined || (name !== shape.name && !shape.byName.has(name))) return false
  return (shape.parameters.length > 1 || !isHtml(name)) && text.includes(`</${name}>`)
}

/** The text between triple quotes around all of it. */
function tripleQuoted(text: string): string | undefined {
  const mark = text.slice(0, 3)
  if ((mark !== '"""' && mark !== "'''") || text.length < 7 || !text.endsWith(mark)) return undefined
  const inner = text.slice(3, -3)
  return inner.includes(mark) ? undefined : inner.replace(/^\n/, '').trimEnd()
}

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
