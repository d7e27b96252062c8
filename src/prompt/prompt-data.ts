// Everything one prompt is made of → the names a template may use.
import type { Labels } from '../core/dialect.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import type { Message } from '../core/message.js'
import type { StopReason } from '../core/step.js'
import type { ParameterDoc, PromptNote, ToolDoc } from '../core/text.js'
import type { ObjectShape } from './shape.js'

/** Everything one prompt is made of. What may change within a run is marked; all else must stay the same, so that prompts only grow. */
export interface PromptData {
  /** The user's turn, as `dialect.formatTask` writes it. */
  readonly task: string
  readonly tools: readonly ToolDoc[]
  /** The turns of each example. */
  readonly examples: readonly (readonly Message[])[]
  readonly labels: Labels
  /** What a structured answer must look like, in words. */
  readonly answerSchema?: string
  /** What somebody outside says, in their words. */
  readonly notes?: readonly PromptNote[]
  /** Grows: the turns of the steps so far. Each step begins with the assistant's turn. */
  readonly scratchpad: readonly Message[]
  /** Changes: how many steps were trimmed from the scratchpad's head; default 0. */
  readonly omitted?: number
  /** Changes: what the agent says about the world before this step, where it is news; what is not stands in the scratchpad. */
  readonly situation?: string
  /** Changes: what the model is told about its last reply. */
  readonly nudge?: string
  /** Changes: true for the last turn, in which no tool may be called. */
  readonly final?: boolean
  /** With `final`: why it is the last turn; default `max_steps`. */
  readonly reason?: StopReason
}

/** What a template is rendered with, besides the turns: `PromptData` without what changes from step to step. */
export const HEAD_NAMES = ['task', 'tools', 'labels', 'answerSchema', 'notes'] as const satisfies readonly (keyof PromptData)[]

export type HeadData = Pick<PromptData, (typeof HEAD_NAMES)[number]>

/**
 * What a template may name. Labels are those the dialect writes. `enum`, `default` and `example` are JSON text. `examples` and `scratchpad`
 * are places for whole turns.
 */
export const TEMPLATE_SHAPE = {
  task: 'value',
  tools: [
    {
      name: 'value',
      description: 'value',
      'returns?': 'value',
      parameters: [
        {
          name: 'value',
          type: 'value',
          required: 'value',
          'description?': 'value',
          'enum?': ['value'],
          'default?': 'value',
          'example?': 'value',
        },
      ],
    },
  ],
  labels: { thought: 'value', action: 'value', actionInput: 'value', observation: 'value', finalAnswer: 'value' },
  'answerSchema?': 'value',
  'notes?': [{ from: 'value', text: 'value' }],
  'examples?': 'value',
  scratchpad: 'value',
} as const satisfies ObjectShape

/** The data of a prompt as a template sees them. */
export function templateData({ task, tools, labels, answerSchema, notes }: HeadData): JsonObject {
  return {
    task,
    tools: tools.map(tool => ({ ...tool, parameters: tool.parameters.map(parameterData) })),
    labels: Object.fromEntries(Object.entries(labels).map(([key, words]: [string, readonly string[]]) => [key, words[0] ?? ''])),
    ...(answerSchema === undefined ? {} : { answerSchema }),
    ...(notes === undefined ? {} : { notes: notes.map(note => ({ ...note })) }),
  }
}

/** `default: 0` and `default: ""` are as good as any: as JSON text they are true in `{{#if}}`. */
function parameterData({
  name,
  type,
  required,
  description,
  enum: values,
  default: fallback,
  example,
}: ParameterDoc): JsonObject {
  const told = values?.map(value => JSON.stringify(value)) ?? []
  return {
    name,
    type,
    required,
    ...(description === undefined ? {} : { description }),
    // a type such as `one of "a", "b"` has said it already
    enum: told.every(value => type.includes(value)) ? [] : told,
    ...jsonText('default', fallback),
    ...jsonText('example', example),
  }
}

const jsonText = (name: string, value: JsonValue | undefined): JsonObject =>
  value === undefined ? {} : { [name]: JSON.stringify(value) }
