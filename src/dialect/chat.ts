// The dialect of conversational agents: before each step the model asks itself whether it needs a tool. "Yes" is followed by an action, "No" by
// what it says to the user.
import en from '../../prompts/dialects/chat.hbs'
import { defineDialect } from './define-dialect.js'
import { plainOrJson } from './json-text.js'
import { wordingOf } from './wording.js'

export const chat = defineDialect({
  name: 'chat',
  labels: {
    thought: ['Thought'],
    action: ['Action'],
    actionInput: ['Action Input'],
    observation: ['Observation'],
    finalAnswer: ['AI'],
  },
  wording: wordingOf('chat', en),
  question: 'User',
  opener: 'Thought:',
  stop: ['\nObservation:', '\n Observation:'],
  calls: (calls, thought) =>
    [asked('Yes', thought), ...calls.map(({ tool, input }) => `Action: ${tool}\nAction Input: ${plainOrJson(input)}`)].join('\n'),
  answer: (text, thought) => `${asked('No', thought)}\nAI: ${text}`,
  observation: text => `Observation: ${text}`,
})

/** The question with its answer, and the thought behind it; a thought that says so already is left as it is. */
function asked(needed: 'Yes' | 'No', thought: string | null): string {
  const question = `Do I need to use a tool? ${needed}`
  if (thought === null) return `Thought: ${question}`
  return `Thought: ${thought.startsWith(question) ? thought : `${question}. ${thought}`}`
}
