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
  /** Empty where none is given. */
  readonly id: string
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
  return [...(old ? [callPart(old, 0, '')] : []), ...calls.map(listedCall)]
}

function listedCall(call: unknown, at: number): CallPart {
  const index = field(call, 'index')
  const id = field(call, 'id')
  return callPart(field(call, 'function'), typeof index === 'number' ? index : at, typeof id === 'string' ? id : '')
}

function callPart(value: unknown, index: number, id: string): CallPart {
  const name = field(value, 'name')
  const input = field(value, 'arguments')
  return {
    index,
    id,
    name: typeof name === 'string' ? name : '',
    input: typeof input === 'string' ? input : input === undefined || input === null ? '' : JSON.stringify(input),
  }
}

/** Servers have their own words, so what counts is what a reason speaks of. What was cut must not pass for whole. */
const FINISHES: readonly (readonly [RegExp, Finish | 'broken'])[] = [
  [/length|limit|max_|tokens/, 'length'],
  [/filter|safety|moderat|policy|prohibit|block|recitation|toxic|guardrail/, 'filter'],
  [/error|abort|cancel|fail|time_?out|interrupt|incomplete|resource|overload/, 'broken'],
  [/^(stop|stop_sequence|eos|eos_token|end_turn|tool_calls|function_call)$/, 'stop'],
]

/** `broken`: the endpoint itself says that it gave up. */
export function finishOf(reason: string | undefined): Finish | 'broken' {
  if (reason === undefined) return 'unknown'
  const said = reason.slice(0, 100).toLowerCase()
  return FINISHES.find(([words]) => words.test(said))?.[1] ?? 'unknown'
}

/** Calls that a server made of the reply, unasked → the text the model meant, for the parser to read. */
export function callsAsText(parts: readonly CallPart[]): string {
  const calls: CallPart[] = []
  for (const part of parts) {
    const at = calls.findLastIndex(({ index }) => index === part.index)
    const call = calls[at]
    if (call && !isAnother(part, call)) calls[at] = { ...call, name: call.name || part.name, input: call.input + part.input }
    else calls.push(part)
  }
  return calls
    .filter(call => call.name !== '')
    .map(call => `<tool_call>\n{"name": ${JSON.stringify(call.name)}, "arguments": ${call.input.trim() || '{}'}}\n</tool_call>`)
    .join('\n')
}

/** Some servers give every call the same index or none, some repeat the name in every part, some give each part an id of its own. */
function isAnother(part: CallPart, call: CallPart): boolean {
  if (part.name === '' || call.name === '') return false
  return part.name !== call.name || (part.id !== '' && part.id !== call.id)
}
