// A tree of values that know their places in a file, and a schema → the plain value, or the first thing that does not fit, with its place and the
// way out.
import { didYouMean } from '../core/near-names.js'
import type { Schema } from './fixture-schema.js'

/** A value of a file; `at` is [start, end) in characters of it. */
export type Located = { readonly at: readonly [number, number] } & (
  | {
      readonly kind: 'map'
      readonly entries: readonly { readonly key: string; readonly keyAt: readonly [number, number]; readonly value: Located }[]
    }
  | { readonly kind: 'list'; readonly items: readonly Located[] }
  /** `source` is the text that stands in the file, without quotes. */
  | { readonly kind: 'scalar'; readonly value: unknown; readonly source: string }
)

export class Misfit extends Error {
  readonly at: readonly [number, number]
  readonly hint: string | undefined

  constructor(at: readonly [number, number], what: string, hint?: string) {
    super(what)
    this.at = at
    this.hint = hint
  }
}

/** Throws `Misfit`. */
export function checkedValue(node: Located, schema: Schema, name: string): unknown {
  if (schema.anyOf)
    return checkedValue(node, schema.anyOf.find(({ type }) => type === TYPES[node.kind]) ?? alternative(node, schema, name), name)
  const { type } = schema
  if (type === undefined || schema.additionalProperties === true) return plain(ofType(node, type, name))
  if (type === 'object') return checkedMap(node, schema, name)
  if (type === 'array') return checkedList(node, schema, name)
  return checkedScalar(node, schema, name)
}

const TYPES = { map: 'object', list: 'array', scalar: 'string' } as const

function alternative(node: Located, { anyOf = [] }: Schema, name: string): never {
  throw new Misfit(node.at, `${name} must be ${anyOf.map(({ type }) => wordFor(type)).join(' or ')}, not ${kindOf(node)}`)
}

function checkedMap(node: Located, { properties = {}, required = [] }: Schema, name: string): object {
  if (node.kind !== 'map') throw wrongType(node, 'object', name)
  const known = Object.keys(properties)
  const value: Record<string, unknown> = {}
  for (const { key, keyAt, value: child } of node.entries) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (schema === undefined)
      throw new Misfit(keyAt, `unknown key "${key}"${didYouMean(key, known)}`, `${name} may have: ${known.join(', ')}`)
    value[key] = checkedValue(child, schema, `"${key}"`)
  }
  const missing = required.find(key => !Object.hasOwn(value, key))
  if (missing !== undefined)
    throw new Misfit(node.at, `${name} has no "${missing}"`, `add ${missing}: ${properties[missing]?.description ?? ''}`.trim())
  return value
}

function checkedList(node: Located, { items = {}, minItems = 0 }: Schema, name: string): readonly unknown[] {
  if (node.kind !== 'list') throw wrongType(node, 'array', name)
  if (node.items.length < minItems) throw new Misfit(node.at, `${name} is empty`, 'add one')
  return node.items.map(item => checkedValue(item, items, `an item of ${name}`))
}

function checkedScalar(node: Located, schema: Schema, name: string): unknown {
  const { type, enum: values } = schema
  if (node.kind !== 'scalar') throw wrongType(node, type, name)
  const value = type === 'integer' || type === 'boolean' ? node.value : textOf(node, name)
  if (type === 'boolean' && typeof value !== 'boolean') throw wrongType(node, type, name)
  if (type === 'integer' && !(Number.isSafeInteger(value) && Number(value) >= 0)) throw wrongType(node, type, name)
  if (values && !values.includes(value as string))
    throw new Misfit(
      node.at,
      `${name} can't be "${String(value)}"${didYouMean(String(value), values.map(String))}`,
      hintFor(values),
    )
  return value
}

/** A number or a word such as `yes` as it is written; only nothing is no text. */
function textOf(node: Extract<Located, { kind: 'scalar' }>, name: string): string {
  if (typeof node.value === 'string') return node.value
  if (node.value !== null) return node.source
  throw new Misfit(node.at, `${name} is empty`, 'write "" for an empty text, and "null" for that word')
}

function hintFor(values: readonly (string | number)[]): string | undefined {
  return values.length > 15 ? undefined : `one of ${values.join(', ')}`
}

function ofType(node: Located, type: Schema['type'], name: string): Located {
  if (type === undefined || TYPES[node.kind] === type) return node
  throw wrongType(node, type, name)
}

function wrongType(node: Located, type: Schema['type'], name: string): Misfit {
  const several = type === 'array' && node.kind !== 'list' ? 'begin each item with "- "' : undefined
  return new Misfit(node.at, `${name} must be ${wordFor(type)}, not ${kindOf(node)}`, several)
}

function wordFor(type: Schema['type']): string {
  switch (type) {
    case 'object':
      return 'a mapping'
    case 'array':
      return 'a list'
    case 'integer':
      return 'a whole number from 0'
    case 'boolean':
      return 'true or false'
    default:
      return 'a text'
  }
}

function kindOf(node: Located): string {
  if (node.kind === 'map') return 'a mapping'
  if (node.kind === 'list') return 'a list'
  return node.value === null ? 'nothing' : JSON.stringify(node.value)
}

function plain(node: Located): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plain)
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]))
}
