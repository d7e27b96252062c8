// Everything that happens in a run, as one closed union. Starts and ends come in matched pairs; the list of a run's events is its transcript.
import type { Image } from './image.js'
import type { JsonObject } from './json.js'
import type { Message } from './message.js'
import type { ModelReply } from './model.js'
import type { Delta, ParsedReply } from './reply.js'
import type { RunResult } from './step.js'
import type { PromptNote } from './text.js'
import type { Observation, ToolCall, ToolSpec } from './tool.js'

export type AgentState = 'IDLE' | 'RUNNING' | 'FINISHED' | 'ERROR'

/** An error as data, for transcripts. */
export interface ErrorReport {
  readonly code: string
  readonly message: string
  readonly hint?: string
}

/** What was said about a call. */
export type ApprovalVerdict = (typeof APPROVAL_VERDICTS)[number]

export const APPROVAL_VERDICTS = ['allowed', 'denied', 'changed', 'answered', 'stopped'] as const

/** What a run begins with. */
export interface RunStart {
  readonly run: string
  readonly agent: string
  readonly task: string
  readonly model: string
  readonly dialect: string
  /** At the start; an event says when they change. */
  readonly tools: readonly ToolSpec[]
  readonly options: JsonObject
  /** In a record of several runs: the one whose conversation this goes on with; unset for the one before it, null for none. */
  readonly after?: string | null
  /** What stands before that step was taken over from that run. */
  readonly forked?: { readonly run: string; readonly step: number }
}

/** Where in a run something happened; `attempt` counts the tries at one step. */
interface At {
  readonly step: number
  readonly attempt: number
}

export type AgentEvent =
  | ({ readonly type: 'run_start' } & RunStart)
  | { readonly type: 'state'; readonly from: AgentState; readonly to: AgentState }
  | { readonly type: 'step_start'; readonly step: number; readonly situation?: string }
  /** The tools, or the notes beside them in the head of the prompt, changed since the start, or since they were last told. */
  | { readonly type: 'tools'; readonly tools: readonly ToolSpec[]; readonly notes?: readonly PromptNote[] }
  /**
   * An image that a later event of the run names by its `id`, the SHA-256 of its bytes. Told once, however often it is shown; without its bytes where
   * those before it have more than 32 MiB.
   */
  | ({ readonly type: 'image'; readonly id: string } & Omit<Image, 'base64'> & Partial<Pick<Image, 'base64'>>)
  /** The first `keep` messages of the previous prompt of this run stand unchanged, then come `add`; all else as sent. */
  | ({
      readonly type: 'prompt'
      readonly keep: number
      readonly add: readonly Message[]
      readonly opener: string
      readonly taskBreak: string
      readonly stop: readonly string[]
      readonly textStop: readonly string[]
      readonly images?: readonly string[]
    } & At)
  | ({ readonly type: 'reply_start' } & At)
  | ({ readonly type: 'delta' } & Delta & At)
  /** `cuts`: where the chunks of `reply.text` ended, in UTF-16 code units, but for the last; unset when it came in one piece. */
  | ({ readonly type: 'reply_end'; readonly reply: ModelReply; readonly cuts?: readonly number[]; readonly ms: number } & At)
  /** In place of `reply_end`: the endpoint failed. Nothing of the reply is used. */
  | ({ readonly type: 'reply_error'; readonly error: ErrorReport } & At)
  | ({ readonly type: 'parsed'; readonly parsed: ParsedReply } & At)
  /** What the model is told before it goes on: a correction of its reply, or a hint that it goes in circles. */
  | ({ readonly type: 'nudge'; readonly text: string } & At)
  /** Somebody was asked about a call, and this was said. For `changed`, `call` holds the new input. */
  | ({
      readonly type: 'approval'
      readonly call: ToolCall
      readonly verdict: ApprovalVerdict
      readonly reason?: string
    } & At)
  /** The call begins: its input is checked, its limits have room, and whoever had to be asked has allowed it. */
  | ({ readonly type: 'call_start'; readonly call: ToolCall } & At)
  | ({
      readonly type: 'call_end'
      readonly call: ToolCall
      /** Without its images. */
      readonly observation: Observation
      readonly images?: readonly string[]
    } & At)
  /** An observation that no call gave: it was refused before it began (unknown tool, invalid input, limit, denial), or was answered for. */
  | ({ readonly type: 'observation'; readonly call?: ToolCall; readonly observation: Observation } & At)
  | { readonly type: 'step_end'; readonly step: number }
  /** Something the user should know, said once: a dropped parameter, an example left out. */
  | { readonly type: 'notice'; readonly code: NoticeCode | (string & {}); readonly message: string }
  | { readonly type: 'run_end'; readonly result: Omit<RunResult, 'steps'>; readonly error?: ErrorReport }

/** Codes of the notices that saydo gives; a model of your own may give others. */
export type NoticeCode =
  | 'MODEL_CHOSEN'
  | 'MODEL_LOADING'
  | 'RETRY'
  | 'API_CHANGED'
  | 'SYSTEM_FOLDED'
  | 'PARAMETER_RENAMED'
  | 'PARAMETER_DROPPED'
  | 'STREAMING_OFF'
  | 'REPLY_SHORTENED'
  | 'IMAGES_LEFT_OUT'
  | 'PROMPT_CUT'
  | 'CONTEXT_CUT'
  | 'CONTEXT_TRIMMED'
  | 'EXAMPLE_LEFT_OUT'
  | 'STOPS_LEFT_OUT'
  | 'CLOSE_FAILED'
  | 'SANDBOX_OPENED'
  | 'ARTIFACTS_FAILED'
  | 'SERVER_STARTED'
  | 'SERVER_NEWS'
  | 'RESUMED'
