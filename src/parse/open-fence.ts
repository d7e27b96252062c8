// The lines of a reply, one by one → whether they stand in a fence, and what a fence hid: the labels in it are no marks.
import { onlyTicks, ticksAt } from './fence-line.js'
import type { Grammar } from './grammar.js'
import { matchLabel } from './labels.js'
import type { Line } from './line.js'
import type { Lexed } from './marks.js'

export class OpenFence {
  /** The first action or answer in a fence that no label opened. */
  action: Lexed['fencedAction']
  /** A fence stood in a thought or before the first label. */
  hid = false
  /** Where the fence opens that the present line stands in, -1 for none. */
  start = -1
  /** A label stands before it on its line. */
  #label = false
  #mark = ''
  readonly #text: string
  readonly #grammar: Grammar

  constructor(text: string, grammar: Grammar) {
    this.#text = text
    this.#grammar = grammar
  }

  /** `label`: the fence at `start` opens behind one, on its line or as its value. */
  open(start: number, label: boolean): void {
    this.start = start
    this.#label = label
    this.#mark = ticksAt(this.#text, start)
  }

  close(): void {
    this.start = -1
  }

  /** A line in the fence: it closes it, or is hidden. */
  read({ start, end, inner }: Line): void {
    const text = this.#text
    if (text.startsWith(this.#mark, inner) && onlyTicks(text, inner, end, this.#mark.charAt(0))) return this.close()
    if (this.#label || this.action) return
    const shown = matchLabel(text, start, end, this.#grammar)
    if (shown?.colon && (shown.role === 'action' || (shown.role === 'answer' && !this.#grammar.common.has(shown.key))))
      this.action = [this.start, end]
  }

  /** A bare fence that ends at `end` and that no label opened. */
  isBare(end: number): boolean {
    return this.start >= 0 && !this.#label && onlyTicks(this.#text, this.start, end, '`')
  }

  /** Nothing but the fence stands in the reply, which ends at `to`. */
  isAlone(to: number): boolean {
    const text = this.#text
    if (text.slice(0, this.start).trim() === '') return true
    const close = text.indexOf(`\n${this.#mark}`, this.start)
    return close < 0 || text.slice(close + 1 + this.#mark.length, to).trim() === ''
  }

  /** The closing ticks stand in `text[from, to)`. */
  closesIn(from: number, to: number): boolean {
    return this.#text.slice(from, to).includes(this.#mark)
  }
}
