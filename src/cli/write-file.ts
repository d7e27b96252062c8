// A text → a file that a command was asked for.
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
