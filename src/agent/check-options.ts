// Options as plain JavaScript may give them → nothing, or a `CONFIG` error that names the one that can be of no use, before anything is run.
// Numbers are checked by what keeps them.
import { SaydoError } from '../core/errors.js'
import { didYouMean } from '../core/near-names.js'

/** One option: its name, whether a value will do, and what will. Null and undefined always do: the option is not given. */
type Wanted = readonly [name: string, fits: (value: unknown) => boolean, what: string]

const HOOKS = [
  'beforeStep',
  'beforeModel',
  'afterModel',
  'afterParse',
  'beforeCall',
  'afterCall',
  'beforeAnswer',
  'afterStep',
  'afterRun',
]

const LIMITS = ['answer', 'return', 'throw']

const BASE_OPTIONS: readonly Wanted[] = [
  ['onMaxSteps', value => LIMITS.includes(value as string), `one of ${LIMITS.join(', ')}`],
  ['hooks', value => typeof value === 'object', `an object with functions, such as ${HOOKS.join(', ')}`],
]

const TOOL_CALL_OPTIONS: readonly Wanted[] = [
  ['tools', isIterable, 'a list of tools, or a ToolRegistry'],
  ['language', isText, 'the code of a language, such as "de"'],
  ['labels', isText, 'the code of a language, such as "de"'],
  ['template', has('render'), 'a template, such as loadTemplate() gives'],
  ['examples', Array.isArray, 'a list of examples'],
  ['toolTimeoutMs', value => typeof value === 'number' && value > 0, 'a positive number'],
  ['confirm', isFunction, 'a function of the tool and its input'],
  ['strict', Array.isArray, 'a list of problem codes'],
]

const RUN_OPTIONS: readonly Wanted[] = [
  ['onEvent', isFunction, 'a function of the event'],
  ['signal', has('addEventListener'), 'an AbortSignal'],
]

export function requireBaseOptions(options: object): void {
  require(options, BASE_OPTIONS)
  const { hooks } = options as { readonly hooks?: object }
  for (const [name, hook] of Object.entries(hooks ?? {})) {
    // a check under a misspelt name would never be asked
    if (isFunction(hook) && !HOOKS.includes(name))
      throw new SaydoError('CONFIG', `there is no hook ${JSON.stringify(name)}${didYouMean(name, HOOKS)}`, {
        hint: `the hooks are ${HOOKS.join(', ')}`,
      })
  }
  require(hooks ?? {}, HOOKS.map(name => [name, isFunction, 'a function']))
}

export function requireToolCallOptions(options: object): void {
  require(options, TOOL_CALL_OPTIONS)
}

export function requireRunOptions(options: object): void {
  require(options, RUN_OPTIONS)
}

function require(options: object, wanted: readonly Wanted[]): void {
  for (const [name, fits, what] of wanted) {
    const value = (options as Record<string, unknown>)[name]
    if (value !== undefined && value !== null && !fits(value)) throw unfit(name, value, what)
  }
}

function unfit(name: string, value: unknown, what: string): SaydoError {
  const given =
    typeof value === 'string' ? JSON.stringify(value) : typeof value === 'object' && value ? 'an object' : String(value)
  return new SaydoError('CONFIG', `${name} cannot be ${given}`, { hint: `give ${what}` })
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

function has(...methods: readonly string[]): (value: unknown) => boolean {
  return value => methods.every(method => isFunction((value as Record<string, unknown> | null | undefined)?.[method]))
}
