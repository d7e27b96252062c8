// A fixture → the events of its run, as a journal would hold them, but for the prompts.
import type { AgentEvent } from '../core/event.js'
import type { JsonObject } from '../core/json.js'
import type { ModelReply } from '../core/model.js'
import type { Decision, ParsedReply } from '../core/reply.js'
import type { StopReason } from '../core/step.js'
import type { Observation, ToolCall, ToolSpec } from '../core/tool.js'
import {
  callsRead,
  codesOf,
  decisionOf,
  type Fixture,
  type FixtureCall,
  type FixtureDecision,
  type FixtureReply,
  type FixtureTurn,
  isCalled,
  isSame,
  jsonIn,
  type ReplyFacts,
  resultsOf,
} from './fixture.js'
import type { Notice } from './transcript.js'

/** What a reply is read by. Without tools, as in a file written by hand, names are taken as they are written. */
export interface ReadBy {
  readonly dialect: string
  readonly options: JsonObject
  readonly tools: readonly ToolSpec[] | undefined
}

export type Read = (reply: ModelReply, by: ReadBy) => ParsedReply

/** What a reply was read as then wins over what `read` makes of it now; without `parsed` it is read now. Turns become runs, one behind the other. */
export function eventsOf(fixture: Fixture, read: Read): readonly AgentEvent[] {
  const { name = 'fixture', turns } = fixture
  return turns.flatMap((turn, at) => runEvents(fixture, turn, at === 0 ? name : `${name}-${at + 1}`, read))
}

function runEvents(fixture: Fixture, turn: FixtureTurn, name: string, read: Read): readonly AgentEvent[] {
  const { agent = 'tool-call', dialect = 'react', model = 'unknown', tools, notes, options = {} } = { ...fixture, ...turn.start }
  const { user: task, start, notices = [], steps, ends, error, meta } = turn
  const events: AgentEvent[] = []
  events.push({
    type: 'run_start',
    run: meta?.run ?? name,
    agent,
    task,
    model,
    dialect,
    tools: tools ?? [],
    options,
    ...(start?.forked ? { forked: start.forked } : {}),
  })
  events.push(...notices.map(noticeEvent))
  let known = tools
  let told = notes
  for (const [index, step] of steps.entries()) {
    const at = index + 1
    const { situation, failed = [], ...own } = step
    events.push({ type: 'step_start', step: at, ...(situation === undefined ? {} : { situation }) })
    let attempt = 1
    for (const reply of [...failed, own]) {
      if (reply !== own || Object.keys(own).length > 0) {
        known = reply.tools_now ?? known
        told = reply.notes_now ?? told
        if (reply.tools_now || told) events.push({ type: 'tools', tools: known ?? [], ...(told ? { notes: told } : {}) })
        told = undefined
        const open = ends === undefined && reply === own && at === steps.length
        events.push(...replyEvents(reply, { step: at, attempt }, open, sent => read(sent, { dialect, options, tools: known })))
      }
      if (reply.model !== undefined) attempt += 1
    }
    if (ends !== undefined || index + 1 < steps.length) events.push({ type: 'step_end', step: at })
  }
  const last = events.findLast(event => event.type === 'parsed')?.parsed.decision
  if (ends !== undefined) events.push({ type: 'run_end', result: runResultOf(turn, ends, last), ...(error ? { error } : {}) })
  return events
}

function runResultOf({ user, answer, value, reason, meta }: FixtureTurn, stop: StopReason, last: Decision | undefined) {
  const own = stop === 'final_answer' && last?.kind === 'answer' ? last.text : undefined
  const said = answer ?? own
  return {
    task: user,
    ...(said === undefined ? {} : { answer: said }),
    ...(value === undefined ? {} : { value }),
    stop,
    ...(reason ? { reason } : {}),
    message: meta?.message ?? '',
    usage: { promptTokens: meta?.in ?? 0, completionTokens: meta?.out ?? 0 },
    ms: meta?.ms ?? 0,
  }
}

interface Place {
  readonly step: number
  readonly attempt: number
}

