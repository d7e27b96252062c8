// A description of a tool with its function → a checked, frozen Tool. Everything that can be wrong with it is said here, before any run.
import { SaydoError } from '../core/errors.js'
import { isObject, type JsonObject, type JsonSchema } from '../core/json.js'
import { requireObject } from '../core/options.js'
import type { StandardIssue, StandardSchema } from '../core/schema.js'
import type { InputCheck, InputIssue, Tool, ToolContext } from '../core/tool.js'

/** What `input` may be: a plain JSON Schema of `type: object`, or a schema of any library that implements Standard Schema. */
export type InputSchema = JsonObject | StandardSchema<unknown, unknown>

/** What `run` gets: the output of a Standard Schema; otherwise a JSON object (annotate it yourself for a closer type). */
export type InputOf<S> = S extends StandardSchema<infer _Input, infer Output> ? Output : JsonObject

export interface ToolDefinition<S> extends Omit<Tool, 'parameters' | 'check' | 'run'> {
  /** Unset: the tool takes no parameters. */
  readonly input?: S
  /** May be sync or async, and return anything; a string reaches the model as it is, other values as JSON. Throw to report a failure. */
  run(input: InputOf<S>, context: ToolContext): unknown
}

/**
 * Builds a tool.
 *
 * `name` is any one-line text without blanks at its ends. With a Standard Schema, its own validation checks each input (it may be async)
 * and `run` gets its output; its JSON Schema (`~standard.jsonSchema`) is what the model sees.
 *
 * @example
 * const weather = tool({
 *   name: 'weather',
 *   description: 'Current weather of one city.',
 *   input: z.object({ city: z.string() }),
 *   run: async ({ city }, { signal }) => (await fetch(`https://wx.example/${city}`, { signal })).text(),
 * })
 *
 * @throws SaydoError `CONFIG` when the name, the schema or a limit is not usable
 */
export function tool<S extends InputSchema = JsonObject>(definition: ToolDefinition<S>): Tool {
  requireObject(definition, 'a tool')
  const { input, run: _run, ...rest } = definition
  const built: Tool = {
    ...rest,
    parameters: parametersOf(rest.name, input),
    ...(isStandardSchema(input) ? { check: standardCheck(input) } : {}),
    run: (given: never, context) => definition.run(given, context),
  }
  requireTool(built)
  return Object.freeze(built)
}

/** True for anything that can be called as a tool, however it was made. */
export function isTool(value: unknown): value is Tool {
  if (typeof value !== 'object' || value === null) return false
  try {
    const { name, description, parameters, run } = value as Partial<Record<keyof Tool, unknown>>
    return typeof name === 'string' && typeof description === 'string' && isObject(parameters) && typeof run === 'function'
  } catch {
    // a getter or a proxy that throws
    return false
  }
}

/** @throws SaydoError `CONFIG` that says what about `value` is no usable tool */
export function requireTool(value: unknown): asserts value is Tool {
  const name = isObject(value) ? value.name : undefined
  requireName(name)
  if (!isTool(value)) {
    throw broken(
      name,
      'it needs a description, parameters and a run function',
      'Build it with tool({name, description, input, run}).',
    )
  }
  requirePlain(value.name, value.parameters)
  if (value.parameters.type !== 'object')
    throw broken(name, 'its parameters are not of type object', objectHint(value.parameters))
  requireTextParameter(value)
  requireMs(value)
  requireCaution(value)
  for (const option of ['maxCallsPerRun', 'maxCallsPerMinute', 'maxCallsPerStep'] as const) requireCount(value, option)
  requireQuestion(value)
  requireEnding(value)
}

function requireName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || name.trim() === '') {
    throw new SaydoError('CONFIG', 'A tool has no name.', { hint: 'Give it the name the model shall write after "Action:".' })
  }
  // a name stands on one line of a prompt: no line break of any script, no other control character
  if (name !== name.trim() || /[\p{Cc}\u2028\u2029]/u.test(name)) {
    throw new SaydoError('CONFIG', `The tool name ${JSON.stringify(name)} cannot be written on one line as it is.`, {
      hint: 'Use a name without line breaks, control characters and blanks at its ends.',
    })
  }
}

function requireTextParameter({ name, parameters, textParameter }: Tool): void {
  if (textParameter === undefined) return
  const { properties, required } = parameters
  if (!isObject(properties) || !Object.hasOwn(properties, textParameter))
    throw broken(
      name,
      `textParameter names ${JSON.stringify(textParameter)}, which is none of its parameters`,
      'Name one of them.',
    )
  if (Array.isArray(required) && required.some(key => key !== textParameter))
    throw broken(
      name,
      `plain text for ${JSON.stringify(textParameter)} would leave out a required parameter`,
      'Leave textParameter out, or require no other parameter.',
    )
}

