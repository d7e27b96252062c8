// The answer to `tools/list`, which may be anything → the tools that can be offered, and what is wrong with the others. All that a server says about
// them is its own claim: texts are shortened and shown as they are, hints only ever make calls more careful.
import { createHash } from 'node:crypto'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../core/json.js'
import { foreignText } from './foreign-text.js'

/** Longest description of a tool, and of one of its parameters, in UTF-16 code units. */
const MOST_TOLD = 1_024
const MOST_TOLD_OF_FIELD = 300

/** Largest schema, as JSON. */
const MOST_SCHEMA = 64 * 1_024

export interface ListedTool {
  /** As the server calls it. */
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  /** `true` when the server says so; only claims. */
  readonly claims: { readonly readsOnly: boolean; readonly destroys: boolean; readonly idempotent: boolean }
  /** Another one when anything about the tool is: name, description, schema, claims. Does not depend on the order of keys. */
  readonly print: string
}

export interface Unlisted {
  readonly name: string
  readonly why: string
}

/** A tool of a list, or why it can't be offered. */
export function listedTool(value: JsonValue | undefined): ListedTool | Unlisted {
  const { name, description, inputSchema, annotations } = isObject(value) ? value : ({} as JsonObject)
  if (typeof name !== 'string' || name.trim() === '') return { name: '?', why: 'it has no name' }
  const shown = foreignText(name, 80)
  if (name.length > 256) return { name: shown, why: 'its name is too long' }
  if (!isObject(inputSchema) || inputSchema.type !== 'object') return { name: shown, why: 'its input is no schema of an object' }
  if (JSON.stringify(inputSchema).length > MOST_SCHEMA) return { name: shown, why: 'its schema is too large' }
  const strange = Object.keys(isObject(inputSchema.properties) ? inputSchema.properties : {}).find(key => !PLAIN_KEY.test(key))
  if (strange !== undefined) return { name: shown, why: `it has a parameter ${JSON.stringify(foreignText(strange, 40))}` }
  const hints = isObject(annotations) ? annotations : {}
  return {
    name,
    description: typeof description === 'string' ? foreignText(description, MOST_TOLD) : '',
    parameters: withToldFields(inputSchema) as JsonSchema,
    claims: {
      readsOnly: hints.readOnlyHint === true,
      destroys: hints.destructiveHint === true,
      idempotent: hints.idempotentHint === true,
    },
    print: createHash('sha256')
      .update(canonical({ name, description: description ?? null, inputSchema, hints }))
      .digest('hex'),
  }
}

// what would break a line of a prompt, or look like a tag or a token in it
const PLAIN_KEY = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>|]{1,100}$/u

/** The same schema with every description in it shortened. */
function withToldFields(value: JsonValue, key = '', inside = ''): JsonValue {
  if (typeof value === 'string')
    return (key === 'description' || key === 'title') && inside !== 'properties' ? foreignText(value, MOST_TOLD_OF_FIELD) : value
  if (Array.isArray(value)) return value.map(item => withToldFields(item))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withToldFields(item, name, key)]))
}

/** JSON with its keys in order. */
function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  )
}