/** `open`: the run goes no further than this reply, which need not have been read. */
function* replyEvents(
  reply: FixtureReply,
  at: Place,
  open: boolean,
  read: (reply: ModelReply) => ParsedReply,
): Generator<AgentEvent> {
  const { error, model, reasoning, finish = 'stop', nudge, notices = [], meta = {} } = reply
  yield { type: 'reply_start', ...at }
  yield* notices.map(noticeEvent)
  if (error) return yield { type: 'reply_error', error, ...at }
  if (model === undefined) return
  const usage =
    meta.in === undefined || meta.out === undefined ? {} : { usage: { promptTokens: meta.in, completionTokens: meta.out } }
  const sent = { text: model, ...(reasoning === undefined ? {} : { reasoning }), finish, ...usage }
  yield { type: 'reply_end', reply: sent, ...cutsOf(meta, model), ms: meta.ms ?? 0, ...at }
  if (open && reply.parsed === undefined) return
  const parsed = parsedOf(reply, sent, read)
  yield { type: 'parsed', parsed, ...at }
  yield* callEvents(reply, parsed.decision, at)
  if (nudge !== undefined) yield { type: 'nudge', text: nudge, ...at }
}

/** Cuts that no longer fit a text that was edited are left out. */
function cutsOf({ cuts }: ReplyFacts, text: string): { readonly cuts?: readonly number[] } {
  const fits = cuts?.every((cut, at) => cut > (cuts[at - 1] ?? 0) && cut < text.length)
  return cuts && fits ? { cuts } : {}
}

/** As it is read today, unless it was read otherwise then. */
function parsedOf(
  { parsed, problems = [] }: FixtureReply,
  sent: ModelReply,
  read: (reply: ModelReply) => ParsedReply,
): ParsedReply {
  const today = read(sent)
  if (parsed === undefined) return today
  if (isSame(decisionOf(today.decision), parsed) && isSame(codesOf(today), problems)) return today
  const whole = [0, sent.text.length] as const
  const recorded = problems.map(code => ({ code, message: '', span: whole, cost: 0 }))
  return { thought: today.thought, decision: decisionFrom(parsed, whole), problems: recorded, kept: whole }
}

function decisionFrom(parsed: FixtureDecision, span: readonly [number, number]): Decision {
  if ('answer' in parsed) return { kind: 'answer', text: parsed.answer }
  if ('unclear' in parsed) return { kind: 'unclear', problem: { code: parsed.unclear, message: '', span, cost: 0 } as never }
  return {
    kind: 'act',
    calls: callsRead(parsed).map(({ tool, input }, at) => ({ id: String(at + 1), tool, input })) as unknown as readonly [
      ToolCall,
    ],
  }
}

function* callEvents(reply: FixtureReply, decision: Decision, at: Place): Generator<AgentEvent> {
  for (const [index, result] of resultsOf(reply).entries()) {
    const meant = decision.kind === 'act' ? decision.calls[index] : undefined
    const observation = observationOf(result, meant?.tool, reply.meta?.calls?.[index] ?? 0)
    const begun = result.called ?? isCalled(observation)
    const call = meant && { ...meant, ...(result.input ? { input: result.input } : {}) }
    if (call && result.approval) yield { type: 'approval', call, ...result.approval, ...at }
    if (call && begun) yield { type: 'call_start', call, ...at }
    if (observation === undefined) continue
    if (call && begun) yield { type: 'call_end', call, observation, ...at }
    else yield { type: 'observation', ...(call ? { call } : {}), observation, ...at }
  }
}

export function observationOf(result: FixtureCall, meant: string | undefined, ms: number): Observation | undefined {
  const { name, result: text, error, observation, truncated = 0, json, data } = result
  const said = error ? (observation ?? error.message ?? error.code) : text
  if (said === undefined) return undefined
  const value = json ? jsonIn(said) : data
  return {
    tool: name ?? meant ?? '',
    text: said,
    ...(error ? { failure: { code: error.code, message: error.message ?? '' } } : {}),
    truncated,
    ms,
    ...(value === undefined ? {} : { data: value }),
  }
}

function noticeEvent({ code, message }: Notice): AgentEvent {
  return { type: 'notice', code, message }
}
