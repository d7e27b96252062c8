// The name and arguments of one leaked call, in the spellings that several families share: JSON, `name(…)`, `name{…}` → a raw call.
import { isObject, type JsonObject, type JsonValue } from '../core/json.js'
import type { Problem } from '../core/reply.js'
import { readJson } from './action-input.js'
import { callList, noteIgnored } from './call-object.js'
import { foldWord, skipBlank } from './characters.js'
import { scanCall } from './json-scan.js'
import { Notes, type Refusal } from './notes.js'
import { bracketBehindName, isRegistered } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'

export type RawArguments =
  /** `repairs`: what reading the JSON took, with places in the text that was read. */
  | { readonly kind: 'value'; readonly value: JsonValue; readonly repairs: readonly Problem[] }
  | { readonly kind: 'pairs'; readonly pairs: readonly { readonly key: string; readonly text: string }[] }
  | { readonly kind: 'text'; readonly text: string; readonly start: number }
  | { readonly kind: 'python'; readonly text: string; readonly start: number }
  | { readonly kind: 'broken'; readonly refusal: Refusal }

export interface RawCall {
  readonly name: string
  readonly args: RawArguments
  readonly start: number
  readonly end: number
}

export interface One {
  readonly calls: readonly RawCall[]
  readonly end: number
  readonly open: boolean
}

