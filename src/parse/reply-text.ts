// Chunks of a reply → its text, joined when it is asked for. Never longer than the longest reply that is read.

/** The longest reply that is read, in UTF-16 code units: 1 MiB. What goes beyond is not kept, as if the endpoint had cut it. */
export const MAX_REPLY = 1_048_576

export class ReplyText {
  /** Of all that was kept. */
  length = 0
  /** More came than is kept. */
  overflowed = false
  #joined = ''
  readonly #pieces: string[] = []
  #recent = ''

  /** Gives what was kept of the chunk. */
  add(chunk: string): string {
    const room = MAX_REPLY - this.length
    if (chunk.length > room) this.overflowed = true
    const kept = chunk.length > room ? chunk.slice(0, room) : chunk
    this.length += kept.length
    const recent = this.#recent + kept
    if (recent.length < PIECE) this.#recent = recent
    else {
      // asking for a character makes one piece of the many: short ones would each cost as much as their text
      recent.charCodeAt(0)
      this.#pieces.push(recent)
      this.#recent = ''
    }
    return kept
  }

  /** What stands from `at` on: mostly what came just now, for which nothing has to be joined. */
  from(at: number): string {
    const before = this.length - this.#recent.length
    return at < before ? this.join().slice(at) : this.#recent.slice(at - before)
  }

  /** All of it. */
  join(): string {
    if (this.#pieces.length > 0 || this.#recent !== '') {
      this.#joined = [this.#joined, ...this.#pieces, this.#recent].join('')
      this.#pieces.length = 0
      this.#recent = ''
    }
    return this.#joined
  }
}

const PIECE = 1024
