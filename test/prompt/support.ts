// What the prompt tests share: two tools, the default labels and a writer of steps in them.
import type { Labels } from '../../src/core/dialect.js'
import type { Message } from '../../src/core/message.js'
import type { ToolDoc } from '../../src/core/text.js'
import type { Example, PromptData } from '../../src/prompt/index.js'

export const labels: Labels = {
  thought: ['Thought', '思考'],
  action: ['Action', '行动'],
  actionInput: ['Action Input', '行动输入'],
  observation: ['Observation', '观察'],
  finalAnswer: ['Final Answer', 'Answer'],
}

export const dialect = { opener: 'Thought:', stop: ['\nObservation:', ''], textStop: ['\nQuestion:'], taskBreak: '=====' }

export const tools: readonly ToolDoc[] = [
  {
    name: 'search',
    description: 'Finds a page by its title.',
    returns: 'its first sentences, or similar titles',
    parameters: [{ name: 'query', type: 'string', required: true, description: 'the title' }],
  },
  {
    name: 'weather',
    description: 'Tells the weather of one day.',
    parameters: [
      { name: 'city', type: 'string', required: true },
      { name: 'days', type: 'integer', required: false, default: 0, description: 'days from today' },
      { name: 'unit', type: 'string', required: false, enum: ['C', 'F'], example: 'C' },
    ],
  },
]

export const promptData = (more: Partial<PromptData> = {}): PromptData => ({
  task: 'Question: Is Oslo colder than Rome?',
  tools,
  examples: [],
  labels,
  scratchpad: [],
  ...more,
})

export const act = (thought: string, tool: string, input: unknown): string =>
  `Thought: ${thought}\nAction: ${tool}\nAction Input: ${JSON.stringify(input)}`

export const observe = (text: string): string => `Observation: ${text}`

/** One step as two turns; without an observation as one. */
export const turnsOfStep = (reply: string, observation: string): readonly Message[] => [
  { role: 'assistant', text: reply },
  ...(observation === '' ? [] : [{ role: 'user' as const, text: observation }]),
]

export const turnsOfExample = ({ task, steps }: Example): readonly Message[] => [
  { role: 'user', text: `Question: ${task}`, task: true },
  ...steps.flatMap(step => {
    if ('answer' in step) return turnsOfStep(`Thought: ${step.thought}\nFinal Answer: ${step.answer}`, '')
    const [call] = step.calls
    return turnsOfStep(act(step.thought, call.tool, call.input), observe(step.observations.join('\n')))
  }),
]
