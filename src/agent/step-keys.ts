// Parts of a step → texts that are equal when they mean the same: calls whatever the order of their keys, thoughts whatever their dress.
import type { JsonValue } from '../core/json.js'
import type { Step } from '../core/step.js'
import type { ToolCall } from '../core/tool.js'

export function callsKey(calls: readonly ToolCall[]): string {
  return calls.map(({ tool, input }) => `${tool} ${canonical(input)}`).join('\n')
}

/** One for each observation. */
export function resultKeys({ observations }: Pick<Step, 'observations'>): readonly string[] {
  return observations.map(({ tool, text }) => JSON.stringify([tool, text]))
}

/** Without case, blanks and punctuation; empty for none. */
export function thoughtKey(thought: string | null): string {
  return (thought ?? '').toLowerCase().replaceAll(/[\s\p{P}]/gu, '')
}

function canonical(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}
