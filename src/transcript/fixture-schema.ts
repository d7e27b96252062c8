// What a fixture file may hold, key by key: what the reader checks, the order in which the writer writes, and, as schema/fixture.schema.json, what
// editors complete. Only as much of JSON Schema as that needs.
import { APPROVAL_VERDICTS } from '../core/event.js'
import type { JsonObject } from '../core/json.js'
import { FINISHES } from '../core/model.js'
import { PROBLEM_CODES } from '../core/reply.js'
import { STOP_REASONS } from '../core/step.js'
import { FAILURE_CODES } from '../core/tool.js'
import { PROMPT_PARTS } from './request.js'

export interface Schema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean' | readonly string[]
  readonly description?: string
  /** No others, unless `additionalProperties` is true. */
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly enum?: readonly (string | number)[]
  /** Alternatives that differ in their type. */
  readonly anyOf?: readonly Schema[]
}

/** Numbers and booleans are taken as they are written, so that `result: 42` need not be quoted. */
const TEXT_TYPES = ['string', 'number', 'boolean'] as const

const text = (description: string): Schema => ({ type: TEXT_TYPES, description })
const count = (description: string): Schema => ({ type: 'integer', description })
const oneOf = (values: readonly string[], description: string): Schema => ({ type: 'string', enum: values, description })
const listOf = (items: Schema, description: string): Schema => ({ type: 'array', items, description })
const mapOf = (properties: Readonly<Record<string, Schema>>, description: string, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...(required.length > 0 ? { required } : {}),
  description,
})
const anyMap = (description: string): Schema => ({ type: 'object', additionalProperties: true, description })
const anything = (description: string): Schema => ({ description })
const oneOrMore = (items: Schema, description: string): Schema => ({
  anyOf: [items, { type: 'array', items, minItems: 1 }],
  description,
})

const error = mapOf(
  { code: text('Such as MODEL_BROKEN_STREAM.'), message: text('For people.'), hint: text('What to do about it.') },
  'What the endpoint, or the program, failed with.',
  ['code', 'message'],
)

const notices = listOf(
  mapOf({ code: text('A name.'), message: text('For people.') }, 'Something worth knowing.', ['code', 'message']),
  'What was said once; nobody checks it.',
)

const tools = listOf(
  mapOf(
    {
      name: text('As the model writes it.'),
      description: text('For the model.'),
      parameters: anyMap('A JSON Schema of type object.'),
      textParameter: text('The parameter that plain text goes to.'),
      returns: text('What comes back, for the model.'),
      effect: oneOf(['none', 'changes'], 'What a call does to the world.'),
      doubt: count('Highest cost of reading at which a call is made.'),
      finishes: { type: 'boolean', description: 'A successful call ends the run.' },
      idempotent: { type: 'boolean', description: 'Running it twice does no harm.' },
      repeatable: { type: 'boolean', description: 'The same call with the same result is no sign of being stuck.' },
    },
    'A tool.',
    ['name', 'description', 'parameters'],
  ),
  'What the model may call.',
)

const notes = listOf(
  mapOf({ from: text('Who says it.'), text: text('On one line.') }, 'What somebody outside says.', ['from', 'text']),
  'What stands beside the tools in the head of the prompt.',
)

const decision: Schema = {
  description: 'What was read: one call, several, an answer, or why there is none. Checked.',
  anyOf: [
    mapOf(
      {
        tool: text('The tool that is called.'),
        input: anyMap('Its input.'),
        answer: text('The answer.'),
        unclear: oneOf(PROBLEM_CODES, 'Why there is no decision.'),
      },
      'A call, an answer, or why there is neither.',
    ),
    {
      type: 'array',
      minItems: 1,
      items: mapOf({ tool: text('The tool that is called.'), input: anyMap('Its input.') }, 'A call.', ['tool', 'input']),
    },
  ],
}

