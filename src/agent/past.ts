// The events of a run that was cut short → what of them a run that goes on takes up: each reply, what was made of it, what its calls gave. Nothing that
// stands here is asked, called or told again.
import { SaydoError } from '../core/errors.js'
import type { AgentEvent, AgentState } from '../core/event.js'
import type { ModelReply } from '../core/model.js'
import type { ParsedReply } from '../core/reply.js'
import type { PromptNote } from '../core/text.js'
import type { ToolSpec } from '../core/tool.js'
import { estimateTokens } from '../memory/tokens.js'
import { conversationIn } from '../transcript/conversation.js'
import { type RecordedCall, type RecordedTurn, type SentPrompt, type Transcript, transcriptOf } from '../transcript/transcript.js'
import type { Review } from './review.js'

/** A turn whose reply came. */
export interface KnownTurn extends RecordedTurn {
  readonly reply: ModelReply
  /** The run went on after it. */
  readonly wentOn: boolean
  /** About how many tokens its prompt and reply took. */
  readonly estimate: number
}

/** A turn that was read. */
export type ReadTurn = KnownTurn & { readonly parsed: ParsedReply }

export function isRead(turn: KnownTurn | undefined): turn is ReadTurn {
  return turn?.parsed !== undefined
}

export class Past {
  readonly run: string
  readonly task: string
  /** The events of the runs before it in its conversation. */
  readonly before: readonly AgentEvent[]
  /** The state that the run was left in. */
  readonly state: AgentState
  /** Time of its replies and calls. */
  readonly ms: number
  /** For people: where the run goes on. */
  readonly summary: string
  readonly lastPrompt: SentPrompt | undefined
  /** What stood last beside the tools in the head of the prompt; unset when nothing did. */
  readonly notes: readonly PromptNote[] | undefined
  readonly #tools: readonly ToolSpec[]
  readonly #turns: readonly KnownTurn[]
  readonly #situations = new Map<number, string | undefined>()
  readonly #told = new Map<string, number>()

