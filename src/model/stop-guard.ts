// Chunks of a reply in, the same text out, cut before the first stop string. Servers may ignore, reject or leak stop strings, so every reply
// passes here. Only what may still become a stop string is held back, and the result does not depend on how the reply was chunked.

export interface StopGuard {
  /** Takes the next chunk; gives the text that is certainly before any stop string. Empty once a stop string was met. */
  push(chunk: string): string
  /** Ends the reply; gives what was held back. */
  end(): string
  /** The stop string that was met. */
  readonly hit: string | undefined
}

/**
 * The reply is cut before the stop string that is complete first; of two that end together the longer one counts.
 * Empty stop strings are ignored.
 */
export function createStopGuard(stops: readonly string[]): StopGuard {
  const wanted = stops.filter(stop => stop !== '')
  let held = ''
  let hit: string | undefined
  return {
    push(chunk) {
      if (hit !== undefined) return ''
      const text = held + chunk
      const found = firstComplete(text, wanted)
      if (found) {
        hit = found.stop
        held = ''
        return text.slice(0, found.start)
      }
      const certain = text.length - possibleStart(text, wanted)
      held = text.slice(certain)
      return text.slice(0, certain)
    },
    end() {
      const rest = held
      held = ''
      return rest
    },
    get hit() {
      return hit
    },
  }
}

function firstComplete(text: string, stops: readonly string[]): { stop: string; start: number } | undefined {
  let best: { stop: string; start: number } | undefined
  for (const stop of stops) {
    const start = text.indexOf(stop)
    if (start === -1) continue
    const order = best === undefined ? -1 : start + stop.length - (best.start + best.stop.length) || start - best.start
    if (order < 0) best = { stop, start }
  }
  return best
}

/** How many characters at the end of the text may be the beginning of a stop string. */
function possibleStart(text: string, stops: readonly string[]): number {
  let longest = 0
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(stop.slice(0, length))) longest = length
    }
  }
  return longest
}
