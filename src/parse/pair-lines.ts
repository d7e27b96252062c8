// The text of an input → the tool's input, when it is made of `key: value` lines or `key=value` pairs. Text that gives a value to one of several
// parameters and is not made of such pairs alone is nobody's plain text.
import { withTool } from './fit-input.js'
import { emptyInput, fitObject, type InputReading, parameterName } from './fit-object.js'
import { type Notes, type Place, refuse } from './notes.js'
import { readScalar, splitPair, splitTop, startsOf } from './scalars.js'
import type { ToolShape } from './tool-shape.js'

/** Undefined for text that is no pairs. `boxed`: it stood in a fence, so that it may be code. */
export function readPairs(text: string, shape: ToolShape, place: Place, notes: Notes, boxed: boolean): InputReading | undefined {
  const pairs = pairsOf(text, shape)
  if (pairs && boxed && !shape.required.every(({ name }) => pairs.some(pair => parameterName(pair.key, shape) === name)))
    return undefined
  if (pairs) return fitPairs(pairs, shape, place, notes)
  // a text for the only parameter may well hold pairs; with several parameters nobody knows
  const behindName = text.startsWith(`${shape.name} `) ? text.slice(shape.name.length) : text
  return shape.parameters.length > 1 && !boxed && assigns(behindName, shape, ',;\n')
    ? refuse('AMBIGUOUS_INPUT', 'Only a part of the input reads as "key: value".', place, withTool(shape, text))
    : undefined
}

type Pairs = readonly { readonly key: string; readonly value: string }[]

/** The pairs that the whole text consists of, if every key is a parameter. */
function pairsOf(text: string, shape: ToolShape): Pairs | undefined {
  const lines = text.split('\n').filter(line => line.trim())
  const parts = lines.length > 1 || !holdsSecondPair(text) ? lines : splitTop(text)
  const pairs: { key: string; value: string }[] = []
  for (const part of parts) {
    const pair = splitPair(part)
    if (!pair || parameterName(pair.key, shape) === undefined) return undefined
    // `city=Oslo days=3`: where the first value ends is not said
    if (shape.parameters.length > 1 && assigns(pair.value, shape, ' ,;')) return undefined
    pairs.push(pair)
  }
  return pairs
}

function fitPairs(pairs: Pairs, shape: ToolShape, place: Place, notes: Notes): InputReading {
  const object = emptyInput()
  for (const { key, value } of pairs) {
    if (Object.hasOwn(object, key))
      return refuse('DUPLICATE_KEY', `The key "${key}" is written twice.`, place, { tool: shape.name, quote: key })
    object[key] = readScalar(value, shape.byName.get(parameterName(key, shape) ?? key), place, notes)
  }
  notes.add('INPUT_LINES', 'The input was read from "key: value" pairs.', place, 1)
  return fitObject(object, shape, place, notes)
}

/** Another pair stands behind a comma of the same line. */
function holdsSecondPair(text: string): boolean {
  const parts = splitTop(text.slice(0, 2000))
  return parts.length > 1 && parts.slice(1).some(part => splitPair(part) !== undefined)
}

/** At its beginning, or behind one of `separators`, the text gives a value to a parameter: `Oslo, days: 3`, `--city Oslo`. */
function assigns(text: string, shape: ToolShape, separators: string): boolean {
  for (const start of startsOf(text, separators)) {
    const piece = text.slice(start, start + 90)
    const key = splitPair(piece)?.key ?? /^\s{0,8}--([\p{L}\p{N}_-]{1,64})(?=[\s=])/u.exec(piece)?.[1]
    if (key !== undefined && parameterName(key, shape) !== undefined) return true
  }
  return false
}
