// Why a run stopped → one sentence for people.
import { counted } from '../core/counted.js'
import type { StopReason } from '../core/step.js'
import type { ActiveRun } from './active-run.js'

export function stopMessage(stop: StopReason, { maxSteps }: Pick<ActiveRun, 'maxSteps'>): string {
  switch (stop) {
    case 'final_answer':
      return 'the model gave its final answer'
    case 'max_steps':
      return `the limit of ${counted(maxSteps, 'step')} was reached`
    case 'unclear':
      return 'the replies stayed unreadable'
    case 'stuck':
      return 'the model went in circles'
    case 'budget':
      return 'the budget was used up'
    case 'context':
      return "the prompt no longer fits the model's context"
    case 'gave_up':
      return 'the model gave up'
    case 'denied':
      return 'a call was denied'
    case 'aborted':
      return 'the run was aborted'
    case 'service_gone':
      return 'what the run depends on is gone'
    case 'error':
      return 'the run failed'
    case 'best_effort':
      return 'an answer was asked for at the limit'
  }
}
