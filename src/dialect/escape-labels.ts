// Foreign text → the same text with `| ` before every line that could be read as a label. Visible, and reversible by reading it.
import { isColon, isOddBreak } from '../parse/characters.js'
import { type Grammar, isFinish, isProtocol, type LabelRole } from '../parse/grammar.js'
import { matchLabel } from '../parse/labels.js'
import { labelBefore } from '../parse/midline.js'
import { skeleton } from '../parse/skeleton.js'

/** Marks label-like lines, whatever characters break the lines and whatever the letters are made of. */
export function escapeLabels(text: string, grammar: Grammar): string {
  let out = ''
  let from = 0
  while (from <= text.length) {
    let end = from
    while (end < text.length && !isBreak(text.charCodeAt(end))) end++
    const line = text.slice(from, end)
    out += looksLikeLabel(line, grammar) ? `| ${line}` : line
    if (end < text.length) out += text[end]
    from = end + 1
  }
  return out
}

/** A thought that is written anew: besides labels, nothing in it may begin a call. */
export function escapeThought(text: string, grammar: Grammar): string {
  return escapeLabels(text, grammar)
    .split('\n')
    .map(line =>
      /^\s*(?:[{[<`~>]|functions\.|functools\[|call:|to=)/.test(line) || finishes(line, grammar) ? `| ${line}` : line,
    )
    .join('\n')
    .replace(/<(?=[|｜A-Za-z/])/g, '‹')
    .replaceAll('[TOOL_CALLS]', '(TOOL_CALLS)')
    .split('\n')
    .map(line => unlabel(line, grammar))
    .join('\n')
}

/** `Finish[…]` at a line start is an answer without a label. */
function finishes(line: string, grammar: Grammar): boolean {
  const word = /^[\s*`]{0,11}(\p{L}[\p{L} _-]{0,30})[[(]/u.exec(line.slice(0, 48))?.[1]
  return word !== undefined && isFinish(word, grammar)
}

/** Takes the colon off labels in the middle of a line. */
function unlabel(line: string, grammar: Grammar): string {
  let out = ''
  for (let i = 0; i < line.length; i++) out += isLabelColon(line, i, grammar) ? ' -' : line[i]
  return out
}

/** Whether a label word stands anywhere in the text, with its colon. */
export function holdsLabel(text: string, grammar: Grammar): boolean {
  return text.split('\n').some(line => {
    for (let i = 0; i < line.length; i++) if (isLabelColon(line, i, grammar)) return true
    return false
  })
}

function isLabelColon(text: string, at: number, grammar: Grammar): boolean {
  return isColon(text.charCodeAt(at)) && labelBefore(text, at, 0, grammar) !== undefined
}

function looksLikeLabel(line: string, grammar: Grammar): boolean {
  const head = line.slice(0, 120)
  const found = matchLabel(head, 0, head.length, grammar)
  if (found && isGuarded(found.role)) return true
  const like = skeleton(head)
  if (like === undefined) return false
  const hidden = matchLabel(like, 0, like.length, grammar)
  return hidden !== undefined && isGuarded(hidden.role)
}

/** \n \v \f \r U+0085 U+2028 U+2029 */
function isBreak(code: number): boolean {
  return code === 10 || code === 13 || isOddBreak(code)
}

function isGuarded(role: LabelRole): boolean {
  return isProtocol(role) || role === 'turn' || role === 'speaker'
}
