// Text of a model's own tool-call template that leaked into a reply → raw calls, family by family. Anything call-like that no family reads
// is reported as unreadable, so that it can never pass for an answer.
import type { JsonValue } from '../core/json.js'
import { readJson } from './action-input.js'
import { callList } from './call-object.js'
import { scanCall } from './json-scan.js'
import { foldWord, isSpace } from './labels.js'
import { Notes, type Refusal } from './notes.js'
import { resolveTool } from './tool-name.js'
import { isObject, type Toolbox } from './tool-shape.js'

export type RawArguments =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'pairs'; readonly pairs: readonly { readonly key: string; readonly text: string }[] }
  | { readonly kind: 'python'; readonly text: string; readonly start: number }
  | { readonly kind: 'broken'; readonly refusal: Refusal }

export interface RawCall {
  readonly name: string
  readonly args: RawArguments
  readonly start: number
  readonly end: number
}

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

/** Whether call-like markup begins at `at`. `line`: `at` is the first character of its line. */
export function isNativeAt(text: string, at: number, line: boolean, box: Toolbox): boolean {
  const char = text[at]
  if (char === '<') {
    const head = text.slice(at, at + 48)
    if (/^<[|｜](?:python_tag|tool|DSML|channel\|>commentary|recipient|from)/.test(head)) return true
    const tag = tagName(text, at)
    if (!tag) return false
    return CALL_TAGS.has(tag.toLowerCase()) || (!box.open && !HTML.has(tag.toLowerCase()) && resolveTool(tag, box) !== undefined)
  }
  if (char === '[') {
    if (text.startsWith('[TOOL_CALLS]', at)) return true
    return line && pythonic(text, at, box) !== undefined
  }
  if (!line) return false
  if (text.startsWith('✿FUNCTION✿', at)) return true
  if (
    text.startsWith('functools[', at) ||
    text.startsWith('functions.', at) ||
    text.startsWith('to=functions.', at) ||
    text.startsWith('>>>', at)
  )
    return nativeWord(text, at, box)
  if (text.startsWith('call:', at)) return /^call:[\p{L}\p{N}_.-]{1,64}\{/u.test(text.slice(at, at + 72))
  const args = text.slice(at, at + 80).indexOf('[ARGS]')
  return args > 0 && /^[\p{L}\p{N}_.-]{1,64}\[ARGS\]/u.test(text.slice(at, at + 80))
}

/** Markup that can be nothing but a call, even in the text of an answer. */
export function isCallMarkup(text: string, at: number): boolean {
  return CALL_MARKUP.some(word => text.startsWith(word, at))
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

function hasLabel(text: string, from: number, to: number, isLabelLine: (position: number) => boolean): boolean {
  for (let i = from; i < to; i++) if (text.charCodeAt(i) === 10 && isLabelLine(i + 1)) return true
  return false
}

interface One {
  readonly calls: readonly RawCall[]
  readonly end: number
  readonly open: boolean
}

function readOne(text: string, at: number, limit: number, box: Toolbox): One | undefined {
  const head = text.slice(at, at + 64)
  if (text[at] === '<') {
    const special = /^<[|｜]([\w▁]{1,40})[|｜]>/.exec(head)
    if (special) return readSpecial(text, at, at + special[0].length, (special[1] as string).replaceAll('▁', '_'), limit, box)
    const tag = tagName(text, at)?.toLowerCase()
    if (
      tag === 'tool_call' ||
      tag === 'toolcall' ||
      tag === 'tool_calls' ||
      tag === 'function_call' ||
      tag === 'function_calls' ||
      tag === 'tool_use'
    )
      return readTag(text, at, tag, limit, box)
    if (tag === 'invoke' || tag === 'function') return readInvoke(text, at, limit)
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
    const from = skip(text, after, limit)
    if (text[from] === '{' || text[from] === '[') return fromJson(text, from, limit, at)
    return fromPython(text, from, limit, at)
  }
  if (token === 'tool_calls_begin' || token === 'tool_calls_section_begin' || token === 'tool_outputs_begin')
    return { calls: [], end: after, open: false }
  if (token === 'tool_call_begin') return readSeparated(text, at, after, limit)
  if (token === 'tool_call' || token === 'tool_call_start') {
    const from = skip(text, after, limit)
    const list = pythonic(text, from, box, true)
    if (list) return { calls: list.calls, end: list.end, open: false }
    return fromJson(text, from, limit, at)
  }
  if (token === 'channel' || token === 'recipient' || token === 'from') {
    const to = text.slice(at, Math.min(limit, at + 120)).indexOf('to=functions.')
    if (to >= 0) return readHarmony(text, at + to, limit)
    const recipient = text.slice(at, Math.min(limit, at + 120)).indexOf('<|recipient|>')
    if (recipient >= 0) return readNamed(text, skip(text, at + recipient + 13, limit), limit)
    return undefined
  }
  if (token.includes('end')) return { calls: [], end: after, open: false }
  return undefined
}

/** DeepSeek and Kimi: `[function<sep>]name[:0]<sep or arguments>{…}`. */
function readSeparated(text: string, at: number, after: number, limit: number): One | undefined {
  const brace = text.indexOf('{', after)
  if (brace < 0 || brace >= limit) return undefined
  const head = text.slice(after, brace)
  const parts = head
    .split(/<[|｜][\w▁]{1,40}[|｜]>/)
    .map(part => part.replace(/```\w{0,12}/, '').trim())
    .filter(Boolean)
  const name = parts[parts.length - 1] === 'function' ? undefined : parts[parts.length - 1]
  if (!name) return undefined
  return withArguments(text, name.replace(/:\d{1,6}$/, ''), brace, limit, at)
}

function readTag(text: string, at: number, tag: string, limit: number, box: Toolbox): One | undefined {
  const opened = text.indexOf('>', at)
  if (opened < 0 || opened >= limit) return { calls: [], end: limit, open: true }
  const from = skip(text, opened + 1, limit)
  const fenced = text.startsWith('```', from) ? skip(text, Math.max(from + 3, text.indexOf('\n', from)), limit) : from
  const char = text[fenced]
  if (char === '{' || char === '[') {
    const list = pythonic(text, fenced, box, true)
    let inner = list ? { calls: list.calls, end: list.end, open: false } : fromJson(text, fenced, limit, at)
    const tagEnd = inner?.calls.some(call => call.args.kind === 'broken') ? indexBefore(text, `</${tag}>`, fenced, limit) : -1
    // repair: JSON that lacks its last closers before the closing tag
    if (tagEnd >= 0) inner = fromJson(text, fenced, tagEnd, at)
    if (!inner) return undefined
    return { ...inner, end: closeTag(text, inner.end, tag, limit) }
  }
  if (text.startsWith('<function', fenced) || text.startsWith('<invoke', fenced)) return { calls: [], end: fenced, open: false }
  // GLM: the name, then pairs of tags
  const close = indexBefore(text, `</${tag}>`, fenced, limit)
  const key = indexBefore(text, '<arg_key>', fenced, limit)
  const end = close < 0 ? limit : close
  if (key >= 0 && key < end) {
    if (close < 0) return { calls: [], end: limit, open: true }
    const pairs = tagPairs(text.slice(key, end))
    const name = text.slice(fenced, key).trim()
    return pairs && name
      ? { calls: [{ name, args: { kind: 'pairs', pairs }, start: at, end }], end: end + tag.length + 3, open: false }
      : undefined
  }
  const body = text.slice(fenced, end).trim()
  const call = /^[\p{L}\p{N}_.-]{1,64}\s{0,2}\(/u.exec(body.slice(0, 70))
  if (call) {
    const python = fromPython(text, fenced, end, at)
    return python && { ...python, end: closeTag(text, python.end, tag, limit) }
  }
  // a bare name calls a tool without arguments
  if (close >= 0 && /^[\p{L}\p{N}_.-]{1,64}$/u.test(body))
    return { calls: [{ name: body, args: { kind: 'value', value: {} }, start: at, end }], end: end + tag.length + 3, open: false }
  const named = /^([\p{L}\p{N}_.-]{1,64})\s{0,4}\{/u.exec(body.slice(0, 72))
  if (named) return withArguments(text, named[1] as string, text.indexOf('{', fenced), limit, at)
  return undefined
}

/** `<function=name>…</function>`, `<invoke name="name">…</invoke>` with parameters as tags or as JSON. */
function readInvoke(text: string, at: number, limit: number): One | undefined {
  const opened = text.indexOf('>', at)
  if (opened < 0 || opened >= limit) return { calls: [], end: limit, open: true }
  const open = text.slice(at, opened)
  const match = /^<(function|invoke)(?:=|\s{1,4}name\s{0,2}=\s{0,2})["']?([^"'>]{1,120})["']?\s{0,4}$/.exec(open)
  if (!match) return undefined
  const tag = match[1] as string
  const name = (match[2] as string).trim()
  const closeAt = indexBefore(text, `</${tag}>`, opened, limit)
  const body = text.slice(opened + 1, closeAt < 0 ? limit : closeAt)
  const end = closeAt < 0 ? limit : closeAt + tag.length + 3
  const trimmed = body.trim()
  if (trimmed.startsWith('{')) {
    const read = withArguments(text, name, text.indexOf('{', opened), limit, at)
    return read && { ...read, end: closeAt < 0 ? read.end : end }
  }
  const pairs = parameterPairs(body)
  // only complete JSON may do without its closing tag: a further parameter may be missing here
  if (closeAt < 0) return { calls: [], end: limit, open: true }
  if (!pairs) return undefined
  return { calls: [{ name, args: { kind: 'pairs', pairs }, start: at, end }], end, open: false }
}

function readMistral(text: string, from: number, limit: number): One | undefined {
  const at = skip(text, from, limit)
  if (text[at] === '[' || text[at] === '{') return fromJson(text, at, limit, from)
  return readNamed(text, at, limit)
}

/** `name[ARGS]{…}`, `functions.name:0 {…}`, `name{…}`. */
function readNamed(text: string, at: number, limit: number): One | undefined {
  const match =
    /^(?:functions\.)?([\p{L}\p{N}_.-]{1,64})(?::\d{1,6})?(?:\[CALL_ID\]\w{0,40})?(?:\[ARGS\])?\s{0,4}(?:<\|[a-z_]{1,40}\|>)?(\s{0,4})([{(])/u.exec(
      text.slice(at, Math.min(limit, at + 200)),
    )
  if (!match) return undefined
  const brace = at + match[0].length - 1
  return match[3] === '(' ? fromPython(text, at, limit, at) : withArguments(text, match[1] as string, brace, limit, at)
}

function readHarmony(text: string, at: number, limit: number): One | undefined {
  const match = /^to=functions\.([\p{L}\p{N}_.-]{1,64})/u.exec(text.slice(at, at + 80))
  const brace = text.indexOf('{', at)
  if (
    !match ||
    brace < 0 ||
    brace >= limit ||
    text.slice(at + match[0].length, brace).replace(/<\|\w{1,20}\|>|json|code|commentary|\s/g, '')
  )
    return undefined
  return withArguments(text, match[1] as string, brace, limit, at)
}

/** Gemma: `call:name{key:value}`, texts perhaps between `<escape>` marks. */
function readGemma(text: string, at: number, limit: number): One | undefined {
  const match = /^\s{0,4}call:([\p{L}\p{N}_.-]{1,64})\{/u.exec(text.slice(at, at + 80))
  if (!match) return undefined
  const brace = at + match[0].length - 1
  const end = scanCall(text, brace, limit)
  if (end < 0) return { calls: [], end: limit, open: true }
  const body = text.slice(brace, end).replaceAll('"', '\\"').replaceAll('<escape>', '"')
  const notes = new Notes(position => position)
  const read = readJson(
    body.includes('\\"') && !body.includes('<escape>') && !text.slice(brace, end).includes('<escape>')
      ? text.slice(brace, end)
      : body,
    brace,
    NO_KEYS,
    notes,
  )
  const args: RawArguments = read.ok ? { kind: 'value', value: read.value } : { kind: 'broken', refusal: read }
  const close = /^\s{0,4}<end_function_call>/.exec(text.slice(end, end + 30))
  return { calls: [{ name: match[1] as string, args, start: at, end }], end: end + (close?.[0].length ?? 0), open: false }
}

/** A JSON object or list of call objects. */
function fromJson(text: string, at: number, limit: number, start: number): One | undefined {
  const notes = new Notes(position => position)
  const piece = text.slice(at, limit).trimEnd()
  const read = readJson(piece, at, NO_KEYS, notes)
  if (!read.ok)
    return piece.startsWith('{') || piece.startsWith('[')
      ? {
          calls: [{ name: '', args: { kind: 'broken', refusal: read }, start, end: limit }],
          end: limit,
          open: read.code === 'TRUNCATED',
        }
      : undefined
  const calls: RawCall[] = []
  for (const element of callList(read.value)) {
    const found = nameAndArguments(element)
    if (!found) return undefined
    calls.push({ name: found.name, args: { kind: 'value', value: found.args }, start, end: at + read.end })
  }
  // repair: further objects behind a semicolon or line break belong to the same token
  return { calls, end: at + read.end, open: false }
}

function nameAndArguments(value: JsonValue): { name: string; args: JsonValue } | undefined {
  if (!isObject(value)) return undefined
  let object = value
  for (const [key, inner] of Object.entries(value)) if (foldWord(key) === 'function' && isObject(inner)) object = inner
  let name: string | undefined
  let args: JsonValue | undefined
  for (const [key, inner] of Object.entries(object)) {
    const fold = foldWord(key)
    if (name === undefined && NAMES.has(fold) && typeof inner === 'string') name = inner
    else if (ARGUMENTS.has(fold) && args === undefined) args = inner
    else if (fold !== 'id' && fold !== 'type') return undefined
  }
  return name === undefined ? undefined : { name, args: args ?? {} }
}

function withArguments(text: string, name: string, brace: number, limit: number, start: number): One {
  const notes = new Notes(position => position)
  const read = readJson(text.slice(brace, limit), brace, NO_KEYS, notes)
  if (!read.ok)
    return {
      calls: [{ name, args: { kind: 'broken', refusal: read }, start, end: limit }],
      end: limit,
      open: read.code === 'TRUNCATED',
    }
  return {
    calls: [{ name, args: { kind: 'value', value: read.value }, start, end: brace + read.end }],
    end: brace + read.end,
    open: false,
  }
}

function fromPython(text: string, at: number, limit: number, start: number): One | undefined {
  const match = /^([\p{L}\p{N}_.-]{1,64})\s{0,2}\(/u.exec(text.slice(at, at + 70))
  if (!match) return undefined
  const paren = at + match[0].length - 1
  const end = scanCall(text, paren, limit)
  if (end < 0) return { calls: [], end: limit, open: true }
  const name = (match[1] as string).replace(/\.call$/, '').replace(/^functions\./, '')
  return {
    calls: [{ name, args: { kind: 'python', text: text.slice(paren + 1, end - 1), start: paren + 1 }, start, end }],
    end,
    open: false,
  }
}

/** `[name(arg="x"), other(…)]` with registered names. */
function pythonic(text: string, at: number, box: Toolbox, marked = false): { calls: RawCall[]; end: number } | undefined {
  if (text[at] !== '[' || !/^\[\s{0,8}[\p{L}_][\p{L}\p{N}_.-]{0,63}\(/u.test(text.slice(at, at + 80))) return undefined
  const calls: RawCall[] = []
  let i = at + 1
  for (let count = 0; count < 64; count++) {
    i = skip(text, i, text.length)
    const one = fromPython(text, i, text.length, i)
    const call = one?.calls[0]
    if (!one || !call || (!marked && (box.open || !resolveTool(call.name, box)))) return undefined
    calls.push(call)
    i = skip(text, one.end, text.length)
    if (text[i] === ']') return { calls, end: i + 1 }
    if (text[i] !== ',') return undefined
    i++
  }
  return undefined
}

function parameterPairs(body: string): { key: string; text: string }[] | undefined {
  const pairs: { key: string; text: string }[] = []
  let i = 0
  const last = body.lastIndexOf('</parameter>')
  for (;;) {
    const at = body.indexOf('<parameter', i)
    if (at < 0) return body.slice(i).trim() ? undefined : pairs
    if (body.slice(i, at).trim()) return undefined
    const opened = body.indexOf('>', at)
    if (opened < 0) return undefined
    const match =
      /^<parameter(?:=|\s{1,4}name\s{0,2}=\s{0,2})["']?([^"'>]{1,120}?)["']?(?:\s{1,4}\w{1,20}\s{0,2}=\s{0,2}["'][^"'>]{0,60}["'])?\s{0,4}$/.exec(
        body.slice(at, opened),
      )
    if (!match) return undefined
    const next = body.indexOf('<parameter', opened)
    const close = opened > last ? -1 : body.indexOf('</parameter>', opened)
    if (close < 0 && next < 0) return undefined
    // repair: a parameter that is not closed ends with the next one
    const end = close < 0 || (next >= 0 && next < close && body[next - 1] === '\n') ? next : close
    pairs.push({ key: (match[1] as string).trim(), text: xmlText(body.slice(opened + 1, end)) })
    i = end === close ? close + '</parameter>'.length : next
  }
}

function tagPairs(body: string): { key: string; text: string }[] | undefined {
  const pairs: { key: string; text: string }[] = []
  let i = 0
  for (;;) {
    const at = body.indexOf('<arg_key>', i)
    if (at < 0) return body.slice(i).trim() ? undefined : pairs
    const keyEnd = body.indexOf('</arg_key>', at)
    const valueAt = keyEnd < 0 ? -1 : body.indexOf('<arg_value>', keyEnd)
    const valueEnd = valueAt < 0 ? -1 : body.indexOf('</arg_value>', valueAt)
    if (valueEnd < 0 || body.slice(i, at).trim() || body.slice(keyEnd + 10, valueAt).trim()) return undefined
    pairs.push({ key: body.slice(at + 9, keyEnd).trim(), text: xmlText(body.slice(valueAt + 11, valueEnd)) })
    i = valueEnd + 12
  }
}

/** One line break off each end, CDATA unwrapped, entities decoded once. */
function xmlText(raw: string): string {
  const text = raw.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
  const trimmed = text.trim()
  if (trimmed.startsWith('<![CDATA[') && trimmed.endsWith(']]>')) return trimmed.slice(9, -3)
  return text.includes('&')
    ? text.replace(/&(amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});/g, (whole, name: string) => entity(name) ?? whole)
    : text
}

function entity(name: string): string | undefined {
  if (name.startsWith('#')) {
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
  }
  return ENTITIES[name]
}

function nativeWord(text: string, at: number, box: Toolbox): boolean {
  if (text.startsWith('functools[', at) || text.startsWith('to=functions.', at)) return true
  const match = /^(?:functions\.|>>>)([\p{L}\p{N}_.-]{1,64})/u.exec(text.slice(at, at + 80))
  return (
    match !== null &&
    (text.startsWith('functions.', at)
      ? /^functions\.[\p{L}\p{N}_.-]{1,64}(?::\d{1,6})?\s{0,4}(?:<\||[{(])/u.test(text.slice(at, at + 100))
      : !box.open && resolveTool(match[1] as string, box) !== undefined)
  )
}

/** The next markup after `at`, of any family; -1 when only noise or prose follows. */
function nextOpening(text: string, at: number, limit: number, box: Toolbox): number {
  let i = skip(text, at, limit)
  if (text[i] === ',' || text[i] === ';') i = skip(text, i + 1, limit)
  if (i < limit && (isNativeAt(text, i, true, box) || (text[i] === '{' && text[at] === ';'))) return i
  for (let mark = text.indexOf('<', i); mark >= 0 && mark < limit; mark = text.indexOf('<', mark + 1)) {
    if (
      text.startsWith('<tool_response', mark) ||
      text.startsWith('<function_result', mark) ||
      /^<[|｜]tool[_▁]output/.test(text.slice(mark, mark + 16))
    )
      return -1
    if (isNativeAt(text, mark, false, box)) return mark
  }
  return -1
}

function closeTag(text: string, from: number, tag: string, limit: number): number {
  const at = skip(text, from, limit)
  const fence = text.startsWith('```', at) ? skip(text, at + 3, limit) : at
  return text.slice(fence, fence + tag.length + 3).toLowerCase() === `</${tag}>` ? fence + tag.length + 3 : from
}

function indexBefore(text: string, wanted: string, from: number, limit: number): number {
  const at = text.indexOf(wanted, from)
  return at < 0 || at >= limit ? -1 : at
}

function skip(text: string, from: number, limit: number): number {
  let i = from
  while (i < limit && isSpace(text.charCodeAt(i))) i++
  return i
}

function tagName(text: string, at: number): string | undefined {
  return /^<([A-Za-z_][\w.:-]{0,63})(?=[\s>=/])/.exec(text.slice(at, at + 70))?.[1]
}

const NO_KEYS: ReadonlySet<string> = new Set()
/** What may stand between calls without being prose. */
const NOISE = /<\/?[\w:▁|｜]{1,40}>|```\w{0,12}/g
const NAMES = new Set(['name', 'tool', 'toolname', 'function', 'action'])
const ARGUMENTS = new Set(['arguments', 'args', 'parameters', 'input', 'actioninput', 'toolinput', 'kwargs', 'params'])
const ENTITIES: { readonly [name: string]: string | undefined } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
export const CALL_MARKUP = ['<tool_call>', '<function=', '<function_calls>', '<invoke name=', '[TOOL_CALLS]']
const CALL_TAGS = new Set([
  'tool_call',
  'tool_calls',
  'toolcall',
  'tool',
  'tool_use',
  'tool_code',
  'function',
  'function_call',
  'function_calls',
  'invoke',
  'action',
  'actions',
  'execute',
  'execute_tool',
  'call',
  'start_function_call',
  'command',
  'use_tool',
  'tool_name',
])
const HTML = new Set([
  'a',
  'b',
  'i',
  'u',
  's',
  'p',
  'br',
  'hr',
  'em',
  'strong',
  'code',
  'pre',
  'ul',
  'ol',
  'li',
  'div',
  'span',
  'table',
  'tr',
  'td',
  'th',
  'img',
  'h1',
  'h2',
  'h3',
  'h4',
  'blockquote',
  'details',
  'summary',
  'sub',
  'sup',
  'kbd',
  'title',
  'head',
  'body',
  'html',
  'input',
  'button',
  'form',
  'label',
  'link',
  'script',
  'style',
  'main',
  'nav',
  'section',
  'article',
  'header',
  'footer',
])
