// How often each tool was called in one run → whether it may be called once more, and if not, when. One instance per run.
import type { Tool } from '../core/tool.js'

const MINUTE_MS = 60_000

/** Which limit was met, and for the one per minute in how many seconds it lets the next call through. */
export interface LimitMet {
  readonly limit: number
  readonly per: 'run' | 'minute'
  readonly seconds?: number
}

export class CallLimits {
  readonly #now: () => number
  readonly #calls = new Map<string, number[]>()

  /** `now` gives ms that never run backwards; default `performance.now`. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Counts one call of the tool, unless a limit is met: then nothing is counted, and the limit is told. */
  take(tool: Pick<Tool, 'name' | 'maxCallsPerRun' | 'maxCallsPerMinute'>): LimitMet | undefined {
    const { name, maxCallsPerRun = Infinity, maxCallsPerMinute = Infinity } = tool
    const calls = this.#calls.get(name) ?? []
    const now = this.#now()
    if (calls.length >= maxCallsPerRun) return { limit: maxCallsPerRun, per: 'run' }
    const recent = calls.filter(at => at > now - MINUTE_MS)
    if (recent.length >= maxCallsPerMinute) {
      // the window has room again when its oldest call that counts has left it
      const leaves = (recent.at(-Math.ceil(maxCallsPerMinute)) ?? now) + MINUTE_MS
      return { limit: maxCallsPerMinute, per: 'minute', seconds: Math.max(1, Math.ceil((leaves - now) / 1000)) }
    }
    this.#calls.set(name, [...calls, now])
    return undefined
  }

  /** Takes back the last count: the call was not made after all. */
  giveBack(tool: Pick<Tool, 'name'>): void {
    this.#calls.get(tool.name)?.pop()
  }
}
