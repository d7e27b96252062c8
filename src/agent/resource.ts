// What an agent holds open for its runs (a page, a connection) → opened when it is first needed, closed however a run ends, never waited for without end.

import { SaydoError } from '../core/errors.js'
import type { NoticeCode } from '../core/event.js'
import type { ActiveRun } from './active-run.js'
import { orAborted } from './until-aborted.js'

/** The longest a resource may take to close, in ms. */
const CLOSE_MS = 10_000

export class Resource {
  readonly #onOpen: (run: ActiveRun) => Promise<void>
  readonly #onClose: () => Promise<void>
  #opened = false

  constructor(onOpen: (run: ActiveRun) => Promise<void>, onClose: () => Promise<void>) {
    this.#onOpen = onOpen
    this.#onClose = onClose
  }

  /** When it can't be opened, or the run ends meanwhile, it is closed. */
  async open(run: ActiveRun): Promise<void> {
    if (this.#opened) return
    this.#opened = true
    try {
      await orAborted(this.#onOpen(run), run.signal)
    } catch (error) {
      await this.closeAfter(error)
      throw error
    }
  }

  /** Rejects when it doesn't close, or takes longer than ten seconds. */
  async close(): Promise<void> {
    if (!this.#opened) return
    this.#opened = false
    const over = AbortSignal.timeout(CLOSE_MS)
    await orAborted(this.#onClose(), over).catch(error => {
      throw over.aborted ? new SaydoError('ABORTED', `it did not close within ${CLOSE_MS / 1000} s`) : error
    })
  }

  /** A finished run is not lost over a resource that won't close. */
  async closeAfterSuccess(run: ActiveRun): Promise<void> {
    try {
      await this.close()
    } catch (error) {
      const message = `closing failed: ${error instanceof Error ? error.message : String(error)}`
      run.emit({ type: 'notice', code: 'CLOSE_FAILED' satisfies NoticeCode, message })
    }
  }

  /** Closes after a failure, whose error is the one that matters. */
  async closeAfter(error: unknown): Promise<void> {
    try {
      await this.close()
    } catch (closing) {
      if (error instanceof Error && error.cause === undefined) error.cause = closing
    }
  }
}
