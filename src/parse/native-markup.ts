// Text of a model's own tool-call template that leaked into a reply → raw calls, family by family. Anything call-like that no family reads
// is reported as unreadable, so that it can never pass for an answer.
import { skipBlank } from './characters.js'
import {
  fromJson,
  fromPython,
  type One,
  pythonic,
  type RawCall,
  readGemma,
  readHarmony,
  readNamed,
  readSeparated,
} from './native-bodies.js'
import { readInvoke, readTag, readTagPair } from './native-tags.js'
import { isNativeAt, localName, tagName } from './native-words.js'
import { isLabelTag } from './tag-labels.js'
import type { Toolbox } from './tool-shape.js'

export interface NativeReading {
  readonly calls: readonly RawCall[]
  readonly start: number
  readonly end: number
  /** Text between or behind the calls that is not markup. */
  readonly prose: boolean
  /** The markup stops in the middle. */
  readonly open: boolean
  readonly unreadable: boolean
}

/** Reads all calls of the markup that begins at `start`. */
export function readNative(
  text: string,
  start: number,
  limit: number,
  box: Toolbox,
  isLabelLine: (position: number) => boolean = () => false,
): NativeReading {
  const calls: RawCall[] = []
  let at = start
  let open = false
  let unreadable = false
  let prose = false
  while (at < limit) {
    const one = readOne(text, at, limit, box)
    if (!one) {
      unreadable = calls.length === 0
      break
    }
    calls.push(...one.calls)
    at = one.end
    if (one.open) {
      open = true
      break
    }
    const next = nextOpening(text, at, limit, box)
    if (next < 0 || hasLabel(text, at, next, isLabelLine)) break
    if (text.slice(at, next).replace(NOISE, '').trim()) prose = true
    at = next
  }
  return { calls, start, end: at, prose, open, unreadable: unreadable || calls.length === 0 }
}

/** A label right behind the markup, or on a line of its own. */
function hasLabel(text: string, from: number, to: number, isLabelLine: (position: number) => boolean): boolean {
  if (isLabelLine(from)) return true
  for (let i = from; i < to; i++) if (text.charCodeAt(i) === 10 && isLabelLine(i + 1)) return true
  return false
}

function readOne(text: string, at: number, limit: number, box: Toolbox): One | undefined {
  const head = text.slice(at, at + 64)
  if (text[at] === '<') {
    const special = /^<[|｜]([\w▁]{1,40})[|｜]>/.exec(head)
    if (special) return readSpecial(text, at, at + special[0].length, (special[1] as string).replaceAll('▁', '_'), limit, box)
    const written = tagName(text, at) ?? ''
    const tag = localName(written).toLowerCase()
    if (
      tag === 'tool_call' ||
      tag === 'toolcall' ||
      tag === 'tool_calls' ||
      tag === 'function_call' ||
      tag === 'function_calls' ||
      tag === 'tool_use'
    )
      return readTag(text, at, written, limit, box)
    if (tag === 'invoke' || tag === 'function') return readInvoke(text, at, limit)
    if (tag === 'tool' || tag === 'action' || tag === 'tool_name') return readTagPair(text, at, limit)
    if (tag === 'start_function_call') return readGemma(text, text.indexOf('>', at) + 1, limit)
    return undefined
  }
  if (head.startsWith('[TOOL_CALLS]')) return readMistral(text, at + 12, limit)
  if (head.startsWith('functools')) return fromJson(text, at + 9, limit, at)
  if (head.startsWith('call:')) return readGemma(text, at, limit)
  if (head.startsWith('to=functions.')) return readHarmony(text, at, limit)
  if (head.startsWith('functions.') || head.startsWith('>>>'))
    return readNamed(text, at + (head.startsWith('>>>') ? 3 : 0), limit)
  if (text[at] === '[') {
    const list = pythonic(text, at, box)
    return list && { calls: list.calls, end: list.end, open: false }
  }
  return /^[\p{L}\p{N}_.-]{1,64}\[ARGS\]/u.test(head) ? readNamed(text, at, limit) : undefined
}

function readSpecial(text: string, at: number, after: number, token: string, limit: number, box: Toolbox): One | undefined {
  if (token === 'python_tag') {
    const from = skipBlank(text, after, limit)
    if (text[from] === '{' || text[from] === '[') return fromJson(text, from, limit, at)
    return fromPython(text, from, limit, at)
  }
  if (token === 'tool_calls_begin' || token === 'tool_calls_section_begin' || token === 'tool_outputs_begin')
    return { calls: [], end: after, open: false }
  if (token === 'tool_call_begin') return readSeparated(text, at, after, limit)
  if (token === 'tool_call' || token === 'tool_call_start') {
    const from = skipBlank(text, after, limit)
    const list = pythonic(text, from, box, true)
    if (list) return { calls: list.calls, end: list.end, open: false }
    return fromJson(text, from, limit, at)
  }
  if (token === 'channel' || token === 'recipient' || token === 'from') {
    const to = text.slice(at, Math.min(limit, at + 120)).indexOf('to=functions.')
    if (to >= 0) return readHarmony(text, at + to, limit)
    const recipient = text.slice(at, Math.min(limit, at + 120)).indexOf('<|recipient|>')
    if (recipient >= 0) return readNamed(text, skipBlank(text, at + recipient + 13, limit), limit)
    return undefined
  }
  if (token.includes('end')) return { calls: [], end: after, open: false }
  return undefined
}

function readMistral(text: string, from: number, limit: number): One | undefined {
  const at = skipBlank(text, from, limit)
  if (text[at] === '[' || text[at] === '{') return fromJson(text, at, limit, from)
  return readNamed(text, at, limit)
}

/** A result that the model wrote itself stands behind `at`, in its own markup, and no further call before it. */
export function resultFollows(text: string, at: number): boolean {
  const mark = text.indexOf('<', at)
  return mark >= 0 && (isLabelTag(text, mark) || isResultAt(text, mark))
}

function isResultAt(text: string, mark: number): boolean {
  return (
    text.startsWith('<tool_response', mark) ||
    text.startsWith('<function_result', mark) ||
    /^<[|｜]tool[_▁]output/.test(text.slice(mark, mark + 16))
  )
}

/** The next markup after `at`, of any family; -1 when only noise or prose follows. */
function nextOpening(text: string, at: number, limit: number, box: Toolbox): number {
  let i = skipBlank(text, at, limit)
  if (text[i] === ',' || text[i] === ';') i = skipBlank(text, i + 1, limit)
  if (i < limit && (isNativeAt(text, i, true, box) || (text[i] === '{' && text[at] === ';'))) return i
  for (let mark = text.indexOf('<', i); mark >= 0 && mark < limit; mark = text.indexOf('<', mark + 1)) {
    if (isLabelTag(text, mark) || isResultAt(text, mark)) return -1
    if (isNativeAt(text, mark, false, box)) return mark
  }
  return -1
}

/** What may stand between calls without being prose. */
const NOISE = /<\/?[\w:▁|｜]{1,40}>|```\w{0,12}/g