/** DeepSeek and Kimi: `[function<sep>]name[:0]<sep or arguments>{…}`. */
export function readSeparated(text: string, at: number, after: number, limit: number): One | undefined {
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

/** `name[ARGS]{…}`, `functions.name:0 {…}`, `name{…}`. */
export function readNamed(text: string, at: number, limit: number): One | undefined {
  const match =
    /^(?:functions\.)?([\p{L}\p{N}_.-]{1,64})(?::\d{1,6})?(?:\[CALL_ID\]\w{0,40})?(?:\[ARGS\])?\s{0,4}(?:<\|[a-z_]{1,40}\|>)?(\s{0,4})([{(])/u.exec(
      text.slice(at, Math.min(limit, at + 200)),
    )
  if (!match) return undefined
  const brace = at + match[0].length - 1
  return match[3] === '(' ? fromPython(text, at, limit, at) : withArguments(text, match[1] as string, brace, limit, at)
}

export function readHarmony(text: string, at: number, limit: number): One | undefined {
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
export function readGemma(text: string, at: number, limit: number): One | undefined {
  const match = /^\s{0,4}call:([\p{L}\p{N}_.-]{1,64})\{/u.exec(text.slice(at, at + 80))
  if (!match) return undefined
  const brace = at + match[0].length - 1
  const end = scanCall(text, brace, limit)
  if (end < 0) return { calls: [], end: limit, open: true }
  const body = text.slice(brace, end).replaceAll('"', '\\"').replaceAll('<escape>', '"')
  const notes = new Notes()
  const read = readJson(
    body.includes('\\"') && !body.includes('<escape>') && !text.slice(brace, end).includes('<escape>')
      ? text.slice(brace, end)
      : body,
    brace,
    notes,
  )
  const args: RawArguments = read.ok
    ? { kind: 'value', value: read.value, repairs: own(notes.list(), brace, end) }
    : { kind: 'broken', refusal: read }
  const close = /^\s{0,4}<end_function_call>/.exec(text.slice(end, end + 30))
  return { calls: [{ name: match[1] as string, args, start: at, end }], end: end + (close?.[0].length ?? 0), open: false }
}

/** Keys without quotes are this family's own way; the places of other repairs moved with the quotes. */
function own(repairs: readonly Problem[], start: number, end: number): readonly Problem[] {
  return repairs.filter(({ cost }) => cost > 0).map(repair => ({ ...repair, span: [start, end] }))
}

/** A JSON object or list of call objects. */
export function fromJson(text: string, at: number, limit: number, start: number): One | undefined {
  const notes = new Notes()
  const piece = text.slice(at, limit).trimEnd()
  const read = readJson(piece, at, notes)
  if (!read.ok)
    return piece.startsWith('{') || piece.startsWith('[')
      ? {
          calls: [{ name: '', args: { kind: 'broken', refusal: read }, start, end: limit }],
          end: limit,
          open: read.code === 'TRUNCATED',
        }
      : undefined
  const found = callList(read.value).map(nameAndArguments)
  noteIgnored([...new Set(found.flatMap(call => call?.ignored ?? []))], { start: at, end: at + read.end }, notes)
  const calls: RawCall[] = []
  for (const call of found) {
    if (!call) return undefined
    // what the whole took is told once
    const repairs = calls.length === 0 ? notes.list() : []
    calls.push({ name: call.name, args: { kind: 'value', value: call.args, repairs }, start, end: at + read.end })
  }
  // repair: further objects behind a semicolon or line break belong to the same token
  return { calls, end: at + read.end, open: false }
}

function nameAndArguments(value: JsonValue): { name: string; args: JsonValue; ignored: readonly string[] } | undefined {
  if (!isObject(value)) return undefined
  const wrapped = Object.entries(value).find(([key, inner]) => foldWord(key) === 'function' && isObject(inner))
  const ignored = wrapped ? Object.keys(value).filter(key => key !== wrapped[0]) : []
  let name: string | undefined
  let args: JsonValue | undefined
  for (const [key, inner] of Object.entries((wrapped?.[1] as JsonObject | undefined) ?? value)) {
    const fold = foldWord(key)
    if (name === undefined && NAMES.has(fold) && typeof inner === 'string') name = inner
    else if (ARGUMENTS.has(fold) && args === undefined) args = inner
    else if (fold === 'id' || fold === 'type' || fold === 'toolcallid') ignored.push(key)
    else return undefined
  }
  return name === undefined ? undefined : { name, args: args ?? {}, ignored }
}

export function withArguments(text: string, name: string, brace: number, limit: number, start: number): One {
  const notes = new Notes()
  const read = readJson(text.slice(brace, limit), brace, notes)
  if (!read.ok)
    return {
      calls: [{ name, args: { kind: 'broken', refusal: read }, start, end: limit }],
      end: limit,
      open: read.code === 'TRUNCATED',
    }
  return {
    calls: [{ name, args: { kind: 'value', value: read.value, repairs: notes.list() }, start, end: brace + read.end }],
    end: brace + read.end,
    open: false,
  }
}

export function fromPython(text: string, at: number, limit: number, start: number): One | undefined {
  const match = /^([\p{L}\p{N}_.-]{1,64})\s{0,2}\(/u.exec(text.slice(at, at + 70))
  if (!match) return undefined
  const name = (match[1] as string).replace(/\.call$/, '').replace(/^functions\./, '')
  return inParentheses(text, name, at + match[0].length - 1, limit, start)
}

function inParentheses(text: string, name: string, paren: number, limit: number, start: number): One {
  const end = scanCall(text, paren, limit)
  if (end < 0) return { calls: [], end: limit, open: true }
  return {
    calls: [{ name, args: { kind: 'python', text: text.slice(paren + 1, end - 1), start: paren + 1 }, start, end }],
    end,
    open: false,
  }
}

/**
 * `[name(arg="x"), other(…)]`: calls of registered tools, or, alone on its line, anything that can only be meant as calls: an argument has its
 * name, or no tools are known. `marked`: a token says that it is a list of calls.
 */
export function pythonic(text: string, at: number, box: Toolbox, marked = false): { calls: RawCall[]; end: number } | undefined {
  if (!opensList(text, at, box)) return undefined
  const list = callsIn(text, at + 1, box)
  if (!list || marked || list.calls.every(call => isRegistered(call.name, box))) return list
  const alone = /^[ \t`]{0,8}(?:\r?\n|$)/.test(text.slice(list.end, list.end + 12))
  return alone && (box.open || list.calls.some(hasNamedArgument)) ? list : undefined
}

/** A bracket with a name and a parenthesis behind it. */
export function opensList(text: string, at: number, box: Toolbox): boolean {
  if (text[at] !== '[') return false
  const from = at + 1
  return /^\s{0,8}[\p{L}_][\p{L}\p{N}_.-]{0,63}\(/u.test(text.slice(from, from + 80)) || parenBehindName(text, from, box) >= 0
}

/** Where the parenthesis opens behind a registered tool's name that stands at `from`; -1 when none does. */
function parenBehindName(text: string, from: number, box: Toolbox): number {
  const bracket = from + bracketBehindName(text.slice(from, from + 400), box)
  return text[bracket] === '(' ? bracket : -1
}

/** A call whose name may hold anything when it is a registered tool's. */
function callAt(text: string, at: number, box: Toolbox): One | undefined {
  const one = fromPython(text, at, text.length, at)
  if (one) return one
  const paren = parenBehindName(text, at, box)
  return paren < 0 ? undefined : inParentheses(text, text.slice(at, paren).trim(), paren, text.length, at)
}

/** Calls with commas between them, up to the bracket that closes their list. */
function callsIn(text: string, from: number, box: Toolbox): { calls: RawCall[]; end: number } | undefined {
  const calls: RawCall[] = []
  let i = from
  for (let count = 0; count < 64; count++) {
    i = skipBlank(text, i, text.length)
    const one = callAt(text, i, box)
    if (!one?.calls[0]) return undefined
    calls.push(one.calls[0])
    i = skipBlank(text, one.end, text.length)
    if (text[i] === ']') return { calls, end: i + 1 }
    if (text[i] !== ',') return undefined
    i++
  }
  return undefined
}

function hasNamedArgument({ args }: RawCall): boolean {
  return args.kind === 'python' && /^\s{0,8}[\p{L}_][\p{L}\p{N}_]{0,63}\s{0,4}=(?!=)/u.test(args.text.slice(0, 90))
}

const NAMES = new Set(['name', 'tool', 'toolname', 'function', 'action'])

const ARGUMENTS = new Set(['arguments', 'args', 'parameters', 'input', 'actioninput', 'toolinput', 'kwargs', 'params'])
