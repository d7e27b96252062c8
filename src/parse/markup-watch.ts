// The lines of a reply, one by one → where call-like markup or a tag in place of a label stands in them. The next places of what may begin one are
// remembered, and the tags that never close, so that nothing is searched for twice; lists that are none are counted.
import { scanJson } from './json-scan.js'
import { opensList } from './native-bodies.js'
import { isNativeAt } from './native-words.js'
import { nextPlace } from './next-place.js'
import { mayHoldMore, type TagLabel, tagLabel } from './tag-labels.js'
import type { Toolbox } from './tool-shape.js'

export class MarkupWatch {
  readonly #text: string
  readonly #to: number
  readonly #box: Toolbox
  #angle = -1
  #square = -1
  /** Names of tags that close nowhere behind the current line. */
  readonly #unclosed = new Set<string>()
  /** How many more lines may open a list that is none and goes on below: each may have been read to the end of the text. */
  #lists = 32

  constructor(text: string, to: number, box: Toolbox) {
    this.#text = text
    this.#to = to
    this.#box = box
  }

  /** A tag was opened and never closed that may still turn out to hold all that stands behind it. */
  get open(): boolean {
    return mayHoldMore(this.#unclosed)
  }

  /** The label that the tag at `at` is. `line`: nothing but markup stands before it on its line. */
  tagAt(at: number, line: boolean): TagLabel | undefined {
    return tagLabel(this.#text, at, this.#to, line, this.#box, this.#unclosed)
  }

  /** The first place on the line, whose text begins at `inner`, where either stands outside of code and quotes; -1 for none. */
  firstOn(inner: number, end: number): number {
    const text = this.#text
    if (this.#beginsAt(inner, end)) return inner
    this.#angle = nextPlace(text, '<', this.#angle, inner)
    this.#square = nextPlace(text, '[', this.#square, inner)
    if (Math.min(this.#angle, this.#square) >= end) return -1
    let ticks = 0
    for (let i = inner; i < end; i++) {
      const code = text.charCodeAt(i)
      if (code === 96) ticks++
      else if (
        (code === 60 || code === 91) &&
        i > inner &&
        ticks % 2 === 0 &&
        !'"\'“'.includes(text[i - 1] as string) &&
        (isNativeAt(text, i, false, this.#box) || this.tagAt(i, false))
      )
        return i
    }
    return -1
  }

  /** Markup is the first thing in `text[inner, end)`, the text of the line. */
  #beginsAt(inner: number, end: number): boolean {
    const list = opensList(this.#text, inner, this.#box)
    if (list && this.#lists === 0) return false
    const native = isNativeAt(this.#text, inner, true, this.#box)
    if (list && !native && !scanJson(this.#text, inner, end).closed) this.#lists--
    return native
  }
}
