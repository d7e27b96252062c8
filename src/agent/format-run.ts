// The result of a run → lines that people read: each step with its thought, calls, observations and what the model was told, then how it ended.
import type { RunResult, Step } from '../core/step.js'

export interface FormatRunOptions {
  /** Longest text of one observation in characters; what exceeds it is cut off with an ellipsis. Default: whole. */
  readonly maxObserve?: number
}

/** Plain text without a line break at its end; texts of models and tools stand in it as they are. Never throws. */
export function formatRun(result: RunResult, { maxObserve = Number.POSITIVE_INFINITY }: FormatRunOptions = {}): string {
  const { task, steps, answer, stop, message, ms } = result
  const end = `${stop}: ${message} (${(ms / 1000).toFixed(1)} s)`
  const blocks = [
    `Task: ${task}`,
    ...steps.map(step => stepLines(step, maxObserve).join('\n')),
    answer === undefined ? end : `Answer: ${answer}\n${end}`,
  ]
  return blocks.join('\n\n')
}

function stepLines({ index, attempt, situation, parsed, observations, nudge }: Step, maxObserve: number): readonly string[] {
  return [
    `Step ${index}${attempt === 1 ? '' : `, try ${attempt}`}`,
    ...(situation === undefined ? [] : [`Situation: ${situation}`]),
    ...(parsed.thought === null ? [] : [`Thought: ${parsed.thought}`]),
    ...decisionLines(parsed),
    ...observations.map(({ text }) => `Observation: ${clip(text, maxObserve)}`),
    ...(nudge === undefined ? [] : [`Told the model: ${nudge}`]),
  ]
}

function decisionLines({ decision }: Step['parsed']): readonly string[] {
  switch (decision.kind) {
    case 'act':
      return decision.calls.map(({ tool, input }) => `Action: ${tool} ${JSON.stringify(input)}`)
    case 'answer':
      return [`Final Answer: ${decision.text}`]
    case 'unclear': {
      const { problem, attempted } = decision
      return [
        `Unclear: ${problem.code}, ${problem.message}`,
        ...(attempted ? [`Tried: ${attempted.tool} ${attempted.input}`] : []),
      ]
    }
  }
}

function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`
}
