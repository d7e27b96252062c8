// Template source → a function from plain data to text. The only importer of handlebars, which is loaded when the first template is.
// Everything is checked ahead: size, syntax, every name, helper and partial. Data is cut to its documented shape and never compiled, so
// that `{{` in a question, an observation or a tool's description is just text.
import type Handlebars from 'handlebars'
import type { JsonObject } from '../core/json.js'
import type { Role } from '../core/message.js'
import { once } from '../core/once.js'
import { checkNames } from './names.js'
import type { HelperSignature } from './scope.js'
import { conform, type ObjectShape } from './shape.js'
import { checkBounds, type InlineBlock, type Place, type Program, type Statement, syntaxError, templateError } from './syntax.js'

/** Marks made anew for each rendering, which data therefore can't spell (see `roles.ts`). */
export interface Marks {
  readonly role: (role: Role) => string
}

export interface CompiledTemplate {
  /** The file's name, for messages. */
  readonly name: string
  readonly program: Program
  /** The top-level names it uses. */
  readonly uses: ReadonlySet<string>
  /** Throws `TEMPLATE` when it names an optional thing that is absent without asking `{{#if}}` first. */
  readonly render: (data: JsonObject, marks?: Marks) => string
}

export interface CompileOptions {
  /** What to call the template in messages: its file. */
  readonly name: string
  /** The data a template may use. */
  readonly variables: ObjectShape
  /** Templates it may include with `{{> name}}`; default none. */
  readonly partials?: ReadonlyMap<string, CompiledTemplate>
}

/** A source taken apart: the template itself, and the named texts in its `{{#*inline "name"}}` blocks. */
export interface TemplateSource {
  readonly name: string
  readonly body: Program
  readonly blocks: ReadonlyMap<string, InlineBlock>
}

export interface Engine {
  parse(source: string, name: string): TemplateSource
  compile(program: Program, options: CompileOptions): CompiledTemplate
}

type Delegate = Handlebars.TemplateDelegate<JsonObject>

/** What a template may call, besides the blocks `if`, `unless`, `each` and `with`. */
const HELPERS: Readonly<Record<string, HelperSignature & { readonly run: (...args: readonly unknown[]) => unknown }>> = {
  /** `{{role "user"}}`: what follows is the user's turn. */
  role: {
    min: 1,
    max: 1,
    takes: ['system', 'user', 'assistant'],
    run: (role, options) => marksOf(options)?.role(role as Role) ?? '',
  },
  /** `{{json x}}`: as JSON text. */
  json: { min: 1, max: 1, takes: 'anything', run: value => JSON.stringify(value) ?? 'null' },
  /** `{{join list ", " 20}}`: the items with a text between (default `, `), at most so many (default all). */
  join: { min: 1, max: 3, takes: 'list', run: (list, between, most) => join(list, between, most) },
  /** `{{clip text 80}}`: at most so many characters, in one line. */
  clip: { min: 2, max: 2, takes: 'text', run: (text, most) => clip(String(text ?? ''), Number(most)) },
  /** `{{#if (eq a "b")}}` */
  eq: { min: 2, max: 2, takes: 'text', run: (a, b) => a === b },
}

/** The engine, made once. */
export const openEngine = once(createEngine)

/** Source → checked template. Throws `TEMPLATE` naming file, line:column and, for a mistyped name, the nearest known one. */
export async function compileTemplate(source: string, options: CompileOptions): Promise<CompiledTemplate> {
  const engine = await openEngine()
  const { body, blocks } = engine.parse(source, options.name)
  for (const block of blocks.values())
    throw templateError(options.name, block.loc?.start, 'this kind of block is not supported here')
  return engine.compile(body, options)
}

