// `ask_human`: a question of the model → the answer of a person, through whatever the program has to ask them with.
import type { Tool } from '../core/tool.js'
import { tool } from '../tools/define.js'
import { ToolUnavailableError } from '../tools/tool-unavailable-error.js'

/** Asks a person. Undefined: nobody is there. The signal is aborted when the answer is no longer wanted. */
export type AskPerson = (question: string, signal: AbortSignal) => Promise<string | undefined> | string | undefined

export interface AskHumanOptions {
  readonly ask: AskPerson
  /** Time for an answer in ms; default no limit. */
  readonly timeoutMs?: number
}

/** The tool `ask_human(question)`. One question at a time; without anybody to answer it is `unavailable` at once. */
export function askHumanTool({ ask, timeoutMs = Number.POSITIVE_INFINITY }: AskHumanOptions): Tool {
  return tool({
    name: 'ask_human',
    description: 'Asks the user for something that only they can know or decide.',
    returns: 'What the user says.',
    effect: 'none',
    exclusive: true,
    timeoutMs,
    input: {
      type: 'object',
      properties: { question: { type: 'string' } },
      required: ['question'],
      additionalProperties: false,
    },
    run: async ({ question }: { question: string }, { signal }) => {
      const answer = await ask(question, signal)
      if (answer === undefined) throw new ToolUnavailableError('no user is there to answer')
      return answer
    },
  })
}