const call = mapOf(
  {
    name: text('The tool, when it is not the one that was read.'),
    input: anyMap('The input that was run, when it is not the one that was read.'),
    approval: mapOf(
      {
        verdict: oneOf(APPROVAL_VERDICTS, 'What was said.'),
        reason: text('Why.'),
      },
      'What somebody said about the call before it was made.',
      ['verdict'],
    ),
    called: { type: 'boolean', description: 'Whether it was begun, when the result does not say that.' },
    result: text('What it gave, as the model read it.'),
    error: mapOf({ code: oneOf(FAILURE_CODES, 'How it failed.'), message: text('For people.') }, 'In place of a result.', [
      'code',
    ]),
    observation: text('What the model read of the error.'),
    truncated: count('Characters left out of the result.'),
    json: { type: 'boolean', description: 'The result is JSON, and its value the data.' },
    data: anything('The result as data, where its text does not say it.'),
  },
  'What a call gave.',
)

const reply = {
  error,
  tools_now: { ...tools, description: 'The tools from here on, when they changed.' },
  notes_now: { ...notes, description: 'What stands beside them from here on, when that changed.' },
  model: text('The reply, exactly as it came.'),
  reasoning: text('What the endpoint kept apart from it.'),
  finish: oneOf(FINISHES, 'How it ended; default stop.'),
  parsed: decision,
  problems: listOf(oneOf(PROBLEM_CODES, 'A code; saydo explain CODE.'), 'What was odd about it, each code once. Checked.'),
  tool: oneOrMore(call, 'What the calls gave, in their order.'),
  nudge: text('What the model was told about its reply.'),
  notices,
  meta: mapOf(
    {
      in: count('Tokens of the prompt.'),
      out: count('Tokens of the reply.'),
      ms: count('Time of the reply.'),
      cuts: listOf(count('A place in the text.'), 'Where its chunks ended, in UTF-16 code units.'),
      calls: listOf(count('Time of a call, in ms.'), 'Times of the calls.'),
      images: listOf(text('SHA-256 of its bytes.'), 'Images that the prompt showed; a fixture does not hold them.'),
    },
    'Facts that nobody checks.',
  ),
} satisfies Record<string, Schema>

const step = mapOf(
  {
    situation: text('What the agent said about the world before this step.'),
    failed: listOf(mapOf(reply, 'A reply that gave no decision, or an error.'), 'Earlier tries at this step, in order.'),
    ...reply,
  },
  'One step: what the model said, and what came of it.',
)

const start = {
  agent: text('Kind of agent.'),
  dialect: text('How the model was asked to write; default react.'),
  model: text('Name of the model.'),
  tools,
  notes,
  options: anyMap('Options of the agent.'),
} satisfies Record<string, Schema>

const turn = mapOf(
  {
    user: text('The task.'),
    start: mapOf(
      {
        ...start,
        forked: mapOf({ run: text('Id of the run.'), step: count('From this step on it went another way.') }, 'Where it began.', [
          'run',
          'step',
        ]),
      },
      'What the run began with, where that is not what stands at the top.',
    ),
    notices,
    steps: listOf(step, 'In order.'),
    ends: oneOf(STOP_REASONS, 'Why the run ended. Checked.'),
    reason: oneOf(STOP_REASONS, 'For best_effort: what forced the last turn.'),
    answer: text('The answer, when it is not the last reply’s own.'),
    value: anything('The answer as data.'),
    error,
    meta: mapOf(
      {
        run: text('Id of the run.'),
        in: count('Tokens of all prompts.'),
        out: count('Tokens of all replies.'),
        ms: count('Time of the run.'),
        message: text('How it ended, for people.'),
      },
      'Facts that nobody checks.',
      ['run'],
    ),
  },
  'A task, and how it went.',
  ['user', 'steps'],
)

export const FIXTURE_SCHEMA: Schema = mapOf(
  {
    fixture: { type: 'integer', description: 'Version of this format.' },
    name: text('What to call it.'),
    ...start,
    request: mapOf(
      {
        ...Object.fromEntries(PROMPT_PARTS.map(part => [part, text(`Fingerprint of the ${part}. Checked.`)])),
        lines: text('Fingerprints of the lines before the task.'),
      },
      'What the first prompt was.',
      [...PROMPT_PARTS, 'lines'],
    ),
    turns: { ...listOf(turn, 'Tasks, one after the other.'), minItems: 1 },
  },
  'A recorded run that people read, edit and commit.',
  ['fixture', 'turns'],
)

/** The file that ships with the package. */
export function fixtureSchemaFile(): JsonObject {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'saydo fixture', ...(FIXTURE_SCHEMA as JsonObject) }
}
