// A few-shot example as data → its turns in a dialect, written by the same writer as the scratchpad.
import type { Dialect, StepToWrite } from '../core/dialect.js'
import type { Message } from '../core/message.js'
import type { Decision } from '../core/reply.js'
import type { Observation, ToolCall } from '../core/tool.js'
import type { Example, ExampleStep } from '../prompt/index.js'

/** How a written step will be read again. */
export type ReadWith = Pick<StepToWrite, 'tools' | 'labels'>

/** The user's task, then the assistant's and the user's turns in alternation; the last is the assistant's answer. */
export function writeExample(example: Example, dialect: Dialect, readWith: ReadWith = {}): readonly Message[] {
  const turns: Message[] = [{ role: 'user', text: dialect.formatTask(example.task), task: true }]
  for (const step of example.steps) {
    const { reply, observation } = dialect.formatStep({
      parsed: { thought: step.thought, decision: decisionOf(step), problems: [], kept: [0, 0] },
      observations: observationsOf(step),
      ...readWith,
    })
    turns.push({ role: 'assistant', text: reply })
    if (observation !== '') turns.push({ role: 'user', text: observation })
  }
  return turns
}

function decisionOf(step: ExampleStep): Decision {
  if ('answer' in step) return { kind: 'answer', text: step.answer }
  const [first, ...rest] = step.calls
  const call = ({ tool, input }: typeof first, index: number): ToolCall => ({ id: String(index + 1), tool, input })
  return { kind: 'act', calls: [call(first, 0), ...rest.map((one, index) => call(one, index + 1))] }
}

function observationsOf(step: ExampleStep): readonly Observation[] {
  if ('answer' in step) return []
  return step.observations.map((text, index) => ({ tool: step.calls[index]?.tool ?? '', text, truncated: 0, ms: 0 }))
}
