// The beginning of a label's value → where the JSON, call brackets or fence that stands there ends, so that no label is looked for inside.
// False starts are counted, so that the whole stays linear.
import { skipBlank } from './characters.js'
import { closesOnLine, isFence, ticksAt } from './fence-line.js'
import type { Grammar, LabelRole } from './grammar.js'
import { scanJson } from './json-scan.js'
import { matchLabel } from './labels.js'
import { lineEnd } from './line.js'
import type { Mark } from './marks.js'

/** Where reading goes on behind a value. `fence`: it opened one that is still open there. */
export interface Skipped {
  readonly end: number
  readonly fence?: true
}

export class ValueScan {
  /** A bracket or a string in one was still open at the end of the text. */
  ranOut = false
  readonly #text: string
  readonly #to: number
  readonly #grammar: Grammar
  readonly #isLabelLine: (position: number) => boolean
  #budget = 8
  #unclosedAt = -1

  constructor(text: string, to: number, grammar: Grammar, isLabelLine: (position: number) => boolean) {
    this.#text = text
    this.#to = to
    this.#grammar = grammar
    this.#isLabelLine = isLabelLine
  }

  /** The first character of a value: on the label's line, which ends at `end`, or on the next line that is not blank and no label. */
  first(value: number, end: number): number | undefined {
    const at = skipBlank(this.#text, value, this.#to)
    if (at >= this.#to) return undefined
    if (at < end) return at
    const lineStart = this.#text.lastIndexOf('\n', at - 1) + 1
    return matchLabel(this.#text, lineStart, lineEnd(this.#text, at, this.#to), this.#grammar)?.colon ? undefined : at
  }

  /** Goes over JSON, a call's brackets or a fence at the beginning of a value. */
  skip(at: number, role: LabelRole): Skipped {
    const text = this.#text
    const end = lineEnd(text, at, this.#to)
    if (isFence(text, at)) return this.#skipFence(at, end)
    if (text[at] === '{' || text[at] === '[' || text[at] === '｛') {
      const json = this.#closing(at)
      return { end: json < 0 ? at : json }
    }
    if (role !== 'action') return { end: at }
    for (let i = at; i < end; i++) {
      const char = text[i] as string
      if (char === '(' || char === '[' || char === '{') {
        const close = this.#closing(i)
        return { end: close < 0 ? at : close }
      }
      if (char === ':' || char === '：') break
    }
    return { end: at }
  }

  /** The end of an object, or list of objects, that begins at `at`; -1 when there is none. */
  objectAt(at: number): number {
    const text = this.#text
    const char = text[at]
    if (char !== '{' && !(char === '[' && text[skipBlank(text, at + 1, this.#to)] === '{')) return -1
    const inner = char === '[' ? skipBlank(text, at + 1, this.#to) : at
    const next = text[skipBlank(text, inner + 1, this.#to)]
    if (next === undefined || !/["'“\w]/.test(next)) return -1
    const end = this.#closing(at)
    // one that breaks off at the end of the text is still an object
    return end < 0 && this.#unclosedAt === this.#to ? this.#to : end
  }

  /** The mark of a call object on a line of its own, perhaps fenced, that begins at `at`, below a word which may be no label. */
  objectBelow(at: number): Mark | undefined {
    const text = this.#text
    const fenced = isFence(text, at)
    const value = fenced ? skipBlank(text, lineEnd(text, at, this.#to), this.#to) : at
    const lineStart = text.lastIndexOf('\n', value - 1) + 1
    const end = text.slice(lineStart, value).trim() ? -1 : this.objectAt(value)
    return end < 0 ? undefined : { role: 'object', start: at, value, end, midline: false, ...(fenced ? { fenced } : {}) }
  }

  /**
   * Marks of the object that is `text[value, first)` and of those right behind it, perhaps with commas or semicolons between them. `start`: where
   * the mark of the first one begins.
   */
  objects(start: number, value: number, first: number, fenced: boolean): readonly Mark[] {
    const marks: Mark[] = []
    for (let [from, at, end] = [start, value, first]; end >= 0; ) {
      marks.push({ role: 'object', start: from, value: at, end, midline: false, ...(fenced ? { fenced } : {}) })
      at = this.#nextObject(end)
      from = at
      end = at > end ? this.objectAt(at) : -1
    }
    return marks
  }

  /** Where a further object begins; else `end`, where the one before it ends. */
  #nextObject(end: number): number {
    const at = skipBlank(this.#text, end, this.#to)
    const next = this.#text[at] === ',' || this.#text[at] === ';' ? skipBlank(this.#text, at + 1, this.#to) : at
    return next > end && this.#text[next] === '{' ? next : end
  }

  #skipFence(at: number, end: number): Skipped {
    const text = this.#text
    const mark = ticksAt(text, at)
    if (closesOnLine(text, at, end)) return { end: text.indexOf(mark, at + mark.length) + mark.length }
    const content = skipBlank(text, end, this.#to)
    if (text[content] === '{' || text[content] === '[') {
      const json = this.#closing(content)
      if (json >= 0) {
        const after = skipBlank(text, json, this.#to)
        return { end: text.startsWith(mark, after) ? after + mark.length : json }
      }
    }
    return { end: Math.min(this.#to, end + 1), fence: true }
  }

  /** The end of the JSON at `at`; -1 when it does not close. */
  #closing(at: number): number {
    this.#unclosedAt = -1
    if (this.#budget <= 0) return -1
    const found = scanJson(this.#text, at, this.#to, this.#isLabelLine)
    if (!found.closed) this.#budget--
    if (!found.closed && (found.inString || found.end === this.#to)) this.ranOut = true
    this.#unclosedAt = found.closed ? -1 : found.end
    return found.closed ? found.end : -1
  }
}
