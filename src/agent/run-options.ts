// What one run may be given besides its task, and how its steps may leave it.
import type { AgentEvent } from '../core/event.js'
import type { Image } from '../core/image.js'
import type { JsonValue } from '../core/json.js'
import type { Usage } from '../core/model.js'
import type { Artifacts, StopReason } from '../core/step.js'
import type { BudgetOptions } from './run-budget.js'
import type { ToolChoice } from './tool-choice.js'

/** Options of one run; they win over the agent's own. */
export interface RunOptions extends BudgetOptions {
  /**
   * Gets every event, in order, before the run goes on. What it throws first ends the run, which then rejects with it; so does the promise of an async
   * one that rejects before the run is over, though nobody waits for it.
   */
  readonly onEvent?: (event: AgentEvent) => void
  /** Ends the run with stop `aborted`. */
  readonly signal?: AbortSignal
  readonly maxSteps?: number
  readonly toolChoice?: ToolChoice
  /** Identity in transcripts; default a new one that sorts by time, or that of the run that goes on. */
  readonly runId?: string
  /**
   * The events of a run that was cut short, as its journal holds them: it goes on where they end. Of several runs, as a conversation leaves them,
   * it is the last, and the agent remembers those before it, in place of whatever it was asked until now. What they tell is neither asked, called nor
   * told again. A call that was begun and has no result is made again where the tool is `idempotent` or has no effect; else whoever confirms calls is asked about it
   * (`context.again`), and without anyone to ask the model is told that its outcome is unknown. Throws `CONFIG` for a run that came to its end, and
   * when tools are missing that it had.
   */
  readonly resume?: readonly AgentEvent[]
}

/** What the world looks like before a step, where there is more to it than words. */
export interface Situation {
  readonly kind: 'situation'
  readonly text: string
  readonly images: readonly Image[]
}

/** How a step leaves the run: it goes on, or it ends. */
export type StepOutcome = { readonly kind: 'continue' } | RunEnd

export interface RunEnd {
  readonly kind: 'end'
  readonly stop: StopReason
  readonly answer?: string
  /** The answer as data. */
  readonly value?: JsonValue
  /** See `RunResult.reason`. */
  readonly reason?: StopReason
  /** In place of the usual sentence about this stop. */
  readonly message?: string
  /** The last turn could not help, so none is asked for. */
  readonly final?: true
  readonly artifacts?: Artifacts
}

/** What an agent says before a step: nothing, what the world looks like, or that the run ends. */
export type Looked = string | Situation | RunEnd | undefined

export const CONTINUE: StepOutcome = { kind: 'continue' }

/** Sum of two token counts. */
export function addUsage(sum: Usage, more: Usage | undefined): Usage {
  if (!more) return sum
  return { promptTokens: sum.promptTokens + more.promptTokens, completionTokens: sum.completionTokens + more.completionTokens }
}

/** A short id that sorts by the time it was made. */
export function newRunId(now = Date.now()): string {
  return `${now.toString(36)}-${Math.random().toString(36).slice(2, 6).padEnd(4, '0')}`
}
