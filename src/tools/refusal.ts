// Why a call failed or can't be made → what the model reads about it and the code for the program. The wording is the run's own (`Say`).

import type { JsonObject } from '../core/json.js'
import { nearNames } from '../core/near-names.js'
import type { Say, TextName } from '../core/text.js'
import type { FailureCode, InputIssue, Observation, ToolSpec } from '../core/tool.js'
import { exampleInput } from './describe.js'
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
  const summary = plain.map(({ path, message }) => `${path || 'the input'}: ${message}`).join('; ')
  const data = { tool: tool.name, issues: plain, example: JSON.stringify(exampleInput(tool)) }
  return failed('invalid_input', `The input of ${tool.name} is not valid: ${summary}`, say, 'invalid_input', data)
}

export function failed(code: FailureCode, message: string, say: Say, name: TextName, data: JsonObject): Refusal {
  return { text: spoken(say, name, data, message), failure: { code, message } }
}

/** A wording that cannot be rendered must not cost the call its observation: the plain sentence stands in. */
export function spoken(say: Say, name: TextName, data: JsonObject, otherwise: string): string {
  try {
    return say(name, data)
  } catch {
    return otherwise
  }
}
