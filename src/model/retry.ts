// An attempt's number and the server's wish in, the wait before the next attempt out.

/** Longest wait a server may ask for. */
export const MAX_WAIT_MS = 60_000
const FIRST_MS = 500
const CAP_MS = 8_000

/** Waits `ms`; rejects with the signal's reason as soon as it fires. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

/** Exponential backoff with full jitter: a random part of 0.5 s · 2ⁿ, at most 8 s. `attempt` counts from 1. */
export function backoffMs(attempt: number): number {
  return Math.random() * Math.min(FIRST_MS * 2 ** (attempt - 1), CAP_MS)
}

/**
 * The wait that `retry-after-ms` or `retry-after` (seconds, or a date) asks for. Undefined when there is none or it makes no sense: not a
 * number, zero, negative, or a date in the past.
 */
export function requestedWaitMs(headers: Headers, now: number = Date.now()): number | undefined {
  const milliseconds = positiveNumber(headers.get('retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds
  const wish = headers.get('retry-after')
  const seconds = positiveNumber(wish)
  if (seconds !== undefined) return seconds * 1000
  if (wish === null || !/[a-z]/i.test(wish)) return undefined
  const untilDate = Date.parse(wish) - now
  return untilDate > 0 ? untilDate : undefined
}

function positiveNumber(text: string | null): number | undefined {
  if (text === null || !/^\s*\d{1,15}(\.\d{1,9})?\s*$/.test(text)) return undefined
  const value = Number(text)
  return value > 0 ? value : undefined
}

export const pause: Pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const fire = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', fire)
      resolve()
    }, ms)
    signal.addEventListener('abort', fire, { once: true })
  })
