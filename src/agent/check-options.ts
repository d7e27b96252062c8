// Options as plain JavaScript may give them → nothing, or a `CONFIG` error that names the one that can be of no use, before anything is run.
import { SaydoError } from '../core/errors.js'
import { didYouMean } from '../core/near-names.js'
import type { BaseAgentOptions } from './base-agent-options.js'
import { HOOK_NAMES, type Hooks } from './hooks.js'
import type { RunOptions } from './run-options.js'
import type { ToolCallAgentOptions } from './tool-call-options.js'

/** Whether a value will do, and what will. Null and undefined always do: the option is not given. */
type Wanted = readonly [fits: (value: unknown) => boolean, what: string]

/** What is wanted of every option there is; `elsewhere` of those that whatever keeps them checks. */
type Table<Options> = Readonly<Record<keyof Options, Wanted | 'elsewhere'>>

const LIMITS = ['answer', 'return', 'throw']
const A_LANGUAGE: Wanted = [isText, 'the code of a language, such as "de"']
const A_FUNCTION: Wanted = [isFunction, 'a function']

const HOOKS = Object.fromEntries(HOOK_NAMES.map(name => [name, A_FUNCTION])) as Table<Hooks>

const BASE_OPTIONS: Table<BaseAgentOptions> = {
  name: 'elsewhere',
  description: 'elsewhere',
  maxSteps: 'elsewhere',
  onMaxSteps: [value => LIMITS.includes(value as string), `one of ${LIMITS.join(', ')}`],
  deadlineMs: 'elsewhere',
  maxRunTokens: 'elsewhere',
  stuck: 'elsewhere',
  hooks: [value => typeof value === 'object', `an object with functions, such as ${HOOK_NAMES.join(', ')}`],
  resources: [value => Array.isArray(value) && value.every(has('close')), 'a list of things with a close function'],
  keepOpen: 'elsewhere',
}

const TOOL_CALL_OPTIONS: Table<ToolCallAgentOptions> = {
  ...BASE_OPTIONS,
  maxFormatErrors: 'elsewhere',
  model: 'elsewhere',
  tools: [isIterable, 'a list of tools, or a ToolRegistry'],
  toolChoice: 'elsewhere',
  answer: 'elsewhere',
  dialect: 'elsewhere',
  language: A_LANGUAGE,
  labels: A_LANGUAGE,
  template: [has('render'), 'a template, such as loadTemplate() gives'],
  examples: [Array.isArray, 'a list of examples'],
  contextTokens: 'elsewhere',
  maxObserve: 'elsewhere',
  toolTimeoutMs: [value => typeof value === 'number' && value > 0, 'a positive number'],
  confirm: [isFunction, 'a function of the tool and its input'],
  strict: [Array.isArray, 'a list of problem codes'],
  parallel: 'elsewhere',
  concurrency: 'elsewhere',
}

const RUN_OPTIONS: Table<RunOptions> = {
  onEvent: [isFunction, 'a function of the event'],
  signal: [has('addEventListener'), 'an AbortSignal'],
  maxSteps: 'elsewhere',
  deadlineMs: 'elsewhere',
  maxRunTokens: 'elsewhere',
  toolChoice: 'elsewhere',
  runId: 'elsewhere',
  resume: 'elsewhere',
}

/** A class of somebody's own may have further options. */
export function requireBaseOptions(options: BaseAgentOptions): void {
  requireFitting(options, BASE_OPTIONS)
  const hooks = options.hooks ?? {}
  // what is no function may be a hooks object's own
  requireKnown(namesWhere(hooks, isFunction), HOOKS, 'hook')
  requireFitting(hooks, HOOKS)
}

/** Without the options of the classes above. `isOwn`: of the class itself, which has no further ones. */
export function requireToolCallOptions(options: ToolCallAgentOptions, isOwn: boolean): void {
  if (isOwn) requireKnown(namesWhere(options, isGiven), TOOL_CALL_OPTIONS, 'option')
  requireFitting(options, TOOL_CALL_OPTIONS)
}

export function requireRunOptions(options: RunOptions): void {
  requireKnown(namesWhere(options, isGiven), RUN_OPTIONS, 'option')
  requireFitting(options, RUN_OPTIONS)
}

/** What is misspelt would be passed over, as if it had not been given: a limit that is never kept, a check that is never asked. */
function requireKnown(names: readonly string[], table: object, kind: 'option' | 'hook'): void {
  const known = Object.keys(table)
  const strange = names.find(name => !known.includes(name))
  if (strange === undefined) return
  throw new SaydoError('CONFIG', `there is no ${kind} ${JSON.stringify(strange)}${didYouMean(strange, known)}`, {
    hint: `the ${kind}s are ${known.join(', ')}`,
  })
}

function namesWhere(options: object, counts: (value: unknown) => boolean): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => (counts(value) ? [name] : []))
}

function requireFitting<Options extends object>(options: Options, table: Table<Options>): void {
  for (const [name, wanted] of Object.entries(table) as [string, Wanted | 'elsewhere'][]) {
    const value = (options as Readonly<Record<string, unknown>>)[name]
    if (wanted === 'elsewhere' || !isGiven(value)) continue
    const [fits, what] = wanted
    if (!fits(value)) throw unfit(name, value, what)
  }
}

function unfit(name: string, value: unknown, what: string): SaydoError {
  const given =
    typeof value === 'string' ? JSON.stringify(value) : typeof value === 'object' && value ? 'an object' : String(value)
  return new SaydoError('CONFIG', `${name} cannot be ${given}`, { hint: `give ${what}` })
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isIterable(value: unknown): boolean {
  return isFunction((value as Partial<Iterable<unknown>>)[Symbol.iterator]) || has('specs')(value)
}

function has(method: string): (value: unknown) => boolean {
  return value => isFunction((value as Record<string, unknown> | null | undefined)?.[method])
}
