// A transcript → a fixture.
import type { Usage } from '../core/model.js'
import type { Decision } from '../core/reply.js'
import type { Observation } from '../core/tool.js'
import {
  codesOf,
  decisionOf,
  FIXTURE_VERSION,
  type Fixture,
  type FixtureCall,
  type FixtureReply,
  type FixtureStart,
  type FixtureStep,
  type FixtureTurn,
  isCalled,
  isSame,
  jsonIn,
  type ReplyFacts,
} from './fixture.js'
import type { RecordedCall, RecordedTurn, Transcript } from './transcript.js'

/** A conversation as a fixture; a run alone is one of one turn. What the first prompt was is left out: see `recordedFixture`. */
export function fixtureOf([opening, ...others]: readonly [Transcript, ...Transcript[]], name?: string): Fixture {
  const [first, later] = [asOpened(opening), others.map(asOpened)]
  const { agent, dialect, model, tools, notes, options } = first
  return {
    fixture: FIXTURE_VERSION,
    ...(name === undefined ? {} : { name }),
    agent,
    dialect,
    model,
    tools,
    ...(notes ? { notes } : {}),
    ...(Object.keys(options).length > 0 ? { options } : {}),
    turns: [first, ...later].map(run => turnOf(run, first)),
  }
}

/** A run, and what stood beside its tools from the start. */
type Opened = Transcript & Pick<RecordedTurn, 'notes'>

/**
 * Tools that came before the first reply, as an agent's own do when it opens, are those of the start, and so is what stands beside them. How a command
 * line was given its world holds on one machine alone.
 */
export function asOpened(run: Transcript): Opened {
  const { given: _, ...options } = run.options
  const [first, ...later] = run.turns
  if (first?.tools === undefined) return { ...run, options }
  const { tools, notes, ...turn } = first
  return { ...run, options, tools, ...(notes ? { notes } : {}), turns: [turn, ...later] }
}

function turnOf(run: Opened, first: Opened): FixtureTurn {
  const { task, turns, notices, result, error } = run
  const last = turns.at(-1)?.parsed?.decision
  const own = last?.kind === 'answer' && result?.stop === 'final_answer' ? last.text : undefined
  const start = startOf(run, first)
  return {
    user: task,
    ...(Object.keys(start).length > 0 ? { start } : {}),
    ...(notices.length > 0 ? { notices } : {}),
    steps: grouped(turns).map(stepOf),
    ...(result ? { ends: result.stop } : {}),
    ...(result?.reason ? { reason: result.reason } : {}),
    ...(result?.answer !== undefined && result.answer !== own ? { answer: result.answer } : {}),
    ...(result?.value === undefined ? {} : { value: result.value }),
    ...(error ? { error } : {}),
    meta: {
      run: run.run,
      ...(result
        ? {
            ...(result.usage.promptTokens + result.usage.completionTokens > 0 ? countsOf(result.usage) : {}),
            ms: result.ms,
            message: result.message,
          }
        : {}),
    },
  }
}

function startOf(run: Opened, first: Opened): FixtureStart {
  const keys = ['agent', 'dialect', 'model', 'tools', 'notes', 'options'] as const
  return {
    // notes alone may be missing: then there are none
    ...Object.fromEntries(keys.filter(key => !isSame(run[key], first[key])).map(key => [key, run[key] ?? []])),
    ...(run.forked ? { forked: run.forked } : {}),
  }
}

/** The turns of each step, in order. */
function grouped(turns: readonly RecordedTurn[]): readonly (readonly RecordedTurn[])[] {
  const steps: RecordedTurn[][] = []
  for (const turn of turns) {
    const last = steps.at(-1)
    if (last?.[0]?.step === turn.step) last.push(turn)
    else steps.push([turn])
  }
  return steps
}

/** The last reply is the step's own; what came before it failed. */
function stepOf(turns: readonly RecordedTurn[]): FixtureStep {
  const replies: readonly FixtureReply[] = turns.flatMap(turn => {
    const [first, ...rest] = [
      ...turn.failures.map((error): FixtureReply => ({ error })),
      ...(turn.reply || turn.failures.length === 0 ? [replyOf(turn)] : []),
    ]
    const now = { ...(turn.tools ? { tools_now: turn.tools } : {}), ...(turn.notes ? { notes_now: turn.notes } : {}) }
    return [{ ...now, ...first }, ...rest]
  })
  const last = replies.at(-1)
  const own = last === undefined || 'error' in last ? {} : last
  const failed = own === last ? replies.slice(0, -1) : replies
  const situation = turns[0]?.situation
  return {
    ...(situation === undefined ? {} : { situation }),
    ...(failed.length > 0 ? { failed } : {}),
    ...own,
  }
}

function replyOf({ reply, cuts, images, ms, parsed, calls, nudge, notices }: RecordedTurn): FixtureReply {
  const facts: ReplyFacts = {
    ...(reply?.usage ? countsOf(reply.usage) : {}),
    ...(ms === undefined ? {} : { ms }),
    ...(cuts ? { cuts } : {}),
    ...(images ? { images } : {}),
    ...(calls.some(({ observation }) => observation) ? { calls: calls.map(({ observation }) => observation?.ms ?? 0) } : {}),
  }
  const results = calls.map((call, at) => callOf(call, parsed?.decision, at))
  return {
    ...(reply ? { model: reply.text } : {}),
    ...(reply?.reasoning === undefined ? {} : { reasoning: reply.reasoning }),
    ...(reply && reply.finish !== 'stop' ? { finish: reply.finish } : {}),
    ...(parsed ? { parsed: decisionOf(parsed.decision) } : {}),
    ...(parsed && parsed.problems.length > 0 ? { problems: codesOf(parsed) } : {}),
    ...(results.length > 0 ? { tool: results.length === 1 ? results[0] : results } : {}),
    ...(nudge === undefined ? {} : { nudge }),
    ...(notices.length > 0 ? { notices } : {}),
    ...(Object.keys(facts).length > 0 ? { meta: facts } : {}),
  } as FixtureReply
}

function callOf({ call, begun, approval, observation }: RecordedCall, decision: Decision | undefined, at: number): FixtureCall {
  const meant = decision?.kind === 'act' ? decision.calls[at] : undefined
  const name = observation?.tool ?? call?.tool
  return {
    ...(name === meant?.tool || name === undefined ? {} : { name }),
    ...(call === undefined || isSame(call.input, meant?.input) ? {} : { input: call.input }),
    ...(approval ? { approval } : {}),
    ...(begun === isCalled(observation) ? {} : { called: begun }),
    ...(observation ? resultOf(observation) : {}),
  }
}

function resultOf({ text, failure, truncated, data }: Observation): Partial<FixtureCall> {
  const json = data !== undefined && isSame(jsonIn(text), data)
  return {
    ...(failure ? { error: { code: failure.code, message: failure.message }, observation: text } : { result: text }),
    ...(truncated === 0 ? {} : { truncated }),
    ...(json ? { json } : data === undefined ? {} : { data }),
  }
}

function countsOf({ promptTokens, completionTokens }: Usage): Pick<ReplyFacts, 'in' | 'out'> {
  return { in: promptTokens, out: completionTokens }
}
