// The text of an input → the text inside a fence or `<code>` pair that surrounds all of it. What stands inside is not touched.
import { isColon } from './characters.js'
import { isFence } from './fence-line.js'
import { lineEnd } from './line.js'

export interface Unfenced {
  readonly text: string
  /** Where `text` begins in what was given. */
  readonly offset: number
  readonly kind?: 'fence' | 'tag'
  /** The closing fence is missing. */
  readonly open: boolean
  /** Where other text begins behind the closing fence. */
  readonly rest?: number
}

/** Takes a wrapper off `text`, which is already trimmed. */
export function unfence(text: string): Unfenced {
  if (isFence(text, 0)) return unfenceBlock(text)
  if (text.startsWith('<') && text.slice(0, 6).toLowerCase() === '<code>') return untag(text)
  return { text, offset: 0, open: false }
}

/** A fence at a line start that does not close. */
export function openFence(text: string): boolean {
  if (text.indexOf('```') < 0) return false
  let open = ''
  for (const line of text.split('\n')) {
    const trimmed = (open ? undefined : openerBehind(line)) ?? line.trim()
    if (!trimmed.startsWith('```')) continue
    const ticks = /^`+/.exec(trimmed)?.[0] ?? ''
    if (!open) {
      if (!trimmed.slice(ticks.length).includes('```')) open = ticks
    } else if (trimmed === ticks && ticks.length >= open.length) open = ''
  }
  return open !== ''
}

/** The fence that opens at the end of a line: alone on it, or behind a colon. */
export function openerBehind(line: string): string | undefined {
  const tail = line.trim().slice(-120)
  const last = tail.lastIndexOf('```')
  const info = tail.slice(last + 3)
  if (last < 0 || info.length > 80 || info.includes('`')) return undefined
  let start = last
  while (tail[start - 1] === '`') start--
  let before = start
  while (start - before < 8 && ' \t*_'.includes(tail[before - 1] ?? '`')) before--
  const opens = last + 3 - start <= 8 && (before === 0 || isColon(tail.charCodeAt(before - 1)))
  return opens ? tail.slice(start) : undefined
}

function unfenceBlock(text: string): Unfenced {
  const char = text.charAt(0)
  let ticks = 3
  while (text[ticks] === char) ticks++
  const mark = char.repeat(ticks)
  const first = text.indexOf('\n')
  if (first < 0) {
    // in a one-line fence nothing is a language tag
    const close = text.indexOf(mark, ticks)
    if (close < 0) return { text: text.slice(ticks).trim(), offset: ticks, kind: 'fence', open: true }
    if (text.slice(close + ticks).trim()) return { text, offset: 0, open: false }
    const inner = text.slice(ticks, close)
    return { text: inner.trim(), offset: ticks + inner.length - inner.trimStart().length, kind: 'fence', open: false }
  }
  const info = text.slice(ticks, first).trim()
  // repair: the content begins on the fence's own line, when that can be no language tag
  const closesOwnLine =
    closingFence(text, first + 1, mark) >= 0 &&
    text
      .trimEnd()
      .slice(text.trimEnd().lastIndexOf('\n') + 1)
      .trim()
      .startsWith(mark)
  const inline =
    info !== '' &&
    (!/^[\w+#.-]{1,24}$/.test(info) || (!closesOwnLine && text.trimEnd().endsWith(mark) && !LANGUAGES.has(info.toLowerCase())))
  const start = inline ? ticks : first + 1
  const close = closingFence(text, start, mark)
  const end = close < 0 ? text.length : close
  const closer = close < 0 ? -1 : text.indexOf(mark, close)
  const after = closer < 0 ? '' : text.slice(closer + ticks).trim()
  const body = text.slice(start, end)
  if (after && !/^[{[]/.test(body.trimStart())) return { text, offset: 0, open: false }
  const json = /^\s*[{[]/.test(body)
  const inner = json ? body.trim() : trimLines(body)
  return {
    text: inner,
    offset: start + (json ? body.length - body.trimStart().length : leadingLines(body)),
    kind: 'fence',
    open: close < 0,
    ...(after ? { rest: closer + ticks } : {}),
  }
}

/** The line break before the closing fence, or its place at the end of the last line. */
function closingFence(text: string, start: number, mark: string): number {
  let last = -1
  for (let at = text.indexOf(mark, start); at >= 0; at = text.indexOf(mark, at + mark.length)) {
    const lineStart = text.lastIndexOf('\n', at) + 1
    if (
      text.slice(lineStart, at).trim() === '' &&
      text
        .slice(at + mark.length, lineEnd(text, at))
        .replaceAll('`', '')
        .trim() === ''
    )
      return Math.max(start, lineStart)
    last = at
  }
  // repair: a closer that was cut short, alone on the last line
  const lastLine = Math.max(start, text.lastIndexOf('\n') + 1)
  const short = text.slice(lastLine).trim()
  if (lastLine > start && short !== '' && mark.startsWith(short)) return lastLine
  // repair: the closer stands at the end of the last line of code
  if (last >= 0 && text.slice(last + mark.length).trim() === '') return last
  return -1
}

/** Takes blank lines off both ends; indentation stays. */
function trimLines(text: string): string {
  return text.slice(leadingLines(text)).trimEnd()
}

function leadingLines(text: string): number {
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '\n') from = i + 1
    else if (char !== ' ' && char !== '\t' && char !== '\r') break
  }
  return from
}

/** `<code>…</code>`; the closer may be cut short. */
function untag(text: string): Unfenced {
  const body = text.slice(6)
  const lower = body.toLowerCase()
  let end = lower.indexOf('</code>')
  if (end >= 0 && body.slice(end + 7).trim()) return { text, offset: 0, open: false }
  if (end < 0) {
    const partial = lower.lastIndexOf('<')
    if (partial >= 0 && '</code>'.startsWith(lower.slice(partial).trim())) end = partial
  }
  if (end < 0) return { text: trimLines(body), offset: 6 + leadingLines(body), kind: 'tag', open: true }
  const inner = body.slice(0, end)
  return { text: trimLines(inner), offset: 6 + leadingLines(inner), kind: 'tag', open: false }
}

/** Language tags that stand on the opening line of a fence; any other word there may be code when the closer is glued to the last line. */
const LANGUAGES = new Set(
  'python python3 py javascript js typescript ts jsx tsx json json5 jsonc yaml yml toml xml html css scss sql mysql postgresql sqlite bash sh shell zsh console powershell ps1 bat cmd java kotlin scala groovy c cpp c++ cc h cs csharp c# go golang rust rs ruby rb php perl lua r julia swift dart haskell hs elixir clojure lisp scheme matlab octave tex latex markdown md text txt plaintext plain diff ini conf dockerfile makefile graphql cypher sparql regex csv mermaid code tool_code input'.split(
    ' ',
  ),
)
