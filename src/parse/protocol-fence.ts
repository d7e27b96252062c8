// Text → the same text, as long as before, with the fences blanked out that stand around the protocol itself: the whole reply, or each of its
// steps. A fence that shows the protocol within prose stays.

import { skipBlank } from './characters.js'
import { isFence } from './fence-line.js'
import { type Grammar, isProtocol } from './grammar.js'
import { type LabelMatch, matchLabel } from './labels.js'
import { lineEnd } from './line.js'
import type { Wrapper } from './marks.js'
import { labelBefore } from './midline.js'
import { openerBehind } from './unfence.js'

export interface Unwrapped {
  readonly text: string
  readonly wrapper: Wrapper | undefined
}

/** Blanks out the fences around the protocol. */
export function unwrapProtocol(text: string, grammar: Grammar): Unwrapped {
  if (!text.includes('```') && !text.includes('~~~')) return { text, wrapper: undefined }
  const start = skipPreamble(text, 0, grammar)
  let at = openerAfter(text, start)
  if (at < 0) at = openerInThought(text, start, grammar)
  if (at < 0) return { text, wrapper: undefined }
  const pieces: string[] = []
  let line: Wrapper['line'] | undefined
  const ends: number[] = []
  let from = 0
  while (at >= 0) {
    const fence = readFence(text, at, grammar)
    if (!holdsStep(text, fence, grammar, at === start)) break
    line ??= [at, fence.content]
    if (!fence.open) ends.push(fence.end)
    pieces.push(text.slice(from, at), blank(at, fence.content, text), text.slice(fence.content, fence.close))
    pieces.push(blank(fence.close, fence.end, text))
    from = fence.end
    at = openerAfter(text, skipBlank(text, from, text.length))
  }
  if (!line) return { text, wrapper: undefined }
  pieces.push(text.slice(from))
  return { text: pieces.join(''), wrapper: { line, ends } }
}

/** A fence below a thought, which holds the action, with nothing behind it but further labels. */
function openerInThought(text: string, start: number, grammar: Grammar): number {
  const thought = matchLabel(text, start, lineEnd(text, start), grammar)
  if (thought?.role !== 'thought' || !thought.colon || isFence(text, skipBlank(text, thought.value, thought.value + 8))) return -1
  for (let from = lineEnd(text, start) + 1; from < text.length; from = lineEnd(text, from) + 1) {
    const end = lineEnd(text, from)
    const at = openerAfter(text, skipBlank(text, from, end))
    if (at >= 0) {
      const fence = readFence(text, at, grammar)
      const inside = skipBlank(text, fence.content, fence.close)
      const first = matchLabel(text, inside, lineEnd(text, inside), grammar)
      const after = skipBlank(text, fence.end, text.length)
      const alone = after >= text.length || matchLabel(text, after, lineEnd(text, after), grammar) !== undefined
      return first?.colon && (first.role === 'action' || first.role === 'answer') && alone ? at : -1
    }
    const label = matchLabel(text, from, end, grammar)
    if ((label?.colon && isProtocol(label.role)) || openerBehind(text.slice(from, end)) !== undefined) return -1
  }
  return -1
}

interface Fence {
  readonly open: boolean
  readonly plain: boolean
  /** Where its first line begins; where the closing line begins and ends. */
  readonly content: number
  readonly close: number
  readonly end: number
}

/** The lines before it say nothing: role prefixes, the question again, a heading, comments. */
function skipPreamble(text: string, start: number, grammar: Grammar): number {
  let at = skipBlank(text, start, text.length)
  for (let lines = 0; lines < 8 && at < text.length; lines++) {
    const end = lineEnd(text, at)
    const label = matchLabel(text, at, end, grammar)
    if (label?.role === 'speaker') at = skipBlank(text, label.value, text.length)
    else if (label?.role === 'turn' && label.colon) at = skipBlank(text, end, text.length)
    else if (label?.role === 'answer' && label.dress === 'heading' && !text.slice(label.value, end).trim())
      at = skipBlank(text, end, text.length)
    else if (text.startsWith('<!--', at) && text.slice(at, end).trimEnd().endsWith('-->')) at = skipBlank(text, end, text.length)
    else return at
  }
  return at
}

