// A template's syntax tree and the shape of its data → nothing, or a TEMPLATE error for the first name, helper or partial that is not there.
// Needed because Handlebars is silent where it matters: `{{#if typo}}` is simply false, and an object in a text prints `[object Object]`.
import { didYouMean } from './nearest.js'
import { isList, isObject, namesOf, type ObjectShape, partOf, type Shape } from './shape.js'
import {
  type Block,
  type Call,
  type Expression,
  type PartialCall,
  type Path,
  type Program,
  type Statement,
  templateError,
} from './syntax.js'

/** How many arguments a helper takes, and whether its first one must be one of some words. */
export interface HelperSignature {
  readonly min: number
  readonly max: number
  readonly words?: readonly string[]
}

export interface NameTable {
  readonly file: string
  readonly variables: ObjectShape
  readonly helpers: Readonly<Record<string, HelperSignature>>
  readonly partials: ReadonlyMap<string, { readonly name: string; readonly program: Program }>
}

interface Scope {
  readonly shape: Shape
  readonly parent?: Scope
  /** Block parameters: `{{#each tools as |tool|}}`. */
  readonly locals: ReadonlyMap<string, Shape>
  /** Partials that are being read, outermost first. */
  readonly inside: readonly string[]
}

const BLOCKS = ['if', 'unless', 'each', 'with']
const LOOP_DATA = ['index', 'key', 'first', 'last']

/** Returns the top-level names the template uses, so that a caller can insist on some. */
export function checkNames(program: Program, table: NameTable): ReadonlySet<string> {
  const used = new Set<string>()
  walk(program, { shape: table.variables, locals: new Map(), inside: [] }, table, used)
  return used
}

function walk(program: Program | undefined, scope: Scope, table: NameTable, used: Set<string>): void {
  for (const statement of program?.body ?? []) checkStatement(statement, scope, table, used)
}

function checkStatement(statement: Statement, scope: Scope, table: NameTable, used: Set<string>): void {
  switch (statement.type) {
    case 'ContentStatement':
    case 'CommentStatement':
      break
    case 'MustacheStatement':
      checkMustache(statement, scope, table, used)
      break
    case 'BlockStatement':
      checkBlock(statement, scope, table, used)
      break
    case 'PartialStatement':
      checkPartial(statement, scope, table, used)
      break
    case 'DecoratorBlock':
    case 'Decorator':
    case 'PartialBlockStatement':
      throw templateError(table.file, statement.loc?.start, 'this kind of block is not supported here')
    default:
      statement satisfies never
  }
}

function checkMustache(mustache: Call, scope: Scope, table: NameTable, used: Set<string>): void {
  if (helperName(mustache, table) !== undefined || mustache.params.length > 0) {
    checkCall(mustache, scope, table, used)
    return
  }
  refuseHash(mustache, table)
  const shape = shapeOf(mustache.path, scope, table, used)
  if (shape === 'value') return
  const name = nameOf(mustache.path)
  const hint = isList(shape)
    ? `Write {{#each ${name}}} or {{join ${name}}}.`
    : `Write {{json ${name}}}, or name one of its parts.`
  throw templateError(table.file, mustache.loc?.start, `"${name}" is not text`, hint)
}

