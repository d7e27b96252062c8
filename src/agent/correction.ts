// A problem of a reply → what the model is told about it: the tool, near names, what is missing, and a right reply to copy: the call as it was read
// when only its confirmation is wanted, else the smallest one that would do.
import type { Dialect } from '../core/dialect.js'
import type { JsonObject } from '../core/json.js'
import { type Decision, type Problem, UNCLEAR_CODES, type UnclearProblem } from '../core/reply.js'
import type { Say, TextName } from '../core/text.js'
import type { ToolSpec } from '../core/tool.js'
import { describeTool, exampleInput } from '../tools/describe.js'
import { invalidInput, type Refusal, unknownTool } from '../tools/refusal.js'
import type { ToolRegistry } from '../tools/registry.js'
import type { ReadWith } from './example-turns.js'
import { namesOf, readIssues } from './read-issues.js'

/** Longest call that a model is asked to repeat, in UTF-16 code units. */
const MAX_MEANT = 2_000

/** Stands for an answer's text; nothing that a dialect writes around one. */
const ANY = 'TEXT'

export function isUnclear(problem: Problem): problem is UnclearProblem {
  return (UNCLEAR_CODES as readonly string[]).includes(problem.code)
}

/** The text that corrects a problem. Calls that can't be made are told of as observations, but for an input of nobody knows which tool. */
function correctionName({ code }: UnclearProblem): TextName {
  return code === 'UNKNOWN_TOOL' || code === 'INVALID_INPUT' ? 'MISSING_TOOL' : code
}

/** For a whole call that can't be made, what the model reads in place of its result. */
export function refusalOf(problem: UnclearProblem, name: string, registry: ToolRegistry, say: Say): Refusal | undefined {
  const tool = registry.get(name)
  if (problem.code === 'UNKNOWN_TOOL') return unknownTool(name, registry, say)
  if (problem.code !== 'INVALID_INPUT' || !tool) return undefined
  return invalidInput(tool, readIssues(problem, tool.parameters, say), say)
}

/** What a correction depends on besides the problem. */
export interface Circumstances extends Required<ReadWith> {
  readonly dialect: Dialect
  /** A tool has given a result: an answer is as likely as a call. */
  readonly observed: boolean
}

/** What the model is told about a problem. */
export function correctionText(problem: UnclearProblem, registry: ToolRegistry, circumstances: Circumstances, say: Say): string {
  const refusal = refusalOf(problem, String(problem.data?.tool ?? ''), registry, say)
  return refusal?.text ?? say(correctionName(problem), correctionData(problem, circumstances))
}

/** The data of every correction, see `TEXT_NAMES`. */
export function correctionData(problem: Problem, { tools, dialect, labels, observed }: Circumstances): JsonObject {
  const named = tools.find(spec => spec.name === problem.data?.tool)
  const { reading, ...facts } = problem.data ?? {}
  const write = (decision: Decision) => writeDecision(decision, dialect, { tools, labels })
  const meant = isDecision(reading) ? write(reading) : undefined
  const missing = named ? namesOf(facts.missing).map(name => withType(name, named)) : []
  return {
    near: [],
    ...facts,
    missing,
    // what is cut off can't be repeated
    ...(meant !== undefined && meant.length <= MAX_MEANT ? { meant } : {}),
    tools: tools.map(spec => spec.name),
    // models copy the form that they see first
    ...(observed && tools.length > 0 ? { observed } : {}),
    example: rightReply(isAnswer(problem) ? undefined : (named ?? harmless(tools)), write),
    answerForm: answerForm(write),
  }
}

/** `days (integer)` */
function withType(name: string, spec: ToolSpec): string {
  const type = describeTool(spec).parameters.find(parameter => parameter.name === name)?.type
  return type === undefined || type === 'any' ? name : `${name} (${type})`
}

/** The placeholder stands where an answer should be. */
function isAnswer({ code, data }: Problem): boolean {
  return code === 'PLACEHOLDER' && data?.tool === undefined
}

/** Models copy what they see: where a call is shown that nobody meant, it must do no harm. */
function harmless(tools: readonly ToolSpec[]): ToolSpec | undefined {
  return tools.find(({ effect }) => effect === 'none') ?? tools.find(({ effect }) => effect === undefined)
}

/** The smallest reply that would have been right, written in the dialect; without tools, the form of an answer. */
function rightReply(spec: ToolSpec | undefined, write: (decision: Decision) => string): string {
  if (!spec) return answerForm(write)
  const input = describeTool(spec).parameters.length > 0 ? exampleInput(spec) : {}
  return write({ kind: 'act', calls: [{ id: '1', tool: spec.name, input }] })
}

/** An answer as the dialect writes it, with a blank for its text: whoever copies it has not answered. */
function answerForm(write: (decision: Decision) => string): string {
  const written = write({ kind: 'answer', text: ANY })
  const at = written.lastIndexOf(ANY)
  return `${written.slice(0, at)}…${written.slice(at + ANY.length)}`
}

function writeDecision(decision: Decision, dialect: Dialect, readWith: ReadWith): string {
  const parsed = { thought: null, decision, problems: [], kept: [0, 0] as const }
  return dialect.formatStep({ parsed, observations: [], ...readWith }).reply
}

function isDecision(value: unknown): value is Decision {
  return typeof value === 'object' && value !== null && 'kind' in value
}
