// A text → a file that a command was asked for.
import { mkdirSync } from 'node:fs'
import { SaydoError } from '../core/errors.js'
import { writeWhole } from '../transcript/write-whole.js'

/** `name`: as it was asked for. Throws `CONFIG` when it can't be written. */
export function writeFile(path: string, name: string, text: string): void {
  try {
    writeWhole(path, text)
  } catch (cause) {
    throw new SaydoError('CONFIG', `cannot write ${name}: ${(cause as Error).message}`, {
      hint: 'name a file in a folder that is there',
      cause,
    })
  }
}

/** `name`: as it is told. Throws `CONFIG` when it can't be made. */
export function makeFolder(path: string, name: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (cause) {
    throw new SaydoError('CONFIG', `cannot make the folder ${name}: ${(cause as Error).message}`, { cause })
  }
}
