// A template's syntax tree and what it may use → nothing, or a TEMPLATE error for the first name, helper or partial that is not there.
// Needed because Handlebars is silent where it matters: `{{#if typo}}` is simply false, and an object in a text prints `[object Object]`.
import { counted } from '../core/counted.js'
import { didYouMean } from '../core/near-names.js'
import { type HelperSignature, type Scope, shapeOfPath, type Vocabulary } from './scope.js'
import { isList, type Shape } from './shape.js'
import type { Block, Call, Expression, PartialCall, Program, Statement } from './syntax.js'
import { templateError } from './syntax.js'

const BLOCKS = ['if', 'unless', 'each', 'with']

/** Returns the top-level names the template uses, so that a caller can insist on some. */
export function checkNames(program: Program, file: string, vocabulary: Vocabulary): ReadonlySet<string> {
  const used = new Set<string>()
  checkProgram(program, { file, vocabulary, shape: vocabulary.variables, locals: new Map(), inside: [], used })
  return used
}

function checkProgram(program: Program | undefined, scope: Scope): void {
  for (const statement of program?.body ?? []) checkStatement(statement, scope)
}

function checkStatement(statement: Statement, scope: Scope): void {
  switch (statement.type) {
    case 'ContentStatement':
    case 'CommentStatement':
      break
    case 'MustacheStatement':
      checkMustache(statement, scope)
      break
    case 'BlockStatement':
      checkBlock(statement, scope)
      break
    case 'PartialStatement':
      checkPartial(statement, scope)
      break
    case 'DecoratorBlock':
    case 'Decorator':
    case 'PartialBlockStatement':
      throw fault(scope, statement, 'this kind of block is not supported here')
    default:
      statement satisfies never
  }
}

function checkMustache(mustache: Call, scope: Scope): void {
  if (isHelper(mustache, scope) || mustache.params.length > 0) {
    checkCall(mustache, scope)
    return
  }
  refuseHash(mustache, scope)
  if (mustache.path.type !== 'PathExpression') throw fault(scope, mustache, `${nameOf(mustache.path)} is no name`)
  const shape = shapeOfPath(mustache.path, scope)
  if (shape !== 'value') throw notText(mustache.path, shape, scope)
}

