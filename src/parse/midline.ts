// A colon in the middle of a line → the label word right before it, if there is one. Looks back over at most forty characters.
import type { Grammar } from './labels.js'

export interface MidlineLabel {
  readonly role: 'action' | 'input' | 'observation' | 'thought' | 'answer'
  readonly start: number
  readonly value: number
}

/** The label word that ends right before the colon at `colon`. */
export function labelBefore(text: string, colon: number, from: number, grammar: Grammar): MidlineLabel | undefined {
  let i = colon - 1
  while (i >= from && ' *`_0123456789#\t'.includes(text[i] as string)) i--
  if (i < from || !grammar.lastChars.has((text[i] as string).toLowerCase())) return undefined
  let key = ''
  let found: { role: MidlineLabel['role']; start: number } | undefined
  for (let steps = 0; i >= from && steps < 40; steps++, i--) {
    const char = text[i] as string
    if (char === ' ' || char === '_' || char === '-') continue
    if (char <= '~' && !/[a-zA-Z]/.test(char)) break
    key = char.toLowerCase() + key
    const role = grammar.midline.get(key)
    if (role) found = { role, start: i }
  }
  if (!found) return undefined
  const before = text[found.start - 1]
  if (found.start > from && before !== undefined) {
    if ('"\'`“‘「（'.includes(before)) return undefined
    const first = text[found.start] as string
    // a label inside a word counts only when its capital shows where it begins
    if (/[\p{L}\p{N}_]/u.test(before) && first < '\u0080' && !(first >= 'A' && first <= 'Z')) return undefined
  }
  if (oddTicks(text, from, found.start)) return undefined
  let value = colon + 1
  while (text[value] === '*') value++
  let start = found.start
  while (start > from && (text[start - 1] === '*' || text[start - 1] === '_')) start--
  return { role: found.role, start, value }
}

function oddTicks(text: string, from: number, to: number): boolean {
  let ticks = 0
  for (let i = Math.max(from, to - 1000); i < to; i++) if (text.charCodeAt(i) === 96) ticks++
  return ticks % 2 === 1
}