function checkBlock(block: Block, scope: Scope, table: NameTable, used: Set<string>): void {
  const name = nameOf(block.path)
  const at = block.loc?.start
  if (!BLOCKS.includes(name)) {
    const hint = `Blocks are ${BLOCKS.map(word => `{{#${word}}}`).join(', ')}.`
    throw templateError(table.file, at, `unknown block "${name}"${didYouMean(name, BLOCKS)}`, hint)
  }
  refuseHash(block, table)
  const [subject] = block.params
  if (subject === undefined || block.params.length > 1) throw templateError(table.file, at, `{{#${name}}} takes one argument`)
  const shape = shapeOf(subject, scope, table, used)
  walk(block.program, innerScope(name, shape, block, scope, table), table, used)
  walk(block.inverse, scope, table, used)
}

function innerScope(name: string, shape: Shape, block: Block, scope: Scope, table: NameTable): Scope {
  if (name === 'if' || name === 'unless') return scope
  const inner = name === 'each' ? itemOf(shape) : shape
  if (inner === undefined) {
    throw templateError(
      table.file,
      block.loc?.start,
      `"${block.params.map(nameOf).join(' ')}" is no list`,
      'Use {{#each}} on lists.',
    )
  }
  const [local, index] = block.program?.blockParams ?? []
  const locals = new Map(scope.locals)
  if (local !== undefined) locals.set(local, inner)
  if (index !== undefined) locals.set(index, 'value')
  return { shape: inner, parent: scope, locals, inside: scope.inside }
}

const itemOf = (shape: Shape): Shape | undefined => (isList(shape) ? shape[0] : shape === 'any' ? 'any' : undefined)

function checkPartial(call: PartialCall, scope: Scope, table: NameTable, used: Set<string>): void {
  const at = call.loc?.start
  const name = nameOf(call.name)
  const partial = call.name.type === 'SubExpression' ? undefined : table.partials.get(name)
  if (partial === undefined) {
    const known = [...table.partials.keys()]
    throw templateError(
      table.file,
      at,
      `unknown partial "${name}"${didYouMean(name, known)}`,
      `Partials: ${known.join(', ') || 'none'}.`,
    )
  }
  if (scope.inside.includes(name)) throw templateError(table.file, at, `the partial "${name}" includes itself`)
  if (call.hash !== undefined || call.params.length > 1)
    throw templateError(table.file, at, 'a partial takes at most one argument')
  const [subject] = call.params
  const shape = subject === undefined ? scope.shape : shapeOf(subject, scope, table, used)
  const inner: Scope = { shape, locals: new Map(), inside: [...scope.inside, name] }
  walk(partial.program, inner, { ...table, file: partial.name }, used)
}

/** A call of a helper, in a text or as an argument. */
function checkCall(call: Call, scope: Scope, table: NameTable, used: Set<string>): void {
  const at = call.loc?.start
  const name = nameOf(call.path)
  const signature = table.helpers[helperName(call, table) ?? '']
  if (signature === undefined) {
    const known = Object.keys(table.helpers)
    throw templateError(table.file, at, `unknown helper "${name}"${didYouMean(name, known)}`, `Helpers: ${known.join(', ')}.`)
  }
  refuseHash(call, table)
  const count = call.params.length
  if (count < signature.min || count > signature.max) {
    const wanted = signature.min === signature.max ? `${signature.min}` : `${signature.min} to ${signature.max}`
    throw templateError(table.file, at, `{{${name}}} takes ${wanted} argument${wanted === '1' ? '' : 's'}, not ${count}`)
  }
  if (signature.words !== undefined) checkWord(call, signature.words, table)
  for (const param of call.params) shapeOf(param, scope, table, used)
}

function checkWord(call: Call, words: readonly string[], table: NameTable): void {
  const [first] = call.params
  const word = first?.type === 'StringLiteral' ? String(first.value) : undefined
  if (word !== undefined && words.includes(word)) return
  const name = nameOf(call.path)
  const said =
    word === undefined ? 'its argument must be written in quotes' : `unknown ${name} "${word}"${didYouMean(word, words)}`
  throw templateError(table.file, call.loc?.start, said, `Write ${words.map(each => `{{${name} "${each}"}}`).join(', ')}.`)
}

function refuseHash(call: Call, table: NameTable): void {
  if (call.hash !== undefined) throw templateError(table.file, call.loc?.start, `"${nameOf(call.path)}" takes no named arguments`)
}

function helperName(call: Call, table: NameTable): string | undefined {
  const { path } = call
  if (path.type !== 'PathExpression' || path.data || path.depth > 0 || path.parts.length !== 1) return undefined
  const [name = ''] = path.parts
  return path.original === name && Object.hasOwn(table.helpers, name) ? name : undefined
}

function shapeOf(expression: Expression, scope: Scope, table: NameTable, used: Set<string>): Shape {
  if (expression.type === 'SubExpression') {
    checkCall(expression, scope, table, used)
    return 'value'
  }
  if (expression.type !== 'PathExpression') return 'value'
  return shapeOfPath(expression, scope, table, used)
}

function shapeOfPath(path: Path, scope: Scope, table: NameTable, used: Set<string>): Shape {
  const [first] = path.parts
  if (path.data) {
    if (first === 'root') return follow(path, 1, table.variables, table, used)
    if (first !== undefined && LOOP_DATA.includes(first)) return 'value'
    const known = ['root', ...LOOP_DATA]
    throw templateError(table.file, path.loc?.start, `unknown name "${path.original}"${didYouMean(first ?? '', known)}`)
  }
  let from: Scope | undefined = scope
  for (let up = path.depth; up > 0; up--) from = from?.parent
  if (from === undefined) throw templateError(table.file, path.loc?.start, `"${path.original}" leads out of the template`)
  const local =
    first === undefined || path.depth > 0 || /^(this|\.)[./]/.test(path.original) ? undefined : scope.locals.get(first)
  return local === undefined ? follow(path, 0, from.shape, table, used) : follow(path, 1, local, table, used)
}

function follow(path: Path, start: number, from: Shape, table: NameTable, used: Set<string>): Shape {
  let shape = from
  for (const part of path.parts.slice(start)) {
    if (shape === 'any') return 'any'
    if (shape === table.variables) used.add(part)
    const next = stepInto(shape, part)
    if (next === undefined) {
      const known = isObject(shape) ? namesOf(shape) : []
      const message = `unknown name "${path.original.replace(/^@root\./, '')}"${didYouMean(part, known)}`
      throw templateError(table.file, path.loc?.start, message, known.length > 0 ? `Known here: ${known.join(', ')}.` : undefined)
    }
    shape = next
  }
  return shape
}

function stepInto(shape: Shape, part: string): Shape | undefined {
  if (isObject(shape)) return partOf(shape, part)
  if (!isList(shape)) return undefined
  return part === 'length' ? 'value' : /^\d+$/.test(part) ? shape[0] : undefined
}

const nameOf = (expression: Expression | Call['path']): string => {
  if (expression.type === 'PathExpression') return expression.original
  return expression.type === 'SubExpression' ? `(${nameOf(expression.path)} …)` : String(expression.value ?? expression.type)
}
