// A run that met a limit → how it ends: with an answer asked for in one more turn, with the best one that came before, without one, or by throwing.
import { SaydoError } from '../core/errors.js'
import type { JsonValue } from '../core/json.js'
import type { RunResult, StopReason } from '../core/step.js'
import type { ActiveRun } from './active-run.js'
import type { BaseAgentOptions } from './base-agent-options.js'
import type { RunEnd, StepOutcome } from './run-options.js'
import { stopMessage } from './stop-message.js'

/** An answer that is not the model's own end of its work. */
export interface LastWord {
  readonly answer: string
  readonly value?: JsonValue
  /** What people should know about it, half a sentence. */
  readonly note?: string
}

export interface LastTurn {
  readonly onMaxSteps: NonNullable<BaseAgentOptions['onMaxSteps']>
  /** Asks once more, in a turn that may only answer; `hear` gets the answer. */
  readonly ask: (hear: (word: LastWord | undefined) => void) => Promise<StepOutcome>
  /** The best there is without asking. */
  readonly best: () => LastWord | undefined
}

/** Ways to end after which an answer may still be asked for. */
const LIMITS: ReadonlySet<StopReason> = new Set(['max_steps', 'stuck', 'unclear', 'budget', 'service_gone'])

/** What is thrown at a limit when the agent wants that. */
export class MetLimit extends Error {
  readonly end: RunEnd

  constructor(end: RunEnd) {
    super(end.stop)
    this.end = end
  }

  toError(resultOf: (end: RunEnd) => RunResult): SaydoError {
    const result = resultOf(this.end)
    return new SaydoError('STATE', result.message, { hint: "raise the limit, or use onMaxSteps: 'answer'", cause: result })
  }
}

/** Never asks more than once; throws `MetLimit`. */
export async function conclude(run: ActiveRun, end: RunEnd, { onMaxSteps, ask, best }: LastTurn): Promise<RunEnd> {
  const isLimit = LIMITS.has(end.stop)
  if (end.final || (!isLimit && end.stop !== 'context')) return end
  if (isLimit && onMaxSteps === 'throw') throw new MetLimit(end)
  if (onMaxSteps !== 'answer') return end
  let word: LastWord | undefined
  let last: RunEnd = end
  if (isLimit) {
    run.beginLastTurn(end.stop)
    const outcome = run.cut ?? (await ask(heard => (word = heard)))
    if (outcome.kind === 'end') last = outcome
  }
  if (last.stop === 'aborted') return last
  word ??= best()
  // a limit that was met again says nothing new
  if (!word) return LIMITS.has(last.stop) ? end : last
  const { note, ...answer } = word
  const message = `${end.message ?? stopMessage(end.stop, run)}${note === undefined ? '' : `; ${note}`}`
  return { kind: 'end', stop: 'best_effort', reason: end.stop, message, ...answer }
}
