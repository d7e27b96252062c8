// Places in a reply, asked about from its beginning to its end → whether what stands there is only mentioned: in quotes, inline code or a fence.
import { isSpace } from './characters.js'

/** Whether a position lies in inline code, quotes or a JSON string, as far as its line shows; asked with growing positions only. */
export class MentionWatch {
  readonly #text: string
  #at = 0
  #quotes = 0
  #ticks = 0
  readonly #last: number

  constructor(text: string) {
    this.#text = text
    this.#last = text.trimEnd().length
  }

  /** `end`: where what stands at `position` ends; the last thing of a reply stands in nothing. */
  inside(position: number, end: number): boolean {
    const text = this.#text
    for (; this.#at < position; this.#at++) {
      const code = text.charCodeAt(this.#at)
      if (code === 10) {
        this.#quotes = 0
        this.#ticks = 0
      } else if (code === 92) this.#at++
      else if (code === 34) this.#quotes++
      else if (code === 96) this.#ticks++
    }
    if (end >= this.#last) return false
    // right behind a quote it is one only when a quote closes behind it
    if (QUOTES.includes(text[position - 1] ?? ' ') && QUOTES.includes(text[end] ?? ' ')) return true
    return this.#quotes % 2 === 1 || this.#ticks % 2 === 1
  }
}

/** Whether a position lies in a fence that began after the reply's first line; asked with growing positions only. */
export class FenceWatch {
  readonly #text: string
  /** Where the next fence may begin; -1 when there is none. */
  #next: number
  #open = false

  constructor(text: string) {
    this.#text = text
    this.#next = text.indexOf('```')
  }

  inside(position: number): boolean {
    while (this.#next >= 0 && this.#next < position) {
      const fence = this.#next
      if (atLineStart(this.#text, fence) && this.#text.slice(0, Math.min(fence, 64)).trim() !== '') this.#open = !this.#open
      let after = fence + 3
      while (this.#text[after] === '`') after++
      this.#next = this.#text.indexOf('```', after)
    }
    return this.#open
  }
}

/** Nothing but white space and marks of a quotation stands before `at` on its line. */
export function atLineStart(text: string, at: number): boolean {
  let i = at - 1
  while (i >= 0 && text[i] !== '\n') {
    const code = text.charCodeAt(i)
    if (!isSpace(code) && code !== 62) return false
    i--
    if (at - i > 200) return false
  }
  return true
}

const QUOTES = '`"\'“”’'
