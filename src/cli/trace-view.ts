// A run → lines for people: each reply as it came, with what was repaired marked in place, what was read of it, and what came of that. Only heads
// begin at the margin, so that no text can be taken for one.

import { callsKey } from '../agent/step-keys.js'
import { counted } from '../core/counted.js'
import type { ParsedReply } from '../core/reply.js'
import type { StopReason } from '../core/step.js'
import { prettify } from '../parse/prettify.js'
import type { RecordedCall } from '../transcript/transcript.js'
import type { Trace, TraceTurn } from '../viewer/trace.js'
import { decisionLines } from './decision-lines.js'
import { linesOf, markLine } from './marked-reply.js'
import { excerptOf } from './observation-excerpt.js'
import type { Paint } from './paint.js'
import { stepName } from './step-name.js'
import { headLine } from './trace-head.js'
import { visible } from './visible.js'

export interface TraceViewOptions {
  readonly paint: Paint
  /** Show the place of every problem, and whole observations. */
  readonly verbose: boolean
}

export function* viewTrace(trace: Trace, options: TraceViewOptions): Generator<string> {
  const { paint } = options
  const tools = trace.tools.map(({ name }) => visible(name)).join(', ') || 'no tools'
  yield `${paint.bold('Task:')} ${visible(trace.task)}`
  yield paint.dim(visible(`${trace.agent} · ${trace.dialect} · ${trace.model} · ${tools} · run ${trace.run}`))
  for (const notice of trace.notices) yield noticeLine(notice.message, paint)
  for (const [at, turn] of trace.turns.entries()) yield* viewTurn(trace, turn, options, trace.turns[at - 1]?.situation)
  yield* viewEnd(trace, paint)
}

/** `known`: a situation that is not told again. */
export function* viewTurn(trace: Trace, turn: TraceTurn, options: TraceViewOptions, known?: string): Generator<string> {
  yield headLine(stepName(turn), factsOf(turn), options.paint)
  for (const block of blocksOf(trace, turn, options, known))
    for (const line of block.split('\n')) yield line === '' ? '' : `  ${line}`
}

function factsOf({ prompt, reply, ms }: TraceTurn): readonly string[] {
  const estimated = prompt?.tokens.reduce((sum, [, tokens]) => sum + tokens, 0)
  const tokens = reply?.usage
    ? [`${reply.usage.promptTokens} + ${reply.usage.completionTokens} tokens`]
    : estimated === undefined
      ? []
      : [`prompt of about ${estimated} tokens`]
  return [...tokens, ...(ms === undefined ? [] : [seconds(ms)])]
}

function* blocksOf(trace: Trace, turn: TraceTurn, { paint, verbose }: TraceViewOptions, known?: string): Generator<string> {
  const { situation, tools, prompt, failures, reply, parsed, calls, nudge, circle, notices } = turn
  const removed = prompt?.changes.reduce((sum, change) => sum + (change.kind === 'remove' ? change.count : 0), 0) ?? 0
  if (tools) yield paint.dim(`· the tools are now: ${tools.map(({ name }) => visible(name)).join(', ') || 'none'}`)
  if (situation !== undefined && situation !== known) yield `${paint.cyan('Situation:')} ${visible(situation)}`
  if (removed > 0) yield paint.yellow(`- ${counted(removed, 'turn')} of the prompt before left it`)
  for (const { message } of failures) yield paint.yellow(`! ${visible(message)}`)
  if (reply) yield* viewReply(turn, reply, paint)
  if (parsed) yield* viewProblems(parsed, reply?.text ?? '', { paint, verbose })
  // a clean reply says itself what was read
  if (parsed && (parsed.problems.length > 0 || parsed.decision.kind === 'unclear'))
    yield decisionLines(parsed.decision)
      .map(line => paint.bold(line.slice(0, 7)) + line.slice(7))
      .join('\n')
  for (const [at, call] of calls.entries()) yield* viewCall(turn, call, at, { paint, verbose })
  if (circle) yield paint.yellow(`↺ ${circleText(trace, turn)}`)
  if (nudge !== undefined) yield `${paint.yellow('Told the model:')} ${visible(nudge)}`
  for (const notice of notices) yield noticeLine(notice.message, paint)
}

