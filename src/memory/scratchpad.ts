// Steps of a task in, the ones that belong into the next prompt out. Keeps every step; what it leaves out of a view it counts.
import type { Step, Trajectory } from '../core/step.js'

/** What of a trajectory stands in a prompt. */
export interface ScratchpadView {
  readonly steps: Trajectory
  /** Earlier readable steps that the budget left out. */
  readonly omitted: number
}

/** The one place where an agent's steps are written down. A task may follow another: `begin()` starts the next with an empty page. */
export class Scratchpad {
  #steps: Step[] = []
  #task = ''

  get task(): string {
    return this.#task
  }

  /** Every step of the present task, unclear replies included. */
  get steps(): Trajectory {
    return this.#steps
  }

  begin(task: string): void {
    this.#task = task
    this.#steps = []
  }

  add(step: Step): void {
    this.#steps.push(step)
  }

  /**
   * The steps a prompt shows: all readable ones, and at the end the last unclear reply as long as nothing readable followed it.
   * `last` keeps only that many readable steps (default all), always at least one.
   */
  view(last = Number.POSITIVE_INFINITY): ScratchpadView {
    const readable = this.#steps.filter(isReadable)
    const kept = readable.slice(-Math.max(1, Math.min(last, readable.length)))
    const newest = this.#steps.at(-1)
    const steps = newest && !isReadable(newest) ? [...kept, newest] : kept
    return { steps, omitted: readable.length - kept.length }
  }
}

/** A step that took the run on: it has observations, or an answer that was accepted. */
export function isReadable(step: Step): boolean {
  return step.observations.length > 0 || (step.parsed.decision.kind === 'answer' && step.nudge === undefined)
}
