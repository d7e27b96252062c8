// The part of Handlebars' syntax tree that templates may use, and where in a file a fault lies → a TEMPLATE error that names the place.
import { SaydoError } from '../core/errors.js'

export interface Place {
  /** From 1. */
  readonly line: number
  /** From 0. */
  readonly column: number
}

interface Node {
  readonly loc?: { readonly start: Place }
}

export interface Program extends Node {
  readonly type: 'Program'
  readonly body: readonly Statement[]
  readonly blockParams?: readonly string[]
}

export interface Path extends Node {
  readonly type: 'PathExpression'
  /** True for `@index` and its like. */
  readonly data: boolean
  /** How many `../` it begins with. */
  readonly depth: number
  readonly parts: readonly string[]
  readonly original: string
}

export interface Call extends Node {
  readonly path: Path | Literal
  readonly params: readonly Expression[]
  readonly hash?: { readonly pairs: readonly unknown[] }
}

export interface Literal extends Node {
  readonly type: 'StringLiteral' | 'NumberLiteral' | 'BooleanLiteral' | 'NullLiteral' | 'UndefinedLiteral'
  readonly value?: string | number | boolean
}

export type Expression = Path | Literal | ({ readonly type: 'SubExpression' } & Call)

export interface Block extends Call {
  readonly type: 'BlockStatement'
  readonly program?: Program
  readonly inverse?: Program
}

/** A block such as `{{#*inline "name"}}…{{/inline}}`. */
export interface InlineBlock extends Call {
  readonly type: 'DecoratorBlock'
  readonly program: Program
}

export interface PartialCall extends Node {
  readonly type: 'PartialStatement'
  readonly name: Expression
  readonly params: readonly Expression[]
  readonly hash?: { readonly pairs: readonly unknown[] }
}

export type Statement =
  | ({ readonly type: 'ContentStatement'; readonly value: string } & Node)
  | ({ readonly type: 'CommentStatement' } & Node)
  | ({ readonly type: 'MustacheStatement' } & Call)
  | Block
  | InlineBlock
  | PartialCall
  | ({ readonly type: 'PartialBlockStatement' | 'Decorator' } & Node)

export const MAX_TEMPLATE_BYTES = 256 * 1024
const MAX_TEMPLATE_DEPTH = 100

/** A TEMPLATE error that begins with `file:line:column:`. */
export function templateError(
  file: string,
  place: Place | undefined,
  message: string,
  hint?: string,
  cause?: unknown,
): SaydoError {
  const where = place === undefined ? file : `${file}:${place.line}:${place.column + 1}`
  return new SaydoError('TEMPLATE', `${where}: ${message}`, { ...(hint === undefined ? {} : { hint }), cause })
}

/** Refuses what would make the recursive parts of Handlebars slow or overflow; costs one pass over the source. */
export function checkBounds(source: string, file: string): void {
  const bytes = Buffer.byteLength(source)
  if (bytes > MAX_TEMPLATE_BYTES)
    throw templateError(file, undefined, `the template has ${bytes} bytes, the limit is ${MAX_TEMPLATE_BYTES}`)

  /** Levels opened by each open block: its own and those of its `{{else if}}` branches, which nest too. */
  const blocks: number[] = []
  let depth = 0
  let inTag = false
  let brackets = 0
  for (const mark of source.matchAll(/\{\{\{?~?\s*(#|\/|\^\s*\w|else\s+\w|)|\}\}|[()]/g)) {
    const opened = mark[1]
    if (opened !== undefined || mark[0] === '}}') {
      inTag = opened !== undefined
      brackets = 0
    } else if (inTag) brackets += mark[0] === '(' ? 1 : -1

    if (opened === '/') depth -= blocks.pop() ?? 0
    else if (opened) {
      depth++
      blocks.push(opened === '#' ? 1 : (blocks.pop() ?? 0) + 1)
    }
    if (depth > MAX_TEMPLATE_DEPTH || brackets > MAX_TEMPLATE_DEPTH) {
      throw templateError(file, placeAt(source, mark.index), `nested more than ${MAX_TEMPLATE_DEPTH} levels deep`)
    }
  }
}

/** The parser's own error → where it lies and what it says, in one line. */
export function syntaxError(error: unknown, source: string, file: string): SaydoError {
  const message = error instanceof Error ? error.message : String(error)
  const [head = '', excerpt = '', pointer = '', expected = ''] = message.split('\n')
  const line = Number(/^Parse error on line (\d+)/.exec(head)?.[1] ?? Number.NaN)
  if (!Number.isNaN(line)) {
    const got = /got '(\w+)'/.exec(expected)?.[1]
    const column = columnOf(source.split('\n')[line - 1] ?? '', excerpt.slice(0, Math.max(0, pointer.indexOf('^'))))
    const what = got === 'EOF' ? 'the template ends inside a block or tag' : 'this is no Handlebars'
    const hint = 'Write \\{{ for two braces that are meant as text.'
    return templateError(file, { line, column }, `${what}: ${excerpt.trim().slice(0, 80)}`, hint, error)
  }
  const place = /^(.*) - (\d+):(\d+)$/.exec(head)
  if (place === null) return templateError(file, undefined, head, undefined, error)
  return templateError(file, { line: Number(place[2]), column: Number(place[3]) }, place[1] ?? head, undefined, error)
}

/** The parser shows up to 20 characters before the fault, without line breaks: the longest end of them that stands in the line is the place. */
function columnOf(line: string, before: string): number {
  for (let start = 0; start < before.length; start++) {
    const tail = before.slice(start)
    const at = line.lastIndexOf(tail)
    if (at >= 0) return at + tail.length
  }
  return 0
}

function placeAt(source: string, index: number): Place {
  const before = source.slice(0, index)
  return { line: before.split('\n').length, column: index - (before.lastIndexOf('\n') + 1) }
}
