// The live state of one run, which the classes of the ladder and their parts share: where it stands, what it used, and what may end it from outside.
import type { AgentEvent } from '../core/event.js'
import type { Image } from '../core/image.js'
import type { Usage } from '../core/model.js'
import type { StopReason } from '../core/step.js'
import type { PromptNote } from '../core/text.js'
import type { ToolSpec } from '../core/tool.js'
import type { LastWord } from './last-turn.js'
import type { KnownTurn, Past } from './past.js'
import type { RunBudget } from './run-budget.js'
import { newRunId, type RunEnd, type RunOptions, type StepOutcome } from './run-options.js'
import type { CircleWatch } from './stuck.js'
import { ToldImages } from './told-images.js'

/** What a run begins with. */
export interface RunParts {
  readonly task: string
  /** Not one that an earlier run has left without an answer. */
  readonly isNew: boolean
  readonly options: RunOptions
  readonly maxSteps: number
  readonly budget: RunBudget
  readonly circles: CircleWatch
  /** Fires when the caller or a listener wants the run to end. */
  readonly abort: AbortSignal
  readonly emit: (event: AgentEvent) => void
  /** Set in a run that goes on. */
  readonly past: Past | undefined
}

export class ActiveRun {
  readonly id: string
  readonly task: string
  readonly isNew: boolean
  readonly options: RunOptions
  readonly maxSteps: number
  readonly budget: RunBudget
  readonly circles: CircleWatch
  readonly emit: (event: AgentEvent) => void
  /** What the run did before it was cut short. */
  readonly past: Past | undefined
  /** Index of the present step, from 1. */
  step = 0
  /** What beforeStep() said about the world. */
  situation: string | undefined
  /** What it showed there. */
  images: readonly Image[] = []
  /** Set for the last turn, which may only answer: what forced it. */
  wrapUp: StopReason | undefined
  /** An answer that did not count when it came; the newest. */
  spare: LastWord | undefined
  /** Sum of what the endpoint reported. */
  usage: Usage = { promptTokens: 0, completionTokens: 0 }
  /** The tools that the events have told so far. */
  toldTools: readonly ToolSpec[] = []
  /** And the notes beside them in the head of the prompt. */
  toldNotes: readonly PromptNote[] = []
  readonly toldImages: ToldImages
  readonly #abort: AbortSignal
  #signal: AbortSignal

  constructor({ task, isNew, options, maxSteps, budget, circles, abort, emit, past }: RunParts) {
    this.id = options.runId ?? past?.run ?? newRunId()
    this.task = task
    this.isNew = isNew
    this.options = options
    this.maxSteps = maxSteps
    this.budget = budget
    this.circles = circles
    this.emit = emit
    this.past = past
    this.toldImages = new ToldImages(emit)
    if (!past) budget.begin()
    this.#abort = abort
    this.#signal = AbortSignal.any([abort, budget.signal])
  }

  /** Fires when what is under way must end: after an abort, or when the time is up. */
  get signal(): AbortSignal {
    return this.#signal
  }

  /** What is on record of a try at the present step. The first that is not there is where the time begins to run. */
  recall(attempt: number): KnownTurn | undefined {
    const turn = this.past?.turn(this.step, attempt)
    if (this.past && !turn) this.budget.begin(this.past.ms)
    return turn
  }

  /** What ends the run from outside: an abort, or a limit; undefined while it may go on. */
  get cut(): RunEnd | undefined {
    if (this.#abort.aborted) return { kind: 'end', stop: 'aborted' }
    const message = this.budget.met()
    return message === undefined ? undefined : { kind: 'end', stop: 'budget', message }
  }

  /** One more turn that may only answer; it may use what was kept for it. */
  beginLastTurn(reason: StopReason): void {
    this.wrapUp = reason
    // nobody looks at the world before this turn, and nothing can be done in it
    this.situation = undefined
    this.budget.beginLastTurn()
    this.#signal = AbortSignal.any([this.#abort, this.budget.signal])
  }
}

/** A part of the run; when that was ended from outside meanwhile, so is the run. */
export async function endIfCut(run: ActiveRun, part: () => Promise<StepOutcome>): Promise<StepOutcome> {
  try {
    const outcome = await part()
    return outcome.kind === 'continue' ? (run.cut ?? outcome) : outcome
  } catch (error) {
    if (run.signal.aborted && run.cut) return run.cut
    throw error
  }
}