/** A slip here would switch off the caution that was asked for. */
function requireCaution({ name, effect, doubt }: Tool): void {
  if (effect !== undefined && effect !== 'none' && effect !== 'changes')
    throw broken(name, `effect is ${String(effect)}`, "Give effect 'changes' or 'none', or leave it out.")
  if (doubt !== undefined && !(typeof doubt === 'number' && doubt >= 0))
    throw broken(name, `doubt is ${String(doubt)}`, 'Give doubt a number from 0, or leave it out.')
}

function requireMs({ name, timeoutMs }: Tool): void {
  if (timeoutMs === undefined || (typeof timeoutMs === 'number' && timeoutMs > 0)) return
  throw broken(name, `timeoutMs is ${String(timeoutMs)}`, 'Give timeoutMs a positive number, or leave it out.')
}

function requireCount(tool: Tool, option: 'maxCallsPerRun' | 'maxCallsPerMinute' | 'maxCallsPerStep'): void {
  const value = tool[option]
  if (value === undefined || value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && value > 0)) return
  throw broken(tool.name, `${option} is ${String(value)}`, `Give ${option} a whole number from 1, or leave it out.`)
}

function requireQuestion({ name, confirm }: Tool): void {
  if (confirm === undefined || confirm === true || typeof confirm === 'function') return
  throw broken(
    name,
    `confirm is ${String(confirm)}`,
    'Give confirm true, or a function of the input; leave it out to call without asking.',
  )
}

function requireEnding({ name, finishes, ending }: Tool): void {
  if (ending === undefined) return
  if (typeof ending !== 'function')
    throw broken(name, 'its ending is no function', 'Give ending (input, observation) => ({success, answer}).')
  if (finishes !== true)
    throw broken(name, 'it has an ending, but does not finish', 'Add finishes: true, or leave the ending out.')
}

function parametersOf(name: unknown, input: InputSchema | undefined): JsonSchema {
  if (input === undefined) return { type: 'object', properties: {}, additionalProperties: false }
  const schema = isStandardSchema(input) ? jsonSchemaOf(name, input) : input
  // a copy as plain JSON: what is shown to the model cannot change later, nor hold anything that a transcript could not
  return JSON.parse(requirePlain(name, schema)) as JsonSchema
}

function requirePlain(name: unknown, schema: unknown): string {
  try {
    return JSON.stringify(schema)
  } catch (cause) {
    throw broken(
      name,
      'its input is not plain JSON',
      'Give a JSON Schema as plain data, or a Standard Schema such as z.object({…}).',
      cause,
    )
  }
}

/** The JSON Schema of what a library's schema takes in. Throws `CONFIG` when it has none. */
export function jsonSchemaOf(name: unknown, schema: StandardSchema<unknown, unknown>): unknown {
  const { vendor, jsonSchema } = schema['~standard']
  if (typeof jsonSchema?.input !== 'function') {
    throw broken(
      name,
      `its input schema (${vendor}) has no JSON Schema to show to the model`,
      `Convert it (for valibot: toStandardJsonSchema(schema) or toJsonSchema(schema) of @valibot/to-json-schema) and pass the result as input.`,
    )
  }
  const failures: unknown[] = []
  for (const target of ['draft-2020-12', 'draft-07']) {
    try {
      return jsonSchema.input({ target })
    } catch (cause) {
      failures.push(cause)
    }
  }
  const why = failures[0] instanceof Error ? failures[0].message : 'no reason given'
  throw broken(
    name,
    `its input schema (${vendor}) cannot be written as JSON Schema: ${why}`,
    'Describe what the model writes (text, numbers, lists) and turn it into other types with a transform or inside run.',
    failures[0],
  )
}

/** A library's own validation as the check of a tool. */
export function standardCheck(schema: StandardSchema<unknown, unknown>): (input: unknown) => Promise<InputCheck> {
  return async input => {
    const result = await schema['~standard'].validate(input)
    if (result.issues === undefined) return { ok: true, input: result.value }
    return { ok: false, issues: result.issues.map(inputIssue) }
  }
}

function inputIssue(issue: StandardIssue): InputIssue {
  const keys = (issue.path ?? []).map(part => String(typeof part === 'object' ? part.key : part))
  return { path: keys.map(key => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''), message: issue.message }
}

/** A schema may be a function too, as in arktype. */
export function isStandardSchema(value: unknown): value is StandardSchema<unknown, unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  const standard = (value as { '~standard'?: unknown })['~standard']
  return isObject(standard) && typeof standard.validate === 'function'
}

function objectHint(schema: JsonSchema): string {
  const values = Object.values(schema)
  const looksLikeProperties = values.length > 0 && values.every(value => isObject(value) && 'type' in value)
  return looksLikeProperties
    ? 'Wrap the parameters: { type: "object", properties: { … }, required: [ … ] }.'
    : 'A call has named parameters: use a schema of type object, e.g. z.object({…}).'
}

function broken(name: unknown, what: string, hint: string, cause?: unknown): SaydoError {
  return new SaydoError('CONFIG', `The tool ${JSON.stringify(name)} cannot be used: ${what}.`, { hint, cause })
}
