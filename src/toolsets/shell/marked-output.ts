// Output in chunks, with marks in it that say where a command begins and ends → its bytes, and the marks: `\0TOKEN.NUMBER STATUS CWD\0`. No variable
// of a shell can hold its NUL, so that even a command that prints all of them prints no mark.

export interface CommandMark {
  readonly number: number
  /** Unset where the command begins. */
  readonly status: number | undefined
  /** Empty where it is not known. */
  readonly cwd: string
}

export interface OutputListener {
  onBytes(bytes: Buffer): void
  onMark(mark: CommandMark): void
}

/** Longest mark: a path has at most 4096 bytes. */
const MOST_MARK = 5000

export class MarkedOutput {
  readonly #start: Buffer
  readonly #listener: OutputListener
  #held = Buffer.alloc(0)

  constructor(token: string, listener: OutputListener) {
    this.#start = Buffer.from(`\0${token}.`)
    this.#listener = listener
  }

  push(chunk: Uint8Array): void {
    let bytes = this.#held.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#held, chunk])
    for (;;) {
      const at = bytes.indexOf(this.#start)
      if (at < 0) break
      const end = bytes.indexOf(0, at + 1)
      if (end < 0 && bytes.length - at < MOST_MARK) {
        this.#pass(bytes.subarray(0, at))
        this.#held = bytes.subarray(at)
        return
      }
      const mark = end < 0 ? undefined : markOf(bytes.toString('utf8', at + this.#start.length, end))
      // a part of a mark is no mark
      const next = mark === undefined ? at + this.#start.length : end + 1
      this.#pass(bytes.subarray(0, mark === undefined ? next : at))
      if (mark !== undefined) this.#listener.onMark(mark)
      bytes = bytes.subarray(next)
    }
    const kept = bytes.length - this.#beginning(bytes)
    this.#pass(bytes.subarray(0, kept))
    this.#held = bytes.subarray(kept)
  }

  /** What was held back since it could have become a mark. */
  finish(): void {
    this.#pass(this.#held)
    this.#held = Buffer.alloc(0)
  }

  #pass(bytes: Buffer): void {
    if (bytes.length > 0) this.#listener.onBytes(bytes)
  }

  /** How many bytes at the end may be the beginning of a mark. */
  #beginning(bytes: Buffer): number {
    const from = Math.max(0, bytes.length - this.#start.length + 1)
    for (let at = bytes.indexOf(0, from); at >= 0; at = bytes.indexOf(0, at + 1))
      if (this.#start.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return bytes.length - at
    return 0
  }
}

function markOf(text: string): CommandMark | undefined {
  const [number = '', status = '', ...cwd] = text.split(' ')
  if (!/^\d{1,9}$/.test(number) || !/^(?:-|\d{1,3})$/.test(status)) return undefined
  return { number: Number(number), status: status === '-' ? undefined : Number(status), cwd: cwd.join(' ') }
}
