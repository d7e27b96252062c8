// A line → the label that it only pretends to be, through its skeleton. It may cut or flag, never act.
import { isOddBreak, isSpace } from './characters.js'
import { type Grammar, isProtocol, type LabelRole } from './grammar.js'
import { matchLabel } from './labels.js'
import { skeleton } from './skeleton.js'

/** A look-alike of a label at the beginning of a line, or behind a character that breaks lines on somebody's screen. */
export function findLookalike(
  text: string,
  position: number,
  end: number,
  grammar: Grammar,
): { role: LabelRole; at: number } | undefined {
  const own = skeleton(text.slice(position, Math.min(end, position + LONGEST_LABEL)))
  const role = own === undefined ? undefined : roleOf(own, grammar)
  if (role) return { role, at: position }
  // other characters that break a line on somebody's screen
  for (let i = position; i < end; i++) {
    const code = text.charCodeAt(i)
    if (i + 1 >= end || (code !== 13 && !isOddBreak(code)) || isSpace(text.charCodeAt(i + 1))) continue
    const piece = text.slice(i + 1, Math.min(end, i + 1 + LONGEST_LABEL))
    const hidden = roleOf(skeleton(piece) ?? piece, grammar)
    if (hidden) return { role: hidden, at: i }
  }
  return undefined
}

/** Whether a look-alike may stand elsewhere than at the beginning of a line that has one of the four colons there. */
export function holdsOddities(text: string): boolean {
  return (
    ODD_WIDE.test(text) ||
    text.includes('\v') ||
    text.includes('\f') ||
    text.includes('\u0085') ||
    (text.includes('\r') && /\r[^\n]/.test(text))
  )
}

/** A colon of an odd kind, or what is none and may be taken for one. */
export function holdsOddColon(text: string): boolean {
  return ODD_COLON.test(text)
}

function roleOf(line: string, grammar: Grammar): LabelRole | undefined {
  const found = matchLabel(line, 0, line.length, grammar)
  return found?.colon && !found.bullet && isProtocol(found.role) ? found.role : undefined
}

/** With all that may decorate it. */
export const LONGEST_LABEL = 96
const ODD_COLON = /[﹕∶꞉ː׃︓⩴]|𐞁/
/** Characters that imitate a colon, and those that break lines on somebody's screen. A text without wide characters is not even searched. */
const ODD_WIDE = /[꞉ː׃︓⩴\u2028\u2029]|𐞁/
