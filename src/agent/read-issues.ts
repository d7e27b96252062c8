// What the reader found wrong with an input → one issue for each field, as a validator would tell it.
import type { JsonObject, JsonSchema, JsonValue } from '../core/json.js'
import type { Problem } from '../core/reply.js'
import type { Say } from '../core/text.js'
import type { InputIssue } from '../core/tool.js'
import { issue, missingKey, unknownKey, wrongType } from '../tools/input-issues.js'

type Finding = Pick<Problem, 'message' | 'data'>

/** `parameters`: the schema of the input. */
export function readIssues({ data = {}, message }: Finding, parameters: JsonSchema, say: Say): InputIssue[] {
  const { parameter, got, object, number, unknown, missing } = data
  if (typeof parameter === 'string') {
    const { properties } = parameters as { readonly properties?: JsonObject }
    return [wrongType(`/${parameter}`, properties?.[parameter], parameters, say, typeof got === 'string' ? got : undefined)]
  }
  if (number === true) return [issue('', 'issue_long_number', {}, say)]
  const found = [
    ...(object === true ? [issue('', 'issue_object', {}, say)] : []),
    ...namesOf(missing).map(name => missingKey('', name, parameters, parameters, say)),
    ...namesOf(unknown).map(name => unknownKey('', name, parameters, say)),
  ]
  return found.length > 0 ? found : [{ path: '', message }]
}

/** Names in the data of a problem. */
export function namesOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
