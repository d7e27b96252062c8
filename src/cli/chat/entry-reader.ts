// Lines, one at a time → what is said in the chat. A line is a whole entry unless it ends in `\`, which goes on with the next line, or begins with
// `"""`, which goes on up to the next `"""` at the end of a line.

export class EntryReader {
  readonly #joins: boolean
  #lines: string[] = []
  #inBlock = false

  /** `joins`: whether `\` at the end of a line means anything. Where nobody sees what it does, it is a part of the text. */
  constructor({ joins }: { readonly joins: boolean }) {
    this.#joins = joins
  }

  /** An entry was begun, and is not at its end. */
  get isOpen(): boolean {
    return this.#inBlock || this.#lines.length > 0
  }

  /** Takes the next line; gives the entry that it ends. */
  push(line: string): string | undefined {
    if (this.#inBlock) return this.#inside(line)
    if (this.#lines.length === 0 && line.trimStart().startsWith(QUOTES)) {
      this.#inBlock = true
      return this.#inside(line.trimStart().slice(QUOTES.length), true)
    }
    // two of them stand for one at the end of a line
    const slashes = this.#joins ? line.length - line.replace(/\\{1,100}$/, '').length : 0
    this.#lines.push(slashes > 0 ? line.slice(0, -1) : line)
    return slashes % 2 === 1 ? undefined : this.#take()
  }

  /** Forgets what was begun. */
  reset(): void {
    this.#lines = []
    this.#inBlock = false
  }

  #inside(line: string, first = false): string | undefined {
    const text = line.trimEnd()
    const ends = text.endsWith(QUOTES)
    const rest = ends ? text.slice(0, -QUOTES.length) : line
    // nothing stands beside the quotes: they have the line to themselves
    if (rest !== '' || !(first || ends)) this.#lines.push(rest)
    return ends ? this.#take() : undefined
  }

  #take(): string {
    const entry = this.#lines.join('\n')
    this.reset()
    return entry
  }
}

const QUOTES = '"""'
