// A ToolSpec's JSON Schema → the little that reading a call needs: names, types, required, enum, closedness. No validator; built once per spec.
import { SaydoError } from '../core/errors.js'
import { isObject, type JsonObject, type JsonValue } from '../core/json.js'
import type { ToolSpec } from '../core/tool.js'
import { foldWord } from './characters.js'
import { headsOf } from './heads.js'

export type ParameterType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null'

export interface ParameterShape {
  readonly name: string
  /** Empty: anything goes. */
  readonly types: ReadonlySet<ParameterType>
  readonly required: boolean
  readonly enum?: readonly JsonValue[]
  /** Types of the elements of an array; empty: anything goes. */
  readonly items: ReadonlySet<ParameterType>
}

export interface ToolShape {
  readonly name: string
  /** Nothing but letters, digits, `_` and `-`: it can be taken for nothing else. */
  readonly plainName: boolean
  /** So are the names of all parameters, and none is a key that inputs may not have. */
  readonly plainKeys: boolean
  readonly parameters: readonly ParameterShape[]
  readonly byName: ReadonlyMap<string, ParameterShape>
  readonly required: readonly ParameterShape[]
  /** Other keys than the parameters are forbidden. */
  readonly closed: boolean
  /** Highest cost of reading at which a call is still made. */
  readonly doubt: number
  /** The parameter that plain text goes to: the one the tool names, else the only required one, else the only string one. */
  readonly textParameter: ParameterShape | undefined
}

/** The tools of a reading. `open`: none were given, so names are taken as written. */
export interface Toolbox {
  readonly open: boolean
  readonly byName: ReadonlyMap<string, ToolShape>
  readonly byFold: ReadonlyMap<string, readonly ToolShape[]>
  readonly names: readonly string[]
  /** How the folded names begin. */
  readonly heads: ReadonlySet<number>
  /** Length of the longest folded name. */
  readonly longest: number
  /** How many tools the list held, those with the same name included. */
  readonly count: number
}

/** The shapes of a list of tools; remembered for as long as the list lives. Throws `CONFIG` for what is no such list. */
export function toolbox(tools: readonly ToolSpec[] | undefined): Toolbox {
  if (!tools) return OPEN
  const known = boxes.get(tools)
  if (known && known.count === tools.length) return known
  requireSpecs(tools)
  const byName = new Map<string, ToolShape>()
  const byFold = new Map<string, ToolShape[]>()
  for (const tool of tools) {
    const shape = toolShape(tool)
    byName.set(tool.name, shape)
    const fold = foldWord(tool.name)
    const same = byFold.get(fold)
    if (same) same.push(shape)
    else byFold.set(fold, [shape])
  }
  const box: Toolbox = {
    open: false,
    byName,
    byFold,
    names: [...byName.keys()],
    heads: headsOf(byFold.keys()),
    longest: Math.max(0, ...[...byFold.keys()].map(fold => fold.length)),
    count: tools.length,
  }
  boxes.set(tools, box)
  return box
}

/** A name alone, or anything else that says nothing of a tool's parameters, would be read against as if there were none. */
function requireSpecs(tools: unknown): void {
  const isSpec = (tool: unknown) => typeof tool === 'object' && tool !== null && typeof (tool as ToolSpec).name === 'string'
  if (Array.isArray(tools) && tools.every(isSpec)) return
  throw new SaydoError('CONFIG', 'The option tools is no list of tools.', {
    hint: 'Give [{ name, description, parameters }], as registry.specs() does.',
  })
}

function toolShape(spec: ToolSpec): ToolShape {
  const known = shapes.get(spec)
  if (known) return known
  const schema = isObject(spec.parameters) ? spec.parameters : {}
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : [])
  const parameters = Object.entries(properties).map(([name, property]) =>
    parameterShape(name, property, required.has(name), schema),
  )
  const strings = parameters.filter(isTextual)
  const demanded = parameters.filter(parameter => parameter.required)
  const onlyRequired = demanded.length === 1 ? demanded[0] : undefined
  const onlyString = strings.length === 1 && demanded.every(parameter => parameter === strings[0]) ? strings[0] : undefined
  const named = parameters.find(parameter => parameter.name === spec.textParameter)
  const said = named && demanded.every(parameter => parameter === named) ? named : undefined
  const shape: ToolShape = {
    name: spec.name,
    plainName: isPlain(spec.name),
    plainKeys: parameters.every(({ name }) => isPlain(name) && !FORBIDDEN_KEYS.has(name)),
    parameters,
    byName: new Map(parameters.map(parameter => [parameter.name, parameter])),
    required: demanded,
    closed: schema.additionalProperties === false,
    doubt: spec.doubt ?? (spec.effect === 'changes' ? 2 : Number.POSITIVE_INFINITY),
    textParameter: said ?? onlyRequired ?? onlyString ?? (parameters.length === 1 ? parameters[0] : undefined),
  }
  shapes.set(spec, shape)
  return shape
}

function isPlain(name: string): boolean {
  return /^[\p{L}\p{N}_-]{1,64}$/u.test(name)
}

/** Text may stand for it as it is. */
export function isTextual(parameter: ParameterShape): boolean {
  return parameter.types.size === 0 || parameter.types.has('string')
}

function parameterShape(name: string, property: JsonValue | undefined, required: boolean, root: JsonObject): ParameterShape {
  const types = new Set<ParameterType>()
  const items = new Set<ParameterType>()
  const values: JsonValue[] = []
  collect(property, root, types, items, values, 0)
  return { name, types, required, items, ...(values.length > 0 ? { enum: values } : {}) }
}

function collect(
  property: JsonValue | undefined,
  root: JsonObject,
  types: Set<ParameterType>,
  items: Set<ParameterType>,
  values: JsonValue[],
  depth: number,
): void {
  if (!isObject(property) || depth > 4) return
  const target = typeof property.$ref === 'string' ? resolveRef(property.$ref, root) : undefined
  if (target) collect(target, root, types, items, values, depth + 1)
  const declared = Array.isArray(property.type) ? property.type : [property.type]
  for (const type of declared) if (typeof type === 'string' && KNOWN.has(type)) types.add(type as ParameterType)
  if (Array.isArray(property.enum)) values.push(...property.enum)
  if (property.const !== undefined) values.push(property.const)
  if (isObject(property.items)) collect(property.items, root, items, new Set(), [], depth + 1)
  for (const variants of [property.anyOf, property.oneOf, property.allOf]) {
    if (Array.isArray(variants)) for (const variant of variants) collect(variant, root, types, items, values, depth + 1)
  }
}

function resolveRef(ref: string, root: JsonObject): JsonValue | undefined {
  if (!ref.startsWith('#/')) return undefined
  let value: JsonValue | undefined = root
  for (const part of ref.slice(2).split('/')) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined
    value = value[part]
  }
  return value
}

/** Keys by which an object's prototype can be reached. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const KNOWN = new Set<string>(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])
const OPEN: Toolbox = { open: true, byName: new Map(), byFold: new Map(), names: [], heads: new Set(), longest: 0, count: 0 }
const shapes = new WeakMap<ToolSpec, ToolShape>()
const boxes = new WeakMap<readonly ToolSpec[], Toolbox>()
