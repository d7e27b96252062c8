// What one run may be given besides its task, and the live state of a run that the classes of the ladder share.
import type { AgentEvent } from '../core/event.js'
import type { Usage } from '../core/model.js'
import type { StopReason } from '../core/step.js'
import type { ToolSpec } from '../core/tool.js'
import type { CircleWatch } from './stuck.js'

/** Options of one run; they win over the agent's own. */
export interface RunOptions {
  /** Gets every event, in order, before the run goes on. What it throws first ends the run, which then rejects with it. */
  readonly onEvent?: (event: AgentEvent) => void
  /** Ends the run with stop `aborted`. */
  readonly signal?: AbortSignal
  readonly maxSteps?: number
  /** Identity in transcripts; default a new one that sorts by time. */
  readonly runId?: string
}

/** A run under way. */
export interface ActiveRun {
  readonly id: string
  readonly task: string
  readonly signal: AbortSignal
  readonly emit: (event: AgentEvent) => void
  readonly maxSteps: number
  /** Index of the present step, from 1. */
  step: number
  /** What beforeStep() said about the world. */
  situation: string | undefined
  /** Set for the last turn, which may only answer: what forced it. */
  wrapUp: StopReason | undefined
  usage: Usage
  readonly circles: CircleWatch
  /** The tools that the events have told so far. */
  toldTools: readonly ToolSpec[]
}

/** How a step leaves the run: it goes on, or it ends. */
export type StepOutcome =
  | { readonly kind: 'continue' }
  | { readonly kind: 'end'; readonly stop: StopReason; readonly answer?: string; readonly message?: string }

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
