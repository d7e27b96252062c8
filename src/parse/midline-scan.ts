// The lines of a reply, one by one → the labels within them that count, as marks, and those that leave it open whether they do. The next colons are
// remembered, so that none is searched for twice.
import { COLONS, isColon } from './characters.js'
import type { Grammar } from './grammar.js'
import type { Mark } from './marks.js'
import { actionFollows, labelBefore, type MidlineLabel } from './midline.js'
import { nextPlace } from './next-place.js'
import type { Toolbox } from './tool-shape.js'

export class MidlineScan {
  readonly observations: MidlineLabel[] = []
  readonly strays: MidlineLabel[] = []
  readonly #text: string
  readonly #grammar: Grammar
  readonly #box: Toolbox
  readonly #marks: Mark[]
  /** There are colons besides the plain one. */
  readonly #wide: boolean
  #colon = -1
  readonly #wideColons = [-1, -1, -1]

  /** Labels that count are added to `marks`. */
  constructor(text: string, grammar: Grammar, box: Toolbox, marks: Mark[]) {
    this.#text = text
    this.#grammar = grammar
    this.#box = box
    this.#marks = marks
    this.#wide = WIDE_COLON.test(text)
  }

  /** Labels within a line, which belongs to `role`. Gives whose value the rest of the line is: `otherwise` when nothing changed. */
  read(from: number, end: number, role: Mark['role'] | 'none', otherwise = role): Mark['role'] | 'none' {
    let current = role
    for (let i = this.nextColon(from); i < end; i = this.nextColon(i + 1)) {
      const label = labelBefore(this.#text, i, from, this.#grammar)
      if (!label) continue
      const { start, value } = label
      if (label.role === 'observation') this.observations.push(label)
      else if (label.role === 'input' && (current === 'action' || current === 'tool')) {
        this.#marks.push({ role: 'input', start, value, end: value, midline: true })
        current = 'input'
      } else if (label.role === 'action' && actionFollows(this.#text, value, end, this.#grammar, this.#box)) {
        if (current === 'none' || current === 'thought' || current === 'observation' || current === 'turn') {
          this.#marks.push({ role: 'action', start, value, end: value, midline: true })
          current = 'action'
        } else this.strays.push(label)
      } else if (label.role === 'input' && (current === 'none' || current === 'thought')) this.strays.push(label)
      else if ((label.role === 'thought' || label.role === 'answer') && current === 'answer') this.strays.push(label)
    }
    return current === role ? otherwise : current
  }

  /** An action stands in `text[from, to)`, on the line that ends at `end`. Changes nothing. */
  acts(from: number, to: number, end: number): boolean {
    for (let i = from; i < to; i++) {
      if (!isColon(this.#text.charCodeAt(i))) continue
      const label = labelBefore(this.#text, i, from, this.#grammar)
      if (label?.role === 'action' && actionFollows(this.#text, label.value, end, this.#grammar, this.#box)) return true
    }
    return false
  }

  /** The first colon from `from` on; infinity when there is none. Asked with growing positions only. */
  nextColon(from: number): number {
    this.#colon = nextPlace(this.#text, ':', this.#colon, from)
    let nearest = this.#colon
    if (!this.#wide) return nearest
    for (let k = 0; k < WIDE_COLONS.length; k++) {
      const at = nextPlace(this.#text, WIDE_COLONS.charAt(k), this.#wideColons[k] as number, from)
      this.#wideColons[k] = at
      if (at < nearest) nearest = at
    }
    return nearest
  }
}

const WIDE_COLONS = COLONS.slice(1)
const WIDE_COLON = /[：﹕∶]/