/** What left no decision is told as the decision. */
function* viewProblems(
  { problems, decision }: ParsedReply,
  reply: string,
  { paint, verbose }: TraceViewOptions,
): Generator<string> {
  const unclear = decision.kind === 'unclear' ? decision.problem : undefined
  const told = new Map<string, number>()
  for (const problem of problems) {
    if (!verbose && problem.code === unclear?.code && problem.message === unclear.message) continue
    const text = verbose ? prettify(problem, reply) : `${problem.code}: ${problem.message}`
    told.set(text, (told.get(text) ?? 0) + 1)
  }
  for (const [text, times] of told) yield paint.magenta(`~ ${visible(text)}${times > 1 ? ` (${times} times)` : ''}`)
}

function* viewReply({ parts }: TraceTurn, reply: NonNullable<TraceTurn['reply']>, paint: Paint): Generator<string> {
  if (reply.reasoning !== undefined) yield paint.dim(`reasoning: ${visible(reply.reasoning)}`)
  const { text, finish } = reply
  const bar = paint.dim('│')
  const lines = linesOf(text, parts ?? [{ start: 0, end: text.length, fate: 'kept' }])
  yield lines.map(line => `${bar} ${markLine(text, line, paint, Number.POSITIVE_INFINITY)}`.trimEnd()).join('\n')
  if (finish !== 'stop') yield paint.yellow(`! ${FINISHES[finish]}`)
}

const FINISHES = {
  length: 'the reply was cut off at a token limit',
  filter: 'the reply was cut off by a content filter',
  unknown: 'the endpoint gave an unknown reason for the end of the reply',
}

function* viewCall(turn: TraceTurn, call: RecordedCall, at: number, { paint, verbose }: TraceViewOptions): Generator<string> {
  const { approval, observation } = call
  const decision = turn.parsed?.decision
  const meant = decision?.kind === 'act' ? decision.calls[at] : undefined
  if (approval) yield paint.yellow(`${approval.verdict}${approval.reason === undefined ? '' : ` (${visible(approval.reason)})`}`)
  if (call.call && meant && callsKey([call.call]) !== callsKey([meant]))
    yield `${paint.bold('made')}     ${visible(call.call.tool)} ${visible(JSON.stringify(call.call.input))}`
  if (observation === undefined) {
    if (call.begun) yield paint.yellow(`! ${visible(call.call?.tool ?? 'the tool')} was called, and the outcome is unknown`)
    return
  }
  const of = turn.calls.length > 1 ? ` of ${visible(observation.tool)}` : ''
  const how = observation.failure ? ` (${observation.failure.code})` : observation.ms >= 1 ? ` (${seconds(observation.ms)})` : ''
  const text = verbose ? observation.text : excerptOf(observation.text, `--step ${stepName(turn)} shows all`)
  yield `${(observation.failure ? paint.red : paint.blue)(`Observation${of}${how}:`)} ${visible(text)}`
}

function circleText({ turns }: Trace, { circle }: TraceTurn): string {
  if (!circle) return ''
  const steps = circle.as.flatMap(at => turns[at] ?? []).map(stepName)
  return `the same ${circle.same} as in ${steps.length === 1 ? 'step' : 'steps'} ${steps.join(', ')}: ${CIRCLES[circle.done]}`
}

const CIRCLES = { told: 'the model was told', 'not made': 'the call was not made again', ended: 'the run was ended' }

function* viewEnd({ result, error, pending }: Trace, paint: Paint): Generator<string> {
  if (result === undefined) {
    yield headLine('the record breaks off here', [], paint)
    if (pending !== undefined) yield `  ${visible(pending)}`
    return
  }
  const { stop, answer, message, usage, ms } = result
  const used = usage.promptTokens + usage.completionTokens
  yield headLine(stop, [...(used > 0 ? [`${usage.promptTokens} + ${usage.completionTokens} tokens`] : []), seconds(ms)], paint)
  if (answer !== undefined) for (const line of visible(answer).split('\n')) yield colourOf(stop, paint)(`  ${line}`)
  if (stop !== 'final_answer') yield paint.yellow(`  ${visible(message)}`)
  if (error) yield paint.red(`  ${error.code}: ${visible(error.message)}`)
}

function colourOf(stop: StopReason, paint: Paint): Paint {
  return stop === 'final_answer' ? paint.green : paint.yellow
}

function noticeLine(message: string, paint: Paint): string {
  return paint.dim(`· ${visible(message)}`)
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
