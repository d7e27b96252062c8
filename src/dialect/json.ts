// A dialect of one JSON object for each step: `{"thought": …, "action": …, "action_input": …}`, `{"thought": …, "actions": [{…}, {…}]}` for
// several calls, `{"thought": …, "final_answer": …}` at the end.
import en from '../../prompts/dialects/json.hbs'
import { defineDialect } from './define-dialect.js'
import { markLines } from './escape-markup.js'
import { inputText } from './json-text.js'
import { wordingOf } from './wording.js'
import type { CallToWrite } from './write-step.js'

export const json = defineDialect({
  name: 'json',
  labels: {
    thought: ['thought'],
    action: ['action'],
    actionInput: ['action_input'],
    observation: ['Observation'],
    finalAnswer: ['final_answer'],
  },
  wording: wordingOf('json', en),
  opener: '{"',
  stop: ['\nObservation:', '\n Observation:'],
  quoted: true,
  calls: (calls, thought) => {
    const [only, ...more] = calls.map(callPairs)
    return object(
      thought,
      more.length === 0 ? `${only}` : `"actions": [${[only, ...more].map(pairs => `{${pairs}}`).join(', ')}]`,
    )
  },
  answer: (text, thought) => object(thought, `"final_answer": ${JSON.stringify(text)}`),
  observation: text => `Observation: ${text}`,
  guard: text => markLines(text, OWN_OBJECT),
})

function object(thought: string | null, pairs: string): string {
  return `{${thought === null ? '' : `"thought": ${JSON.stringify(thought)}, `}${pairs}}`
}

function callPairs({ tool, input }: CallToWrite): string {
  return `"action": ${JSON.stringify(tool)}, "action_input": ${inputText(input)}`
}

/** A line that begins an object of this dialect. */
const OWN_OBJECT = /^\s{0,80}[[{]\s{0,8}[[{]?\s{0,8}["'](?:thought|actions?|action_input|final_answer)["']/
