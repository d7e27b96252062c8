// The lines of a reply → the labels that they begin with, as far as the rules let them count. Those that don't are counted by their dress, since a reply
// in which all labels are dressed alike is read once more by other rules.
import { type Grammar, isProtocol } from './grammar.js'
import { type Dress, type LabelMatch, matchLabel } from './labels.js'
import { lineEnd, lineEndsWith } from './line.js'

export interface Rules {
  /** Labels behind a bullet count. */
  readonly bullets: boolean
  /** Labels in these dresses need no colon. */
  readonly dresses: ReadonlySet<Dress>
}

export class LabelLines {
  /** Labels behind a bullet that were not taken. */
  bulleted = 0
  /** By dress: labels without a colon, and all labels. */
  readonly dressed = new Map<Dress, { bare: number; all: number }>()
  readonly #text: string
  readonly #to: number
  readonly #grammar: Grammar
  readonly #rules: Rules

  constructor(text: string, to: number, grammar: Grammar, rules: Rules) {
    this.#text = text
    this.#to = to
    this.#grammar = grammar
    this.#rules = rules
  }

  /** The label that the line begins with, when it counts. */
  on(start: number, end: number): LabelMatch | undefined {
    const found = matchLabel(this.#text, start, end, this.#grammar)
    if (!found) return undefined
    if ((isProtocol(found.role) || found.role === 'weak_input') && found.dress !== 'plain') {
      const count = this.dressed.get(found.dress) ?? { bare: 0, all: 0 }
      count.all++
      if (!found.colon) count.bare++
      this.dressed.set(found.dress, count)
    }
    const inCode = found.open.startsWith('`') && !lineEndsWith(this.#text, end, '`')
    if (inCode) return undefined
    if (found.bullet && !this.#rules.bullets) {
      if (isProtocol(found.role) || found.role === 'tool') this.bulleted++
      return undefined
    }
    const heading = found.dress === 'heading' && found.key.startsWith('instruction')
    return found.colon || heading || this.#rules.dresses.has(found.dress) ? found : undefined
  }

  /** Whether a label of the protocol begins the line at `position`, by whatever rules. */
  readonly isLabel = (position: number): boolean => {
    const found = matchLabel(this.#text, position, lineEnd(this.#text, position, this.#to), this.#grammar)
    return found?.colon === true && !found.bullet && isProtocol(found.role)
  }
}

/** A line of a list. */
export const BULLET = /^\s{0,8}(?:[-*+•–]|\d{1,3}[.)])\s/
