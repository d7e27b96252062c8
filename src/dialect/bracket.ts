// The dialect of the ReAct paper, which has no label for an input: `Action: search[Veltria]`, `Action: Finish[…]`. An input of several
// parameters, or one that would not survive in brackets, stands there as JSON.
import en from '../../prompts/dialects/bracket.hbs'
import { defineDialect } from './define-dialect.js'
import { jsonText } from './json-text.js'
import { wordingOf } from './wording.js'
import type { CallToWrite } from './write-step.js'

export const bracket = defineDialect({
  name: 'bracket',
  wording: wordingOf('bracket', en),
  opener: 'Thought:',
  stop: ['\nObservation:', '\n Observation:'],
  plainInput: true,
  thought: text => `Thought: ${text}`,
  calls: calls => calls.map(({ tool, input }) => `Action: ${tool}[${inBrackets(input)}]`).join('\n'),
  answer: text => `Action: Finish[${text}]`,
  observation: text => `Observation: ${text}`,
})

function inBrackets(input: CallToWrite['input']): string {
  if (typeof input === 'string') return input
  return Object.keys(input).length === 0 ? '' : jsonText(input)
}
