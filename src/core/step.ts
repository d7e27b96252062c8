// A step is one turn of the circle: what the model said, what was read, what the tools gave back. A run is a list of them and a reason to stop.
import type { JsonValue } from './json.js'
import type { ModelReply, Usage } from './model.js'
import type { ParsedReply } from './reply.js'
import type { Observation } from './tool.js'

export interface Step {
  /** From 1, counted anew in each run. An unclear reply and the ones after it share the index of the step they were meant for. */
  readonly index: number
  /** From 1: which try at this step. */
  readonly attempt: number
  /** What the agent said about the world before this step (page, working directory, new tools); unset when it had nothing to say. */
  readonly situation?: string
  readonly reply: ModelReply
  readonly parsed: ParsedReply
  /** One for each call of the decision, in its order; for an unknown tool or an invalid input the one that says so. */
  readonly observations: readonly Observation[]
  /** What the model is told about its reply before it tries again: a correction, or a hint that it goes in circles. */
  readonly nudge?: string
}

export type Trajectory = readonly Step[]

/**
 * Why a run ended. `final_answer` alone is success. `best_effort`: an answer was asked for at the limit, see `RunResult.reason`.
 * `gave_up`: the model itself ended without success.
 */
export type StopReason = (typeof STOP_REASONS)[number]

export const STOP_REASONS = [
  'final_answer',
  'best_effort',
  'gave_up',
  'max_steps',
  'stuck',
  'unclear',
  'budget',
  'context',
  'denied',
  'aborted',
  'service_gone',
  /** Something was thrown; what, stands beside it. */
  'error',
] as const

export interface RunResult {
  readonly task: string
  /** Set for `final_answer`, `best_effort` and perhaps `gave_up`; never raw reply text. */
  readonly answer?: string
  /** The answer as data, when a schema was given for it: it fits. */
  readonly value?: JsonValue
  readonly stop: StopReason
  /** For `best_effort`: what forced the last turn (`max_steps`, `unclear` …). */
  readonly reason?: StopReason
  /** One sentence for people on how it ended. */
  readonly message: string
  readonly steps: Trajectory
  /** Sum over all replies; zeros when the endpoint reports none. */
  readonly usage: Usage
  readonly ms: number
  /** What the run has made of the files that it worked on; set by agents that work on files. */
  readonly artifacts?: Artifacts
}

/** What was changed since the agent's world was opened. */
export interface Artifacts {
  /** Paths from the workspace, in order. */
  readonly files: readonly { readonly path: string; readonly change: 'added' | 'changed' | 'deleted' }[]
  /** For `git apply`; unset when nothing was changed, and when it has more than 2 MiB. */
  readonly patch?: string
}
