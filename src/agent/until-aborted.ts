// What a source yields → the same, until a signal fires. Then the wait for the next item ends at once, even if the source is deaf to the signal.
import { SaydoError } from '../core/errors.js'

/** Rejects with `ABORTED` when the signal fires. The source is closed however the reading ends; after an abort nobody waits for that. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let over = false
  try {
    for (;;) {
      const next = await nextOf(iterator, signal)
      over = next.done === true
      if (next.done) return
      yield next.value
    }
  } finally {
    if (!over) {
      const closed = Promise.resolve(iterator.return?.()).catch(() => {})
      if (!signal.aborted) await closed
    }
  }
}

function nextOf<T>(iterator: AsyncIterator<T>, signal: AbortSignal): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    const fire = () => reject(new SaydoError('ABORTED', 'the run was aborted', { cause: signal.reason }))
    if (signal.aborted) return fire()
    signal.addEventListener('abort', fire, { once: true })
    Promise.resolve(iterator.next())
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', fire))
  })
}
