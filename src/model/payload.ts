// One JSON value from an endpoint → what it says: text, reasoning, parts of tool calls, how it ended, counts, an error. Takes the shapes of
// both APIs, streamed or whole, by the properties that are there; a missing or null one says nothing.
import type { Finish, Usage } from '../core/model.js'
import { field } from './json-field.js'

export interface Saying {
  /** There was a choice, if an empty one. */
  readonly choice: boolean
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly CallPart[]
  /** As written by the endpoint. */
  readonly finish?: string
  readonly usage?: Usage
  /** An error in place of, or inside, a reply. */
  readonly failed: boolean
}

export interface CallPart {
  readonly index: number
  readonly name: string
  readonly input: string
}

/** Of several choices only the first counts. */
export function readPayload(json: unknown): Saying {
  const choices = field(json, 'choices')
  const choice = Array.isArray(choices) ? choices.find(isFirst) : undefined
  const message = field(choice, 'delta') ?? field(choice, 'message')
  const finish = field(choice, 'finish_reason')
  const usage = readUsage(field(json, 'usage'))
  return {
    choice: choice !== undefined,
    text: textOf(field(message, 'content')) || textOf(field(choice, 'text')) || textOf(field(message, 'refusal')),
    reasoning: textOf(field(message, 'reasoning_content')) || textOf(field(message, 'reasoning')),
    calls: readCalls(message),
    ...(typeof finish === 'string' && finish !== '' && { finish }),
    ...(usage && { usage }),
    failed: isError(field(json, 'error')) || isError(field(choice, 'error')),
  }
}

function isError(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== ''
}

function isFirst(choice: unknown): boolean {
  return (field(choice, 'index') ?? 0) === 0
}

/** A string, or a list of parts with a text each. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return ''
  return value.map(part => (typeof part === 'string' ? part : textOf(field(part, 'text')))).join('')
}

function readUsage(value: unknown): Usage | undefined {
  const promptTokens = field(value, 'prompt_tokens')
  if (typeof promptTokens !== 'number') return undefined
  const completionTokens = field(value, 'completion_tokens')
  return { promptTokens, completionTokens: typeof completionTokens === 'number' ? completionTokens : 0 }
}

function readCalls(message: unknown): CallPart[] {
  const list = field(message, 'tool_calls')
  const old = field(message, 'function_call')
  const calls = Array.isArray(list) ? list : []
  return [
    ...(old ? [callPart(old, 0)] : []),
    ...calls.map((call, at) => {
      const index = field(call, 'index')
      return callPart(field(call, 'function'), typeof index === 'number' ? index : at)
    }),
  ]
}

function callPart(value: unknown, index: number): CallPart {
  const name = field(value, 'name')
  const input = field(value, 'arguments')
  return {
    index,
    name: typeof name === 'string' ? name : '',
    input: typeof input === 'string' ? input : input === undefined || input === null ? '' : JSON.stringify(input),
  }
}

const FINISHES: Readonly<Record<string, Finish>> = {
  stop: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_calls: 'stop',
  function_call: 'stop',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'filter',
}

/** `broken`: the endpoint itself says that it gave up. */
export function finishOf(reason: string | undefined): Finish | 'broken' {
  if (reason === undefined) return 'unknown'
  const name = reason.toLowerCase()
  if (name === 'error' || name === 'abort') return 'broken'
  return Object.hasOwn(FINISHES, name) ? (FINISHES[name] ?? 'unknown') : 'unknown'
}

/** Calls that a server made of the reply, unasked → the text the model meant, for the parser to read. */
export function callsAsText(parts: readonly CallPart[]): string {
  const calls = new Map<number, { name: string; input: string }>()
  for (const { index, name, input } of parts) {
    const call = calls.get(index) ?? { name: '', input: '' }
    // some servers repeat the name in every part
    calls.set(index, { name: call.name || name, input: call.input + input })
  }
  return [...calls.values()]
    .filter(call => call.name !== '')
    .map(call => `<tool_call>\n{"name": ${JSON.stringify(call.name)}, "arguments": ${call.input.trim() || '{}'}}\n</tool_call>`)
    .join('\n')
}
