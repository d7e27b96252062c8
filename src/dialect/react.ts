// The dialect of the ReAct paper, with an input label: Thought, Action, Action Input, Observation, Final Answer. The default.
import { labelDialect } from './label-dialect.js'

export const react = labelDialect({
  name: 'react',
  thought: 'Thought',
  action: 'Action',
  actionInput: 'Action Input',
  observation: 'Observation',
  finalAnswer: 'Final Answer',
})
