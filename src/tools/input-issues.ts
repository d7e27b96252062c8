// What a JSON Schema validator found → one issue for each field, in the words of the run, which a small model can act on: the path, what must
// be, what came.
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../core/json.js'
import { nearNames } from '../core/near-names.js'
import type { Say, TextName } from '../core/text.js'
import type { InputIssue } from '../core/tool.js'
import { typeWords } from './describe.js'
import { spoken } from './refusal.js'

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
export function issuesOf(errors: readonly SchemaError[], root: JsonSchema, say: Say): InputIssue[] {
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
  return told.slice(0, MOST_ISSUES).map(error => issueOf(error, root, say))
}

/** A parameter that is not there, as an issue. */
export function missingKey(path: string, key: string, schema: JsonSchema, root: JsonSchema, say: Say): InputIssue {
  return issue(pathTo(path, key), 'issue_required', { type: typeWords(propertyOf(schema, key), root) }, say)
}

/** A key that nobody knows, as an issue. */
export function unknownKey(path: string, key: string, schema: JsonObject, say: Say): InputIssue {
  const known = isObject(schema.properties) ? Object.keys(schema.properties) : []
  const near = nearNames(key, known)[0]
  return issue(pathTo(path, key), 'issue_unknown_key', { known, ...(near === undefined ? {} : { near }) }, say)
}

/** A value of a wrong type, as an issue; `got` is what was given, as JSON text. */
export function wrongType(path: string, schema: JsonValue | undefined, root: JsonSchema, say: Say, got?: string): InputIssue {
  return issue(path, 'issue_type', { type: typeWords(schema, root), ...(got === undefined ? {} : { got }) }, say)
}

/** One issue in the words of the run. */
export function issue(path: string, name: TextName, data: JsonObject, say: Say): InputIssue {
  return { path, message: spoken(say, name, data, name) }
}

function issueOf(error: SchemaError, root: JsonSchema, say: Say): InputIssue {
  const { keyword, params, instancePath, parentSchema, data } = error
  const got = quote(data)
  const schema = (parentSchema ?? {}) as JsonObject
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return missingKey(instancePath, String(params.missingProperty), schema, root, say)
    case 'additionalProperties':
      return unknownKey(instancePath, String(params.additionalProperty), schema, say)
    case 'unevaluatedProperties':
      return unknownKey(instancePath, String(params.unevaluatedProperty), schema, say)
    case 'type':
    case 'anyOf':
    case 'oneOf':
    case 'enum':
    case 'const':
      return wrongType(instancePath, schema, root, say, got)
    case 'pattern':
      return issue(instancePath, 'issue_pattern', { pattern: String(params.pattern), got }, say)
    case 'format':
      return issue(instancePath, 'issue_format', { format: String(params.format), got }, say)
    default: {
      const limited = Object.hasOwn(LIMITS, keyword) ? LIMITS[keyword] : undefined
      if (limited) return issue(instancePath, limited, { limit: Number(params.limit ?? params.multipleOf), got }, say)
      return issue(instancePath, 'issue_other', { rule: keyword, message: error.message ?? keyword, got }, say)
    }
  }
}

const LIMITS: Readonly<Record<string, TextName | undefined>> = {
  minimum: 'issue_at_least',
  maximum: 'issue_at_most',
  exclusiveMinimum: 'issue_more_than',
  exclusiveMaximum: 'issue_less_than',
  multipleOf: 'issue_multiple_of',
  minLength: 'issue_min_length',
  maxLength: 'issue_max_length',
  minItems: 'issue_min_items',
  maxItems: 'issue_max_items',
}

/** In one line, whatever the model wrote as a key. */
function pathTo(path: string, key: string): string {
  return `${path}/${clip(key.replace(/[\s\u0085]/g, ' '))}`
}

function quote(value: unknown): string {
  return clip(JSON.stringify(value) ?? String(value))
}

/** As much of a text as a message quotes. */
export function clip(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57).replace(/[\uD800-\uDBFF]$/, '')}...`
}

/** The schema of one key of an object. */
export function propertyOf(schema: JsonObject, key: unknown): JsonValue | undefined {
  const { properties } = schema
  return isObject(properties) && typeof key === 'string' && Object.hasOwn(properties, key) ? properties[key] : undefined
}
