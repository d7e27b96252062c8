// One call as the model meant it → one Observation as the model will read it. Whatever goes wrong on the way is told in that Observation,
// with a code for the program and a text for the model; nothing is retried behind its back.
import { SaydoError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import type { Say } from '../core/text.js'
import type { Observation, Tool, ToolCall } from '../core/tool.js'
import { collect } from './collect.js'
import { isolate, type Outcome } from './isolate.js'
import type { CallLimits } from './limits.js'
import { failed, invalidInput, spoken, unknownTool } from './refusal.js'
import type { ToolRegistry } from './registry.js'
import { messageOf, readResult } from './result.js'
import { type MaxObserve, requireMaxObserve, truncate } from './truncate.js'
import { checkInput } from './validate.js'

const DEFAULT_TIMEOUT_MS = 30_000

/**
 * Asks a person whether a call may be made. `true` allows it; anything else, an exception included, denies it, and a string then is the
 * reason the model is told.
 */
export type Confirm = (tool: Tool, input: JsonObject) => Promise<boolean | string> | boolean | string

export interface CallOptions {
  /** Where the tool is looked up, and where near names come from. */
  readonly registry: ToolRegistry
  readonly say: Say
  /** Identity of the call within its run, e.g. `3.1`. */
  readonly callId: string
  readonly signal?: AbortSignal | undefined
  /** Time for a tool that sets none of its own, in ms; default 30,000. */
  readonly timeoutMs?: number | undefined
  readonly maxObserve?: MaxObserve
  readonly confirm?: Confirm | undefined
  readonly limits?: CallLimits | undefined
  /** ms of a clock that never runs backwards; default `performance.now`. */
  readonly now?: (() => number) | undefined
}

/**
 * Makes one call: look up, check the input, count it, ask, run, read the result.
 *
 * Never rejects once the call began, and always settles: when the tool's time is up or the signal is aborted, what it still does is
 * dropped. `observation.data` is the result as JSON, unless it is a string, over 64 KiB, or no plain JSON.
 *
 * @throws SaydoError `CONFIG` when `maxObserve` is no number of characters, before anything is run
 */
export async function callTool(call: ToolCall, options: CallOptions): Promise<Observation> {
  requireMaxObserve(options.maxObserve)
  const now = options.now ?? (() => performance.now())
  const startedAt = now()
  const result = await attemptCall(call, options).catch(fault => faulty(call, fault, options.say))
  return { tool: call.tool, truncated: 0, ...result, ms: Math.max(0, Math.round(now() - startedAt)) }
}

/** The observation of a call that is not made because the run ended with an earlier one. */
export function skipCall({ tool }: ToolCall, say: Say): Observation {
  const result = failed('skipped', `${tool} was not called: the run had ended.`, say, 'tool_skipped', {
    tool,
    reason: 'finished',
  })
  return { tool, truncated: 0, ms: 0, ...result }
}

type Result = Pick<Observation, 'text' | 'failure' | 'data'> & { readonly truncated?: number }

async function attemptCall(call: ToolCall, options: CallOptions): Promise<Result> {
  const tool = options.registry.get(call.tool)
  if (tool === undefined) return unknownTool(call.tool, options.registry, options.say)

  const timeoutMs = tool.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS
  const within = { signal: options.signal, timeoutMs }
  const checked = await isolate(() => checkInput(tool, call.input, options.say), within)
  if (checked.kind !== 'value') return failedCheck(tool, checked, timeoutMs, options.say)
  const check = checked.value as Awaited<ReturnType<typeof checkInput>>
  if (!check.ok) return invalidInput(tool, check.issues, options.say)

  const met = options.limits?.take(tool)
  if (met !== undefined) {
    const frees = met.seconds === undefined ? '' : `, free again in ${met.seconds} s`
    return failed(
      'limited',
      `${tool.name} may be called ${met.limit} times per ${met.per}${frees}.`,
      options.say,
      'tool_limited',
      { tool: tool.name, ...met },
    )
  }

  // who is asked sees the input that will run, as a copy: what is done to it changes nothing
  const input = structuredClone(tool.check === undefined ? (check.input as JsonObject) : call.input)
  const denial = await askFirst(tool, input, options)
  if (denial !== undefined) {
    options.limits?.giveBack(tool)
    return denial
  }

  const outcome = await isolate(
    async signal => collect(await tool.run(check.input as never, Object.freeze({ signal, callId: options.callId })), signal),
    within,
  )
  return outcome.kind === 'value' ? succeeded(tool, outcome.value, options) : failedRun(tool, outcome, timeoutMs, options.say)
}

function succeeded(tool: Tool, value: unknown, { say, maxObserve }: CallOptions): Result {
  const { text, data } = readResult(value)
  // what ends the run is its answer: whole, and empty when there is nothing
  if (tool.finishes) return { text: text ?? '', ...(data === undefined ? {} : { data }) }
  const whole = text ?? spoken(say, 'no_output', {}, '(no output)')
  const quiet: Say = (name, facts) => spoken(say, name, facts ?? {}, '[…]')
  const { text: kept, omitted } = truncate(whole, maxObserve, quiet)
  return { text: kept, truncated: omitted, ...(data === undefined ? {} : { data }) }
}

async function askFirst(tool: Tool, input: JsonObject, { confirm, say, signal }: CallOptions): Promise<Result | undefined> {
  if (!wantsConfirmation(tool, input)) return undefined
  if (confirm === undefined)
    return failed('denied', `${tool.name} needs a confirmation, and nobody can be asked.`, say, 'tool_denied', {
      tool: tool.name,
    })
  // a person may take their time: only an abort ends the question
  const answer = await isolate(() => confirm(tool, input), { signal })
  if (answer.kind === 'aborted') return aborted(tool, say)
  if (answer.kind === 'value' && answer.value === true) return undefined
  return denied(tool, answer.kind === 'value' && typeof answer.value === 'string' ? answer.value : undefined, say)
}

// in doubt it asks: a condition that throws or gives no boolean wants a confirmation
function wantsConfirmation({ confirm }: Tool, input: JsonObject): boolean {
  if (confirm === undefined) return false
  if (typeof confirm !== 'function') return true
  try {
    return confirm(input) !== false
  } catch {
    return true
  }
}

// what no rule foresaw, such as a check that answers nonsense: still one observation
function faulty({ tool }: ToolCall, fault: unknown, say: Say): Result {
  const message = messageOf(fault)
  return failed('threw', `${tool} failed: ${message}`, say, 'tool_threw', { tool, message })
}

function failedCheck(tool: Tool, outcome: Exclude<Outcome, { kind: 'value' }>, timeoutMs: number, say: Say): Result {
  if (outcome.kind === 'threw' && outcome.thrown instanceof SaydoError) return unavailable(tool, outcome.thrown.message, say)
  return failedRun(tool, outcome, timeoutMs, say)
}

function failedRun(tool: Tool, outcome: Exclude<Outcome, { kind: 'value' }>, timeoutMs: number, say: Say): Result {
  if (outcome.kind === 'aborted') return aborted(tool, say)
  if (outcome.kind === 'timeout') {
    const seconds = Number((timeoutMs / 1000).toPrecision(2))
    return failed('timeout', `${tool.name} took longer than ${seconds} s.`, say, 'tool_timeout', { tool: tool.name, seconds })
  }
  const message = messageOf(outcome.thrown)
  if (isUnavailable(outcome.thrown)) return unavailable(tool, message, say)
  return failed('threw', `${tool.name} failed: ${message}`, say, 'tool_threw', { tool: tool.name, message })
}

// by its name, which holds across two copies of the library
function isUnavailable(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'ToolUnavailableError'
}

function aborted(tool: Tool, say: Say): Result {
  return failed('aborted', `${tool.name} was aborted.`, say, 'tool_aborted', { tool: tool.name })
}

function denied(tool: Tool, reason: string | undefined, say: Say): Result {
  const why = reason === undefined ? {} : { reason: messageOf(reason) }
  return failed('denied', `${tool.name} was not allowed${reason === undefined ? '' : `: ${why.reason}`}.`, say, 'tool_denied', {
    tool: tool.name,
    ...why,
  })
}

function unavailable(tool: Tool, message: string, say: Say): Result {
  return failed('unavailable', `${tool.name} is not available: ${message}`, say, 'tool_unavailable', { tool: tool.name, message })
}
