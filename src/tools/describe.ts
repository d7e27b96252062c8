// A tool's JSON Schema → what a small model understands of it: a few words for each parameter, and the smallest input that would do.
// Nothing here is ever taken for a real value: an invented string is its parameter's name in angle brackets.
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../core/json.js'
import type { ParameterDoc, ToolDoc } from '../core/text.js'
import type { ToolSpec } from '../core/tool.js'

const MOST_ENUM_VALUES = 30
const DEEPEST = 5
const DEEPEST_FIELDS = 3

/** The tool as a prompt shows it. Total: a schema that says nothing readable gives parameters of type `any`. */
export function describeTool(spec: ToolSpec): ToolDoc {
  const required = requiredOf(spec.parameters)
  return {
    name: spec.name,
    description: spec.description,
    ...(spec.returns === undefined ? {} : { returns: spec.returns }),
    parameters: propertiesOf(spec.parameters).map(([name, schema]) =>
      parameterDoc(name, schema, required.includes(name), spec.parameters),
    ),
  }
}

/**
 * The smallest input that looks right: required parameters only, or else the one that takes plain text, each with its example, else its default, else its first allowed value,
 * else a placeholder such as `<city>`.
 */
export function exampleInput(spec: ToolSpec): JsonObject {
  const { parameters, textParameter } = spec
  const alone = requiredOf(parameters).length === 0 && textParameter !== undefined
  return exampleObject(alone ? { ...parameters, required: [textParameter] } : parameters, parameters, 0)
}

/** Type words for a schema: `string`, `list of integer`, `one of "a", "b"`, `{x: number, y?: number}` … `root` resolves local references. */
export function typeWords(schema: JsonValue | undefined, root: JsonSchema, depth = 0): string {
  const known = resolve(schema, root)
  if (known === undefined || depth > DEEPEST) return 'any'
  if (known.const !== undefined) return JSON.stringify(known.const)
  if (isList(known.enum) && known.enum.length > 0) return enumWords(known.enum)
  const choices = choicesOf(known)
  if (choices !== undefined) return unique(choices.map(choice => typeWords(choice, root, depth + 1))).join(' or ')
  const types = typesOf(known)
  if (types.length === 0) return 'any'
  return unique(types.map(type => oneTypeWords(type, known, root, depth))).join(' or ')
}

function parameterDoc(name: string, schema: JsonValue, required: boolean, root: JsonSchema): ParameterDoc {
  const known = resolve(schema, root) ?? {}
  const example = ownExample(known)
  return {
    name,
    type: typeWords(schema, root),
    required,
    ...(typeof known.description === 'string' ? { description: known.description } : {}),
    ...(isList(known.enum) ? { enum: known.enum } : {}),
    ...(known.default === undefined ? {} : { default: known.default }),
    ...(example === undefined ? {} : { example }),
  }
}

function oneTypeWords(type: string, schema: JsonObject, root: JsonSchema, depth: number): string {
  if (type === 'array') {
    const item = typeWords(schema.items, root, depth + 1)
    return item === 'any' ? 'list' : `list of ${item.includes(' or ') ? `(${item})` : item}`
  }
  if (type === 'object') return objectWords(schema, root, depth)
  if (type === 'integer' || type === 'number') return type + rangeWords(schema)
  if (type === 'string' && typeof schema.format === 'string') return `string (${schema.format})`
  return type
}

function objectWords(schema: JsonObject, root: JsonSchema, depth: number): string {
  const properties = propertiesOf(schema)
  if (properties.length === 0) {
    const values = typeWords(schema.additionalProperties, root, depth + 1)
    return values === 'any' ? 'object' : `object of ${values}`
  }
  if (depth >= DEEPEST_FIELDS) return 'object'
  const required = requiredOf(schema)
  const fields = properties.map(
    ([name, value]) => `${name}${required.includes(name) ? '' : '?'}: ${typeWords(value, root, depth + 1)}`,
  )
  return `object {${fields.join(', ')}}`
}

function enumWords(values: readonly JsonValue[]): string {
  const shown = values.slice(0, MOST_ENUM_VALUES).map(value => JSON.stringify(value))
  if (shown.length === 1 && values.length === 1) return shown[0] ?? 'any'
  return `one of ${shown.join(', ')}${values.length > shown.length ? ', …' : ''}`
}

