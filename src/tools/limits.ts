// How often each tool was called in one run → whether it may be called once more, and if not, when. One instance per run.
import { SaydoError } from '../core/errors.js'
import type { Tool } from '../core/tool.js'

const MINUTE_MS = 60_000

/** Which limit was met, and for the one per minute in how many seconds it lets the next call through. */
export interface LimitMet {
  readonly limit: number
  readonly per: 'run' | 'step' | 'minute'
  readonly seconds?: number
}

type Limited = Pick<Tool, 'name' | 'maxCallsPerRun' | 'maxCallsPerStep' | 'maxCallsPerMinute'>

interface Counted {
  readonly at: number
  readonly step: number
}

export class CallLimits {
  readonly #now: () => number
  readonly #calls = new Map<string, Counted[]>()

  /** `now` gives ms that never run backwards; default `performance.now`. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Counts one call of the tool in a step, unless a limit is met: then nothing is counted, and the limit is told. */
  take(tool: Limited, step: number): LimitMet | undefined {
    const { name, maxCallsPerRun = Infinity, maxCallsPerStep = Infinity, maxCallsPerMinute = Infinity } = tool
    const calls = this.#calls.get(name) ?? []
    const now = this.#now()
    if (calls.length >= maxCallsPerRun) return { limit: maxCallsPerRun, per: 'run' }
    if (calls.filter(call => call.step === step).length >= maxCallsPerStep) return { limit: maxCallsPerStep, per: 'step' }
    const recent = calls.filter(({ at }) => at > now - MINUTE_MS)
    if (recent.length >= maxCallsPerMinute) {
      // the window has room again when its oldest call that counts has left it
      const leaves = (recent.at(-maxCallsPerMinute)?.at ?? now) + MINUTE_MS
      return { limit: maxCallsPerMinute, per: 'minute', seconds: Math.max(1, Math.ceil((leaves - now) / 1000)) }
    }
    this.#calls.set(name, [...calls, { at: now, step }])
    return undefined
  }

  /** Takes back the last count: the call was not made after all. */
  giveBack(tool: Pick<Tool, 'name'>): void {
    this.#calls.get(tool.name)?.pop()
  }
}

/** @throws SaydoError `CONFIG` for anything but a whole number from 1, or nothing */
export function requireConcurrency(value: unknown): void {
  if (value === undefined || (Number.isSafeInteger(value) && Number(value) > 0)) return
  throw new SaydoError('CONFIG', `concurrency is ${String(value)}.`, {
    hint: 'Give the most calls at a time as a whole number from 1.',
  })
}
