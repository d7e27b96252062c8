// Work → a function that does it with its first call, and gives what came of it with every call.

/** Of a promise, a rejection is kept as well. What `work` throws is not: the next call tries again. */
export function once<T>(work: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: work() }
    return made.value
  }
}
