// The dialect of the Bee agent framework: an action is a Function Name with a Function Input, and its result a Function Output.
import { labelDialect } from './label-dialect.js'

export const bee = labelDialect({
  name: 'bee',
  thought: 'Thought',
  action: 'Function Name',
  actionInput: 'Function Input',
  observation: 'Function Output',
  finalAnswer: 'Final Answer',
})
