// A run and what its agent does in each phase → how the run ends: opens, goes from step to step until one of them ends it or a limit is met, and
// concludes. Tells where each step begins and ends.
import { SaydoError } from '../core/errors.js'
import { type ActiveRun, endIfCut } from './active-run.js'
import { conclude, type LastTurn, type LastWord } from './last-turn.js'
import { CONTINUE, type Looked, type RunEnd, type StepOutcome } from './run-options.js'
import { orAborted } from './until-aborted.js'

export interface Circle {
  readonly onMaxSteps: LastTurn['onMaxSteps']
  open(): Promise<void>
  /** Asked before the agent looks at the world. */
  askBefore(): Promise<void>
  /** What the world looks like, or the end of the run when there is none left to act in. */
  look(): Promise<Looked>
  step(): Promise<StepOutcome>
  wrapUp(): Promise<LastWord | undefined>
  best(): LastWord | undefined
  /** Something is remembered that a prompt may have grown by. */
  hasPast(): boolean
}

/** Throws `MetLimit` where the agent wants that, and what its phases throw. */
export async function goRound(run: ActiveRun, circle: Circle): Promise<RunEnd> {
  const opened = await endIfCut(run, async () => {
    await circle.open()
    return CONTINUE
  })
  if (opened.kind === 'end') return concluded(run, opened, circle)
  while (run.step < run.maxSteps) {
    run.step += 1
    const outcome = await oneStep(run, circle)
    if (outcome.kind === 'end') return concluded(run, outcome, circle)
  }
  return concluded(run, { kind: 'end', stop: 'max_steps' }, circle)
}

async function oneStep(run: ActiveRun, circle: Circle): Promise<StepOutcome> {
  if (run.cut) return run.cut
  const begun = run.past?.begun(run.step)
  const looked = await endIfCut(run, async () => {
    if (begun) {
      run.situation = begun.situation
      return CONTINUE
    }
    await circle.askBefore()
    const seen = await orAborted(circle.look(), run.signal)
    if (typeof seen === 'object' && seen.kind === 'end') return seen
    run.situation = typeof seen === 'object' ? seen.text : seen
    run.images = typeof seen === 'object' ? seen.images : []
    return CONTINUE
  })
  return looked.kind === 'end' ? looked : framed(run, circle, () => circle.step())
}

/** A part of the run between its `step_start` and its `step_end`, however it ends. */
async function framed(run: ActiveRun, circle: Circle, part: () => Promise<StepOutcome>): Promise<StepOutcome> {
  const { situation } = run
  run.emit({ type: 'step_start', step: run.step, ...(situation === undefined ? {} : { situation }) })
  try {
    return await endIfCut(run, part)
  } catch (error) {
    // a first prompt that is too long is a fault of the configuration; later on the run has grown out of its model
    const outgrown = error instanceof SaydoError && error.code === 'MODEL_CONTEXT' && circle.hasPast()
    if (!outgrown) throw error
    return { kind: 'end', stop: 'context', ...(error.hint === undefined ? {} : { message: error.hint }) }
  } finally {
    run.emit({ type: 'step_end', step: run.step })
  }
}

/** When a limit was met, what is known is asked for in one more turn that may only answer, unless the agent wants it otherwise. */
function concluded(run: ActiveRun, end: RunEnd, circle: Circle): Promise<RunEnd> {
  return conclude(run, end, {
    onMaxSteps: circle.onMaxSteps,
    best: () => circle.best(),
    ask: hear => {
      run.step += 1
      return framed(run, circle, async () => {
        hear(await circle.wrapUp())
        return CONTINUE
      })
    },
  })
}
