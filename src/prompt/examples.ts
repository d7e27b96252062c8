// Few-shot examples as data, and which of them fit the tools of a run. They hold steps, not text: whoever knows the dialect writes them out,
// so that examples, scratchpad and parser always speak the same format. An example never calls a tool that is not registered, because
// models do what examples do.
import type { JsonObject, JsonValue } from '../core/json.js'
import type { ToolDoc } from '../core/text.js'

export interface ExampleCall {
  readonly tool: string
  readonly input: JsonObject
}

export type ExampleStep =
  /** One observation for each call, in its order. */
  | {
      readonly thought: string
      readonly calls: readonly [ExampleCall, ...ExampleCall[]]
      readonly observations: readonly string[]
    }
  | { readonly thought: string; readonly answer: string }

export interface Example {
  /** What it shows, e.g. `comparison`. */
  readonly name: string
  readonly task: string
  readonly steps: readonly ExampleStep[]
  /** Names of examples, earlier in the list, that show the same and more: this one is for tools that can play none of them. */
  readonly insteadOf?: readonly string[]
}

/** A tool by its name alone, or with its parameters, against which an example's inputs are then checked too. */
export type ExampleTool = string | Pick<ToolDoc, 'name' | 'parameters'>

export interface ExampleChoice {
  readonly kept: readonly Example[]
  /** Examples left out, each with a reason for people. */
  readonly left: readonly { readonly name: string; readonly reason: string }[]
}

/**
 * The examples that these tools can really play. When a tool's only parameter has another name or is the only required one, the example's
 * input is renamed to it; an input that does not fit leaves the example out.
 */
export function chooseExamples(examples: readonly Example[], tools: readonly ExampleTool[]): ExampleChoice {
  const known = new Map(tools.map(tool => (typeof tool === 'string' ? [tool, undefined] : [tool.name, tool.parameters])))
  const kept: Example[] = []
  const left: { name: string; reason: string }[] = []
  for (const example of examples) {
    if (kept.some(({ name }) => example.insteadOf?.includes(name))) continue
    const missing = toolsOf(example).filter(tool => !known.has(tool))
    if (missing.length > 0) {
      left.push({ name: example.name, reason: `no tool named ${missing.join(', ')}` })
      continue
    }
    const fitted = fitExample(example, known)
    if (typeof fitted === 'string') left.push({ name: example.name, reason: `${fitted} takes another input` })
    else kept.push(fitted)
  }
  return { kept, left }
}

/** Names of the tools an example calls, each once. */
export function toolsOf({ steps }: Example): readonly string[] {
  return [...new Set(steps.flatMap(step => ('calls' in step ? step.calls.map(({ tool }) => tool) : [])))]
}

type Parameters = ToolDoc['parameters'] | undefined

/** The example with inputs these tools take, or the name of the tool that takes another one. */
function fitExample(example: Example, known: ReadonlyMap<string, Parameters>): Example | string {
  const steps: ExampleStep[] = []
  for (const step of example.steps) {
    if ('answer' in step) {
      steps.push(step)
      continue
    }
    const calls: ExampleCall[] = []
    for (const { tool, input } of step.calls) {
      const fitted = fitInput(input, known.get(tool))
      if (fitted === undefined) return tool
      calls.push({ tool, input: fitted })
    }
    const [first, ...rest] = calls
    if (first !== undefined) steps.push({ ...step, calls: [first, ...rest] })
  }
  return { ...example, steps }
}

function fitInput(input: JsonObject, parameters: Parameters): JsonObject | undefined {
  if (parameters === undefined) return input
  const required = parameters.filter(parameter => parameter.required)
  const names = Object.keys(input)
  const fits = (name: string): boolean => parameters.some(each => each.name === name && isFor(input[name], each))
  if (names.every(fits) && required.every(parameter => names.includes(parameter.name))) return input

  const only = parameters.length === 1 ? parameters[0] : required.length === 1 ? required[0] : undefined
  const [value] = Object.values(input)
  if (only === undefined || value === undefined || names.length !== 1 || !isFor(value, only)) return undefined
  return { [only.name]: value }
}

function isFor(value: JsonValue | undefined, { type, enum: choices }: ToolDoc['parameters'][number]): boolean {
  if (choices !== undefined) return value !== undefined && choices.includes(value)
  // the words for a type, such as `integer, at least 1`
  const [word] = type.split(',')
  return word === typeof value || (word === 'integer' && Number.isInteger(value))
}
