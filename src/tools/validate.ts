// A tool and an input → the input as the tool will get it, or what is wrong with each field, in the words of the run. Types are never coerced here.
// The door of ajv, which is loaded with the first check.
import type { ValidateFunction } from 'ajv'
import { SaydoError } from '../core/errors.js'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../core/json.js'
import { once } from '../core/once.js'
import type { Say } from '../core/text.js'
import type { InputCheck, Tool } from '../core/tool.js'
import { issuesOf, propertyOf } from './input-issues.js'
import { boundedPattern } from './pattern.js'

type Checked = Pick<Tool, 'name' | 'parameters' | 'check'>

const compiled = new WeakMap<JsonSchema, Promise<ValidateFunction>>()

/**
 * Checks an input with the tool's own `check`, or else against its JSON Schema.
 *
 * Two liberties are taken. A `null` for an optional parameter whose schema allows no null counts as not given. And a top-level parameter
 * that is not given gets the default its schema names (nested defaults are left to the tool, as are all of them where it has a `check`).
 *
 * @throws SaydoError `CONFIG` when the tool's schema cannot be compiled; whatever the tool's own check throws
 */
export async function checkInput(tool: Checked, input: JsonObject, say: Say, signal?: AbortSignal): Promise<InputCheck> {
  const given = withoutNulls(tool.parameters, input)
  if (tool.check !== undefined) return tool.check(given, signal)
  const validate = await compileSchema(tool)
  if (validate(given)) return { ok: true, input: withDefaults(tool.parameters, given) }
  return { ok: false, issues: issuesOf(validate.errors ?? [], tool.parameters, say) }
}

/** Compiles a tool's schema ahead of its first call (some ms each). Throws `CONFIG` that names the tool when that is not possible. */
export async function compileSchema(tool: Pick<Tool, 'name' | 'parameters'>): Promise<ValidateFunction> {
  const known = compiled.get(tool.parameters)
  if (known !== undefined) return known
  const fresh = compile(tool)
  compiled.set(tool.parameters, fresh)
  return fresh
}

async function compile({ name, parameters }: Pick<Tool, 'name' | 'parameters'>): Promise<ValidateFunction> {
  if (compiler.isFull) compiler = new Compiler()
  try {
    const validate = await compiler.compile(parameters)
    // a schema that stands for itself, such as {allOf: [{$ref: '#'}]}, would be walked without end
    validate({})
    return validate
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new SaydoError('CONFIG', `The parameters of the tool ${JSON.stringify(name)} are no valid JSON Schema: ${why}`, {
      hint: 'Correct the schema in `input`; draft-07 and 2020-12 are understood.',
      cause,
    })
  }
}

/** So many schemas are kept by one compiler. */
const MOST_SCHEMAS = 200

/** Compiles each text of a schema once: a program may make its tools anew for every request. Ajv never lets go of a schema, so a full one is left. */
class Compiler {
  readonly #known = new Map<string, Promise<ValidateFunction>>()
  readonly #draft07 = once(async () => {
    const [{ Ajv }, addFormats] = await Promise.all([import('ajv'), formats()])
    return addFormats(new Ajv(options))
  })
  readonly #draft2020 = once(async () => {
    const [{ Ajv2020 }, addFormats] = await Promise.all([import('ajv/dist/2020.js'), formats()])
    return addFormats(new Ajv2020(options))
  })

  get isFull(): boolean {
    return this.#known.size >= MOST_SCHEMAS
  }

  compile(parameters: JsonSchema): Promise<ValidateFunction> {
    const text = JSON.stringify(parameters)
    const known = this.#known.get(text) ?? this.#compile(parameters)
    this.#known.set(text, known)
    return known
  }

  /**
   * The two drafts need an instance each; a schema is compiled without its `$schema`, which may name a draft that neither knows, and never without an
   * `$id`, which a reference to its root (`#`) needs.
   */
  async #compile(parameters: JsonSchema): Promise<ValidateFunction> {
    const { $schema, ...schema }: JsonSchema = { $id: 'saydo:schema', ...parameters }
    const ajv = await (/2020-12|2019-09/.test(String($schema)) ? this.#draft2020() : this.#draft07())
    return ajv.compile(schema)
  }
}

// of the patterns, `code` is for schemas that are written out as programs, which these never are
const regExp = Object.assign(boundedPattern, { code: 'boundedPattern' })
const options = { allErrors: true, strict: false, verbose: true, logger: false, addUsedSchema: false, code: { regExp } } as const

let compiler = new Compiler()

async function formats() {
  // a CommonJS package whose default export is itself wrapped once more
  const { default: plugin } = await import('ajv-formats')
  return plugin.default
}

// repair: models write null for "not given"
function withoutNulls(schema: JsonSchema, input: JsonObject): JsonObject {
  const dropped = Object.keys(input).filter(
    key => input[key] === null && !isRequired(schema, key) && forbidsNull(propertyOf(schema, key)),
  )
  if (dropped.length === 0) return input
  return withoutPrototype(Object.entries(input).filter(([key]) => !dropped.includes(key)))
}

function forbidsNull(property: JsonValue | undefined): boolean {
  if (!isObject(property)) return false
  const { type, enum: values } = property
  if (Array.isArray(values)) return !values.includes(null)
  return typeof type === 'string' ? type !== 'null' : Array.isArray(type) && !type.includes('null')
}

function withDefaults(schema: JsonSchema, input: JsonObject): JsonObject {
  if (!isObject(schema.properties)) return input
  const missing = Object.entries(schema.properties).flatMap(([key, property]): [string, JsonValue][] => {
    const value = isObject(property) ? property.default : undefined
    return value === undefined || Object.hasOwn(input, key) ? [] : [[key, structuredClone(value)]]
  })
  return missing.length === 0 ? input : withoutPrototype([...Object.entries(input), ...missing])
}

function withoutPrototype(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const result: Record<string, JsonValue> = Object.create(null)
  for (const [key, value] of entries) result[key] = value
  return result
}

function isRequired(schema: JsonSchema, key: string): boolean {
  return Array.isArray(schema.required) && schema.required.includes(key)
}
