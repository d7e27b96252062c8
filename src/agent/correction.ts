// A problem of a reply → the facts that a correction text needs: the tool, near names, what is missing, and a right reply to show.
import type { Dialect } from '../core/dialect.js'
import type { JsonObject } from '../core/json.js'
import { type Problem, UNCLEAR_CODES, type UnclearProblem } from '../core/reply.js'
import type { TextName } from '../core/text.js'
import type { ToolSpec } from '../core/tool.js'
import { describeTool, exampleInput } from '../tools/describe.js'

export function isUnclear(problem: Problem): problem is UnclearProblem {
  return (UNCLEAR_CODES as readonly string[]).includes(problem.code)
}

/** The text that corrects a problem. Calls that can't be made are told of as observations, but for an input of nobody knows which tool. */
export function correctionName({ code }: UnclearProblem): TextName {
  return code === 'UNKNOWN_TOOL' || code === 'INVALID_INPUT' ? 'MISSING_TOOL' : code
}

/** The data of every correction, see `TEXT_NAMES`. */
export function correctionData(problem: Problem, tools: readonly ToolSpec[], dialect: Dialect): JsonObject {
  const named = tools.find(spec => spec.name === problem.data?.tool)
  return {
    near: [],
    missing: [],
    ...problem.data,
    tools: tools.map(spec => spec.name),
    example: rightReply(named ?? harmless(tools), dialect),
    answerLabel: dialect.answerOpener,
  }
}

/** Models copy what they see: where a call is shown that nobody meant, it must do no harm. */
function harmless(tools: readonly ToolSpec[]): ToolSpec | undefined {
  return tools.find(({ effect }) => effect === 'none') ?? tools.find(({ effect }) => effect === undefined)
}

/** The smallest reply that would have been right, written in the dialect; without tools, the label that an answer begins with. */
function rightReply(spec: ToolSpec | undefined, dialect: Dialect): string {
  if (!spec) return dialect.answerOpener
  const input = describeTool(spec).parameters.length > 0 ? exampleInput(spec) : {}
  const call = { id: '1', tool: spec.name, input }
  const { reply } = dialect.formatStep({
    parsed: { thought: null, decision: { kind: 'act', calls: [call] }, problems: [], kept: [0, 0] },
    observations: [],
  })
  return reply
}
