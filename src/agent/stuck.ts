// The steps of a run, one by one → whether it goes in circles, and what to do about it: first a hint, then the circling calls are not made again, at
// last the run ends. What brings something new is no circle: a poll whose answer changes, a call made again after something else was found out, a
// change that was not made before.
import { SaydoError } from '../core/errors.js'
import type { Step } from '../core/step.js'
import type { ToolCall, ToolSpec } from '../core/tool.js'
import { callsKey, resultKeys, thoughtKey } from './step-keys.js'

export interface StuckOptions {
  /** How often the same thing in a row makes a circle; default 3. */
  readonly repeats?: number
  /** How often a circle is closed before the run ends: at first there is a hint; default 3. */
  readonly strikes?: number
}

/** What a circle may depend on. */
export type ToolFacts = Pick<ToolSpec, 'repeatable' | 'effect'>

/** What counts of a step. */
interface Turn {
  readonly calls: string
  readonly results: string
  /** Calls and results together. */
  readonly exact: string
  readonly thought: string
  /** It gave a result, or made a change, that no step had before. */
  readonly isNew: boolean
  /** Its calls were made before. */
  readonly isRepeat: boolean
}

/**
 * `hard`: the same calls with the same results, in a row or taking turns. `soft`: other calls, but the same results or thoughts, and nothing
 * new; it may be bad luck, so it takes longer to end the run.
 */
type Circle = 'hard' | 'soft'

/** Watches one run. */
export class CircleWatch {
  readonly #factsOf: (tool: string) => ToolFacts | undefined
  readonly #watches: boolean
  readonly #repeats: number
  readonly #maxStrikes: number
  readonly #turns: Turn[] = []
  readonly #seen = new Set<string>()
  readonly #blocked = new Set<string>()
  #strikes = 0
  #soft = 0

  /** `false`: nothing is ever a circle. Throws `CONFIG` for thresholds that are none. */
  constructor(factsOf: (tool: string) => ToolFacts | undefined, options: StuckOptions | false = {}) {
    const { repeats = 3, strikes = 3 } = options || {}
    this.#watches = options !== false
    this.#factsOf = factsOf
    this.#repeats = threshold('repeats', repeats, 2)
    this.#maxStrikes = threshold('strikes', strikes, 1)
  }

  /** These calls closed a circle already, and the model was told so: making them again would give the same again. */
  isBlocked(calls: readonly ToolCall[]): boolean {
    return this.#blocked.has(callsKey(calls))
  }

  /** Judges the newest step with observations; to be told each once. */
  judge(step: Step): 'fine' | 'hint' | 'stuck' {
    if (!this.#watches) return 'fine'
    const turn = this.#read(step)
    this.#turns.push(turn)
    const wasBlocked = this.#blocked.has(turn.calls)
    const circle = wasBlocked ? 'hard' : this.#isExempt(step) ? undefined : this.#findCircle()
    const before = this.#strikes
    this.#count(circle)
    if (circle === 'hard') for (const { calls } of this.#turns.slice(-2)) this.#blocked.add(calls)
    if (this.#strikes >= this.#maxStrikes) return 'stuck'
    // what was blocked has said so already
    if (wasBlocked) return 'fine'
    return this.#strikes > before || this.#isEcho(turn, step) ? 'hint' : 'fine'
  }

  /** Calls made again, of tools that change nothing, that gave nothing new: no circle yet, but small models hardly leave one that they are in. */
  #isEcho({ isRepeat, isNew }: Turn, { observations }: Step): boolean {
    if (!isRepeat || isNew) return false
    return observations.every(({ tool }) => {
      const facts = this.#factsOf(tool)
      return facts?.effect === 'none' && !facts.repeatable
    })
  }

  #count(circle: Circle | undefined): void {
    if (circle === undefined) {
      this.#strikes = 0
      this.#soft = 0
      this.#blocked.clear()
    } else if (circle === 'hard') this.#strikes += 1
    else if (this.#soft++ % this.#repeats === 0) this.#strikes += 1
  }

  #findCircle(): Circle | undefined {
    const last = this.#turns.slice(-this.#repeats)
    const whole = last.length === this.#repeats
    const [a, b, c, d] = this.#turns.slice(-4)
    const same = (one: Turn | undefined, other: Turn | undefined, key: (turn: Turn) => string) =>
      one !== undefined && other !== undefined && key(one) === key(other)
    const exact = (turn: Turn) => turn.exact
    const thought = (turn: Turn) => turn.thought
    const takesTurns = (key: (turn: Turn) => string) => same(a, c, key) && same(b, d, key) && !same(a, b, key)
    if ((whole && allSame(last.map(exact))) || takesTurns(exact)) return 'hard'
    const stale = this.#stale()
    // the first of them may have been new
    if (whole && stale >= this.#repeats - 1 && allSame(last.map(turn => turn.results))) return 'soft'
    if (whole && stale >= this.#repeats && allSame(last.map(thought))) return 'soft'
    if (stale >= 4 && d?.thought !== '' && takesTurns(thought)) return 'soft'
    if (stale < 2 * this.#repeats) return undefined
    return this.#turns.slice(-stale).every(turn => turn.isRepeat) ? 'hard' : 'soft'
  }

  /** The last steps in a row that brought nothing new. */
  #stale(): number {
    const newest = this.#turns.findLastIndex(turn => turn.isNew)
    return this.#turns.length - 1 - newest
  }

  #read(step: Step): Turn {
    const { parsed, observations } = step
    const { decision } = parsed
    const calls =
      decision.kind === 'act' ? callsKey(decision.calls) : JSON.stringify('attempted' in decision ? decision.attempted : '')
    const keys = resultKeys(step)
    const results = keys.join('\n')
    const isRepeat = this.#seen.has(calls)
    const changes = observations.some(({ tool, failure }) => !failure && this.#factsOf(tool)?.effect === 'changes')
    const gaveNews = observations.some(({ failure }, at) => !failure && !this.#seen.has(keys[at] ?? ''))
    for (const key of [calls, ...keys]) this.#seen.add(key)
    const isNew = gaveNews || (changes && !isRepeat)
    return { calls, results, exact: `${calls}\n${results}`, thought: thoughtKey(parsed.thought), isNew, isRepeat }
  }

  #isExempt({ observations }: Step): boolean {
    return observations.every(({ tool }) => this.#factsOf(tool)?.repeatable === true)
  }
}

function threshold(name: keyof StuckOptions, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least) return value
  throw new SaydoError('CONFIG', `stuck.${name} must be a whole number from ${least}, got ${String(value)}`)
}

function allSame(values: readonly string[]): boolean {
  return values[0] !== '' && values.every(value => value === values[0])
}
