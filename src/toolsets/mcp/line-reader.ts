// Chunks of bytes → lines of text, each whole and none longer than a limit. What is too long is passed over as it comes, so that a line of any
// length takes no more memory than the limit.

/** So much of both ends of a line that was passed over is kept, in bytes. */
const ENDS = 256

export interface LineReaderOptions {
  /** Longest line, in bytes. */
  readonly most: number
  readonly onLine: (line: string) => void
  /** A line was longer than that: its first and last bytes, as text. */
  readonly onTooLong: (head: string, tail: string) => void
}

export class LineReader {
  readonly #options: LineReaderOptions
  #parts: Buffer[] = []
  #length = 0
  /** The head of a line that is being passed over. */
  #head: Buffer | undefined

  constructor(options: LineReaderOptions) {
    this.#options = options
  }

  /** Bytes since the last end of a line. */
  get open(): number {
    return this.#length
  }

  push(chunk: Buffer): void {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(10, from)
      if (end < 0) break
      this.#add(chunk.subarray(from, end))
      this.#end()
      from = end + 1
    }
    if (from < chunk.length) this.#add(chunk.subarray(from))
  }

  #add(part: Buffer): void {
    this.#length += part.length
    this.#parts.push(part)
    if (this.#head === undefined && this.#length <= this.#options.most) return
    const held = Buffer.concat(this.#parts)
    this.#head ??= Buffer.from(held.subarray(0, ENDS))
    this.#parts = [Buffer.from(held.subarray(-ENDS))]
  }

  #end(): void {
    const [head, rest] = [this.#head, Buffer.concat(this.#parts)]
    this.#head = undefined
    this.#parts = []
    this.#length = 0
    if (head === undefined) this.#options.onLine(rest.toString('utf8').replace(/\r$/, ''))
    else this.#options.onTooLong(head.toString('utf8'), rest.toString('utf8'))
  }
}
