// What a JSON Schema validator found → one plain sentence for each field, which a small model can act on: the path, what must be, what came.
import type { JsonObject, JsonSchema, JsonValue } from '../core/json.js'
import { nearNames } from '../core/near-names.js'
import type { InputIssue } from '../core/tool.js'
import { typeWords, withArticle } from './describe.js'

const MOST_ISSUES = 10

/** One finding of the validator (ajv's shape, with `verbose`). */
export interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly schemaPath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
  /** The schema that holds the keyword. */
  readonly parentSchema?: unknown
  /** The value it was about. */
  readonly data?: unknown
}

/** At most ten issues, in the validator's order; `root` resolves local references. */
export function issuesOf(errors: readonly SchemaError[], root: JsonSchema): InputIssue[] {
  // the branches of a choice are told as one: "must be string or null"
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  const inBranch = (error: SchemaError) =>
    choices.some(
      choice =>
        choice !== error &&
        error.schemaPath.startsWith(`${choice.schemaPath}/`) &&
        error.instancePath.startsWith(choice.instancePath),
    )
  const told = errors.filter(error => !inBranch(error) && error.keyword !== 'if')
  return told.slice(0, MOST_ISSUES).map(error => issueOf(error, root))
}

function issueOf(error: SchemaError, root: JsonSchema): InputIssue {
  const { keyword, params, instancePath, parentSchema, data } = error
  const got = `, got ${quote(data)}`
  const at = (message: string, key?: unknown): InputIssue => ({
    path: key === undefined ? instancePath : `${instancePath}/${String(key)}`,
    message,
  })
  const schema = (parentSchema ?? {}) as JsonObject
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return at(`is required (${typeWords(propertyOf(schema, params.missingProperty), root)})`, params.missingProperty)
    case 'additionalProperties':
      return at(unknownKey(String(params.additionalProperty), schema), params.additionalProperty)
    case 'unevaluatedProperties':
      return at(unknownKey(String(params.unevaluatedProperty), schema), params.unevaluatedProperty)
    case 'type':
    case 'anyOf':
    case 'oneOf':
    case 'enum':
    case 'const':
      return at(`must be ${withArticle(typeWords(schema, root))}${got}`)
    case 'minimum':
      return at(`must be at least ${params.limit}${got}`)
    case 'maximum':
      return at(`must be at most ${params.limit}${got}`)
    case 'exclusiveMinimum':
      return at(`must be more than ${params.limit}${got}`)
    case 'exclusiveMaximum':
      return at(`must be less than ${params.limit}${got}`)
    case 'multipleOf':
      return at(`must be a multiple of ${params.multipleOf}${got}`)
    case 'minLength':
      return at(`must have at least ${params.limit} character${params.limit === 1 ? '' : 's'}${got}`)
    case 'maxLength':
      return at(`must have at most ${params.limit} characters${got}`)
    case 'minItems':
      return at(`must have at least ${params.limit} item${params.limit === 1 ? '' : 's'}${got}`)
    case 'maxItems':
      return at(`must have at most ${params.limit} items${got}`)
    case 'pattern':
      return at(`must match the pattern ${params.pattern}${got}`)
    case 'format':
      return at(`must be a valid ${params.format}${got}`)
    default:
      return at(`${error.message ?? `breaks the rule ${keyword}`}${got}`)
  }
}

function unknownKey(key: string, schema: JsonObject): string {
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : []
  if (names.length === 0) return 'is not known here: there are no parameters'
  const near = nearNames(key, names)[0]
  return near === undefined
    ? `is not known here; known are ${names.slice(0, 20).join(', ')}`
    : `is not known here; perhaps "${near}" was meant`
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= 60 ? text : `${text.slice(0, 57).replace(/[\uD800-\uDBFF]$/, '')}...`
}

function propertyOf(schema: JsonObject, key: unknown): JsonValue | undefined {
  const { properties } = schema
  return isObject(properties) && typeof key === 'string' && Object.hasOwn(properties, key) ? properties[key] : undefined
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
