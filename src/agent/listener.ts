// The events of a run → whoever listens. What the listener throws ends the run the way an abort does, so that every start still gets its end.
import type { AgentEvent } from '../core/event.js'

export class Listener {
  readonly #onEvent: ((event: AgentEvent) => void) | undefined
  readonly #abort: AbortController
  #fault: { readonly thrown: unknown } | undefined

  /** `abort` ends the run. */
  constructor(onEvent: ((event: AgentEvent) => void) | undefined, abort: AbortController) {
    this.#onEvent = onEvent
    this.#abort = abort
  }

  /** Never throws: the first thing thrown is kept for `check()`. */
  tell(event: AgentEvent): void {
    try {
      this.#onEvent?.(event)
    } catch (thrown) {
      this.#fault ??= { thrown }
      this.#abort.abort(thrown)
    }
  }

  /** Throws what the listener threw. */
  check(): void {
    if (this.#fault) throw this.#fault.thrown
  }
}