function rangeWords(schema: JsonObject): string {
  const low = bound(schema.minimum)
  const high = bound(schema.maximum)
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`
  if (low !== undefined) return `, at least ${low}`
  return high === undefined ? '' : `, at most ${high}`
}

// the limits of a machine's integers, as some libraries write them, are no news to a model
function bound(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Math.abs(value) < 1e15 ? value : undefined
}

function exampleObject(schema: JsonObject, root: JsonSchema, depth: number): JsonObject {
  const required = requiredOf(schema)
  const properties = propertiesOf(schema).filter(([name]) => required.includes(name))
  return Object.fromEntries(properties.map(([name, value]) => [name, exampleValue(name, value, root, depth)]))
}

function exampleValue(name: string, schema: JsonValue | undefined, root: JsonSchema, depth: number): JsonValue {
  const known = resolve(schema, root)
  if (known === undefined || depth > 8) return `<${name}>`
  const given = ownExample(known) ?? known.default ?? known.const ?? (isList(known.enum) ? known.enum[0] : undefined)
  if (given !== undefined) return given
  const choices = choicesOf(known)
  if (choices !== undefined)
    return exampleValue(name, choices.find(choice => !allowsOnlyNull(choice)) ?? choices[0], root, depth + 1)
  const type = typesOf(known).find(type => type !== 'null') ?? typesOf(known)[0]
  switch (type) {
    case 'integer':
    case 'number':
      return exampleNumber(known)
    case 'boolean':
      return true
    case 'array':
      return [exampleValue(name, known.items, root, depth + 1)]
    case 'object':
      return exampleObject(known, root, depth + 1)
    case 'null':
      return null
    default:
      return `<${name}>`
  }
}

function exampleNumber(schema: JsonObject): number {
  const low = bound(schema.minimum)
  if (low !== undefined) return low
  const above = bound(schema.exclusiveMinimum)
  if (above !== undefined) return above + 1
  const high = bound(schema.maximum)
  return high === undefined || high >= 1 ? 1 : high
}

function ownExample(schema: JsonObject): JsonValue | undefined {
  return isList(schema.examples) ? schema.examples[0] : schema.example
}

function choicesOf(schema: JsonObject): readonly JsonValue[] | undefined {
  const choices = schema.anyOf ?? schema.oneOf
  return isList(choices) && choices.length > 0 ? choices : undefined
}

function typesOf(schema: JsonObject): readonly string[] {
  const types = isList(schema.type) ? schema.type : [schema.type]
  const named = types.filter(type => typeof type === 'string')
  if (named.length > 0) return named
  return schema.properties === undefined ? [] : ['object']
}

function allowsOnlyNull(schema: JsonValue): boolean {
  return isObject(schema) && schema.type === 'null'
}

function propertiesOf(schema: JsonObject): [string, JsonValue][] {
  return isObject(schema.properties) ? Object.entries(schema.properties) : []
}

function requiredOf(schema: JsonObject): readonly JsonValue[] {
  return isList(schema.required) ? schema.required : []
}

// follows `#/$defs/…` within the tool's own schema; what stands beside a reference (a description) wins
function resolve(schema: JsonValue | undefined, root: JsonSchema, hops = 0): JsonObject | undefined {
  if (!isObject(schema)) return undefined
  if (typeof schema.$ref !== 'string')
    return isList(schema.allOf) && schema.allOf.length === 1 ? merge(schema, schema.allOf[0], root, hops) : schema
  if (!schema.$ref.startsWith('#') || hops > 8) return undefined
  let target: JsonValue | undefined = root
  for (const key of schema.$ref.slice(1).split('/').slice(1)) {
    target = isObject(target) ? target[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
  }
  return merge(schema, target, root, hops)
}

function merge(schema: JsonObject, target: JsonValue | undefined, root: JsonSchema, hops: number): JsonObject | undefined {
  const { $ref, allOf, ...own } = schema
  const resolved = resolve(target, root, hops + 1)
  return resolved === undefined ? undefined : { ...resolved, ...own }
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)]
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
