// Pieces of a reply that were given out, by channel → whether a text begins with all of them, and what of it is left. Kept as places in the reply,
// since pieces that follow each other are one.
import type { Delta } from '../core/reply.js'

export type Channel = Delta['channel']

/** The texts of a reading by channel. */
export type Texts = Readonly<Record<Channel, string>>

export const CHANNELS: readonly Channel[] = ['thought', 'input', 'answer']

export class GivenText {
  #channel: Channel = 'thought'
  #start = 0
  #end = 0
  readonly #places: Record<Channel, (readonly [start: number, end: number])[]> = { thought: [], input: [], answer: [] }

  /** From here on text goes to another channel, or to a paragraph of its own. */
  open(channel: Channel): void {
    this.#close()
    this.#channel = channel
    this.#start = this.#end
  }

  /** Something was given out that ends at `end` of the reply; `start` counts when it is the first of its paragraph. */
  extend(start: number, end: number): void {
    if (this.#end === this.#start) this.#start = start
    this.#end = end
  }

  /** All that was given out, out of the whole reply. */
  texts(reply: string): Texts {
    this.#close()
    const join = (channel: Channel) => this.#places[channel].map(([start, end]) => reply.slice(start, end)).join('\n')
    return { thought: join('thought'), input: join('input'), answer: join('answer') }
  }

  #close(): void {
    if (this.#end > this.#start) this.#places[this.#channel].push([this.#start, this.#end])
    this.#start = this.#end
  }
}
