// Calls in tags, `<tool_call>…`, `<function=…>`, `<invoke name=…>`, with JSON, parameter tags or pairs of tags in them → raw calls.
import { skipBlank } from './characters.js'
import { fromJson, fromPython, type One, pythonic, withArguments } from './native-bodies.js'
import { localName, tagName } from './native-words.js'
import type { Toolbox } from './tool-shape.js'

export function readTag(text: string, at: number, tag: string, limit: number, box: Toolbox): One | undefined {
  const opened = text.indexOf('>', at)
  if (opened < 0 || opened >= limit) return { calls: [], end: limit, open: true }
  const from = skipBlank(text, opened + 1, limit)
  const fenced = text.startsWith('```', from) ? skipBlank(text, Math.max(from + 3, text.indexOf('\n', from)), limit) : from
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
  if (/^(?:function|invoke)/.test(localName(tagName(text, fenced) ?? ''))) return { calls: [], end: fenced, open: false }
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
    return {
      calls: [{ name: body, args: { kind: 'value', value: {}, repairs: [] }, start: at, end }],
      end: end + tag.length + 3,
      open: false,
    }
  const named = /^([\p{L}\p{N}_.-]{1,64})\s{0,4}\{/u.exec(body.slice(0, 72))
  if (named) return withArguments(text, named[1] as string, text.indexOf('{', fenced), limit, at)
  return undefined
}

/** `<function=name>…</function>`, `<invoke name="name">…</invoke>` with parameters as tags or as JSON. */
export function readInvoke(text: string, at: number, limit: number): One | undefined {
  const opened = text.indexOf('>', at)
  if (opened < 0 || opened >= limit) return { calls: [], end: limit, open: true }
  const open = text.slice(at, opened)
  const match =
    /^<((?:[A-Za-z]\w{0,15}:|[|｜]\w{1,16}[|｜])?(?:function|invoke))(?:=|\s{1,4}name\s{0,2}=\s{0,2})["']?([^"'>]{1,120})["']?\s{0,4}$/.exec(
      open,
    )
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
  const pairs = parameterPairs(body, `${tag.slice(0, -localName(tag).length)}parameter`)
  // only complete JSON may do without its closing tag: a further parameter may be missing here
  if (closeAt < 0) return { calls: [], end: limit, open: true }
  if (!pairs) return undefined
  return { calls: [{ name, args: { kind: 'pairs', pairs }, start: at, end }], end, open: false }
}

/** `<tool>name</tool><tool_input>…</tool_input>`, `<action>name</action><action_input>…</action_input>`. */
export function readTagPair(text: string, at: number, limit: number): One | undefined {
  const name =
    /^<(tool|action|tool_name)>\s{0,8}([\p{L}\p{N}_.-]{1,64})\s{0,8}<\/\1>\s{0,8}<((?:tool_|action_)?input|arguments|parameters)>/u.exec(
      text.slice(at, Math.min(limit, at + 160)),
    )
  if (!name) return undefined
  const from = at + name[0].length
  const tag = name[3] as string
  const close = indexBefore(text, `</${tag}>`, from, limit)
  const written = name[2] as string
  const body = text.slice(from, close < 0 ? limit : close)
  if (body.trim().startsWith('{')) {
    const read = withArguments(text, written, text.indexOf('{', from), close < 0 ? limit : close, at)
    return { ...read, end: close < 0 ? read.end : close + tag.length + 3 }
  }
  if (close < 0) return { calls: [], end: limit, open: true }
  const args = { kind: 'text', text: xmlText(body), start: from } as const
  return { calls: [{ name: written, args, start: at, end: close }], end: close + tag.length + 3, open: false }
}

/** Tags of parameters, `tag` with its namespace. */
function parameterPairs(body: string, tag: string): { key: string; text: string }[] | undefined {
  const pairs: { key: string; text: string }[] = []
  const opening = `<${tag}`
  const closing = `</${tag}>`
  let i = 0
  const last = body.lastIndexOf(closing)
  for (;;) {
    const at = body.indexOf(opening, i)
    if (at < 0) return body.slice(i).trim() ? undefined : pairs
    if (body.slice(i, at).trim()) return undefined
    const opened = body.indexOf('>', at)
    if (opened < 0) return undefined
    const match =
      /^(?:=|\s{1,4}name\s{0,2}=\s{0,2})["']?([^"'>]{1,120}?)["']?(?:\s{1,4}\w{1,20}\s{0,2}=\s{0,2}["'][^"'>]{0,60}["'])?\s{0,4}$/.exec(
        body.slice(at + opening.length, opened),
      )
    if (!match) return undefined
    const next = body.indexOf(opening, opened)
    const close = opened > last ? -1 : body.indexOf(closing, opened)
    if (close < 0 && next < 0) return undefined
    // repair: a parameter that is not closed ends with the next one
    const end = close < 0 || (next >= 0 && next < close && body[next - 1] === '\n') ? next : close
    pairs.push({ key: (match[1] as string).trim(), text: xmlText(body.slice(opened + 1, end)) })
    i = end === close ? close + closing.length : next
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
  const text = outdented(raw)
    .replace(/^\r?\n/, '')
    .replace(/\r?\n$/, '')
  const trimmed = text.trim()
  if (trimmed.startsWith('<![CDATA[') && trimmed.endsWith(']]>')) return trimmed.slice(9, -3)
  return text.includes('&')
    ? text.replace(/&(amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});/g, (whole, name: string) => entity(name) ?? whole)
    : text
}

/** A value on lines of its own between tags that are indented: the indentation it shares with the closing tag is layout. */
function outdented(raw: string): string {
  if (!/^\r?\n/.test(raw) || !/\n[ \t]{1,40}$/.test(raw.slice(-60))) return raw
  const lines = raw.slice(raw.indexOf('\n') + 1, raw.lastIndexOf('\n')).split('\n')
  const indents = lines.filter(line => line.trim()).map(line => line.length - line.trimStart().length)
  const shared = indents.reduce((least, indent) => Math.min(least, indent), 40)
  return lines.map(line => line.slice(Math.min(shared, line.length - line.trimStart().length))).join('\n')
}

function entity(name: string): string | undefined {
  if (name.startsWith('#')) {
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
  }
  return ENTITIES[name]
}

function closeTag(text: string, from: number, tag: string, limit: number): number {
  const at = skipBlank(text, from, limit)
  const fence = text.startsWith('```', at) ? skipBlank(text, at + 3, limit) : at
  return text.slice(fence, fence + tag.length + 3).toLowerCase() === `</${tag.toLowerCase()}>` ? fence + tag.length + 3 : from
}

function indexBefore(text: string, wanted: string, from: number, limit: number): number {
  const at = text.indexOf(wanted, from)
  return at < 0 || at >= limit ? -1 : at
}

const ENTITIES: { readonly [name: string]: string | undefined } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
