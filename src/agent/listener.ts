// The events of a run → whoever listens. What the listener throws ends the run the way an abort does, so that every start still gets its end.
import type { AgentEvent } from '../core/event.js'

export class Listener {
  readonly #onEvent: ((event: AgentEvent) => unknown) | undefined
  readonly #abort: AbortController
  #fault: { readonly thrown: unknown } | undefined
  #closed = false

  /** `abort` ends the run. */
  constructor(onEvent: ((event: AgentEvent) => unknown) | undefined, abort: AbortController) {
    this.#onEvent = onEvent
    this.#abort = abort
  }

  /** Never throws: the first thing thrown is kept for `check()`. A promise is not waited for. */
  tell(event: AgentEvent): void {
    try {
      const told = this.#onEvent?.(event)
      if (told instanceof Promise) told.catch(thrown => this.#fail(thrown))
    } catch (thrown) {
      this.#fail(thrown)
    }
  }

  /** Throws what the listener threw. */
  check(): void {
    if (this.#fault) throw this.#fault.thrown
  }

  /** The run is over: what is thrown from now on is nobody's but the process's. */
  close(): void {
    this.#closed = true
  }

  #fail(thrown: unknown): void {
    if (this.#closed) throw thrown
    this.#fault ??= { thrown }
    this.#abort.abort(thrown)
  }
}
