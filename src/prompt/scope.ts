// A path in a template and the place it stands at → the shape of what it names, or a TEMPLATE error with the nearest name that is known there.
import { didYouMean } from '../core/near-names.js'
import { isList, isObject, namesOf, type ObjectShape, partOf, type Shape } from './shape.js'
import { type Path, type Program, templateError } from './syntax.js'

/** How many arguments a helper takes, and what its first one must be: text, a list, anything, or one of some words in quotes. */
export interface HelperSignature {
  readonly min: number
  readonly max: number
  readonly takes: 'text' | 'list' | 'anything' | readonly string[]
}

/** What a template may use. */
export interface Vocabulary {
  readonly variables: ObjectShape
  readonly helpers: Readonly<Record<string, HelperSignature>>
  readonly partials: ReadonlyMap<string, { readonly name: string; readonly program: Program }>
}

/** A place in a template: what `this` is there, and what can be named. */
export interface Scope {
  readonly file: string
  readonly vocabulary: Vocabulary
  readonly shape: Shape
  /** What `../` leads to. */
  readonly parent?: Scope
  /** Block parameters: `{{#each tools as |tool|}}`. */
  readonly locals: ReadonlyMap<string, Shape>
  /** Partials that are being read, outermost first. */
  readonly inside: readonly string[]
  /** Collects the top-level names that are used. */
  readonly used: Set<string>
}

/** `@index` and its like, in loops. */
const LOOP_DATA = ['index', 'key', 'first', 'last']

export function shapeOfPath(path: Path, scope: Scope): Shape {
  const [first = ''] = path.parts
  if (path.data) return shapeOfData(path, first, scope)
  if (path.depth === 0 && !/^(this|\.)[./]/.test(path.original)) {
    const local = scope.locals.get(first)
    if (local !== undefined) return follow(path, 1, local, scope)
  }
  let from: Scope | undefined = scope
  for (let up = path.depth; up > 0; up--) from = from?.parent
  if (from === undefined) throw templateError(scope.file, path.loc?.start, `"${path.original}" leads out of the template`)
  return follow(path, 0, from.shape, scope)
}

function shapeOfData(path: Path, first: string, scope: Scope): Shape {
  if (first === 'root') return follow(path, 1, scope.vocabulary.variables, scope)
  if (LOOP_DATA.includes(first)) return 'value'
  const near = didYouMean(first, ['root', ...LOOP_DATA])
  throw templateError(scope.file, path.loc?.start, `unknown name "${path.original}"${near}`)
}

function follow(path: Path, start: number, from: Shape, scope: Scope): Shape {
  let shape = from
  for (const part of path.parts.slice(start)) {
    if (shape === 'any') return 'any'
    if (shape === scope.vocabulary.variables) scope.used.add(part)
    const next = stepInto(shape, part)
    if (next === undefined) throw unknownName(path, part, shape, scope)
    shape = next
  }
  return shape
}

function stepInto(shape: Shape, part: string): Shape | undefined {
  if (isObject(shape)) return partOf(shape, part)
  if (!isList(shape)) return undefined
  return part === 'length' ? 'value' : /^\d+$/.test(part) ? shape[0] : undefined
}

function unknownName(path: Path, part: string, shape: Shape, scope: Scope): Error {
  const known = isObject(shape) ? namesOf(shape) : []
  const message = `unknown name "${path.original.replace(/^@root\./, '')}"${didYouMean(part, known)}`
  return templateError(scope.file, path.loc?.start, message, known.length > 0 ? `Known here: ${known.join(', ')}.` : undefined)
}
