// Flags, environment, .env and a config file → what to run with, strongest first. Never changes the process's environment.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { SaydoError } from '../core/errors.js'
import { nearNames } from '../core/near-names.js'
import { secretParts, secretPartsOfUrl } from '../model/endpoint.js'
import { type Secrets, secretsIn } from '../transcript/secrets.js'
import type { Invocation, Io, OptionSpec } from './command.js'
import { readJson5 } from './json5-file.js'

/** Read from the working directory when it is there; its keys are the long flags of `run` in camel case. */
const CONFIG_FILE = 'saydo.config.json5'

export interface Settings {
  /** Flags over the config file's values. */
  readonly options: Readonly<Record<string, unknown>>
  /** The flags alone: what was said for this command. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly url?: string
  readonly model?: string
  readonly apiKey?: string
  /** What must never be written down: the key, the values of headers, what the URL holds of the kind, and what the environment and .env call secret. */
  readonly secrets: Secrets
}

/** Flag > SAYDO_* > OPENAI_* > .env > config file. Rejects with `CONFIG` for a broken file, an unknown key, a bad value or an unset key variable. */
export async function readSettings({ options, io }: Invocation, known: readonly OptionSpec[]): Promise<Settings> {
  const config = await readConfig(io.cwd, known)
  const dotenv = readDotenv(io.cwd)
  const merged: Record<string, unknown> = { ...config, ...options }
  const look = (...names: readonly string[]) =>
    names.map(name => io.env[name]).find(isSet) ?? names.map(name => dotenv[name]).find(isSet)
  const url = text(options.url) ?? look('SAYDO_URL', 'OPENAI_BASE_URL') ?? text(config.url)
  const model = text(options.model) ?? look('SAYDO_MODEL', 'OPENAI_MODEL') ?? text(config.model)
  const keyVariable = text(merged.apiKeyEnv)
  const apiKey = look(keyVariable ?? 'OPENAI_API_KEY')
  if (keyVariable !== undefined && apiKey === undefined)
    throw new SaydoError('CONFIG', `--api-key-env names ${keyVariable}, which is not set`, { hint: `export ${keyVariable}=…` })
  const secrets = { ...secretsOf(io.env, dotenv, merged, url), ...(apiKey ? { [keyVariable ?? 'OPENAI_API_KEY']: apiKey } : {}) }
  return {
    options: merged,
    flags: options,
    ...(url ? { url } : {}),
    ...(model ? { model } : {}),
    ...(apiKey ? { apiKey } : {}),
    secrets,
  }
}

function secretsOf(env: Io['env'], dotenv: Io['env'], { header }: Readonly<Record<string, unknown>>, url = ''): Secrets {
  const fromFile = Object.entries(secretsIn(dotenv)).map(([name, value]) => [`${name} of .env`, value])
  const headers = (Array.isArray(header) ? (header as [string, string][]) : []).map(([name, value]) => [
    `header ${name}`,
    secretParts(value),
  ])
  return { ...Object.fromEntries(fromFile), ...secretsIn(env), ...Object.fromEntries(headers), URL: secretPartsOfUrl(url) }
}

async function readConfig(cwd: string, known: readonly OptionSpec[]): Promise<Record<string, unknown>> {
  const path = join(cwd, CONFIG_FILE)
  if (!existsSync(path)) return {}
  const value = await readJson5(path, CONFIG_FILE)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SaydoError('CONFIG', `${CONFIG_FILE} must hold an object`, { hint: "such as {url: 'http://localhost:8080'}" })
  const specs = new Map(known.map(spec => [keyOf(spec), spec]))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, readConfigValue(key, item, specs)]))
}

/** One entry as the same flag would have it. */
function readConfigValue(key: string, value: unknown, specs: ReadonlyMap<string, OptionSpec>): unknown {
  const spec = specs.get(key)
  if (spec === undefined) {
    const near = nearNames(key, [...specs.keys()])
    throw new SaydoError('CONFIG', `${CONFIG_FILE} has an unknown key '${key}'`, {
      hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : `known keys: ${[...specs.keys()].join(', ')}`,
    })
  }
  try {
    if (spec.repeat) return (Array.isArray(value) ? value : [value]).map(item => readValue(spec, item))
    return readValue(spec, value)
  } catch (error) {
    throw new SaydoError('CONFIG', `${CONFIG_FILE}: ${key} is ${JSON.stringify(value)}, but ${(error as Error).message}`)
  }
}

/** What an option gets where it is not given as a flag. Throws an Error whose message says what is wanted. */
export function readValue({ flags, parse, choices }: OptionSpec, value: unknown): unknown {
  if (!flags.includes('<')) {
    if (typeof value === 'boolean') return value
    throw new Error('true or false is wanted')
  }
  if (typeof value === 'number' && parse) return parse(String(value))
  if (typeof value !== 'string') throw new Error('a text is wanted')
  if (choices && !choices.includes(value)) throw new Error(`one of ${choices.join(', ')} is wanted`)
  return parse ? parse(value) : value
}

/** The name of an option among the settings: `--max-steps <n>` → `maxSteps`, `--no-stream` → `stream`. */
export function keyOf({ flags }: Pick<OptionSpec, 'flags'>): string {
  const long = /--(?:no-)?([a-z-]+)/.exec(flags)?.[1] ?? ''
  return long.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function readDotenv(cwd: string): Readonly<Record<string, string | undefined>> {
  const path = join(cwd, '.env')
  // a folder of that name is a virtual environment of Python
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return {}
  try {
    return parseEnv(readFileSync(path, 'utf8').replace(/^\uFEFF/, '')) as Record<string, string | undefined>
  } catch (error) {
    throw new SaydoError('CONFIG', `.env can't be read: ${(error as Error).message}`, { cause: error })
  }
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
