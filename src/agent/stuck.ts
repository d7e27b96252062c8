// The steps of a run → whether it goes in circles, and what to do about it: first a hint, then the circling calls are not made again, at last
// the run ends. Only repeats with the same results count: a poll whose answer changes makes progress, and so does a call that is made again after
// something else was found out.
import type { JsonValue } from '../core/json.js'
import type { Step, Trajectory } from '../core/step.js'
import type { ToolCall } from '../core/tool.js'

/** How often the same thing with the same result makes a circle. */
const REPEATS = 3

/** Steps in a row that may close a circle before the run ends. */
const MAX_STRIKES = 3

/** `repeat`: the same calls with the same results. `cycle`: two steps that take turns. `result`: other inputs, but always the same result. */
type Circle = 'repeat' | 'cycle' | 'result'

/** Watches one run. */
export class CircleWatch {
  readonly #isRepeatable: (tool: string) => boolean
  #strikes = 0
  #blocked: string | undefined

  /** `isRepeatable`: the tool may give the same again (wait, poll, scroll). */
  constructor(isRepeatable: (tool: string) => boolean) {
    this.#isRepeatable = isRepeatable
  }

  /** These calls closed a circle already, and the model was told so: making them again would give the same again. */
  isBlocked(calls: readonly ToolCall[]): boolean {
    return this.#blocked === callsKey(calls)
  }

  /** Judges the newest of the steps; to be told each step with observations once. Inputs that differ are never more than hinted at. */
  judge(steps: Trajectory): 'fine' | 'hint' | 'stuck' {
    const { decision } = steps.at(-1)?.parsed ?? {}
    const calls = decision?.kind === 'act' ? decision.calls : []
    const circle = this.isBlocked(calls) ? 'repeat' : findCircle(steps, this.#isRepeatable)
    const before = this.#strikes
    this.#strikes = circle === undefined ? 0 : circle === 'result' ? Math.max(1, before) : before + 1
    if (circle === undefined) this.#blocked = undefined
    else if (circle !== 'result' && calls.length > 0) this.#blocked = callsKey(calls)
    if (this.#strikes >= MAX_STRIKES) return 'stuck'
    return before === 0 && this.#strikes === 1 ? 'hint' : 'fine'
  }
}

function findCircle(steps: Trajectory, isRepeatable: (tool: string) => boolean): Circle | undefined {
  const acts = steps.filter(step => step.observations.length > 0)
  const newest = acts.at(-1)
  if (!newest || newest.observations.every(({ tool }) => isRepeatable(tool))) return undefined
  const last = acts.slice(-REPEATS)
  if (last.length === REPEATS && allSame(last.map(fingerprint))) return 'repeat'
  const [a, b, c, d] = acts.slice(-4).map(fingerprint)
  if (d !== undefined && a === c && b === d) return 'cycle'
  if (last.length === REPEATS && allSame(last.map(results))) return 'result'
  return undefined
}

/** The same for the same calls, whatever the order of their keys. */
function callsKey(calls: readonly ToolCall[]): string {
  return calls.map(({ tool, input }) => `${tool} ${canonical(input)}`).join('\n')
}

function fingerprint(step: Step): string {
  const { decision } = step.parsed
  const calls =
    decision.kind === 'act' ? callsKey(decision.calls) : decision.kind === 'unclear' ? JSON.stringify(decision.attempted) : ''
  return `${calls}\n${results(step)}`
}

function results(step: Step): string {
  return JSON.stringify(step.observations.map(({ tool, text }) => [tool, text]))
}

function allSame(values: readonly string[]): boolean {
  return values.every(value => value === values[0])
}

function canonical(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}