/** `at`, when a fence opens there that is not closed on its line. */
function openerAfter(text: string, at: number): number {
  if (!isFence(text, at)) return -1
  return /^(?:`{3,8}|~{3,8})[ \t]{0,4}[\w+-]{0,16}[ \t]{0,4}\r?$/.test(text.slice(at, Math.min(lineEnd(text, at), at + 40)))
    ? at
    : -1
}

/** From the fence that opens at `at` to its closing line; fences within it are counted. */
function readFence(text: string, at: number, grammar: Grammar): Fence {
  const char = text.charAt(at)
  const first = text.slice(at, lineEnd(text, at)).trim()
  const info = first.replace(/^[`~]{3,8}[ \t]{0,4}/, '').toLowerCase()
  const content = Math.min(text.length, lineEnd(text, at) + 1)
  let inner = false
  let emptyLabel = false
  let spare: Fence | undefined
  for (let from = content; from < text.length; ) {
    const end = lineEnd(text, from)
    const line = text.slice(from, end).trim()
    if (line.startsWith(char.repeat(3))) {
      const bare = line.replaceAll(char, '') === ''
      const fence: Fence = { open: false, plain: PLAIN.has(info), content, close: from, end }
      // below a label without a value a fence opens, unless nothing closes after it
      if (!inner && bare && emptyLabel) spare ??= fence
      if (!inner && (!bare || emptyLabel)) inner = !line.slice(3).includes(char.repeat(3))
      else if (bare && inner) inner = false
      else if (bare) return fence
    } else if (!inner && line.includes(char.repeat(3))) inner = openerBehind(line) !== undefined
    emptyLabel = !inner && line !== '' && isEmptyLabel(text, from, end, grammar)
    from = end + 1
  }
  return spare ?? { open: true, plain: PLAIN.has(info), content, close: text.length, end: text.length }
}

/** A label whose value stands below: a fence there opens, and closes nothing. */
function isEmptyLabel(text: string, start: number, end: number, grammar: Grammar): boolean {
  const label = matchLabel(text, start, end, grammar)
  return label !== undefined && (isProtocol(label.role) || label.role === 'weak_input') && !text.slice(label.value, end).trim()
}

/**
 * It begins with a label; or, when it names no language, an action or answer has a label of its own in it. `first`: nothing stands before the
 * fence; with nothing behind it either it is the whole reply, and any label of the protocol will do.
 */
function holdsStep(text: string, fence: Fence, grammar: Grammar, first: boolean): boolean {
  const start = skipPreamble(text.slice(0, fence.close), fence.content, grammar)
  const opens = matchLabel(text, start, lineEnd(text, start), grammar)
  const step = opens !== undefined && start < fence.close && isProtocol(opens.role)
  if (step && opens.colon) return true
  // a heading alone may be one of any text
  const heading = step && opens.dress === 'heading'
  if (!heading && (!fence.plain || fence.open)) return false
  const whole = first && skipBlank(text, fence.end, text.length) >= text.length
  let before: LabelMatch['role'] | undefined
  let headings = 0
  for (let from = fence.content; from < fence.close; from = lineEnd(text, from) + 1) {
    const label = matchLabel(text, from, lineEnd(text, from), grammar)
    if (headings > 0 && !label && holdsInput(text, from, grammar)) return true
    const below = before === 'action' || before === 'answer'
    if (headings > 0 && below && whole && !label && text[skipBlank(text, from, fence.close)] === '{') return true
    // a common word such as `Answer:` may stand in any text
    if (!label || (!heading && !whole && label.colon && label.role === 'answer' && grammar.common.has(label.key))) continue
    const { role } = label
    const pair =
      (role === 'weak_input' && (before === 'tool' || headings > 0)) ||
      (role === 'tool' && holdsInput(text, label.value, grammar))
    if ((whole || heading) && (pair || isProtocol(role)) && (label.colon || ++headings > 1)) return true
    if (label.colon && !label.bullet && (role === 'action' || role === 'answer')) return true
    before = role
  }
  return false
}

/** An input label stands on the rest of the line. */
function holdsInput(text: string, from: number, grammar: Grammar): boolean {
  const end = Math.min(lineEnd(text, from), from + 200)
  for (let at = from; at < end; at++) if (text[at] === ':' && labelBefore(text, at, from, grammar)?.role === 'input') return true
  return false
}

function blank(start: number, end: number, text: string): string {
  return end > start ? ' '.repeat(end - start - 1) + (text[end - 1] === '\n' ? '\n' : ' ') : ''
}

/** The fence at the beginning of the text names no language that its content could be data of. */
export function isPlainFence(text: string): boolean {
  return PLAIN.has(
    text
      .slice(0, lineEnd(text, 0))
      .replace(/^[`~]{3,8}/, '')
      .trim()
      .toLowerCase(),
  )
}

const PLAIN = new Set(['', 'text', 'txt', 'plaintext', 'plain', 'markdown', 'md', 'react', 'tool', 'action'])
