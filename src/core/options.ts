// Options as plain JavaScript may give them, and what is wanted of each → nothing, or a `CONFIG` error that names the one that can be of no use.
import { SaydoError } from './errors.js'
import { didYouMean } from './near-names.js'

/** Whether a value will do, and what will. Null and undefined always do: the option is not given. */
export type Wanted = readonly [fits: (value: unknown) => boolean, what: string]

/** What is wanted of every option there is; `elsewhere` of those that whatever keeps them checks. */
export type OptionTable<Options> = Readonly<Record<keyof Options, Wanted | 'elsewhere'>>

export const A_FUNCTION: Wanted = [isFunction, 'a function']
export const A_TEXT: Wanted = [value => typeof value === 'string', 'a text']
export const A_NUMBER: Wanted = [value => typeof value === 'number' && !Number.isNaN(value), 'a number']
export const A_FLAG: Wanted = [value => typeof value === 'boolean', 'true or false']
export const AN_ABORT_SIGNAL: Wanted = [has('addEventListener'), 'an AbortSignal']

export function oneOf(values: readonly string[]): Wanted {
  return [value => values.includes(value as string), `one of ${values.join(', ')}`]
}

/** That they are an object at all. `what` takes them: `an agent`. */
export function requireObject(options: unknown, what: string): asserts options is object {
  if (typeof options === 'object' && options !== null) return
  throw new SaydoError('CONFIG', `the options of ${what} cannot be ${shown(options)}`, { hint: 'give an object' })
}

/** What is misspelt would be passed over, as if it had not been given: a limit that is never kept, a check that is never asked. */
export function requireKnown(names: readonly string[], table: object, kind: 'option' | 'hook'): void {
  const known = Object.keys(table)
  const strange = names.find(name => !known.includes(name))
  if (strange === undefined) return
  throw new SaydoError('CONFIG', `there is no ${kind} ${JSON.stringify(strange)}${didYouMean(strange, known)}`, {
    hint: `the ${kind}s are ${known.join(', ')}`,
  })
}

export function namesWhere(options: object, counts: (value: unknown) => boolean): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => (counts(value) ? [name] : []))
}

export function requireFitting<Options extends object>(options: Options, table: OptionTable<Options>): void {
  for (const [name, wanted] of Object.entries(table) as [string, Wanted | 'elsewhere'][]) {
    const value = (options as Readonly<Record<string, unknown>>)[name]
    if (wanted === 'elsewhere' || !isGiven(value)) continue
    const [fits, what] = wanted
    if (!fits(value)) throw unfit(name, value, what)
  }
}

function unfit(name: string, value: unknown, what: string): SaydoError {
  return new SaydoError('CONFIG', `${name} cannot be ${shown(value)}`, { hint: `give ${what}` })
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'object' && value ? 'an object' : String(value)
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

export function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

export function has(method: string): (value: unknown) => boolean {
  return value => isFunction((value as Record<string, unknown> | null | undefined)?.[method])
}