  /** Takes the last run of a record. Throws `CONFIG` for events that are no run, or one that came to its own end. */
  constructor(events: readonly AgentEvent[]) {
    const runs = conversationIn(events)
    const own = runs.at(-1) ?? []
    this.before = runs.slice(0, -1).flat()
    const record = transcriptOf(own)
    requireOpen(record)
    this.run = record.run
    this.task = record.task
    this.state = !record.result ? 'IDLE' : record.error ? 'ERROR' : 'FINISHED'
    this.#tools = record.turns.findLast(({ tools }) => tools)?.tools ?? record.tools
    this.notes = record.turns.findLast(({ notes }) => notes)?.notes
    this.summary = `the run goes on at step ${record.turns.at(-1)?.step ?? 1}; what came before is on record`
    this.lastPrompt = record.prompts.at(-1)
    this.#turns = turnsOf(record)
    this.ms = timeOf(this.#turns)
    for (const event of toldIn(own, record)) {
      const key = keyOf(event)
      if (key !== undefined) this.#told.set(key, (this.#told.get(key) ?? 0) + 1)
      if (event.type === 'step_start') this.#situations.set(event.step, event.situation)
    }
  }

  /** Throws `CONFIG` that names the tools which the run had and `tools` lacks. */
  requireTools(tools: readonly ToolSpec[]): void {
    const missing = this.#tools.filter(({ name }) => !tools.some(tool => tool.name === name)).map(({ name }) => name)
    if (missing.length === 0) return
    throw new SaydoError('CONFIG', `run ${this.run} had tools that are not there: ${missing.join(', ')}`, {
      hint: 'give it the tools that it began with',
    })
  }

  /** What the record told of the tools last: `tools` themselves when they are the same. */
  toldTools(tools: readonly ToolSpec[]): readonly ToolSpec[] {
    return JSON.stringify(tools) === JSON.stringify(this.#tools) ? tools : this.#tools
  }

  /** The turn of a try at a step, when its reply came. */
  turn(step: number, attempt: number): KnownTurn | undefined {
    return this.#turns.find(turn => turn.step === step && turn.attempt === attempt)
  }

  /** What was said about the world before a step; undefined when it was not begun. */
  begun(step: number): { readonly situation: string | undefined } | undefined {
    return this.#situations.has(step) ? { situation: this.#situations.get(step) } : undefined
  }

  /** Whether the record tells this already; of things that happen twice each is asked about once. */
  tells(event: AgentEvent): boolean {
    const key = keyOf(event)
    const left = key === undefined ? 0 : (this.#told.get(key) ?? 0)
    if (key === undefined || left === 0) return false
    this.#told.set(key, left - 1)
    return true
  }
}

/** What a reply came to: as it was then, where the record says so; else what is found now. */
export function reviewedThen({ parsed, calls, nudge, wentOn }: KnownTurn, review: Review): Review {
  const decision = parsed?.decision
  const acted = calls.some(({ call, begun, observation }) => begun || (call && observation))
  if (decision?.kind === 'act' && acted) return review.kind === 'act' ? review : { kind: 'act', calls: decision.calls }
  const observations = calls.flatMap(({ observation }) => observation ?? [])
  if (observations.length > 0) return { kind: 'observe', observations }
  // what is said about a part that was left out comes before the calls
  if (nudge === undefined || (decision?.kind === 'act' && !wentOn)) return review
  return review.kind === 'refused' ? { ...review, nudge } : { kind: 'refused', nudge, fault: 'the reply was refused' }
}

function requireOpen({ result, run }: Transcript): void {
  if (result === undefined || result.stop === 'aborted' || result.stop === 'error') return
  throw new SaydoError('CONFIG', `run ${run} came to its end (${result.stop}): there is nothing to go on with`, {
    hint: 'only a run that was cut short, aborted or ended by an error can be taken up again',
  })
}

function turnsOf({ turns, prompts, result }: Transcript): readonly KnownTurn[] {
  return turns.flatMap((turn, at) => {
    const { reply, step, attempt } = turn
    if (!reply) return []
    const last = at === turns.length - 1
    const sent = prompts.findLast(prompt => prompt.step === step && prompt.attempt === attempt)?.text ?? ''
    const estimate = estimateTokens(sent) + estimateTokens(reply.text)
    return [{ ...turn, reply, calls: last && result ? turn.calls.map(withoutEnd) : turn.calls, wentOn: !last, estimate }]
  })
}

/** What an abort or an error did to a call that had not begun is undone with it. */
function withoutEnd(call: RecordedCall): RecordedCall {
  return call.begun || !call.call ? call : { call: call.call, begun: false, ...approvedIn(call) }
}

function approvedIn({ approval }: RecordedCall): Pick<RecordedCall, 'approval'> {
  return approval && approval.verdict !== 'stopped' ? { approval } : {}
}

/** What need not be told again. The end of the run does, and whatever is done about a call whose outcome is unknown. */
function toldIn(events: readonly AgentEvent[], { turns, result }: Transcript): readonly AgentEvent[] {
  const last = turns.at(-1)
  const open = last !== undefined && !isDone(last)
  const unknown = last?.calls.flatMap(({ call, begun, observation }) => (call && begun && !observation ? [call.id] : [])) ?? []
  return events.filter(event => {
    if (event.type === 'state') return !result
    if (event.type === 'step_end') return !(result && open && event.step === last.step)
    if (event.type !== 'approval' && event.type !== 'call_start') return true
    return !(event.step === last?.step && event.attempt === last.attempt && unknown.includes(event.call.id))
  })
}

function isDone({ parsed, calls, nudge }: RecordedTurn): boolean {
  if (parsed?.decision.kind === 'answer') return true
  return parsed !== undefined && (calls.length === 0 ? nudge !== undefined : calls.every(isSettled))
}

function isSettled({ call, begun, observation }: RecordedCall): boolean {
  return observation !== undefined && (begun || call === undefined)
}

function timeOf(turns: readonly KnownTurn[]): number {
  const times = turns.flatMap(({ ms = 0, calls }) => [ms, ...calls.map(({ observation }) => observation?.ms ?? 0)])
  return times.reduce((sum, ms) => sum + ms, 0)
}

/** Events with equal keys tell the same; undefined for what is told anew: what belongs to a reply that is asked for again, and the end. */
function keyOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'run_start':
      return event.type
    case 'state':
      return event.to === 'RUNNING' ? event.type : undefined
    case 'step_start':
    case 'step_end':
      return `${event.type} ${event.step}`
    case 'parsed':
    case 'nudge':
      return `${event.type} ${event.step}.${event.attempt}`
    case 'approval':
    case 'call_start':
    case 'call_end':
    case 'observation':
      return `${event.type} ${event.step}.${event.attempt} ${event.call?.id ?? ''}`
    case 'image':
      return `${event.type} ${event.id}`
    case 'notice':
      return `${event.type} ${event.code} ${event.message}`
    default:
      return undefined
  }
}
