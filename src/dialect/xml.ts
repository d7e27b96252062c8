// A dialect of tags: `<thought>…</thought>`, then `<tool_call>` with a JSON object for each call, or `<answer>…</answer>`; results come as
// `<tool_response>`. It is close to what many models were trained to write for their own tool calls.
import en from '../../prompts/dialects/xml.hbs'
import { defineDialect } from './define-dialect.js'
import { breakTags } from './escape-markup.js'
import { inputText } from './json-text.js'
import { wordingOf } from './wording.js'

export const xml = defineDialect({
  name: 'xml',
  labels: {
    thought: ['thought'],
    action: ['tool_call'],
    actionInput: ['arguments'],
    observation: ['tool_response'],
    finalAnswer: ['answer'],
  },
  wording: wordingOf('xml', en),
  opener: '<thought>',
  stop: ['<tool_response>', '\nObservation:'],
  thought: text => `<thought>${text}</thought>`,
  calls: calls =>
    calls
      .map(({ tool, input }) => `<tool_call>\n{"name": ${JSON.stringify(tool)}, "arguments": ${inputText(input)}}\n</tool_call>`)
      .join('\n'),
  answer: text => `<answer>${text}</answer>`,
  observation: text => `<tool_response>\n${text}\n</tool_response>`,
  guard: text => breakTags(text, ['thought', 'tool_call', 'tool_response', 'answer']),
})
