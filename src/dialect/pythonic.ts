// A dialect whose calls are Python's: a list of them in square brackets below the thought, `[search(query="Veltria"), now()]`.
import en from '../../prompts/dialects/pythonic.hbs'
import type { JsonObject, JsonValue } from '../core/json.js'
import { defineDialect } from './define-dialect.js'
import { markLines } from './escape-markup.js'
import { wordingOf } from './wording.js'

export const pythonic = defineDialect({
  name: 'pythonic',
  wording: wordingOf('pythonic', en),
  opener: 'Thought:',
  stop: ['\nObservation:', '\n Observation:'],
  thought: text => `Thought: ${text}`,
  calls: calls => `[${calls.map(({ tool, input }) => `${tool}(${argumentsOf(input)})`).join(', ')}]`,
  answer: text => `Final Answer: ${text}`,
  observation: text => `Observation: ${text}`,
  guard: text => markLines(text, CALL_LIST),
})

function argumentsOf(input: JsonObject | string): string {
  // what was attempted may be arguments already
  if (typeof input === 'string') return /^\s{0,8}[\p{L}_][\p{L}\p{N}_]{0,63}\s{0,4}=/u.test(input) ? input : JSON.stringify(input)
  return Object.entries(input)
    .map(([key, value]) => `${key}=${literal(value)}`)
    .join(', ')
}

/** A value as Python writes it. */
function literal(value: JsonValue): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const pairs = Object.entries(value as JsonObject).map(([key, inner]) => `${JSON.stringify(key)}: ${literal(inner)}`)
  return `{${pairs.join(', ')}}`
}

/** A tool's name may hold more than one word. */
const CALL_LIST = /^\s{0,80}\[\s{0,8}[\p{L}_][^[\](){}\n]{0,200}\(/u
