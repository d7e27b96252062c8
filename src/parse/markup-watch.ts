// The lines of a reply, one by one → where call-like markup or a tag in place of a label stands in them, and what it says. The next places of what may begin one are
// remembered, and the tags that never close, so that nothing is searched for twice; lists that are none are counted.
import { ticksAt } from './fence-line.js'
import { scanJson } from './json-scan.js'
import { opensList } from './native-bodies.js'
import { type NativeReading, readNative } from './native-markup.js'
import { isNativeAt } from './native-words.js'
import { nextPlace } from './next-place.js'
import { mayHoldMore, type TagLabel, tagLabel } from './tag-labels.js'
import { readToolCode } from './tool-code.js'
import type { Toolbox } from './tool-shape.js'

export class MarkupWatch {
  readonly #text: string
  readonly #to: number
  readonly #box: Toolbox
  readonly #isLabel: (position: number) => boolean
  #angle = -1
  #square = -1
  /** Names of tags that close nowhere behind the current line. */
  readonly #unclosed = new Set<string>()
  /** How many more lines may open a list that is none and goes on below: each may have been read to the end of the text. */
  #lists = 32

  /** `isLabel`: whether a label begins the line at a position. */
  constructor(text: string, to: number, box: Toolbox, isLabel: (position: number) => boolean) {
    this.#text = text
    this.#to = to
    this.#box = box
    this.#isLabel = isLabel
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

  /** Reads the markup that begins at `at`. */
  read(at: number): NativeReading {
    return readNative(this.#text, at, this.#to, this.#box, this.#isLabel)
  }

  /** Reads the content of a fence, from `at` on, when it is markup; `line` is the fence's own line. `alone`: nothing else stands in the reply. */
  inFence(line: string, at: number, alone: () => boolean): NativeReading | undefined {
    const code = line.toLowerCase()
    if (code.includes('tool_code')) return readToolCode(this.#text, at, this.#to, ticksAt(line, 0), this.#box)
    const leaked = at < this.#to && isNativeAt(this.#text, at, true, this.#box) && alone()
    return leaked || code.includes('tool_call') ? this.read(at) : undefined
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
