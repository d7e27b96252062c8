// The lines of a reply, one by one → the HTML comments in them, whose text is not read. The next one is remembered, so that none is searched for twice.
import { NEVER } from './next-place.js'

export class CommentWatch {
  /** Where the last comment ends that goes over its line. */
  end = -1
  readonly #text: string
  #next = -1

  constructor(text: string) {
    this.#text = text
  }

  /** The last comment does not close. */
  get open(): boolean {
    const last = this.#text.includes('<!--') ? this.#text.lastIndexOf('<!--') : -1
    return last >= 0 && this.#text.indexOf('-->', last) < 0
  }

  /** Where a comment begins that opens on the line and closes somewhere; else the line's end. */
  on(start: number, end: number): number {
    if (this.#next < start && this.#next !== NEVER) {
      const at = this.#text.indexOf('<!--', start)
      this.#next = at < 0 ? NEVER : at
    }
    if (this.#next >= end) return end
    const close = this.#text.indexOf('-->', this.#next)
    if (close < 0) {
      this.#next = NEVER
      return end
    }
    if (close > end) this.end = close
    return this.#next
  }
}
