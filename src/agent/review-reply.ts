// A reading of a reply → what it comes to in this run (see `Review`). Asked in turn: may it call, must it call, is its answer accepted.
import type { Dialect } from '../core/dialect.js'
import type { ModelReply } from '../core/model.js'
import type { Decision, UnclearProblem } from '../core/reply.js'
import type { ToolSpec } from '../core/tool.js'
import type { ToolRegistry } from '../tools/registry.js'
import { type AnswerRules, acceptAnswer, spare } from './accept-answer.js'
import type { Turn } from './ask-model.js'
import { correctionText, isUnclear, refusalOf } from './correction.js'
import type { Refused, Review } from './review.js'

export interface ReviewOptions {
  readonly registry: ToolRegistry
  readonly dialect: Dialect
  readonly labels: string
  readonly rules: AnswerRules
  /** Whether tools may be called at all. */
  readonly mayCall: boolean
  /** Whether an answer is too early: a call is required, and none has succeeded. */
  readonly mustCall: boolean
  /** Whether a tool has given a result in this run. */
  readonly observed: boolean
  /** What the model was told about the reply before, if that was refused. */
  readonly told: string | undefined
}

export async function reviewReply({ parsed, reply }: Turn, options: ReviewOptions): Promise<Review> {
  const { decision, problems } = parsed
  if (decision.kind === 'answer') return reviewAnswer(decision.text, options)
  const tool = toolOf(decision)
  if (!options.mayCall && tool !== undefined) return callRefused(tool, options)
  if (decision.kind === 'unclear') return reviewUnclear(decision, reply, options)
  const left = problems.find(isUnclear)
  return { kind: 'act', calls: decision.calls, ...(left ? { remark: correct(left, options) } : {}) }
}

async function reviewAnswer(text: string, options: ReviewOptions): Promise<Review> {
  const { mustCall, rules, registry, told } = options
  // small models answer with the correction itself
  if (text !== '' && told?.startsWith(text))
    return { kind: 'refused', nudge: told, fault: 'the answer only repeats the correction' }
  if (!mustCall) return acceptAnswer(text, rules)
  const nudge = rules.say('call_required', { tools: registry.specs().map(({ name }) => name) })
  const fault = 'the answer came before any tool had been called with success'
  return { kind: 'refused', nudge, fault, ...(await spare(text, rules)), final: true }
}

function reviewUnclear({ problem, attempted }: Unclear, reply: ModelReply, options: ReviewOptions): Review {
  const refusal = attempted && refusalOf(problem, attempted.tool, options.registry, options.rules.say)
  if (refusal) return { kind: 'observe', observations: [{ tool: attempted.tool, ...refusal, truncated: 0, ms: 0 }] }
  const empty = problem.code === 'EMPTY_REPLY' ? ({ empty: true } as const) : {}
  const spent = reply.finish === 'length' && reply.reasoning !== undefined && reply.text.trim() === ''
  const fault = spent ? 'the whole reply was spent on reasoning' : problem.message
  return { kind: 'refused', nudge: correct(problem, options), fault, ...empty }
}

type Unclear = Extract<Decision, { kind: 'unclear' }>

/** The tool that the model meant to call, as far as that is known. */
function toolOf(decision: Exclude<Decision, { kind: 'answer' }>): string | undefined {
  if (decision.kind === 'act') return decision.calls[0].tool
  const { attempted, problem } = decision
  return attempted?.tool ?? (typeof problem.data?.tool === 'string' ? problem.data.tool : undefined)
}

function callRefused(tool: string, { rules }: ReviewOptions): Refused {
  return { kind: 'refused', nudge: rules.say('tools_disabled', { tool }), fault: `${tool} was called, although no tool may be` }
}

function correct(problem: UnclearProblem, { registry, dialect, labels, observed, rules, mayCall }: ReviewOptions): string {
  const tools = mayCall ? registry.specs() : NO_TOOLS
  return correctionText(problem, registry, { tools, dialect, labels, observed }, rules.say)
}

/** What is shown where nothing can be called. One list, since what is derived from a list is remembered by its identity. */
export const NO_TOOLS: readonly ToolSpec[] = []
