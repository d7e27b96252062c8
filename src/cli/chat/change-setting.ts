// `/set`: a name and a value → the flags with that option changed, as if it had been given so; and how the options stand, for people.
import { SaydoError } from '../../core/errors.js'
import { nearNames } from '../../core/near-names.js'
import type { OptionSpec } from '../command.js'
import { run } from '../commands/run.js'
import { keyOf, readValue } from '../settings.js'
import { visible, visibleJson } from '../visible.js'

type Options = Readonly<Record<string, unknown>>

/** Whatever shapes a run; not what its output is, nor where it is recorded, which is settled when a chat begins. */
const SETTABLE = new Map(
  run.options.filter(({ flags }) => !/--(?:json|jsonl|record|no-record)\b/.test(flags)).map(spec => [keyOf(spec), spec]),
)

/** Undefined when there is no value to set. Throws `CONFIG` for an unknown name and for a value that is none. */
export function changedFlags(flags: Options, text: string): Options | undefined {
  const [, name = '', value = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? []
  if (name === '') return undefined
  const [key, spec] = optionNamed(name)
  if (value === '') return undefined
  const { [key]: before, ...others } = flags
  if (value === 'default') return others
  const read = readText(spec, name, value)
  return { ...others, [key]: spec.repeat ? [...(Array.isArray(before) ? before : []), read] : read }
}

/** An entry as it may be kept: a header may hold a key. */
export function withoutHeader(entry: string): string {
  return entry.replace(/^(\s*\/set\s+-{0,2}header\s+[^\s:]*)[\s\S]*$/i, '$1: …')
}

/** The named option, or all that are set. */
export function settingsText(options: Options, text: string): string {
  const [name = ''] = text.split(/\s/, 1)
  const keys = name === '' ? Object.keys(options).filter(key => SETTABLE.has(key)) : [optionNamed(name)[0]]
  const lines = keys.map(key => `${flagOf(key)} ${options[key] === undefined ? 'is not set' : shown(key, options[key])}\n`)
  return lines.join('') || 'nothing is set\n'
}

function shown(key: string, value: unknown): string {
  if (key === 'header' && Array.isArray(value)) return value.map(([name]) => visible(`${name}: …`)).join(', ')
  return visibleJson(value)
}

function optionNamed(name: string): readonly [string, OptionSpec] {
  const wanted = flagOf(name.replace(/^-{1,2}(?:no-)?/, ''))
  const found = [...SETTABLE].find(([key]) => flagOf(key) === wanted)
  if (found) return found
  const names = [...SETTABLE.keys()].map(flagOf)
  const near = nearNames(wanted, names)
  throw new SaydoError('CONFIG', `there is no option '${name}' to set`, {
    hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are ${names.join(', ')}`,
  })
}

function readText(spec: OptionSpec, name: string, text: string): unknown {
  try {
    return readValue(spec, spec.flags.includes('<') ? text : SWITCH[text.toLowerCase()])
  } catch (error) {
    throw new SaydoError('CONFIG', `${name} got '${text}': ${(error as Error).message}`)
  }
}

const SWITCH: Readonly<Record<string, boolean>> = { on: true, true: true, yes: true, off: false, false: false, no: false }

/** `maxSteps` → `max-steps`. */
function flagOf(key: string): string {
  return key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}
