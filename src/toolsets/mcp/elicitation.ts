// What a server wants to know from the person → questions for them, one after the other, and the answer in the form that the server wants. It is somebody
// else's question, and is shown as such; nothing is given without a yes, and what is given stands in no record.
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../core/json.js'
import { compileSchema } from '../../tools/validate.js'
import type { AskPerson } from '../ask-human.js'
import { foreignText } from './foreign-text.js'

/** Most fields of one question, and most tries at one of them. */
const MOST_FIELDS = 20
const MOST_TRIES = 3

/** As the protocol has it: `cancel` where nobody is there, or nobody listens any more. */
export type Elicited = { readonly action: 'accept'; readonly content: JsonObject } | { readonly action: 'decline' | 'cancel' }

interface Field {
  readonly name: string
  readonly schema: JsonObject
  readonly required: boolean
}

/** Never rejects: a question that nobody could answer is declined. */
export async function elicit(server: string, params: JsonObject, ask: AskPerson, signal: AbortSignal): Promise<Elicited> {
  const fields = fieldsOf(params.requestedSchema)
  if (!fields) return { action: 'decline' }
  const wanted = fields.map(({ name }) => name).join(', ')
  const question = `The MCP server ${server} asks: ${foreignText(String(params.message), 500)}`
  try {
    const first = await ask(`${question}\nAnswer it${wanted === '' ? '' : ` (${wanted})`}? y or n`, signal)
    if (first === undefined) return { action: 'cancel' }
    if (!YES.test(first)) return { action: 'decline' }
    const content: Record<string, JsonValue> = {}
    for (const field of fields) {
      const given = await answerTo(field, ask, signal)
      if (given === 'cancel' || given === 'decline') return { action: given }
      if (given.value !== undefined) content[field.name] = given.value
    }
    return { action: 'accept', content }
  } catch {
    return { action: 'decline' }
  }
}

const YES = /^\s{0,20}(?:y|yes)\s{0,20}$/i

/** Undefined for a schema that asks for something else than plain values. */
function fieldsOf(schema: JsonValue | undefined): readonly Field[] | undefined {
  const { properties, required } = isObject(schema) ? schema : ({} as JsonObject)
  if (!isObject(properties)) return undefined
  const needed = Array.isArray(required) ? (required as readonly JsonValue[]) : []
  const entries = Object.entries(properties)
  if (entries.length > MOST_FIELDS || entries.some(([name, field]) => !/^[\w.-]{1,60}$/.test(name) || !isObject(field)))
    return undefined
  return entries.map(([name, field]) => ({ name, schema: field as JsonObject, required: needed.includes(name) }))
}

/** Without a value: it was left out. */
async function answerTo(
  field: Field,
  ask: AskPerson,
  signal: AbortSignal,
): Promise<'cancel' | 'decline' | { readonly value: JsonValue | undefined }> {
  const { name, schema, required } = field
  const validate = await compileSchema({
    name,
    parameters: { type: 'object', properties: { [name]: schema } } as unknown as JsonSchema,
  })
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const text = await ask(`${tries === 0 ? '' : 'That does not fit. '}${labelOf(field)}`, signal)
    if (text === undefined) return 'cancel'
    if (text.trim() === '') return required && schema.default === undefined ? 'decline' : { value: schema.default }
    const value = readAs(text.trim(), schema)
    if (validate({ [name]: value })) return { value }
  }
  return 'decline'
}

function labelOf({ name, schema, required }: Field): string {
  const { title, description, type } = schema
  const told = [title, description].filter(text => typeof text === 'string').map(text => foreignText(text, 200))
  const options = optionsOf(schema).map(({ title }) => foreignText(title, 60))
  const form =
    options.length > 0 ? `${type === 'array' ? 'some' : 'one'} of ${options.join(', ')}` : String(FORMS[String(type)] ?? '')
  const empty =
    schema.default === undefined
      ? required
        ? 'empty declines'
        : 'may be left empty'
      : `empty: ${foreignText(JSON.stringify(schema.default), 100)}`
  return `${name}${told.length > 0 ? `: ${told.join(', ')}` : ''} (${[form, empty].filter(part => part !== '').join('; ')})`
}

const FORMS: Readonly<Record<string, string>> = {
  boolean: 'y or n',
  number: 'a number',
  integer: 'a whole number',
  array: 'several, with commas',
}

function readAs(text: string, schema: JsonObject): JsonValue {
  const options = optionsOf(schema)
  const chosen = (part: string): string => options.find(({ title }) => title.toLowerCase() === part.toLowerCase())?.value ?? part
  switch (schema.type) {
    case 'boolean':
      return YES.test(text) || text === 'true' ? true : /^(?:n|no|false)$/i.test(text) ? false : text
    case 'number':
    case 'integer':
      return Number.isFinite(Number(text)) ? Number(text) : text
    case 'array':
      return text.split(',').map(part => chosen(part.trim()))
    default:
      return chosen(text)
  }
}

interface Option {
  readonly value: string
  /** As it is shown. */
  readonly title: string
}

/** What there is to choose from: `enum`, or constants with titles; for several, those of its items. */
function optionsOf({ enum: values, oneOf, anyOf, items }: JsonObject): readonly Option[] {
  if (isObject(items)) return optionsOf(items)
  const constants = [oneOf, anyOf].find(Array.isArray) as readonly JsonValue[] | undefined
  if (Array.isArray(values))
    return (values as readonly JsonValue[]).map(value => ({ value: String(value), title: String(value) }))
  return (constants ?? [])
    .filter(isObject)
    .map(({ const: value, title }) => ({ value: String(value), title: String(title ?? value) }))
}
