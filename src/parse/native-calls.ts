// Calls in a model's own markup → the decision to run them.
import type { JsonValue } from '../core/json.js'
import { readCallArguments } from './call-arguments.js'
import { onlyText } from './call-object.js'
import { emptyInput, fitObject, type InputReading } from './fit-object.js'
import { isFinish } from './grammar.js'
import { type CallReading, callOf, noteName, unknownCall } from './inline-call.js'
import { readActionInput } from './input-text.js'
import { decideCalls } from './join-calls.js'
import type { RawCall } from './native-bodies.js'
import type { NativeReading } from './native-markup.js'
import { type Place, quote, refuse } from './notes.js'
import { finalText } from './read-answer.js'
import { type Assembled, orCut, type Reading, unclear } from './reading.js'
import { readScalar } from './scalars.js'
import { isRegistered, resolveTool } from './tool-name.js'
import { isTextual, type ToolShape } from './tool-shape.js'

export function readNativeCalls(r: Reading, native: NativeReading, k: number): Assembled {
  const { start } = native
  // what nobody could read ends nowhere
  const place: Place = { start, end: native.end > start ? native.end : Math.min(r.lexed.to, start + 80) }
  if (native.unreadable) {
    const code = native.open ? 'TRUNCATED' : 'UNREADABLE_MARKUP'
    return unclear(
      r,
      orCut(
        r,
        refuse(
          code,
          native.open
            ? 'The markup of a call breaks off.'
            : 'The reply holds markup that looks like a call and is none that can be read.',
          place,
          { quote: quote(r.text.slice(place.start, place.end)) },
        ),
      ),
    )
  }
  r.notes.add('NATIVE_MARKUP', "The call is written in the model's own markup.", place, 0)
  const answer = native.open ? undefined : finishText(r, native)
  if (answer !== undefined) {
    r.notes.add('ANSWER_ENVELOPE', 'The answer is the input of a call.', place, 0)
    return finalText(r, answer, { start: native.start, end: native.end }, k, true)
  }
  if (native.prose) r.notes.add('TEXT_AFTER_CALL', 'Text between the calls was left out.', place, 0)
  const calls = native.calls.map(call => readRawCall(r, call))
  if (native.open)
    calls.push({
      name: '',
      reading: refuse('TRUNCATED', 'The markup of a call breaks off.', place),
      place,
      written: '',
    })
  return decideCalls(r, calls, k, native.end, k + 1)
}

/** The text of one call that ends the run and is no tool's. */
function finishText(r: Reading, { calls: [only, ...more] }: NativeReading): string | undefined {
  if (!only || more.length > 0 || only.args.kind !== 'value' || !isFinish(only.name, r.grammar)) return undefined
  return isRegistered(only.name, r.box) ? undefined : onlyText(only.args.value)
}

function readRawCall(r: Reading, call: RawCall): CallReading {
  const place: Place = { start: call.start, end: call.end }
  const written = r.text.slice(call.start, call.end)
  const tool = resolveTool(call.name, r.box)
  if (!tool) {
    if (call.args.kind === 'broken' && !call.name) return { name: '', reading: call.args.refusal, place, written }
    return unknownCall(call.name, asWritten(call.args) ?? written, place, r.box)
  }
  const base = { name: tool.name, place }
  switch (call.args.kind) {
    case 'broken':
      noteName(tool, place, r.notes)
      return { ...base, reading: call.args.refusal, written }
    case 'value':
      for (const { code, message, span, cost } of call.args.repairs)
        r.notes.add(code, message, { start: span[0], end: span[1] }, cost)
      return callOf(call.name, call.args.value, place, r.box, r.notes)
    case 'text':
      noteName(tool, place, r.notes)
      return {
        ...base,
        reading: readActionInput(call.args.text, call.args.start, tool.shape, r.notes),
        written: call.args.text,
      }
    case 'python':
      noteName(tool, place, r.notes)
      return {
        ...base,
        reading: readCallArguments(call.args.text, call.args.start, tool.shape, false, r.notes),
        written: call.args.text,
      }
    case 'pairs': {
      noteName(tool, place, r.notes)
      return { ...base, reading: readPairs(r, call.args.pairs, tool.shape, place), written }
    }
  }
}

/** The arguments by themselves; undefined where only the whole markup shows them. */
function asWritten(args: RawCall['args']): string | undefined {
  if (args.kind === 'value') return JSON.stringify(args.value)
  return args.kind === 'text' || args.kind === 'python' ? args.text : undefined
}

/** Parameters written as tags: text for a string, typed by the schema otherwise, repeated ones a list. */
function readPairs(
  r: Reading,
  pairs: readonly { readonly key: string; readonly text: string }[],
  shape: ToolShape | undefined,
  place: Place,
): InputReading {
  const written = new Map<string, string[]>()
  for (const { key, text } of pairs) {
    const texts = written.get(key)
    if (texts) texts.push(text)
    else written.set(key, [text])
  }
  const object = emptyInput()
  for (const [key, texts] of written) {
    const parameter = shape?.byName.get(key)
    const values = texts.map(text => (!parameter || isTextual(parameter) ? text : readScalar(text, parameter, place, r.notes)))
    const [only, ...more] = values
    if (more.length > 0 && !parameter?.types.has('array'))
      return refuse('DUPLICATE_KEY', `The parameter "${key}" is written twice.`, place, {
        ...(shape ? { tool: shape.name } : {}),
        quote: key,
      })
    object[key] = more.length > 0 ? values : (only as JsonValue)
  }
  return fitObject(object, shape, place, r.notes)
}
