// Everything that can end a wait early, in one signal: the caller's abort, a limit of time, our own hanging up. Its reason is always the
// SaydoError to throw. A wait under a watch settles at once when the signal fires, even if the work behind it is deaf.
import { SaydoError } from '../core/errors.js'
import { LONGEST_DELAY_MS } from '../core/longest-delay.js'

export interface TimeLimit {
  readonly ms: number
  readonly error: () => SaydoError
}

export interface Watch {
  readonly signal: AbortSignal
  /** Settles as `work` does, unless the watch fires or the limit passes first. */
  race<T>(work: Promise<T>, limit?: TimeLimit): Promise<T>
  /** Fires the signal; the first reason counts. */
  abort(reason: SaydoError): void
  /** Lets go of the outer signal and of the limit. */
  close(): void
}

/** A watch that also fires with `outer`, and after `limit` counted from now. */
export function openWatch(outer?: AbortSignal, limit?: TimeLimit): Watch {
  const controller = new AbortController()
  const { signal } = controller
  const abort = (reason: SaydoError) => controller.abort(reason)
  const follow = () => outer && abort(abortedError(outer))
  if (outer?.aborted) follow()
  else outer?.addEventListener('abort', follow, { once: true })
  const stopTimer = limit ? startTimer(limit, abort) : undefined

  return {
    signal,
    abort,
    close() {
      outer?.removeEventListener('abort', follow)
      stopTimer?.()
    },
    race(work, inner) {
      work.catch(() => {}) // it may lose the race and fail later
      return new Promise((resolve, reject) => {
        const fire = () => reject(signal.reason)
        if (signal.aborted) return fire()
        signal.addEventListener('abort', fire, { once: true })
        const stopInner = inner ? startTimer(inner, abort) : undefined
        const settle = () => {
          signal.removeEventListener('abort', fire)
          stopInner?.()
        }
        work.then(
          value => {
            settle()
            resolve(value)
          },
          error => {
            settle()
            reject(error)
          },
        )
      })
    },
  }
}

/** The signal's reason as the error to throw. */
export function abortedError(signal: AbortSignal): SaydoError {
  const { reason } = signal
  if (reason instanceof SaydoError) return reason
  return new SaydoError('ABORTED', 'The request to the model was aborted', { cause: reason })
}

function startTimer(limit: TimeLimit, abort: (reason: SaydoError) => void): () => void {
  const timer = setTimeout(() => abort(limit.error()), Math.min(limit.ms, LONGEST_DELAY_MS))
  return () => clearTimeout(timer)
}
