// A place in a text → whether call-like markup begins there, readable or not. Ordinary HTML does not count.
import { pythonic } from './native-bodies.js'
import { isRegistered } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'

/** Whether call-like markup begins at `at`. `line`: `at` is the first character of its line. */
export function isNativeAt(text: string, at: number, line: boolean, box: Toolbox): boolean {
  const char = text[at]
  if (char === '<') {
    if (!/[A-Za-z_|｜]/.test(text[at + 1] ?? ' ')) return false
    const head = text.slice(at, at + 48)
    if (/^<[|｜](?:python_tag|tool|DSML|channel\|>(?:commentary|\w{1,12} to=)|recipient|from)/.test(head)) return true
    const tag = tagName(text, at)
    if (!tag) return false
    return isCallTag(tag) || isToolTag(tag, box)
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
  const code = text.charCodeAt(at)
  return (code === 60 || code === 91) && CALL_MARKUP.some(word => text.startsWith(word, at))
}

/** An element whose tag has the name of a registered tool, from its opening tag on. */
export function isToolElement(text: string, at: number, box: Toolbox): boolean {
  const tag = text[at] === '<' ? tagName(text, at) : undefined
  if (tag === undefined || !isToolTag(tag, box)) return false
  return text.indexOf(`</${tag}>`, at) > 0 || /^[^<>]{0,400}\/>/.test(text.slice(at + 1, at + 404))
}

function isToolTag(tag: string, box: Toolbox): boolean {
  return !isHtml(tag) && isRegistered(tag, box)
}

export function isHtml(tag: string): boolean {
  return HTML.has(tag.toLowerCase())
}

function nativeWord(text: string, at: number, box: Toolbox): boolean {
  if (text.startsWith('functools[', at) || text.startsWith('to=functions.', at)) return true
  const match = /^(?:functions\.|>>>)([\p{L}\p{N}_.-]{1,64})/u.exec(text.slice(at, at + 80))
  return (
    match !== null &&
    (text.startsWith('functions.', at)
      ? /^functions\.[\p{L}\p{N}_.-]{1,64}(?::\d{1,6})?\s{0,4}(?:<\||[{(])/u.test(text.slice(at, at + 100))
      : isRegistered(match[1] as string, box))
  )
}

/** A tag's name says that a tool is called: `tool_call`, `ToolCall`, `execute_command`, `my:tool-call`. */
function isCallTag(tag: string): boolean {
  const name = localName(tag)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
  return CALL_TAGS.has(name) || /^(?:execute|invoke|call)_[a-z]|[a-z]_tool$/.test(name)
}

/** The name of the tag at `at`, with its namespace. */
export function tagName(text: string, at: number): string | undefined {
  return /^<((?:[|｜]\w{1,16}[|｜])?[A-Za-z_][\w.:-]{0,63})(?=[\s>=/])/.exec(text.slice(at, at + 90))?.[1]
}

/** A tag's name without its namespace: some families write `<ns:invoke>`, or `<｜NS｜invoke>`. */
export function localName(tag: string): string {
  return tag.slice(Math.max(tag.lastIndexOf(':'), tag.lastIndexOf('|'), tag.lastIndexOf('｜')) + 1)
}

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
