// Text in which no label was found → whether it is a step all the same: its label words stand in a dress that nobody knows, `[Action] search`,
// `**Action** search`, `Action = search`, or are words that nobody knows, `Command: search`. It is not read, but it is no answer either.

import { endOfCall } from './call-form.js'
import { foldWord, skipBlank } from './characters.js'
import { isFence } from './fence-line.js'
import { type Grammar, isFinish, isProtocol, type LabelRole } from './grammar.js'
import { BULLET } from './label-lines.js'
import { lineEnd } from './line.js'
import { cleanName, isRegistered } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'

/**
 * `step`: two different label words stand at the beginning of lines, set off by signs or alone, or one for an action or observation that can be nothing
 * else; or a line sets a registered tool off behind any words. `answer`: the long word for an answer stands at the beginning of a line.
 */
export function holdsOddLabels(text: string, grammar: Grammar, box: Toolbox): 'step' | 'answer' | undefined {
  let first: LabelRole | undefined
  let step = false
  let fenced = false
  const bulleted = BULLET.test(text.slice(0, 16))
  let headed = false
  const lastComment = text.lastIndexOf('-->')
  for (let from = 0, end = 0; from < text.length; from = lineEnd(text, behindComment(text, from, end, lastComment)) + 1) {
    end = lineEnd(text, from)
    const alone = fenced ? undefined : roleAlone(text, from, end, grammar)
    if (alone !== undefined) {
      step ||= (first !== undefined && alone !== first) || (alone === 'action' && box.byName.has(cleanName(lineBelow(text, end))))
      first = alone
      continue
    }
    // most lines are prose, and one look shows that
    if (PROSE.test(text.slice(from, Math.min(end, from + LONGEST)))) continue
    const head = text.slice(from, Math.min(end, from + 64))
    if (from < lastComment && /^\s{0,8}<!--/.test(head)) continue
    if (isFence(text, skipBlank(text, from, end))) fenced = !fenced
    if (fenced || (!bulleted && BULLET.test(head))) continue
    headed ||= /^#{1,6} /.test(head)
    step ||= !(headed && isTold(text, end)) && callsTool(text, from, end, box)
    const found = DRESSED.exec(head)
    const key = found ? foldWord(found[1] as string) : ''
    const role = key ? grammar.roles.get(key) : undefined
    // tags are markup, and read as such; none has a blank in its name
    if (found?.[0].endsWith('>') && !found[1]?.includes(' ') && !head.startsWith(':', found[0].length)) continue
    if (!found || role === undefined || !isProtocol(role) || grammar.common.has(key) || isQuoted(found[0])) continue
    if (role === 'answer') return 'answer'
    step ||= role === 'observation' || (first !== undefined && role !== first)
    step ||= role === 'action' && namesTool(text.slice(from + found[0].length, end), grammar, box)
    first = role
  }
  return step ? 'step' : undefined
}

/** What the line announces when it is a label word and nothing else, perhaps a heading, but without a colon. */
function roleAlone(text: string, from: number, end: number, grammar: Grammar): LabelRole | undefined {
  if (end - from > LONGEST || !ALONE.test(text.slice(from, end))) return undefined
  const key = foldWord(text.slice(from, end))
  const role = grammar.roles.get(key)
  return role !== undefined && isProtocol(role) && !grammar.common.has(key) ? role : undefined
}

function lineBelow(text: string, end: number): string {
  return text.slice(end + 1, lineEnd(text, end + 1)).trim()
}

/** Where the comment ends that opens on the line and goes on below it; else where the line begins. `last`: where the last comment ends. */
function behindComment(text: string, from: number, end: number, last: number): number {
  const opens = from < last ? text.slice(from, end).lastIndexOf('<!--') : -1
  return opens < 0 ? from : Math.max(from, text.indexOf('-->', from + opens))
}

/**
 * Nothing stands behind a word or a few, set off by signs, on its line or below it, but the name of a registered tool or its call; or a further
 * such word does, behind the name or the call.
 */
function callsTool(text: string, from: number, end: number, box: Toolbox): boolean {
  const [head] = box.open ? [] : (SET_OFF.exec(text.slice(from, Math.min(end, from + LONGEST))) ?? [])
  if (head === undefined) return false
  const rest = text.slice(from + head.length, end).trim() || lineBelow(text, end)
  // in another spelling it may be any word
  const behind = endOfCall(rest, box)
  return (
    box.byName.has(cleanName(rest)) ||
    (behind > 0 && (behind >= rest.length - 1 || isLabelBehind(rest, behind))) ||
    box.names.some(name => rest.startsWith(name) && isLabelBehind(rest, name.length))
  )
}

/** Below a heading, prose goes on with it: the text is about the tool. */
function isTold(text: string, end: number): boolean {
  const next = text.slice(end + 1, lineEnd(text, end + 1))
  return /\p{L}/u.test(next) && !SET_OFF.test(next.slice(0, LONGEST))
}

function isLabelBehind(text: string, at: number): boolean {
  return BEHIND_NAME.test(text.slice(at, at + 80))
}

/** A quote opens before the word and does not close right behind it: the label is only mentioned. */
function isQuoted(dressed: string): boolean {
  const open = /["'`“‘「]/.exec(dressed.slice(0, 16))?.[0]
  return open !== undefined && !dressed.endsWith(open) && !/[”’」]$/.test(dressed)
}

/** Behind signs, the text begins with a registered tool, or a word that finishes. */
function namesTool(text: string, grammar: Grammar, box: Toolbox): boolean {
  const word = /^[^\p{L}\p{N}]{0,8}([\p{L}\p{N}_.-]{1,64})/u.exec(text.slice(0, 80))?.[1]
  return word !== undefined && (isFinish(word, grammar) || isRegistered(word, box))
}

/** Of what is looked at of a line. */
const LONGEST = 80
/** A line that begins with five plain words, or with a letter and holds none of the signs that may set a word off from what follows it. */
const PROSE = /^\s{0,8}\p{L}(?:[\p{L}\p{N}'’]{0,30}(?: [\p{L}\p{N}'’]{1,30}){4}|[^:：﹕∶=→|>-]{0,79}$)/u
/** Words without signs, no small letter first. */
const ALONE = /^\s{0,8}(?:#{1,6} )?[\p{Lu}\p{Lo}][\p{L} ]{0,40}\s{0,8}$/u
const BEHIND_NAME =
  /^(?:$|[\s,;|`*"]{1,6}\p{L}[\p{L}\p{N}_]{0,24}(?: [\p{L}\p{N}_]{1,24}){0,2}[*_`]{0,3}\s{0,2}(?:[:：﹕∶=→]|[-=]>))/u
const SET_OFF =
  /^[^\p{L}\p{N}\n]{0,12}\p{L}[\p{L}\p{N}_'’-]{0,24}(?: [\p{L}\p{N}_'’-]{1,24}){0,3}[*_`\]>\s]{0,6}(?:[:：﹕∶=→]|[-=]>)/u

/** Signs around a word or two, or behind them: one of `-=>|:：` at least, when none stand before. A number may stand right before the word. */
const DRESSED =
  /^\s{0,8}(?=[^\p{L}\p{N}\s]|[^:：=|>-]{1,40}[:：=|>-])(?:\d{1,2}[.)])?[^\p{L}\p{N}\s]{0,8} ?(\p{L}[\p{L}_-]{0,24}(?: \p{L}[\p{L}_-]{0,24})?) ?\d{0,2} ?[^\p{L}\p{N}\s,.;!?'’]/u
