// Tasks and steps in, the ones that belong into the next prompt out. A task may follow another, as in a conversation. Keeps every step; what a
// view leaves out, because it no longer fits, it counts.
import type { Step, Trajectory } from '../core/step.js'

/** One task and what was done about it, as a prompt shows it. */
export interface ShownTurn {
  readonly task: string
  /** Every readable step, and behind them the newest unclear reply of the present task while nothing readable has followed it. */
  readonly steps: Trajectory
  /** Earlier readable steps that were left out. */
  readonly omitted: number
}

/** What of a memory stands in a prompt. */
export interface ScratchpadView {
  /** Oldest first; the last is the present one. */
  readonly turns: readonly [...ShownTurn[], ShownTurn]
  /** Earlier tasks that were left out, with all their steps. */
  readonly omitted: number
}

interface Turn {
  readonly task: string
  readonly steps: Step[]
  omitted: number
}

/** The one place where an agent's steps are written down. */
export class Scratchpad {
  #turns: Turn[] = []
  #omitted = 0
  /** Where the steps of the present run begin among those of its task. */
  #start = 0
  #isOpen = false

  /** The present task; empty when there was none yet. */
  get task(): string {
    return this.#present?.task ?? ''
  }

  /** Every step of the present run, unclear replies included. */
  get steps(): Trajectory {
    const steps = this.#present?.steps ?? []
    return this.#start === 0 ? steps : steps.slice(this.#start)
  }

  /** The present task has no answer yet. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** A new task follows what was done so far. A task that nothing was done about leaves no trace. */
  begin(task: string): void {
    this.#turns = this.#turns.filter(turn => turn.steps.some(isReadable))
    this.#turns.push({ task, steps: [], omitted: 0 })
    this.#omitted = Math.min(this.#omitted, this.#turns.length - 1)
    this.#start = 0
    this.#isOpen = true
  }

  /** A new run goes on with the present task. */
  resume(): void {
    this.#start = this.#present?.steps.length ?? 0
  }

  /** The present task has its answer. */
  end(): void {
    this.#isOpen = false
  }

  /** Forgets all. */
  reset(): void {
    this.#turns = []
    this.#omitted = 0
    this.#start = 0
    this.#isOpen = false
  }

  add(step: Step): void {
    if (!this.#present) this.begin('')
    this.#present?.steps.push(step)
  }

  view(): ScratchpadView {
    const [present = { task: '', steps: [], omitted: 0 }, ...earlier] = this.#turns.slice(this.#omitted).reverse()
    const newest = present.steps.at(-1)
    const shown = show(present)
    const last = newest && !isReadable(newest) ? { ...shown, steps: [...shown.steps, newest] } : shown
    return { turns: [...earlier.reverse().map(show), last], omitted: this.#omitted }
  }

  /**
   * Leaves the older half of what can be left out of all further views: earlier tasks first, then earlier steps of the present one, never its
   * last. False when there is nothing more. Large cuts are few cuts, and between two cuts a prompt only grows.
   */
  trim(): boolean {
    const earlier = this.#turns.length - 1 - this.#omitted
    if (earlier > 0) {
      this.#omitted += Math.ceil(earlier / 2)
      return true
    }
    const present = this.#present
    if (!present) return false
    const shown = present.steps.filter(isReadable).length - present.omitted
    if (shown < 2) return false
    present.omitted += Math.ceil(shown / 2)
    return true
  }

  get #present(): Turn | undefined {
    return this.#turns.at(-1)
  }
}

function show({ task, steps, omitted }: Turn): ShownTurn {
  return { task, steps: steps.filter(isReadable).slice(omitted), omitted }
}

/** A step that took the run on: it has observations, or an answer that was accepted. */
export function isReadable(step: Step): boolean {
  return step.observations.length > 0 || (step.parsed.decision.kind === 'answer' && step.nudge === undefined)
}
