// Text without a label → whether it was meant as a call that nobody can read with certainty: one in brackets, an object that only lacks its
// name or has it beside it, an unknown tag. Such a text must never pass for an answer.
import { isObject, type JsonValue } from '../core/json.js'
import { readJson } from './action-input.js'
import { isCallAlone, isCallForm } from './call-form.js'
import { callsKnown, looksLikeCall } from './call-object.js'
import { scanJson } from './json-scan.js'
import type { Mark } from './marks.js'
import { pythonic } from './native-bodies.js'
import { readNative } from './native-markup.js'
import { isCallMarkup, isNativeAt, isToolElement } from './native-words.js'
import { Notes } from './notes.js'
import { callsTool, holdsCall } from './stray-call.js'
import { cleanName, isRegistered, resolveTool } from './tool-name.js'
import type { Toolbox, ToolShape } from './tool-shape.js'
import { unfence } from './unfence.js'

/** What a text without labels looks like: `call` of a tool, `input` of a tool that is not named, `markup` of a tool that is not there. */
export type Likeness = 'call' | 'input' | 'markup'

/** What `text` looks like, if it is no plain answer; `marks` are the reply's. */
export function likenessOf(text: string, marks: readonly Mark[], reply: string, box: Toolbox): Likeness | undefined {
  if (box.open) return endsInCall(text, box) ? 'call' : undefined
  const bare = unfence(text).text
  if (
    isCallForm(bare, box) ||
    isWholeCall(bare.replace(/^`([^`]{1,8000})`$/, '$1'), box) ||
    holdsCall(text, box, true) ||
    endsInCall(text, box) ||
    namesTool(marks, reply, box) ||
    endsInArguments(text, box)
  )
    return 'call'
  if (isUnknownList(text)) return 'call'
  if (isBareInput(bare, box)) return 'input'
  return endsInTag(text) || holdsHeader(text) ? 'markup' : undefined
}

/** The text is a call of a registered tool and nothing else: `search("x")`, `[search(query="x")]`, an object, leaked markup. */
export function isWholeCall(text: string, box: Toolbox): boolean {
  if (box.open) return false
  const bare = unfence(text).text
  if (isCallAlone(bare, box) || isNamedInput(bare, box)) return true
  if (isToolElement(bare, 0, box) && bare.endsWith('>')) return true
  if (bare.startsWith('{') || bare.startsWith('[')) return isWholeValue(bare, box)
  if (!isCallMarkup(text, 0)) return isNativeAt(text, 0, true, box) && callsTool(text, 0, box)
  // tags with nothing in them are no text either
  return readNative(text, 0, text.length, box).open || callsTool(text, 0, box) || !text.replace(/<[^<>]{1,80}>/g, '').trim()
}

/** The text is an object or a list that calls registered tools. */
function isWholeValue(text: string, box: Toolbox): boolean {
  const list = pythonic(text, 0, box)
  if (list && list.end >= text.length - 1 && list.calls.some(call => isRegistered(call.name, box))) return true
  const value = valueAt(text, 0)
  return value !== undefined && (callsKnown(value, box) || isKeyed(value, box))
}

/** A call object in the middle of the last line, or a list of calls that is not closed. */
function endsInCall(text: string, box: Toolbox): boolean {
  const lineStart = text.lastIndexOf('\n') + 1
  const brace = text.indexOf('{', lineStart)
  if (brace > lineStart) {
    const value = valueAt(text, brace)
    if (value !== undefined && looksLikeCall(value, box) && !text.slice(lineStart, brace).includes('`')) return true
  }
  // a call on a line of its own, bare or fenced, behind what announces it
  const body = text.replace(/\n`{3,8}$/, '')
  if (isCallForm(body.slice(body.lastIndexOf('\n') + 1).trimStart(), box)) return true
  const list = /^\[\s{0,8}([\p{L}\p{N}_.-]{1,64})\(/u.exec(text.slice(0, 80))
  return list !== null && isRegistered(list[1] as string, box)
}

/** `[find(query="x")]`: a list of calls, of tools that are not there. */
function isUnknownList(text: string): boolean {
  return /^\[\s{0,8}[\p{L}_][\p{L}\p{N}_.-]{0,63}\((?:[\p{L}_]\w{0,63}=|\))/u.test(text.slice(0, 150)) && text.endsWith(')]')
}

/** `search: {"query": "x"}`: the name of a tool, and its arguments. */
function isNamedInput(text: string, box: Toolbox): boolean {
  const brace = text.slice(0, 160).indexOf('{')
  if (brace <= 0 || !/\}[.;]?$/.test(text)) return false
  const shape = resolveTool(cleanName(text.slice(0, brace).replace(/[\s=>-]{1,12}$/, '')), box)?.shape
  const value = shape && valueAt(text.replace(/[.;]$/, ''), brace)
  return value !== undefined && holdsArgumentsOf(value, shape as ToolShape)
}

/** The text ends in the arguments of a tool, and right before them stands its name: `search: {"query": "x"}`. */
function endsInArguments(text: string, box: Toolbox): boolean {
  const from = Math.max(0, text.length - MAX_ARGUMENTS)
  let looks = 8
  for (let brace = text.indexOf('{', from); brace >= 0 && looks > 0; brace = text.indexOf('{', brace + 1), looks--) {
    const { closed, end } = scanJson(text, brace, text.length)
    // a bracket too many does not make a text of it
    if (!closed || /[^\s`.;}\])]/.test(text.slice(end))) continue
    const value = valueAt(text.slice(0, end), brace)
    if (value === undefined) return false
    if (isKeyed(value, box)) return true
    const words = text.slice(Math.max(0, brace - 80), brace).split(/[^\p{L}\p{N}_-]+/u)
    return words.some(word => {
      const shape = word ? resolveTool(word, box)?.shape : undefined
      return shape !== undefined && holdsArgumentsOf(value, shape)
    })
  }
  return false
}

