// The limits of an agent and those of a run → what keeps them in this run. What is wrong with one shows when it is given.
import { SaydoError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import type { BaseAgentOptions } from './base-agent-options.js'
import { type BudgetOptions, RunBudget } from './run-budget.js'
import type { RunOptions } from './run-options.js'
import { CircleWatch, type ToolFacts } from './stuck.js'

export class AgentLimits {
  readonly maxSteps: number
  readonly onMaxSteps: 'answer' | 'return' | 'throw'
  readonly #options: BaseAgentOptions

  /** Throws `CONFIG` for a limit that is none. */
  constructor(options: BaseAgentOptions, defaultMaxSteps: number) {
    this.maxSteps = checkedMaxSteps(options.maxSteps ?? defaultMaxSteps)
    this.onMaxSteps = options.onMaxSteps ?? 'answer'
    this.#options = options
    this.budget({}).close()
    this.watch(() => undefined)
  }

  stepsOf({ maxSteps = this.maxSteps }: RunOptions): number {
    return checkedMaxSteps(maxSteps)
  }

  budget(options: RunOptions): RunBudget {
    return new RunBudget(this.#budgetOf(options), this.onMaxSteps === 'answer')
  }

  watch(factsOf: (tool: string) => ToolFacts | undefined): CircleWatch {
    return new CircleWatch(factsOf, this.#options.stuck)
  }

  /** As they are told in the events of a run. */
  told(options: RunOptions): JsonObject {
    return { maxSteps: this.stepsOf(options), onMaxSteps: this.onMaxSteps, ...this.#budgetOf(options) }
  }

  #budgetOf(options: RunOptions): BudgetOptions & JsonObject {
    const { deadlineMs = this.#options.deadlineMs, maxRunTokens = this.#options.maxRunTokens } = options
    return { ...(deadlineMs === undefined ? {} : { deadlineMs }), ...(maxRunTokens === undefined ? {} : { maxRunTokens }) }
  }
}

function checkedMaxSteps(value: number): number {
  if (Number.isInteger(value) && value >= 1) return value
  throw new SaydoError('CONFIG', `maxSteps must be a whole number from 1, got ${String(value)}`)
}
