// A file of JSON as people write it, with comments and trailing commas → its value.
import { readFileSync } from 'node:fs'
import { SaydoError } from '../core/errors.js'

/** `name`: what the file is called in errors. Rejects with `CONFIG` when it can't be read, or is no JSON. */
export async function readJson5(path: string, name = path): Promise<unknown> {
  const { default: JSON5 } = await import('json5')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new SaydoError('CONFIG', `${name} can't be read: ${(cause as Error).message}`, { cause })
  }
  try {
    return JSON5.parse(text)
  } catch (cause) {
    throw new SaydoError('CONFIG', `${name} is not JSON5: ${(cause as Error).message}`, { cause })
  }
}
