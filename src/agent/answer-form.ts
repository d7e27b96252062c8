// The schema that an answer must fit → how a prompt tells it, and an answer's text → its data, or what is wrong with it field by field. The text
// climbs the same ladder as a tool's input: whatever is no object is read as the only field of one.
import { SaydoError } from '../core/errors.js'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../core/json.js'
import type { Say } from '../core/text.js'
import type { InputCheck, InputIssue, Tool } from '../core/tool.js'
import type { InputReading } from '../parse/fit-object.js'
import { readActionInput } from '../parse/input-text.js'
import { Notes, refuse } from '../parse/notes.js'
import { toolbox } from '../parse/tool-shape.js'
import { type InputSchema, isStandardSchema, jsonSchemaOf, standardCheck } from '../tools/define.js'
import { describeTool, typeWords } from '../tools/describe.js'
import { clip, wrongType } from '../tools/input-issues.js'
import { isolate } from '../tools/isolate.js'
import { messageOf } from '../tools/result.js'
import { checkInput, compileSchema } from '../tools/validate.js'
import { readIssues } from './read-issues.js'

/** A plain JSON Schema of any type, or a schema of a library that implements Standard Schema. */
export type AnswerSchema = InputSchema

export type AnswerReading =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly issues: readonly InputIssue[] }

/** More guessing than this makes no answer: the model is asked again. */
const MOST_DOUBT = 2

/** Time for the check of one answer, in ms. */
const CHECK_MS = 30_000

const NAME = 'answer'

