// A record → whether it has the form of the event that it says it is, as far as readers rely on it. A sound line may have been written by any program.
import { isObject, type JsonObject } from '../core/json.js'

type Check = (value: unknown) => boolean

const text: Check = value => typeof value === 'string'
const number: Check = value => typeof value === 'number'
const count: Check = value => typeof value === 'number' && value >= 0
const optional =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)
const list =
  (item: Check): Check =>
  value =>
    Array.isArray(value) && value.every(item)
const map =
  (fields: Readonly<Record<string, Check>>): Check =>
  value =>
    isObject(value) && Object.entries(fields).every(([key, check]) => check(value[key]))

const tools = list(map({ name: text, description: text, parameters: map({}) }))
const call = map({ id: text, tool: text, input: map({}) })
const error = map({ code: text, message: text })
const observation = map({ tool: text, text, failure: optional(error) })
const usage = map({ promptTokens: number, completionTokens: number })
const at = { step: number, attempt: number }

const DECISIONS: Readonly<Record<string, Check>> = {
  act: map({ calls: list(call) }),
  answer: map({ text }),
  unclear: map({ problem: map({ code: text }) }),
}
const decision: Check = value =>
  isObject(value) &&
  typeof value.kind === 'string' &&
  Object.hasOwn(DECISIONS, value.kind) &&
  DECISIONS[value.kind]?.(value) === true

const EVENTS: Readonly<Record<string, Check>> = {
  run_start: map({ run: text, agent: text, task: text, model: text, dialect: text, tools, options: map({}) }),
  step_start: map({ step: number, situation: optional(text) }),
  tools: map({ tools, notes: optional(list(map({ from: text, text }))) }),
  image: map({ id: text, mime: text, alt: text, base64: optional(text) }),
  prompt: map({
    ...at,
    keep: count,
    add: list(map({ role: text, text })),
    opener: optional(text),
    taskBreak: optional(text),
    images: optional(list(text)),
  }),
  reply_start: map(at),
  reply_end: map({ ...at, reply: map({ text, finish: text, usage: optional(usage) }), cuts: optional(list(number)) }),
  reply_error: map({ ...at, error }),
  parsed: map({ ...at, parsed: map({ decision, problems: list(map({ code: text, span: list(number) })), kept: list(number) }) }),
  nudge: map({ ...at, text }),
  approval: map({ ...at, call, verdict: text }),
  call_start: map({ ...at, call }),
  call_end: map({ ...at, call, observation, images: optional(list(text)) }),
  observation: map({ ...at, call: optional(call), observation }),
  notice: map({ code: text, message: text }),
  run_end: map({ result: map({ stop: text, message: text, usage, answer: optional(text) }), error: optional(error) }),
}

/** Readers walk through what they are given: deeper than this they would run out of stack. */
const DEEPEST = 1000

/** Kinds of events that a later version may know have whatever form they have, but no bottomless one. */
export function isEvent(record: JsonObject): boolean {
  if (typeof record.type !== 'string' || !isWithin(record, DEEPEST)) return false
  return !Object.hasOwn(EVENTS, record.type) || EVENTS[record.type]?.(record) === true
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every(part => isWithin(part, levels - 1))
}
