// A decision → one line for each thing that it says.
import type { Decision } from '../core/reply.js'
import { visible } from './visible.js'

export function decisionLines(decision: Decision): readonly string[] {
  switch (decision.kind) {
    case 'act':
      return decision.calls.map(({ tool, input }) => `call     ${visible(tool)} ${visible(JSON.stringify(input))}`)
    case 'answer':
      return [`answer   ${visible(decision.text)}`]
    case 'unclear':
      return [`unclear  ${decision.problem.code}: ${visible(decision.problem.message)}`]
  }
}
