// A fixture: a run as data for people, who read, edit and commit it. It holds what went in (replies, results, failures) and what was made of it
// (decisions, problems, the end). It leaves out what follows from them: prompts, which are rendered anew, and thoughts and places of problems,
// which are read anew.
import type { ApprovalVerdict, ErrorReport, RunStart } from '../core/event.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import type { Finish } from '../core/model.js'
import type { Decision, ParsedReply, ProblemCode } from '../core/reply.js'
import type { StopReason } from '../core/step.js'
import type { PromptNote } from '../core/text.js'
import type { FailureCode, Observation, ToolSpec } from '../core/tool.js'
import type { Fingerprint } from './request.js'
import type { Notice } from './transcript.js'

export const FIXTURE_VERSION = 1

/** What the names of fixture files end in. */
export const FIXTURE_ENDING = '.saydo.yaml'

export interface Fixture {
  readonly fixture: number
  readonly name?: string
  readonly agent?: string
  /** Default `react`. */
  readonly dialect?: string
  readonly model?: string
  readonly tools?: readonly ToolSpec[]
  /** What stood beside the tools in the head of the prompt. */
  readonly notes?: readonly PromptNote[]
  readonly options?: JsonObject
  /** Of the first prompt of the first task; without it any prompt will do. */
  readonly request?: Fingerprint
  /** Tasks, one after the other. */
  readonly turns: readonly FixtureTurn[]
}

export interface FixtureTurn {
  readonly user: string
  /** What the run began with, where that is not what the first one began with. */
  readonly start?: FixtureStart
  readonly notices?: readonly Notice[]
  readonly steps: readonly FixtureStep[]
  readonly ends?: StopReason
  readonly reason?: StopReason
  /** When it is not the last reply's own. */
  readonly answer?: string
  readonly value?: JsonValue
  readonly error?: ErrorReport
  readonly meta?: RunFacts
}

/** `forked`: see `RunStart`. */
export interface FixtureStart extends Pick<Fixture, 'agent' | 'dialect' | 'model' | 'tools' | 'notes' | 'options'> {
  readonly forked?: NonNullable<RunStart['forked']>
}

/** Facts that nobody checks. */
export interface RunFacts {
  readonly run: string
  readonly in?: number
  readonly out?: number
  readonly ms?: number
  readonly message?: string
}

/** One reply of the model and what became of it, or one that failed to come. */
export interface FixtureReply {
  readonly error?: ErrorReport
  readonly tools_now?: readonly ToolSpec[]
  readonly notes_now?: readonly PromptNote[]
  /** Exactly as it came. */
  readonly model?: string
  readonly reasoning?: string
  /** Default `stop`. */
  readonly finish?: Finish
  readonly parsed?: FixtureDecision
  /** Each code once, in the order in which they first occur. */
  readonly problems?: readonly ProblemCode[]
  /** What the calls gave: one, or one for each call. */
  readonly tool?: FixtureCall | readonly FixtureCall[]
  readonly nudge?: string
  readonly notices?: readonly Notice[]
  readonly meta?: ReplyFacts
}

export interface FixtureStep extends FixtureReply {
  readonly situation?: string
  /** Earlier tries at this step, in order. */
  readonly failed?: readonly FixtureReply[]
}

export type FixtureDecision =
  | FixtureInput
  | readonly FixtureInput[]
  | { readonly answer: string }
  | { readonly unclear: ProblemCode }

interface FixtureInput {
  readonly tool: string
  readonly input: JsonObject
}

export interface FixtureCall {
  /** When it is not the tool that the decision names. */
  readonly name?: string
  /** When it is not the input that the decision names. */
  readonly input?: JsonObject
  readonly approval?: { readonly verdict: ApprovalVerdict; readonly reason?: string }
  /** Default: by the failure, if there is one. */
  readonly called?: boolean
  readonly result?: string
  readonly error?: { readonly code: FailureCode; readonly message?: string }
  /** What the model read of an error. */
  readonly observation?: string
  /** Characters left out. */
  readonly truncated?: number
  /** The result is JSON, and its value the data. */
  readonly json?: boolean
  /** The data, where the result does not say it. */
  readonly data?: JsonValue
}

/** Facts of a reply that nobody checks. */
export interface ReplyFacts {
  readonly in?: number
  readonly out?: number
  readonly ms?: number
  readonly cuts?: readonly number[]
  /** ms of each call. */
  readonly calls?: readonly number[]
  /** SHA-256 of each image that the prompt showed. */
  readonly images?: readonly string[]
}

export function decisionOf(decision: Decision): FixtureDecision {
  if (decision.kind === 'answer') return { answer: decision.text }
  if (decision.kind === 'unclear') return { unclear: decision.problem.code }
  const calls = decision.calls.map(({ tool, input }) => ({ tool, input }))
  return calls.length === 1 ? (calls[0] as FixtureInput) : calls
}

/** The replies of a step in order, its own last; without a `model` where it has none. */
export function repliesOf({ failed = [], ...own }: FixtureStep): readonly FixtureReply[] {
  return [...failed, own]
}

/** What the head of the prompt showed at a step, from 1; step 0 is the start of the turn. */
export function headOf(
  { tools, notes, turns }: Fixture,
  { turn, step }: { readonly turn: number; readonly step: number },
): Pick<Fixture, 'tools' | 'notes'> {
  const { start = {}, steps = [] } = turns[turn - 1] ?? {}
  const replies = steps.slice(0, step).flatMap(repliesOf)
  const [now, said] = [replies.findLast(({ tools_now }) => tools_now), replies.findLast(({ notes_now }) => notes_now)]
  const known = { tools: now?.tools_now ?? start.tools ?? tools, notes: said?.notes_now ?? start.notes ?? notes }
  return { ...(known.tools ? { tools: known.tools } : {}), ...(known.notes ? { notes: known.notes } : {}) }
}

/** What the calls of a reply gave, in their order. */
export function resultsOf({ tool }: FixtureReply): readonly FixtureCall[] {
  if (tool === undefined) return []
  return isList(tool) ? tool : [tool]
}

/** The calls that were read; none for an answer, and for a reply without a decision. */
export function callsRead(parsed: FixtureDecision | undefined): readonly FixtureInput[] {
  if (parsed === undefined || 'answer' in parsed || 'unclear' in parsed) return []
  return isList(parsed) ? parsed : [parsed]
}

export function codesOf({ problems }: ParsedReply): readonly ProblemCode[] {
  return [...new Set(problems.map(({ code }) => code))]
}

/** Whether a call was begun, where the fixture does not say so: some failures say that it never was. */
export function isCalled(observation: Pick<Observation, 'failure'> | undefined): boolean {
  return observation !== undefined && !(observation.failure && NOT_CALLED.has(observation.failure.code))
}

const NOT_CALLED: ReadonlySet<FailureCode> = new Set(['unknown_tool', 'invalid_input', 'denied', 'limited', 'skipped'])

export function jsonIn(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

function isList<T extends object>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value)
}

/** Of plain JSON. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
