// `terminate`: the model ends the task itself, as done or as given up, with what the user gets.
import type { JsonObject } from '../core/json.js'
import type { Tool } from '../core/tool.js'
import { tool } from '../tools/define.js'

/** The tool `terminate(status, answer?)`. With `success` the run ends with the answer, which may be empty; with `failure` it is given up. */
export function terminateTool(): Tool {
  return tool({
    name: 'terminate',
    description: 'Ends the task, when it is done or cannot be done.',
    effect: 'none',
    input: {
      type: 'object',
      properties: {
        status: { type: 'string', enum: ['success', 'failure'] },
        answer: { type: 'string', description: 'What the user gets: the answer, or why there is none.' },
      },
      required: ['status'],
      additionalProperties: false,
    },
    finishes: true,
    ending: input => ({ success: input.status === 'success', answer: answerOf(input) }),
    run: answerOf,
  })
}

function answerOf({ answer }: JsonObject): string {
  return typeof answer === 'string' ? answer : ''
}