async function createEngine(): Promise<Engine> {
  const { default: handlebars } = await import('handlebars')
  const environment = handlebars.create()
  for (const name of ['log', 'lookup']) environment.unregisterHelper(name)
  for (const [name, helper] of Object.entries(HELPERS)) environment.registerHelper(name, helper.run as Handlebars.HelperDelegate)
  const options: CompileFlags = {
    noEscape: true,
    strict: true,
    knownHelpersOnly: true,
    preventIndent: true,
    knownHelpers: { ...Object.fromEntries(Object.keys(HELPERS).map(name => [name, true])), log: false, lookup: false },
  }
  const delegates = new WeakMap<Program, Delegate>()

  return {
    parse(source, name) {
      checkBounds(source, name)
      let program: Program
      try {
        program = environment.parse(source) as unknown as Program
      } catch (error) {
        throw syntaxError(error, source, name)
      }
      return { name, ...takeApart(program, name) }
    },
    compile(program, { name, variables, partials = new Map() }) {
      const uses = checkNames(program, name, { variables, helpers: HELPERS, partials })
      const delegate: Delegate = environment.compile(program, options as Parameters<typeof environment.compile>[1])
      delegates.set(program, delegate)
      const included = Object.fromEntries([...partials].flatMap(([key, { program }]) => entry(key, delegates.get(program))))
      const render = (data: JsonObject, marks?: Marks): string => {
        try {
          return delegate(conform(data, variables), { partials: included, data: { marks } })
        } catch (error) {
          throw renderError(error, name)
        }
      }
      return { name, program, uses, render }
    },
  }
}

interface CompileFlags {
  readonly noEscape: true
  readonly strict: true
  readonly knownHelpersOnly: true
  readonly preventIndent: true
  readonly knownHelpers: Readonly<Record<string, boolean>>
}

const entry = <T>(key: string, value: T | undefined): [string, T][] => (value === undefined ? [] : [[key, value]])

function takeApart(program: Program, file: string): Pick<TemplateSource, 'body' | 'blocks'> {
  const body: Statement[] = []
  const blocks = new Map<string, InlineBlock>()
  for (const statement of program.body) {
    if (statement.type !== 'DecoratorBlock') {
      body.push(statement)
      continue
    }
    const [label] = statement.params
    if (statement.path.type !== 'PathExpression' || statement.path.original !== 'inline' || label?.type !== 'StringLiteral') {
      throw templateError(file, statement.loc?.start, 'a named text is written {{#*inline "name"}}…{{/inline}}')
    }
    const name = String(label.value)
    if (blocks.has(name)) throw templateError(file, statement.loc?.start, `the text "${name}" stands twice`)
    blocks.set(name, statement)
  }
  return { body: { ...program, body }, blocks }
}

function renderError(error: unknown, file: string): Error {
  if (!(error instanceof Error)) return templateError(file, undefined, String(error))
  const { lineNumber, column } = error as Error & { lineNumber?: number; column?: number }
  const place: Place | undefined = lineNumber === undefined ? undefined : { line: lineNumber, column: column ?? 0 }
  const missing = /^"([^"]+)" not defined in /.exec(error.message)?.[1]
  if (missing === undefined) return templateError(file, place, error.message.split('\n')[0] ?? '', undefined, error)
  return templateError(file, place, `"${missing}" has no value`, `Ask first: {{#if ${missing}}}…{{/if}}.`, error)
}

function marksOf(options: unknown): Marks | undefined {
  const data = (options as { readonly data?: { readonly marks?: Marks } } | undefined)?.data
  return data?.marks
}

function join(list: unknown, between: unknown, most: unknown): string {
  const items = Array.isArray(list) ? list.map(item => (typeof item === 'object' ? JSON.stringify(item) : String(item))) : []
  const shown = typeof most === 'number' ? items.slice(0, most) : items
  const text = shown.join(typeof between === 'string' ? between : ', ')
  return shown.length < items.length ? `${text} … (+${items.length - shown.length})` : text
}

function clip(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const points = Array.from(line)
  return points.length > most ? `${points.slice(0, most).join('')}…` : line
}
