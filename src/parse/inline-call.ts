// A tool and what was written as its input, in brackets or as a value → one call, or why there is none.
import type { JsonValue } from '../core/json.js'
import { nearNames } from '../core/near-names.js'
import { readCallArguments } from './call-arguments.js'
import { fitValue } from './fit-input.js'
import type { InputReading } from './fit-object.js'
import { readActionInput } from './input-text.js'
import { type Notes, type Place, quote, refuse } from './notes.js'
import { type ResolvedName, resolveTool } from './tool-name.js'
import type { Toolbox, ToolShape } from './tool-shape.js'

/** One call that was read, or why it could not be. */
export interface CallReading {
  readonly name: string
  readonly reading: InputReading
  readonly place: Place
  /** The input as written, for `attempted`. */
  readonly written: string
}

export interface Inline {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly square: boolean
  /** Set off from the name by a space. */
  readonly spaced: boolean
  /** The bracket does not close. */
  readonly open: boolean
  /** An expression goes on behind the bracket. */
  readonly glued: boolean
  /** There are no brackets: `key="value"` stands behind the name. */
  readonly bare: boolean
}

/** Brackets that hold nothing or only parameter names. */
function isEcho(text: string, shape: ToolShape | undefined): boolean {
  const inner = text.trim()
  if (!inner) return true
  return inner.split(',').every(part => {
    const name = /^\s{0,8}([\p{L}\p{N}_.-]{1,64})\s{0,4}(?:[:=]\s{0,4}[\w[\]|]{1,40}\s{0,4})?$/u.exec(part.slice(0, 140))?.[1]
    const typed = /[:=]\s{0,4}([\w[\]|]{1,40})/.exec(part)?.[1]
    return name !== undefined && shape?.byName.has(name) === true && (typed === undefined || TYPE_WORDS.has(typed.toLowerCase()))
  })
}

/** Brackets beside an input of its own that say nothing more: an echo of the signature, or a comment set off by a space. */
export function isIdle(inline: Inline, shape: ToolShape | undefined): boolean {
  return isEcho(inline.text, shape) || (inline.spaced && /^[\p{L}\s'’-]{1,80}$/u.test(inline.text))
}

/** A call whose name and arguments are known as values. */
export function callOf(name: string, args: JsonValue | undefined, place: Place, box: Toolbox, notes: Notes): CallReading {
  const tool = resolveTool(name, box)
  const written = args === undefined ? '' : typeof args === 'string' ? args : JSON.stringify(args)
  if (!tool) return unknownCall(name, written, place, box)
  noteName(tool, place, notes)
  return {
    name: tool.name,
    reading: fitValue(args === undefined ? {} : args, tool.shape, place, notes),
    place,
    written,
  }
}

export function unknownCall(name: string, written: string, place: Place, box: Toolbox): CallReading {
  const near = nearNames(name, box.names)
  return {
    name,
    reading: refuse('UNKNOWN_TOOL', `There is no tool "${quote(name)}".`, place, { tool: name.slice(0, 200), near }),
    place,
    written,
  }
}

/** The call of a named tool with the brackets behind its name. */
export function inlineCall(tool: ResolvedName, inline: Inline, place: Place, notes: Notes): CallReading {
  return { name: tool.name, reading: readInline(tool, inline, place, notes), place, written: inline.text }
}

function readInline(tool: ResolvedName, inline: Inline, place: Place, notes: Notes): CallReading['reading'] {
  const data = { tool: tool.name, quote: quote(inline.text) }
  if (inline.open) return refuse('TRUNCATED', 'A bracket around the input is still open at the end.', place, data)
  if (inline.text.trim() && isEcho(inline.text, tool.shape)) {
    const missing = tool.shape?.required.map(parameter => parameter.name) ?? []
    return refuse('MISSING_INPUT', 'The brackets hold only the names of parameters.', place, { tool: tool.name, missing })
  }
  if (inline.glued) return refuse('AMBIGUOUS_INPUT', 'The brackets may be only a part of the input.', place, data)
  // plain words set off by a space may be a comment as well
  if (inline.spaced && !inline.square && /^[\p{L}\s'’-]{1,80}$/u.test(inline.text) && tool.shape?.required.length !== 0)
    return refuse('AMBIGUOUS_INPUT', 'The words in parentheses may be an input or a comment.', place, data)
  notes.add(
    'CALL_FORM',
    inline.bare ? 'The input stands behind the name.' : 'The input stands in brackets behind the name.',
    place,
    0,
  )
  return inline.text.startsWith('{') && inline.square
    ? readActionInput(inline.text, inline.start, tool.shape, notes)
    : readCallArguments(inline.text, inline.start, tool.shape, inline.square, notes)
}

export function noteName(tool: ResolvedName, place: Place, notes: Notes): void {
  if (tool.how === 'cleaned') notes.add('TOOL_NAME_CLEANED', `The name was read as "${tool.name}".`, place, 0)
  if (tool.how === 'folded') notes.add('TOOL_NAME_FOLDED', `The name was read as "${tool.name}".`, place, 1)
}

const TYPE_WORDS = new Set([
  'str',
  'string',
  'int',
  'integer',
  'float',
  'number',
  'bool',
  'boolean',
  'list',
  'array',
  'object',
  'dict',
  'any',
])
