// What every agent of the ladder may be given: its name, its limits, and what becomes of its resource.
import type { Hooks } from './hooks.js'
import type { AgentResource } from './resource.js'
import type { BudgetOptions } from './run-budget.js'
import type { StuckOptions } from './stuck.js'

export interface BaseAgentOptions extends BudgetOptions {
  /** What to call it in transcripts; default the class's own, such as `tool-call`. */
  readonly name?: string
  readonly description?: string
  /** Steps before a run is stopped; default the class's own: 30 for `ToolCallAgent`, 10 for the classes below it. */
  readonly maxSteps?: number
  /**
   * When a limit is met (steps, time, tokens), the model goes in circles, or its replies stay unclear: `answer` (default) asks once more for an
   * answer from what is known, `return` ends without one, `throw` rejects with a `STATE` error whose `cause` is the result so far.
   */
  readonly onMaxSteps?: 'answer' | 'return' | 'throw'
  /** When a run counts as going in circles; `false`: never. Tools that are `repeatable` don't count. */
  readonly stuck?: StuckOptions | false
  /** What the program does at each phase of a run; see `Hooks`. */
  readonly hooks?: Hooks
  /** What is opened and closed with the agent, besides its own resource: opened in this order before that, closed after it in reverse. */
  readonly resources?: readonly AgentResource[]
  /** Leave the agent's resource open after a run, for the next one; `close()` is then the caller's. Default false. */
  readonly keepOpen?: boolean
}
