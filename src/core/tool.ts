// Tools: what a model may call, what a call is, and what comes back. A tool's failure is data that the model reads, never an exception.
import type { Image } from './image.js'
import type { JsonObject, JsonSchema, JsonValue } from './json.js'

/** What a call does to the world. `changes` makes the reader ask back when it had to guess (see `doubt`). */
export type ToolEffect = 'none' | 'changes'

/** What everybody but the caller knows of a tool; plain JSON. */
export interface ToolSpec {
  /** The name the model writes after `Action:`; any text without line breaks. */
  readonly name: string
  readonly description: string
  /** A JSON Schema of `type: object`; its properties are the parameters. */
  readonly parameters: JsonSchema
  /**
   * The parameter that takes an input written as plain text. Needed only where the schema leaves it open: by itself it decides for the only
   * required parameter, or the only one that takes text. No other parameter may be required.
   */
  readonly textParameter?: string
  /** One sentence on what comes back, shown to the model. */
  readonly returns?: string
  /** Unset: the tool declares nothing, and is called whatever the reading cost. */
  readonly effect?: ToolEffect
  /** Highest total cost of reading (see `Problem.cost`) at which a call is still made; default: no limit, or 2 for `effect: 'changes'`. */
  readonly doubt?: number
  /** A successful call of this tool ends the run. */
  readonly finishes?: boolean
  /** Running it twice does no harm; so it is with `effect: 'none'`. */
  readonly idempotent?: boolean
  /** The same call with the same result is no sign of being stuck (wait, poll, scroll). */
  readonly repeatable?: boolean
}

export interface ToolContext {
  /** Aborted when the run is aborted or the call's time is up. */
  readonly signal: AbortSignal
  /** Identity of the call within its run: `step.call`, e.g. `3.1`. */
  readonly callId: string
  /** The call was begun before its run was cut short, and nobody knows whether it was done: this is the same call once more. */
  readonly again?: true
}

/** A problem with one field of an input. `path` is a JSON pointer such as `/city`; empty for the whole input. */
export interface InputIssue {
  readonly path: string
  readonly message: string
}

export type InputCheck =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly issues: readonly InputIssue[] }

/** A tool that can be run. Build one with `tool()`. The signals are aborted when the run is, or when the time of the call is up. */
export interface Tool extends ToolSpec {
  /** The author's own check of an input, in place of the JSON Schema one; may be async. */
  readonly check?: (input: JsonObject, signal?: AbortSignal) => InputCheck | Promise<InputCheck>
  /** May return anything, throw anything, or never end: the call around it copes. */
  readonly run: (input: never, context: ToolContext) => unknown
  /** Time for one call in ms; default 30,000. */
  readonly timeoutMs?: number
  /** Asked before each call; `true` always asks. Without anyone to ask, the call is denied. */
  readonly confirm?: true | ((input: JsonObject, signal?: AbortSignal) => boolean | Promise<boolean>)
  /** Calls allowed in one run; default no limit. */
  readonly maxCallsPerRun?: number
  /** Calls allowed in any 60 seconds; default no limit. */
  readonly maxCallsPerMinute?: number
  /** Calls allowed in one step; default no limit. */
  readonly maxCallsPerStep?: number
  /** Where calls run side by side, this tool's run alone. */
  readonly exclusive?: boolean
  /**
   * For a tool that `finishes`: what a successful call of it means for the run; undefined lets the run go on. Default: success, with the
   * observation's text as the answer. What it throws fails the call.
   */
  readonly ending?: (
    input: JsonObject,
    observation: Observation,
    signal?: AbortSignal,
  ) => Ending | undefined | Promise<Ending | undefined>
}

/** How a run ends by a tool: with a final answer, or as given up. */
export interface Ending {
  readonly success: boolean
  /** May be empty. */
  readonly answer: string
}

/**
 * What is said about a call before it is made. `true` allows it; `false` and a string deny it, the string is the reason the model is told.
 * `input` is made in place of the model's, once it is checked like that; `observation` is read by the model in place of a result, with no call
 * made; `stop` denies the call and ends the run with stop `denied`.
 */
export type Approval =
  | boolean
  | string
  | { readonly input: JsonObject }
  | { readonly observation: string }
  | { readonly stop: string }

/** One call, as read from a reply. `input` has no prototype and no `__proto__`, `constructor` or `prototype` key. */
export interface ToolCall {
  /** Position in its reply, from `1`. With the step it names the call in a run: `3.1`. */
  readonly id: string
  readonly tool: string
  readonly input: JsonObject
}

export type FailureCode = (typeof FAILURE_CODES)[number]

export const FAILURE_CODES = [
  'unknown_tool',
  'invalid_input',
  'threw',
  'timeout',
  'aborted',
  'denied',
  'limited',
  'skipped',
  'unavailable',
  /** Begun before the run was cut short: nobody knows whether it was done. */
  'outcome_unknown',
] as const

export interface ToolFailure {
  readonly code: FailureCode
  /** One sentence for people and logs; the model reads `Observation.text`. */
  readonly message: string
}

/** What a call gave back, as the model will see it. Every started call gets exactly one. */
export interface Observation {
  readonly tool: string
  readonly text: string
  readonly failure?: ToolFailure
  /** Code points left out of `text`; 0 when it is whole. */
  readonly truncated: number
  readonly ms: number
  /** What the tool returned when that is plain JSON, so that callers need not parse `text`. */
  readonly data?: JsonValue
  /** What the tool shows besides (see `WithImages`), where the agent has `vision`. In events they go by their `id`. */
  readonly images?: readonly Image[]
}
