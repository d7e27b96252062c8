// What a tool host and the process that started it say to each other. All of it is plain data.
import type { ErrorCode } from '../../core/errors.js'
import type { JsonObject } from '../../core/json.js'
import type { InputIssue, Observation, Tool, ToolSpec } from '../../core/tool.js'

/** A tool without its functions: which of them there are, stands beside. */
export interface HostedTool
  extends ToolSpec,
    Pick<Tool, 'timeoutMs' | 'maxCallsPerRun' | 'maxCallsPerMinute' | 'maxCallsPerStep' | 'exclusive'> {
  readonly confirms: 'never' | 'always' | 'asks'
  readonly checks: boolean
  readonly ends: boolean
}

/** Something that a function of a tool has to answer. */
export type Question = { readonly tool: string; readonly input: JsonObject } & (
  | { readonly kind: 'check' | 'confirm' }
  | { readonly kind: 'run'; readonly callId: string }
  | { readonly kind: 'ending'; readonly observation: Observation }
)

export type ToHost =
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  /** The answer is no longer wanted. It is still given, which says that the tool has stopped. */
  | { readonly kind: 'abort'; readonly id: number; readonly reason: string }

export type FromHost =
  | { readonly kind: 'ready'; readonly tools: readonly HostedTool[]; readonly notices: readonly string[] }
  | { readonly kind: 'broken'; readonly error: { readonly code: ErrorCode; readonly message: string; readonly hint?: string } }
  | ({ readonly kind: 'answer'; readonly id: number } & Answer)
  /** Something failed that no call waited for; `tool` is the one that left it behind, where that can be told. */
  | { readonly kind: 'stray'; readonly message: string; readonly tool?: string }

export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly name: string }

/** The answer to `check`. */
export type HostedCheck = { readonly ok: true } | { readonly ok: false; readonly issues: readonly InputIssue[] }
