// Events pushed by a run → an async iterable that a caller reads at its own pace.

/** An unbounded queue with one reader. */
export class EventQueue<T> implements AsyncIterable<T> {
  #waiting: T[] = []
  #wake: (() => void) | undefined
  #closed = false

  push(item: T): void {
    this.#waiting.push(item)
    this.#wake?.()
  }

  /** No more items follow; the reader ends after what is waiting. */
  close(): void {
    this.#closed = true
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const items = this.#waiting
      this.#waiting = []
      yield* items
      if (this.#waiting.length > 0) continue
      if (this.#closed) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }
}
