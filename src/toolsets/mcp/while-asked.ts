// Something that is waited for, and what it must not outlast: a signal, or a time without a sign of life.

export interface Life {
  readonly signal: AbortSignal | undefined
  /** Its time stands still. */
  readonly isHeld: () => boolean
}

/** Work that is ended when there was no sign of life for so long. */
export async function whileAlive<T>(
  idleMs: number,
  { signal, isHeld }: Life,
  work: (own: AbortSignal, onSign: () => void) => Promise<T>,
): Promise<T> {
  const idle = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => (isHeld() ? wait() : idle.abort('no sign of life')), idleMs)
  }
  wait()
  try {
    return await whileAsked(AbortSignal.any([idle.signal, ...(signal ? [signal] : [])]), own => work(own, wait))
  } finally {
    clearTimeout(timer)
  }
}

/** Work with a signal of its own, which fires no more once the work is done: the SDK listens on, and would then cancel what was answered long ago. */
export async function whileAsked<T>(signal: AbortSignal, work: (own: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController()
  const stop = () => own.abort(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await work(own.signal)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The promise, or a rejection when the signal fires first. */
export function orWhen<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
