// A line → the label that it only pretends to be, through its skeleton. It may cut or flag, never act.
import { type Grammar, isSpace, type LabelRole, matchLabel } from './labels.js'
import { isProtocol } from './marks.js'
import { skeleton } from './skeleton.js'

/** A look-alike of a label at the beginning of a line, or behind a character that breaks lines on somebody's screen. */
export function findLookalike(
  text: string,
  position: number,
  end: number,
  grammar: Grammar,
): { role: LabelRole; at: number } | undefined {
  const own = skeleton(text.slice(position, Math.min(end, position + 96)))
  const role = own === undefined ? undefined : roleOf(own, grammar)
  if (role) return { role, at: position }
  // other characters that break a line on somebody's screen
  for (let i = position; i < end; i++) {
    const code = text.charCodeAt(i)
    if ((code !== 13 || i + 1 >= end) && code !== 11 && code !== 12 && code !== 0x85 && code !== 0x2028 && code !== 0x2029)
      continue
    if (i + 1 >= end || isSpace(text.charCodeAt(i + 1))) continue
    const piece = text.slice(i + 1, Math.min(end, i + 97))
    const hidden = roleOf(skeleton(piece) ?? piece, grammar)
    if (hidden) return { role: hidden, at: i }
  }
  return undefined
}

function roleOf(line: string, grammar: Grammar): LabelRole | undefined {
  const found = matchLabel(line, 0, line.length, grammar)
  return found?.colon && !found.bullet && isProtocol(found.role) ? found.role : undefined
}
