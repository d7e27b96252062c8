// Flags, environment, .env and a config file → what to run with, strongest first. Never changes the process's environment.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { SaydoError } from '../core/errors.js'
import { nearNames } from '../core/near-names.js'
import type { Invocation } from './command.js'

/** Read from the working directory when it is there; its keys are the long flags of `run` in camel case. */
export const CONFIG_FILE = 'saydo.config.json5'

export interface Settings {
  /** Flags over the config file's values. */
  readonly options: Readonly<Record<string, unknown>>
  readonly url?: string
  readonly model?: string
  readonly apiKey?: string
}

/** Flag > SAYDO_* > OPENAI_* > .env > config file. Rejects with `CONFIG` for a broken file, an unknown key, a bad URL or an unset key variable. */
export async function readSettings({ options, io }: Invocation, known: readonly string[]): Promise<Settings> {
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
  if (url !== undefined) checkUrl(url)
  return { options: merged, ...(url ? { url } : {}), ...(model ? { model } : {}), ...(apiKey ? { apiKey } : {}) }
}

async function readConfig(cwd: string, known: readonly string[]): Promise<Record<string, unknown>> {
  const path = join(cwd, CONFIG_FILE)
  if (!existsSync(path)) return {}
  const { default: JSON5 } = await import('json5')
  let value: unknown
  try {
    value = JSON5.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new SaydoError('CONFIG', `${CONFIG_FILE} is not JSON5: ${(error as Error).message}`, { cause: error })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SaydoError('CONFIG', `${CONFIG_FILE} must hold an object`, { hint: "such as {url: 'http://localhost:8080'}" })
  for (const key of Object.keys(value))
    if (!known.includes(key)) {
      const near = nearNames(key, known)
      throw new SaydoError('CONFIG', `${CONFIG_FILE} has an unknown key '${key}'`, {
        hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : `known keys: ${known.join(', ')}`,
      })
    }
  return value as Record<string, unknown>
}

function readDotenv(cwd: string): Readonly<Record<string, string | undefined>> {
  const path = join(cwd, '.env')
  if (!existsSync(path)) return {}
  try {
    return parseEnv(readFileSync(path, 'utf8')) as Record<string, string | undefined>
  } catch (error) {
    throw new SaydoError('CONFIG', `.env can't be read: ${(error as Error).message}`, { cause: error })
  }
}

function checkUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return
  throw new SaydoError('CONFIG', `'${url}' is no http or https URL`, { hint: 'write it as http://localhost:8080' })
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
