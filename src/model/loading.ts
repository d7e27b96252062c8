// An endpoint that answers while it still loads its model → how long to wait before it is asked again. Some gigabytes take minutes, so these waits
// are counted by their time, not as attempts.
import type { ModelChunk } from '../core/model.js'
import { EndpointError, inWords } from './endpoint-error.js'

const FIRST_MS = 500
const CAP_MS = 5_000

/** The waits for one endpoint. */
export class LoadingWait {
  readonly #patienceMs: number
  #waitedMs = 0
  #next = FIRST_MS

  /** The most that is waited in all, in ms. */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  /**
   * The next wait after this error, and what to tell the user before the first one; undefined for another error, and when the patience is at
   * its end.
   */
  after(error: unknown): { readonly ms: number; readonly told: readonly ModelChunk[] } | undefined {
    if (!(error instanceof EndpointError) || !error.loading || this.#waitedMs >= this.#patienceMs) return undefined
    const ms = Math.min(error.waitMs ?? this.#next, this.#patienceMs - this.#waitedMs)
    const told = this.#waitedMs === 0 ? [loadingNotice(error, this.#patienceMs)] : []
    this.#next = Math.min(this.#next * 2, CAP_MS)
    this.#waitedMs += ms
    return { ms, told }
  }
}

function loadingNotice({ message }: EndpointError, patienceMs: number): ModelChunk {
  const waits = `it is asked again until it is ready, for ${inWords(patienceMs)} at most`
  return { kind: 'notice', code: 'MODEL_LOADING', message: `${message}; ${waits}` }
}
