// A reply and what became of its characters → its lines, with what was moved and what was struck marked in place.
import type { Part } from '../catalogue/account.js'
import type { Fate } from '../catalogue/entry.js'
import { columnsOf, showText } from '../parse/columns.js'
import type { Paint } from './paint.js'

/** The parts of each line; an empty line has none. */
export function linesOf(reply: string, parts: readonly Part[]): readonly (readonly Part[])[] {
  const lines: Part[][] = [[]]
  for (const { start, end, fate } of parts) {
    let from = start
    while (from < end) {
      const newline = reply.indexOf('\n', from)
      const to = newline < 0 || newline >= end ? end : newline
      if (to > from) lines.at(-1)?.push({ start: from, end: to, fate })
      if (to < end) lines.push([])
      from = to + 1
    }
  }
  // a line break at the very end opens no line
  if (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop()
  return lines
}

/** At most so many columns are shown. */
export function markLine(reply: string, line: readonly Part[], paint: Paint, width: number): string {
  let room = width
  let out = ''
  for (const { start, end, fate } of line) {
    const all = showText(reply.slice(start, Math.min(end, start + width)).replace(/\r$/, ''))
    const cut = columnsOf(all) > room || end - start > width
    out += paintFate(cut ? all.slice(0, Math.max(0, room)) : all, fate, paint)
    if (cut) return `${out}…`
    room -= columnsOf(all)
  }
  return out
}

/** What was moved has another colour, what was struck is struck through, `~~` where there are no colours. */
export function paintFate(text: string, fate: Fate, paint: Paint): string {
  if (text.trim() === '') return text
  if (fate === 'moved') return paint.level === 0 ? text : paint.cyan(text)
  if (fate === 'kept') return text
  return paint.level === 0 ? `~~${text}~~` : paint.strikethrough.dim(text)
}
