// What a run may take of time and tokens → the signal that ends what is under way, and a sentence that says which limit was met.
// Where an answer is asked for at the end, a fifth of either is kept for that turn.
import { SaydoError } from '../core/errors.js'
import { LONGEST_DELAY_MS } from '../core/longest-delay.js'

export interface BudgetOptions {
  /** Time for the whole run in ms; default no limit. What is under way when it is over is aborted. */
  readonly deadlineMs?: number
  /**
   * Tokens of all prompts and replies of a run, estimated where the endpoint reports none; default no limit. Asked between replies, so that the
   * last one may pass it.
   */
  readonly maxRunTokens?: number
}

/** The part of a budget that is there for the work, when the last turn needs some, too. */
const WORK_SHARE = 0.8

/** Watches one run. */
export class RunBudget {
  readonly #limits: BudgetOptions
  #started: number | undefined
  readonly #work = new AbortController()
  readonly #all = new AbortController()
  readonly #timers: NodeJS.Timeout[] = []
  #tokens = 0
  #share: number

  /** `keepsRest`: a last turn may follow. Throws `CONFIG` for a limit that is no positive number. */
  constructor(limits: BudgetOptions, keepsRest: boolean) {
    this.#limits = { ...positive('deadlineMs', limits.deadlineMs), ...positive('maxRunTokens', limits.maxRunTokens) }
    this.#share = keepsRest ? WORK_SHARE : 1
  }

  /** The time begins to run, once. `usedMs`: what of it is used already. */
  begin(usedMs = 0): void {
    const { deadlineMs } = this.#limits
    if (this.#started !== undefined) return
    this.#started = performance.now() - usedMs
    if (deadlineMs === undefined) return
    this.#abortAfter(this.#work, deadlineMs * this.#share - usedMs)
    this.#abortAfter(this.#all, deadlineMs - usedMs)
  }

  /** Fires when the time is up: first that for the work, once the last turn began that of the run. */
  get signal(): AbortSignal {
    return this.#share === 1 ? this.#all.signal : this.#work.signal
  }

  /** From now on the rest may be used. */
  beginLastTurn(): void {
    this.#share = 1
  }

  spend(tokens: number): void {
    this.#tokens += tokens
  }

  /** Which limit is met, in a sentence; undefined while there is room. */
  met(): string | undefined {
    const { deadlineMs, maxRunTokens } = this.#limits
    if (this.signal.aborted && deadlineMs !== undefined) {
      const used = seconds(performance.now() - (this.#started ?? performance.now()))
      return `the deadline of ${seconds(deadlineMs)} s was reached (${used} s used${this.#kept()})`
    }
    if (maxRunTokens === undefined || this.#tokens < maxRunTokens * this.#share) return undefined
    return `the limit of ${maxRunTokens} tokens was reached (${this.#tokens} used${this.#kept()})`
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }

  #kept(): string {
    return this.#share < 1 ? ', the rest was kept for an answer' : ''
  }

  #abortAfter(controller: AbortController, ms: number): void {
    const abort = () => controller.abort(new SaydoError('ABORTED', 'the time is up'))
    if (ms <= 0) abort()
    else this.#timers.push(setTimeout(abort, Math.min(ms, LONGEST_DELAY_MS)))
  }
}

function positive<Name extends keyof BudgetOptions>(name: Name, value: number | undefined): Pick<BudgetOptions, Name> {
  if (value === undefined) return {} as Pick<BudgetOptions, Name>
  if (typeof value === 'number' && value > 0) return { [name]: value } as Pick<BudgetOptions, Name>
  throw new SaydoError('CONFIG', `${name} must be a positive number, got ${String(value)}`)
}

function seconds(ms: number): number {
  return Number((ms / 1000).toPrecision(3))
}
