// The tools of an agent and its dialect → an error when a tool has the name that the dialect ends a run with: then no answer could be told from a
// call, and no run would end.
import type { Dialect } from '../core/dialect.js'
import { SaydoError } from '../core/errors.js'
import type { Decision } from '../core/reply.js'
import type { ToolSpec } from '../core/tool.js'

/** Throws `CONFIG` for such a tool, unless its call ends the run as well. */
export function requireFreeAnswer(dialect: Dialect, tools: readonly ToolSpec[]): void {
  const answer = writtenAnswer(dialect)
  const isTaken = (list: readonly ToolSpec[]) => readAnswer(dialect, answer, list) !== ANSWER.text
  const taken = isTaken(tools) ? tools.find(tool => tool.finishes !== true && isTaken([tool])) : undefined
  if (!taken) return
  throw new SaydoError(
    'CONFIG',
    `The dialect ${dialect.name} writes an answer as ${answer}, and a tool is named "${taken.name}".`,
    {
      hint: 'Rename the tool, or choose another dialect.',
    },
  )
}

function writtenAnswer(dialect: Dialect): string {
  const parsed = { thought: null, decision: ANSWER, problems: [], kept: [0, 0] as const }
  return dialect.formatStep({ parsed, observations: [], tools: [] }).reply
}

function readAnswer(dialect: Dialect, text: string, tools: readonly ToolSpec[]): string | undefined {
  const parser = dialect.createParser({ tools })
  parser.push(text)
  const { decision } = parser.end()
  return decision.kind === 'answer' ? decision.text : undefined
}

const ANSWER: Decision & { readonly kind: 'answer' } = { kind: 'answer', text: '42' }