/** `{"search": {"query": "x"}}`. */
function isKeyed(value: JsonValue, box: Toolbox): boolean {
  const entries = isObject(value) ? Object.entries(value) : []
  const [key, inner] = entries[0] ?? []
  const shape = key === undefined ? undefined : box.byName.get(key)
  return entries.length === 1 && shape !== undefined && inner !== undefined && holdsArgumentsOf(inner, shape)
}

/** One object, or tags, that hold what a tool requires and nothing else: meant as a call, whose tool would be a guess. */
function isBareInput(text: string, box: Toolbox): boolean {
  const keys = text.startsWith('{') ? keysOfObject(text) : text.startsWith('<') ? keysOfTags(text) : undefined
  return keys !== undefined && [...box.byName.values()].some(shape => shape.required.length > 0 && fits(keys, shape))
}

function keysOfObject(text: string): readonly string[] | undefined {
  const value = valueAt(text, 0)
  return isObject(value) ? Object.keys(value) : undefined
}

/** The names of the elements that the whole text consists of, one behind the other. */
function keysOfTags(text: string): readonly string[] | undefined {
  const keys: string[] = []
  for (let at = 0; at < text.length; ) {
    const name = /^\s{0,40}<([A-Za-z_]\w{0,63})>/.exec(text.slice(at, at + 110))
    const close = name ? text.indexOf(`</${name[1]}>`, at) : -1
    if (!name || close < 0 || keys.length === 32) return undefined
    keys.push(name[1] as string)
    at = close + (name[1] as string).length + 3
  }
  return keys
}

/** An element at the end whose name is written like a tool's, `<read_file>…</read_file>`: markup and data are named otherwise. */
function endsInTag(text: string): boolean {
  const name = /<\/([A-Za-z]{1,30}(?:_[A-Za-z]{1,30}){1,4})>$/.exec(text.slice(-170))?.[1]
  if (name === undefined) return false
  const open = text.indexOf(`<${name}>`)
  return open === 0 || (open > 0 && text.slice(text.lastIndexOf('\n', open) + 1, open).trim() === '')
}

/** The head of a turn in a model's own template whose tokens were lost: `assistantfinal`, `>>>all`. */
function holdsHeader(text: string): boolean {
  return /assistant(?:final|commentary|analysis)/.test(text) || /^>>>[\p{L}_][\p{L}\p{N}_.-]{0,63}\n/u.test(text.slice(0, 70))
}

/** `Tool: search` with an object below it, or with one value under whatever label. */
function namesTool(marks: readonly Mark[], reply: string, box: Toolbox): boolean {
  return marks.some(mark => {
    const end = mark.role === 'tool' ? reply.indexOf('\n', mark.value) : -1
    return (
      end >= 0 &&
      /^\s{0,8}(?:(?:```\w{0,12}\s{0,8})?\{|\p{L}[\p{L}_ ]{1,30}:\s)/u.test(reply.slice(end, end + 60)) &&
      isRegistered(reply.slice(mark.value, end), box)
    )
  })
}

function holdsArgumentsOf(value: JsonValue, shape: ToolShape): boolean {
  return isObject(value) && Object.keys(value).length > 0 && fits(Object.keys(value), shape)
}

function fits(keys: readonly string[], { byName, required }: ToolShape): boolean {
  return keys.every(key => byName.has(key)) && required.every(({ name }) => keys.includes(name))
}

function valueAt(text: string, at: number): JsonValue | undefined {
  const read = readJson(at > 0 ? text.slice(at) : text, at, new Notes())
  return read.ok ? read.value : undefined
}

const MAX_ARGUMENTS = 8 * 1024
