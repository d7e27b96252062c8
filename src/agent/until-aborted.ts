// What a source yields → the same, until a signal fires. Then the wait for the next item ends at once, even if the source is deaf to the signal.
import { SaydoError } from '../core/errors.js'

/** Rejects with `ABORTED` when the signal fires. The source is closed however the reading ends; after an abort nobody waits for that. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let giveUp: (reason: unknown) => void = () => {}
  const fire = () => giveUp(new SaydoError('ABORTED', 'the run was aborted', { cause: signal.reason }))
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