function checkBlock(block: Block, scope: Scope): void {
  const name = nameOf(block.path)
  if (!BLOCKS.includes(name)) {
    const hint = `Blocks are ${BLOCKS.map(word => `{{#${word}}}`).join(', ')}.`
    throw fault(scope, block, `unknown block "${name}"${didYouMean(name, BLOCKS)}`, hint)
  }
  refuseHash(block, scope)
  const [subject] = block.params
  if (subject === undefined || block.params.length > 1) throw fault(scope, block, `{{#${name}}} takes one argument`)
  const shape = shapeOf(subject, scope)
  if (name === 'if' || name === 'unless') checkProgram(block.program, scope)
  else checkProgram(block.program, scopeInside(block, name === 'each' ? itemOf(subject, shape, scope) : shape, scope))
  checkProgram(block.inverse, scope)
}

function scopeInside(block: Block, shape: Shape, scope: Scope): Scope {
  const [local, index] = block.program?.blockParams ?? []
  const locals = new Map(scope.locals)
  if (local !== undefined) locals.set(local, shape)
  if (index !== undefined) locals.set(index, 'value')
  return { ...scope, shape, parent: scope, locals }
}

function itemOf(list: Expression, shape: Shape, scope: Scope): Shape {
  if (isList(shape)) return shape[0]
  if (shape === 'any') return 'any'
  throw fault(scope, list, `"${nameOf(list)}" is no list`)
}

function checkPartial(call: PartialCall, scope: Scope): void {
  const name = nameOf(call.name)
  const { partials } = scope.vocabulary
  const partial = call.name.type === 'SubExpression' ? undefined : partials.get(name)
  if (partial === undefined) {
    const known = [...partials.keys()]
    throw fault(scope, call, `unknown partial "${name}"${didYouMean(name, known)}`, `Partials: ${known.join(', ') || 'none'}.`)
  }
  if (scope.inside.includes(name)) throw fault(scope, call, `the partial "${name}" includes itself`)
  const [subject, ...more] = call.params
  if (call.hash !== undefined || more.length > 0) throw fault(scope, call, 'a partial takes at most one argument')
  const { vocabulary, used } = scope
  const shape = subject === undefined ? scope.shape : shapeOf(subject, scope)
  const inside = [...scope.inside, name]
  checkProgram(partial.program, { file: partial.name, vocabulary, shape, locals: new Map(), inside, used })
}

/** A call of a helper, in a text or as an argument. */
function checkCall(call: Call, scope: Scope): void {
  const name = nameOf(call.path)
  const { helpers } = scope.vocabulary
  const signature = isHelper(call, scope) ? helpers[name] : undefined
  if (signature === undefined) {
    const known = Object.keys(helpers)
    throw fault(scope, call, `unknown helper "${name}"${didYouMean(name, known)}`, `Helpers: ${known.join(', ')}.`)
  }
  refuseHash(call, scope)
  const { min, max, takes } = signature
  const count = call.params.length
  if (count < min || count > max) {
    const wanted = min === max ? counted(min, 'argument') : `${min} to ${max} arguments`
    throw fault(scope, call, `{{${name}}} takes ${wanted}, not ${count}`)
  }
  const [first, ...others] = call.params
  if (first !== undefined) checkFirst(first, name, takes, scope)
  for (const other of others) shapeOf(other, scope)
}

function checkFirst(first: Expression, helper: string, takes: HelperSignature['takes'], scope: Scope): void {
  if (typeof takes !== 'string') {
    checkWord(first, helper, takes, scope)
    return
  }
  const shape = shapeOf(first, scope)
  if (takes === 'text' && shape !== 'value') throw notText(first, shape, scope)
  if (takes === 'list') itemOf(first, shape, scope)
}

function checkWord(first: Expression, helper: string, words: readonly string[], scope: Scope): void {
  const word = first.type === 'StringLiteral' ? String(first.value) : undefined
  if (word !== undefined && words.includes(word)) return
  const hint = `Write ${words.map(each => `{{${helper} "${each}"}}`).join(', ')}.`
  if (word === undefined) throw fault(scope, first, `{{${helper}}} takes a word in quotes`, hint)
  throw fault(scope, first, `unknown ${helper} "${word}"${didYouMean(word, words)}`, hint)
}

function shapeOf(expression: Expression, scope: Scope): Shape {
  if (expression.type === 'PathExpression') return shapeOfPath(expression, scope)
  if (expression.type === 'SubExpression') checkCall(expression, scope)
  return 'value'
}

function isHelper({ path }: Call, scope: Scope): boolean {
  if (path.type !== 'PathExpression' || path.data || path.depth > 0 || path.parts.length !== 1) return false
  return path.original === path.parts[0] && Object.hasOwn(scope.vocabulary.helpers, path.original)
}

function refuseHash(call: Call, scope: Scope): void {
  if (call.hash !== undefined) throw fault(scope, call, `"${nameOf(call.path)}" takes no named arguments`)
}

function nameOf(expression: Expression): string {
  if (expression.type === 'PathExpression') return expression.original
  return expression.type === 'SubExpression' ? `(${nameOf(expression.path)} …)` : String(expression.value ?? expression.type)
}

function notText(expression: Expression, shape: Shape, scope: Scope): Error {
  const name = nameOf(expression)
  const instead = isList(shape) ? `{{#each ${name}}} or {{join ${name}}}` : `{{json ${name}}}, or name one of its parts`
  return fault(scope, expression, `"${name}" is not text`, `Write ${instead}.`)
}

const fault = (scope: Scope, at: Expression | Statement | Call, message: string, hint?: string): Error =>
  templateError(scope.file, at.loc?.start, message, hint)
