// Why a call failed or can't be made → what the model reads about it and the code for the program. The wording is the run's own (`Say`).
import type { JsonObject } from '../core/json.js'
import { nearNames } from '../core/near-names.js'
import type { Say, TextName } from '../core/text.js'
import type { FailureCode, InputIssue, Observation, ToolSpec } from '../core/tool.js'
import { exampleInput } from './describe.js'
import type { LimitMet } from './limits.js'
import { OutOfTimeError } from './out-of-time-error.js'
import type { ToolRegistry } from './registry.js'
import { messageOf } from './result.js'

export type Refusal = Pick<Observation, 'text'> & Required<Pick<Observation, 'failure'>>

/** No tool has that name: the near ones and the whole list are told. */
export function unknownTool(name: string, registry: ToolRegistry, say: Say): Refusal {
  const tools = registry.list().map(tool => tool.name)
  const written = messageOf(name, 100)
  const data = { tool: written, near: nearNames(name, tools), tools }
  return failed('unknown_tool', `There is no tool named ${JSON.stringify(written)}.`, say, 'unknown_tool', data)
}

/** The input does not fit: each issue is told, and one input that would do. */
export function invalidInput(tool: ToolSpec, issues: readonly InputIssue[], say: Say): Refusal {
  const plain = issues.map(({ path, message }) => ({ path: String(path), message: messageOf(message, 300) }))
  const data = { tool: tool.name, issues: plain, example: JSON.stringify(exampleInput(tool)) }
  return failed('invalid_input', `The input of ${tool.name} is not valid: ${summaryOf(plain)}`, say, 'invalid_input', data)
}

/** Issues on one line, for people. */
export function summaryOf(issues: readonly InputIssue[]): string {
  return issues.map(({ path, message }) => `${path || 'the input'}: ${message}`).join('; ')
}

export function limited(tool: string, met: LimitMet, say: Say): Refusal {
  const times = met.limit === 1 ? 'once' : `${met.limit} times`
  const frees = met.seconds === undefined ? '' : `, free again in ${met.seconds} s`
  return failed('limited', `${tool} may be called ${times} per ${met.per}${frees}.`, say, 'tool_limited', { tool, ...met })
}

/** `reason` is told to the model, `why` to people alone. */
export function denied(
  tool: string,
  say: Say,
  { reason, why = reason }: { readonly reason?: string; readonly why?: string },
): Refusal {
  const data = { tool, ...(reason === undefined ? {} : { reason }) }
  return failed('denied', `${tool} was not allowed${why === undefined ? '' : `: ${why}`}.`, say, 'tool_denied', data)
}

/** Not made because of a call before it: the run had `finished` with that, or that was `refused` and the run stopped. */
export function skipped(tool: string, reason: 'finished' | 'refused', say: Say): Refusal {
  return failed('skipped', `${tool} was not called: the run had ended.`, say, 'tool_skipped', { tool, reason })
}

export function aborted(tool: string, say: Say): Refusal {
  return failed('aborted', `${tool} was aborted.`, say, 'tool_aborted', { tool })
}

export function timedOut(tool: string, timeoutMs: number, say: Say): Refusal {
  const seconds = Number((timeoutMs / 1000).toPrecision(2))
  return failed('timeout', `${tool} took longer than ${seconds} s.`, say, 'tool_timeout', { tool, seconds })
}

export function unavailable(tool: string, thrown: unknown, say: Say): Refusal {
  const message = messageOf(thrown)
  return failed('unavailable', `${tool} is not available: ${message}`, say, 'tool_unavailable', { tool, message })
}

/** Begun before the run was cut short, and not made again. */
export function outcomeUnknown(tool: string, say: Say, reason?: string): Refusal {
  const data = { tool, ...(reason === undefined ? {} : { reason }) }
  const message = `${tool} was begun before the run was cut short: nobody knows whether it was done.`
  return failed('outcome_unknown', message, say, 'tool_outcome_unknown', data)
}

export function threw(tool: string, thrown: unknown, say: Say): Refusal {
  const message = messageOf(thrown)
  return failed('threw', `${tool} failed: ${message}`, say, 'tool_threw', { tool, message })
}

/** It gave up by itself, and says why. */
export function outOfTime(tool: string, thrown: unknown, say: Say): Refusal {
  const { text, failure } = threw(tool, thrown, say)
  return { text: thrown instanceof OutOfTimeError ? thrown.text : text, failure: { ...failure, code: 'timeout' } }
}

/** A wording that cannot be rendered must not cost the call its observation: the plain sentence stands in. */
export function spoken(say: Say, name: TextName, data: JsonObject, otherwise: string): string {
  try {
    return say(name, data)
  } catch {
    return otherwise
  }
}

function failed(code: FailureCode, message: string, say: Say, name: TextName, data: JsonObject): Refusal {
  return { text: spoken(say, name, data, message), failure: { code, message } }
}