const AN_OBJECT = /^\s{0,80}(?:`{3}[a-z]{0,10}\s{1,80})?[{｛]/

type Form = Pick<Tool, 'name' | 'description' | 'parameters' | 'check'>

export class AnswerForm {
  /** Of the answer itself. */
  readonly schema: JsonSchema
  readonly #form: Form
  /** The answer is a field of what is read, since its schema is none of an object. */
  readonly #wrapped: boolean
  /** How a prompt tells it: in type words, which small models copy less than a schema; then, one to a line, what the schema says of its fields. */
  readonly told: string

  /** Throws `CONFIG` for a schema that is none. */
  constructor(schema: AnswerSchema) {
    this.schema = schemaOf(schema)
    this.#wrapped = this.schema.type !== 'object'
    const check = isStandardSchema(schema) ? standardCheck(schema) : undefined
    this.#form = {
      name: NAME,
      description: '',
      parameters: this.#wrapped ? wrap(this.schema) : this.schema,
      ...(check ? { check: this.#wrapped ? ({ [NAME]: value }) => check(value) : check } : {}),
    }
    this.told = inWords(this.#form, this.schema)
  }

  /** Makes ready to check answers; rejects with `CONFIG` when the schema is no valid JSON Schema. */
  async prepare(): Promise<void> {
    if (this.#form.check) return
    await compileSchema(this.#form).catch((cause: Error) => {
      throw new SaydoError('CONFIG', `the schema of the answer is no valid JSON Schema: ${messageOf(cause.cause ?? cause)}`, {
        cause,
      })
    })
  }

  async read(text: string, say: Say): Promise<AnswerReading> {
    const { parameters } = this.#form
    const read = this.#wrapped && AN_OBJECT.test(text) ? wrapped(readFreely(text)) : this.#readFitted(text)
    if (read.ok) return this.#fit(await this.#check(read.input, say))
    const isField = read.code === 'INVALID_INPUT' && read.data?.object !== true
    const issues = isField ? readIssues(read, parameters, say) : [wrongType('', this.schema, this.schema, say, quoted(text))]
    return { ok: false, issues: issues.map(issue => this.#bare(issue)) }
  }

  /** What a schema's own code throws about a model's answer is one thing more that is wrong with it. */
  async #check(input: JsonObject, say: Say): Promise<InputCheck> {
    try {
      return await inTime(signal => checkInput(this.#form, input, say, signal))
    } catch (error) {
      if (error instanceof SaydoError) throw error
      return { ok: false, issues: [{ path: '', message: messageOf(error, 300) }] }
    }
  }

  #readFitted(text: string): InputReading {
    const notes = new Notes()
    const read = readActionInput(text, 0, toolbox([this.#form]).byName.get(NAME), notes)
    // a sentence is no object, even where there is one field to put it into
    const guessed = !this.#wrapped && notes.list().some(({ code }) => code === 'INPUT_TO_ONLY_PARAMETER')
    return guessed
      ? refuse('INVALID_INPUT', 'The answer is no object.', { start: 0, end: text.length }, { object: true })
      : unlessDoubtful(read, notes)
  }

  #fit(check: InputCheck): AnswerReading {
    if (!check.ok) return { ok: false, issues: check.issues.map(issue => this.#bare(issue)) }
    const plain = dataMade(check.input)
    const isOwn = this.#form.check !== undefined
    return { ok: true, value: this.#wrapped && !isOwn && isObject(plain) ? (plain[NAME] ?? null) : plain }
  }

  #bare({ path, message }: InputIssue): InputIssue {
    return { path: this.#wrapped ? path.replace(/^\/answer(?=\/|$)/, '') : path, message }
  }
}

function inWords(form: Form, schema: JsonSchema): string {
  const isWrapped = form.parameters !== schema
  const described = describeTool(form).parameters.flatMap(({ name, description }) =>
    description === undefined ? [] : [isWrapped ? description : `${name}: ${description}`],
  )
  return [typeWords(schema, schema), ...described.map(line => `- ${line}`)].join('\n')
}

/** An object as it stands, for a schema that may want one among other things. */
function readFreely(text: string): InputReading {
  const notes = new Notes()
  return unlessDoubtful(readActionInput(text, 0, undefined, notes), notes)
}

function wrapped(read: InputReading): InputReading {
  return read.ok ? { ok: true, input: { [NAME]: read.input } } : read
}

function unlessDoubtful(read: InputReading, notes: Notes): InputReading {
  if (notes.costSince(0) <= MOST_DOUBT) return read
  return refuse('IN_DOUBT', 'Reading the answer took too much guessing.', { start: 0, end: 0 })
}

function schemaOf(schema: AnswerSchema): JsonSchema {
  try {
    const plain = plainJson(isStandardSchema(schema) ? jsonSchemaOf(NAME, schema) : schema)
    if (isObject(plain)) return plain
    throw new SaydoError('CONFIG', 'it is no object', {
      hint: 'give a JSON Schema as plain data, or a Standard Schema such as z.object({…})',
    })
  } catch (cause) {
    const hint = cause instanceof SaydoError ? cause.hint : undefined
    throw new SaydoError('CONFIG', 'the schema of the answer cannot be used', { cause, ...(hint === undefined ? {} : { hint }) })
  }
}

/** References lead from the root, so they go one field further; without its `$id` the schema has no root of its own. */
function wrap({ $schema, $id, ...schema }: JsonSchema): JsonSchema {
  const inner = led(schema, `#/properties/${NAME}`)
  return { type: 'object', properties: { [NAME]: inner }, required: [NAME], ...($schema === undefined ? {} : { $schema }) }
}

function led(value: JsonValue, root: string): JsonValue {
  if (Array.isArray(value)) return value.map(item => led(item, root))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === '$ref' && typeof item === 'string' ? item.replace(/^#(?=\/|$)/, root) : led(item, root),
    ]),
  )
}

/** A schema's own code may hang as a tool may. */
async function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const outcome = await isolate(work, { timeoutMs: CHECK_MS })
  if (outcome.kind === 'value') return outcome.value as T
  throw outcome.kind === 'threw' ? outcome.thrown : new Error(`the answer could not be checked within ${CHECK_MS / 1000} s`)
}

/** What became of an answer, as the data that a record can hold. */
function dataMade(made: unknown): JsonValue {
  try {
    return plainJson(made)
  } catch (cause) {
    throw new SaydoError('CONFIG', `what the schema makes of an answer is no plain JSON: ${messageOf(cause)}`, {
      hint: 'let it give plain data, and turn that into other types after the run',
      cause,
    })
  }
}

function plainJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value) ?? 'null') as JsonValue
}

/** A text as a message quotes it, on one line. */
function quoted(text: string): string {
  return JSON.stringify(clip(text.trim().replace(/\s+/g, ' ')))
}
