// What an agent holds open for its runs (a page, a connection) → opened when it is first needed, closed however a run ends, never waited for without end.

import { SaydoError } from '../core/errors.js'
import type { NoticeCode } from '../core/event.js'
import type { ActiveRun } from './active-run.js'
import { orAborted } from './until-aborted.js'

/** The longest that all of it may take to close, in ms. */
const CLOSE_MS = 10_000

/** Something that is opened and closed with an agent: a server, the processes of tools. */
export interface AgentResource {
  /** Before the first run, and before a later one when it was closed. A run that ends meanwhile does not wait for it. */
  open?(run: ActiveRun): Promise<void>
  /** After success, error and abort alike; also when it was never opened. */
  close(): Promise<void>
}

export class Resource {
  readonly #own: Required<AgentResource>
  readonly #others: readonly AgentResource[]
  /** Something of the others may be open from the beginning. */
  #state: 'new' | 'open' | 'closed' = 'new'

  /** `own` is closed only when it was opened. */
  constructor(own: Required<AgentResource>, others: readonly AgentResource[] = []) {
    this.#own = own
    this.#others = others
  }

  /** When it can't be opened, or the run ends meanwhile, it is closed. */
  async open(run: ActiveRun): Promise<void> {
    if (this.#state === 'open') return
    this.#state = 'open'
    try {
      for (const one of [...this.#others, this.#own]) await orAborted(Promise.resolve(one.open?.(run)), run.signal)
    } catch (error) {
      await this.closeAfter(error)
      throw error
    }
  }

  /** Rejects when something of it doesn't close, once all else is closed, or when it takes longer than ten seconds. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return
    const open = [...(this.#state === 'open' ? [this.#own] : []), ...this.#others.toReversed()]
    this.#state = 'closed'
    const over = AbortSignal.timeout(CLOSE_MS)
    await orAborted(closeAll(open), over).catch(error => {
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

/** One after the other; what fails first is thrown at the end. */
async function closeAll(open: readonly AgentResource[]): Promise<void> {
  const faults: unknown[] = []
  for (const one of open) {
    try {
      await one.close()
    } catch (fault) {
      faults.push(fault)
    }
  }
  if (faults.length > 0) throw faults[0]
}
