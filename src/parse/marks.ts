// What the lexer finds in a reply, as data: where labels, call objects and leaked markup begin, and what else it met.
import type { LabelRole } from './grammar.js'
import type { LabelMatch } from './labels.js'
import type { MidlineLabel } from './midline.js'
import type { NativeReading } from './native-markup.js'

export interface Mark {
  readonly role: LabelRole | 'object' | 'native' | 'lookalike'
  /** Where its decoration, label or markup begins. */
  readonly start: number
  /** Where its value begins. */
  readonly value: number
  /** For an object or markup: where it ends. */
  readonly end: number
  readonly midline: boolean
  readonly match?: LabelMatch
  readonly native?: NativeReading
  /** For a label that is a tag: where its closing tag begins; unset when it never closes. */
  readonly close?: number
  /** For a look-alike: the role it pretends to. */
  readonly like?: LabelRole
  /** An object that stands in a fence. */
  readonly fenced?: boolean
}

/** Fences around the protocol that were blanked out. */
export interface Wrapper {
  /** The line that opens the first. */
  readonly line: readonly [start: number, end: number]
  /** Where the lines that close them end. */
  readonly ends: readonly number[]
}

export interface Lexed {
  readonly text: string
  /** Where reading begins and ends: less than the text when a fence around all of it or a cut stop word was taken off. */
  readonly from: number
  readonly to: number
  /** There are more marks than are read; `to` is where the last of them was looked for. */
  readonly full: boolean
  readonly marks: readonly Mark[]
  /** `Observation:` within a line, in the order of the text. */
  readonly observations: readonly MidlineLabel[]
  /** `Action:` with a tool and an input within a line of an answer, or an input label within a thought. */
  readonly strays: readonly MidlineLabel[]
  /** A fence that shows an action or a final answer, in a reply that is not wholly fenced. */
  readonly fencedAction: readonly [number, number] | undefined
  readonly wrapper: Wrapper | undefined
  readonly stopWord: readonly [number, number] | undefined
  /** Where a fence opens that never closes; -1 when none does. */
  readonly openFence: number
  /** What follows may still change which marks there are: a fence, comment or bracket is open, or dress and fences decide what a label is. */
  readonly open: boolean
}
