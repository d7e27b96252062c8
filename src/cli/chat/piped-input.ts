// The lines of a pipe or a file on stdin → entries, one a line; only `"""` takes several lines together.
import type { Io } from '../command.js'
import { linesOf } from '../input-lines.js'
import { visible } from '../visible.js'
import type { ChatInput, Entry } from './chat-input.js'
import { EntryReader } from './entry-reader.js'

export class PipedInput implements ChatInput {
  readonly isTerminal = false
  readonly #io: Io
  readonly #lines: AsyncIterator<string>
  readonly #entries = new EntryReader({ joins: false })
  #read = 0

  constructor(io: Io) {
    this.#io = io
    this.#lines = linesOf(io.stdin)[Symbol.asyncIterator]()
  }

  async next(): Promise<Entry> {
    for (;;) {
      const line = await this.#line()
      if (line === undefined) return this.#end()
      if (line.includes('\uFFFD'))
        this.#tell(`line ${this.#read} is not all UTF-8: what could not be read stands as \uFFFD in it`)
      const text = this.#entries.push(line.replace(/\r$/, ''))
      if (text !== undefined && text.trim() !== '') return { kind: 'text', text }
    }
  }

  close(): void {
    this.#io.stdin.destroy()
  }

  /** Undefined at the end, and when the program is interrupted while it waits. */
  async #line(): Promise<string | undefined> {
    const { signal } = this.#io
    if (signal.aborted) return undefined
    const stop = () => this.close()
    signal.addEventListener('abort', stop, { once: true })
    try {
      const { done, value } = await this.#lines.next()
      this.#read += 1
      return done ? undefined : value
    } catch {
      // destroyed above, or a parent that closed it: what came is what there is
      return undefined
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  #end(): Entry {
    if (this.#io.signal.aborted) return { kind: 'interrupted' }
    if (this.#entries.isOpen) this.#tell('the input ends within """, so what stands behind it was not asked')
    return { kind: 'end' }
  }

  #tell(message: string): void {
    this.#io.stderr.write(`${visible(`! ${message}`)}\n`)
  }
}
