// What is waited for → the same, until a signal fires. Then the wait ends at once, even if what was waited for is deaf to the signal.
import { SaydoError } from '../core/errors.js'

/** What a promise gives. Rejects with `ABORTED` when the signal fires first; what the promise still does is dropped. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(abortedBy(signal))
    if (!signal.aborted) signal.addEventListener('abort', stop, { once: true })
    const settled = promise.finally(() => signal.removeEventListener('abort', stop))
    if (signal.aborted) stop()
    settled.then(resolve, reject)
  })
}

/** A source that never pauses would keep timers, signals and everybody else from their turn; so they get one after so many ms. */
const BREATH_MS = 50

/** The longest that is waited for a source to close, in ms. */
const CLOSE_MS = 2_000

/**
 * What a source yields, item by item. Rejects with `ABORTED` when the signal fires. The source is closed however the reading ends; after an abort
 * nobody waits for that, and never for long.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let giveUp: (reason: unknown) => void = () => {}
  const fire = () => giveUp(abortedBy(signal))
  // one listener for all items: a reply has many
  signal.addEventListener('abort', fire, { once: true })
  let over = false
  let breathed = performance.now()
  try {
    for (;;) {
      if (performance.now() - breathed > BREATH_MS) {
        await new Promise(resolve => setImmediate(resolve))
        breathed = performance.now()
      }
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        giveUp = reject
        if (signal.aborted) fire()
        else Promise.resolve(iterator.next()).then(resolve, reject)
      })
      over = next.done === true
      if (next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', fire)
    // whatever it does when it is closed, what it said before counts
    if (!over)
      await orAborted(orAborted((async () => iterator.return?.())(), AbortSignal.timeout(CLOSE_MS)), signal).catch(() => {})
  }
}

function abortedBy(signal: AbortSignal): SaydoError {
  return new SaydoError('ABORTED', 'the run was aborted', { cause: signal.reason })
}
