// The events of a run → the run as it stands: what was asked, each turn of the model with all that came of it, how it ended, or what was under way
// when the record breaks off. Pure; the same events always give the same transcript.
import { SaydoError } from '../core/errors.js'
import type { AgentEvent, ApprovalVerdict, ErrorReport, RunStart } from '../core/event.js'
import type { Image } from '../core/image.js'
import type { Message, Prompt } from '../core/message.js'
import type { ModelReply } from '../core/model.js'
import type { ParsedReply } from '../core/reply.js'
import type { RunResult, Trajectory } from '../core/step.js'
import type { PromptNote } from '../core/text.js'
import type { Observation, ToolCall, ToolSpec } from '../core/tool.js'
import { flattenMessages } from '../prompt/render.js'
import { conversationIn } from './conversation.js'
import { callIn, type GrowingTurn, isFinished, pendingOf, recorded, stepOf } from './growing-turn.js'

export interface Transcript extends RunStart {
  /** Every turn of the model, in order, whole or not. */
  readonly turns: readonly RecordedTurn[]
  /** The turns that are whole, as the run remembers them. */
  readonly steps: Trajectory
  /** What was sent, each prompt in full. */
  readonly prompts: readonly SentPrompt[]
  /** What was said before the first turn. */
  readonly notices: readonly Notice[]
  /** Unset when the record breaks off before the run ended. */
  readonly result?: RunResult
  /** What was thrown, when the run ended so. */
  readonly error?: ErrorReport
  /** What was under way when the record broke off; unset between two turns, and when the run has ended. */
  readonly pending?: Pending
}

/** One reply of the model, and what became of it. */
export interface RecordedTurn {
  readonly step: number
  readonly attempt: number
  readonly situation?: string
  /** The tools as they are from this turn on, when they changed. */
  readonly tools?: readonly ToolSpec[]
  /** What was said beside them in the head of the prompt, when that changed. */
  readonly notes?: readonly PromptNote[]
  /** Tries at this reply that the endpoint failed. */
  readonly failures: readonly ErrorReport[]
  readonly reply?: ModelReply
  /** See `reply_end`. */
  readonly cuts?: readonly number[]
  readonly ms?: number
  readonly parsed?: ParsedReply
  /** In the order of the decision's calls. */
  readonly calls: readonly RecordedCall[]
  readonly nudge?: string
  readonly notices: readonly Notice[]
  /** What its prompt showed, by the ids of the images. */
  readonly images?: readonly string[]
}

export interface RecordedCall {
  /** As it was made, or would have been; unset for an observation that belongs to no call that could be read. */
  readonly call?: ToolCall
  /** It was begun: without an observation nobody knows whether it was done. */
  readonly begun: boolean
  readonly approval?: { readonly verdict: ApprovalVerdict; readonly reason?: string }
  readonly observation?: Observation
}

export interface Notice {
  readonly code: string
  readonly message: string
}

export interface SentPrompt extends Prompt {
  readonly step: number
  readonly attempt: number
}

export interface Pending {
  readonly turn: RecordedTurn
  /** A reply was asked for, and none came. */
  readonly asked: boolean
  /** A reply came that was not read. */
  readonly unread: boolean
  /** Calls that were begun and have no observation: their outcome is unknown. */
  readonly begun: readonly ToolCall[]
}

/** Of the last run in the events. Throws `CONFIG` when they hold no start of a run. */
export function transcriptOf(events: Iterable<AgentEvent>): Transcript {
  let fold = new Fold(undefined)
  for (const event of events)
    if (event.type === 'run_start') fold = new Fold(startOf(event))
    else fold.add(event)
  return fold.transcript()
}

/** Of each run of the conversation in the events, oldest first. Throws as `transcriptOf` does. */
export function transcriptsOf(events: readonly AgentEvent[]): readonly [Transcript, ...Transcript[]] {
  const [first = [], ...more] = conversationIn(events)
  return [transcriptOf(first), ...more.map(transcriptOf)]
}

/** Without what a line of a record says beside. */
function startOf({ type: _, at: __, ...start }: RunStart & { readonly type: unknown; readonly at?: unknown }): RunStart {
  return start
}

class Fold {
  readonly #start: RunStart | undefined
  #end: Extract<AgentEvent, { type: 'run_end' }> | undefined
  readonly #turns: GrowingTurn[] = []
  readonly #prompts: SentPrompt[] = []
  /** By their ids. */
  readonly #images = new Map<string, Image>()
  #messages: readonly Message[] = []
  #situation: string | undefined
  #tools: readonly ToolSpec[] | undefined
  #notes: readonly PromptNote[] | undefined
  readonly #notices: Notice[] = []

  constructor(start: RunStart | undefined) {
    this.#start = start
  }

