// The text of an input as it stands in the reply: without the decoration of its label; complete in itself or not.
import { readJson } from './action-input.js'
import { foldWord } from './characters.js'
import type { InputReading } from './fit-object.js'
import type { Grammar } from './grammar.js'
import { readActionInput } from './input-text.js'
import type { Mark } from './marks.js'
import { Notes } from './notes.js'
import type { Reading } from './reading.js'
import type { ToolShape } from './tool-shape.js'
import { unfence } from './unfence.js'

/** Reads the value of `mark`, without what closes the decoration that was opened before its label. */
export function readInput(r: Reading, text: string, start: number, shape: ToolShape | undefined, mark: Mark): InputReading {
  const own = undecorated(text, mark)
  if (!shape || !saysNone(own, r.grammar)) return readActionInput(own, start, shape, r.notes)
  const read = readActionInput('', start, shape, r.notes)
  if (read.ok) r.notes.add('INPUT_IGNORED', 'The input says that there is none.', { start, end: start + own.trimEnd().length }, 0)
  return read
}

/** What `None` is called in the languages that are read. */
export function saysNone(text: string, grammar: Grammar): boolean {
  return text.length < 60 && grammar.noInput.has(foldWord(text))
}

/** `**Action Input: cats**`: the bold that was opened before the label closes behind the value. */
export function undecorated(text: string, mark: Mark): string {
  const open = mark.match?.open ?? ''
  const trimmed = text.trimEnd()
  if (!open) return text
  if (!trimmed.endsWith(open)) {
    // repair: bold whose closer was cut short
    const cut = open === '**' && trimmed.endsWith('*') && trimmed.indexOf('*') === trimmed.length - 1
    return cut ? trimmed.slice(0, -1) : text
  }
  const inner = trimmed.slice(0, -open.length)
  return inner.includes(open) ? text : inner
}

/** A complete JSON value, bracket or fence, so that what follows it on the line is not a part of it. */
export function isCompleteValue(text: string): boolean {
  const trimmed = text.trim()
  const fence = unfence(trimmed)
  if (fence.kind === 'fence') return !fence.open
  if (!/^[{[｛]/.test(trimmed)) return false
  const notes = new Notes()
  const read = readJson(trimmed, 0, notes)
  return read.ok && !notes.list().some(problem => problem.code === 'INPUT_CLOSED')
}
