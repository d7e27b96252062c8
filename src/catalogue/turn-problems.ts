// Codes about turns that are not the model's to write, and about what wins when a reply says more than one thing, explained.
import type { ProblemCode } from '../core/reply.js'
import type { ProblemEntry } from './entry.js'

export const TURN_PROBLEMS = {
  INVENTED_OBSERVATION: {
    title: 'an observation that the model wrote itself',
    why: 'Results come from tools alone. The reply is cut where the model begins to invent one: the call before it is run, and nothing behind it is believed.',
    reply: 'Action: search\nAction Input: red kites\nObservation: They are extinct.\nFinal Answer: They are extinct.',
    fixture: 'observations/bare-word',
    fate: 'struck',
  },
  INVENTED_TURN: {
    title: 'a turn of somebody else',
    why: 'Base models go on with the next question once the answer is written. What begins such a turn ends the reply.',
    reply: 'Final Answer: 42\nQuestion: And 6 * 8?\nThought: I multiply.\nFinal Answer: 48',
    fixture: 'answers/ans-then-human',
    fate: 'struck',
  },
  EARLY_ANSWER: {
    title: 'an answer behind a call that was not made yet',
    why: 'It was written without seeing the result. The call is made; then the model may answer.',
    reply: 'Action: search\nAction Input: red kites\nFinal Answer: In Europe.',
    fixture: 'what-wins/action-known-final',
    fate: 'struck',
  },
  LATER_CALL: {
    title: 'a further call behind other text',
    why: 'Calls that stand side by side are all made. With a thought between them the second was planned without seeing the result of the first, so only the first is.',
    reply: 'Action: search\nAction Input: red kites\nThought: Then the weather.\nAction: now\nAction Input: {}',
    fixture: 'parallel-calls/thought-between',
    fate: 'struck',
  },
  SECOND_ANSWER: {
    title: 'a further answer',
    why: 'A final answer is final: the first one stands, and a second one, reconsidered, is left out.',
    reply: 'Final Answer: 42\nThought: I check that.\nFinal Answer: 43',
    fixture: 'answers/ans-second-differ',
    fate: 'struck',
  },
  ACTION_AFTER_ANSWER: {
    title: 'an action behind the answer',
    why: 'The answer ends the run, so nothing behind it is ever run.',
    reply: 'Final Answer: 42\nThought: I make sure.\nAction: search\nAction Input: 42',
    fixture: 'answers/markup-after-answer',
    fate: 'struck',
  },
  NO_ACTION: {
    title: 'an action that names no tool on purpose',
    why: '"None", "N/A" or "no tool needed" behind the label is no call. What stands behind the block, or under an answer label, is the answer; without either the reply is unclear.',
    reply: 'Thought: I know it.\nAction: None\nFinal Answer: 42',
    fixture: 'no-action/none-final',
    fate: 'struck',
  },
} as const satisfies Partial<Record<ProblemCode, ProblemEntry>>