  add(event: Exclude<AgentEvent, { type: 'run_start' }>): void {
    if (this.#end && event.type === 'state' && event.to === 'RUNNING') this.#reopen(this.#end)
    switch (event.type) {
      case 'step_start':
        this.#situation = event.situation
        return
      case 'tools':
        this.#tools = event.tools
        this.#notes = event.notes ?? this.#notes
        return
      case 'image':
        if (event.base64 !== undefined) this.#images.set(event.id, { mime: event.mime, base64: event.base64, alt: event.alt })
        return
      case 'prompt':
        return this.#prompt(event)
      case 'reply_start':
        this.#turn(event).asked = true
        return
      case 'reply_end':
        return this.#reply(event)
      case 'reply_error':
        this.#turn(event).failures.push(event.error)
        this.#turn(event).asked = false
        return
      case 'parsed':
        return this.#parsed(event)
      case 'nudge':
        return this.#nudge(event)
      case 'approval': {
        const call = callIn(this.#turn(event), event.call)
        call.call = event.call
        call.approval = { verdict: event.verdict, ...(event.reason === undefined ? {} : { reason: event.reason }) }
        return
      }
      case 'call_start': {
        const call = callIn(this.#turn(event), event.call)
        call.call = event.call
        call.begun = true
        return
      }
      case 'call_end':
        callIn(this.#turn(event), event.call).observation = { ...event.observation, ...this.#shown(event) }
        return
      case 'observation':
        callIn(this.#turn(event), event.call).observation = event.observation
        return
      case 'step_end':
        this.#close()
        this.#situation = undefined
        return
      case 'notice': {
        const notices = this.#turns.at(-1)?.notices ?? this.#notices
        notices.push({ code: event.code, message: event.message })
        return
      }
      case 'run_end':
        this.#end = event
        return
      case 'state':
      case 'delta':
        return
      default:
        return ignore(event)
    }
  }

  transcript(): Transcript {
    if (this.#start === undefined)
      throw new SaydoError('CONFIG', 'these events are no run: they do not begin with run_start', {
        hint: 'read a file that saydo recorded, or what saydo run --jsonl prints',
      })
    const last = this.#turns.at(-1)
    const cutShort = this.#end?.result.stop === 'aborted' || this.#end?.error !== undefined
    const whole = this.#turns.filter(turn => turn.closed && (turn !== last || !cutShort || isFinished(turn)))
    const steps = whole.flatMap(stepOf)
    return {
      ...this.#start,
      turns: this.#turns.map(recorded),
      steps,
      prompts: this.#prompts,
      notices: this.#notices,
      ...(this.#end ? { result: { ...this.#end.result, steps } } : {}),
      ...(this.#end?.error ? { error: this.#end.error } : {}),
      ...(last && !last.closed && !this.#end ? { pending: pendingOf(last) } : {}),
    }
  }

  /** The images that an event names, as far as the record holds them. */
  #shown({ images = [] }: { readonly images?: readonly string[] }): { readonly images?: readonly Image[] } {
    const found = images.flatMap(id => this.#images.get(id) ?? [])
    return found.length === 0 ? {} : { images: found }
  }

  #prompt({ type: _, keep, add, images, ...rest }: Extract<AgentEvent, { type: 'prompt' }>): void {
    // plain lines have no checksums, so a missing one shows here first
    if (!Array.isArray(add) || !(keep <= this.#messages.length))
      throw new SaydoError('JOURNAL_DAMAGED', `the prompt of step ${rest.step} goes on from one that is not there`, {
        hint: 'a line in front of it is missing, or was changed',
      })
    const messages = [...this.#messages.slice(0, keep), ...add]
    this.#messages = messages
    const turn = this.#turn(rest)
    if (images) turn.images = [...images]
    const text = flattenMessages(messages, rest.opener, rest.taskBreak)
    this.#prompts.push({ ...rest, messages, text, ...this.#shown({ ...(images ? { images } : {}) }) })
  }

  #reply(event: Extract<AgentEvent, { type: 'reply_end' }>): void {
    const turn = this.#turn(event)
    turn.asked = false
    turn.reply = event.reply
    turn.ms = event.ms
    if (event.cuts) turn.cuts = [...event.cuts]
  }

  #parsed(event: Extract<AgentEvent, { type: 'parsed' }>): void {
    const turn = this.#turn(event)
    turn.parsed = event.parsed
    const { decision } = event.parsed
    if (decision.kind === 'act') turn.calls = decision.calls.map(call => ({ call, begun: false }))
  }

  /** A run that was aborted, or failed, goes on: what ended it is undone. */
  #reopen({ error, result }: Extract<AgentEvent, { type: 'run_end' }>): void {
    this.#end = undefined
    const last = this.#turns.at(-1)
    if (!last || !(error || result.stop === 'aborted')) return
    if (!last.reply) last.failures.pop()
    last.closed = isFinished(last)
  }

  /** A part that was left out, the calls, a circle: there may be several. */
  #nudge(event: Extract<AgentEvent, { type: 'nudge' }>): void {
    const turn = this.#turn(event)
    turn.nudge = turn.nudge === undefined ? event.text : `${turn.nudge}\n\n${event.text}`
  }

  /** The turn an event belongs to: the last one, or a new one behind it. */
  #turn({ step, attempt }: { readonly step: number; readonly attempt: number }): GrowingTurn {
    const last = this.#turns.at(-1)
    if (last?.step === step && last.attempt === attempt) return last
    this.#close()
    const turn: GrowingTurn = {
      step,
      attempt,
      ...(this.#situation === undefined ? {} : { situation: this.#situation }),
      ...(this.#tools === undefined ? {} : { tools: [...this.#tools] }),
      ...(this.#notes === undefined ? {} : { notes: [...this.#notes] }),
      failures: [],
      calls: [],
      notices: [],
      asked: false,
      closed: false,
    }
    this.#tools = undefined
    this.#notes = undefined
    this.#turns.push(turn)
    return turn
  }

  #close(): void {
    const last = this.#turns.at(-1)
    if (last) last.closed = true
  }
}

function ignore(event: never): void {
  // a record of a later version of this format may hold more kinds of events, which say more and change nothing
  void event
}
