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

/** What a source yields, item by item. Rejects with `ABORTED` when the signal fires. The source is closed however the reading ends; after an abort nobody waits for that. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let giveUp: (reason: unknown) => void = () => {}
  const fire = () => giveUp(abortedBy(signal))
  // one listener for all items: a reply has many
  signal.addEventListener('abort', fire, { once: true })
  let over = false
  try {
    for (;;) {
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
    if (!over) {
      const closed = Promise.resolve(iterator.return?.()).catch(() => {})
      if (!signal.aborted) await closed
    }
  }
}

function abortedBy(signal: AbortSignal): SaydoError {
  return new SaydoError('ABORTED', 'the run was aborted', { cause: signal.reason })
}
