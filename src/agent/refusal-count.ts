// The replies of one step that were refused, one after the other → the end of the run, once there were too many. Empty ones are counted apart.
import { counted } from '../core/counted.js'
import type { Refused } from './review.js'
import type { RunEnd } from './run-options.js'

export class RefusalCount {
  readonly #most: number
  readonly #faults: string[] = []
  #empty = 0

  constructor(most: number) {
    this.#most = most
  }

  add({ fault, empty, final }: Refused): RunEnd | undefined {
    this.#faults.push(fault)
    if (empty) this.#empty += 1
    const others = this.#faults.length - this.#empty
    if (this.#empty < this.#most && others < this.#most) return undefined
    const message = `${counted(this.#faults.length, 'reply', 'replies')} in a row gave no decision: ${[...new Set(this.#faults)].join('; ')}`
    return { kind: 'end', stop: 'unclear', message, ...(final ? { final } : {}) }
  }
}
