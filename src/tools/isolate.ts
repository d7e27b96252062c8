// Some work, a signal and a time limit → exactly one outcome, whatever the work does: throw anything, never settle, settle twice, or answer
// too late. It runs in this process: a loop that never yields cannot be interrupted here, such work belongs in a process of its own.
import { LONGEST_DELAY_MS } from '../core/longest-delay.js'

/** How the work ended. A value that comes after the time was up is dropped, and so is a late rejection. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly thrown: unknown }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'aborted' }

export interface IsolateOptions {
  /** Aborts the work: its outcome is `aborted` at once. */
  readonly signal?: AbortSignal | undefined
  /** In ms; unset, 0 or endless: no limit. */
  readonly timeoutMs?: number | undefined
}

/** Runs the work once; `work` gets a signal that is aborted when its time is up or the run is aborted. Never rejects. */
export function isolate(work: (signal: AbortSignal) => unknown, { signal, timeoutMs }: IsolateOptions): Promise<Outcome> {
  if (signal?.aborted) return Promise.resolve({ kind: 'aborted' })
  return new Promise(resolve => {
    const controller = new AbortController()
    const onAbort = () => finish({ kind: 'aborted' }, signal?.reason)
    const timer = isTimed(timeoutMs) ? setTimeout(() => finish({ kind: 'timeout' }, timeUp(timeoutMs)), timeoutMs) : undefined
    let finished = false
    const finish = (outcome: Outcome, abortReason?: unknown) => {
      if (finished) return
      finished = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      resolve(outcome)
      if (outcome.kind === 'timeout' || outcome.kind === 'aborted') controller.abort(abortReason)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    // the executor catches a synchronous throw, the new promise any misbehaving thenable; both handlers stay on, so that a rejection which
    // comes after the end is not an unhandled one
    new Promise(settle => settle(work(controller.signal))).then(
      value => finish({ kind: 'value', value }),
      thrown => finish({ kind: 'threw', thrown }),
    )
  })
}

function isTimed(timeoutMs: number | undefined): timeoutMs is number {
  return timeoutMs !== undefined && timeoutMs > 0 && timeoutMs <= LONGEST_DELAY_MS
}

function timeUp(timeoutMs: number): DOMException {
  return new DOMException(`The tool had ${timeoutMs} ms.`, 'TimeoutError')
}
