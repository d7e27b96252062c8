// A file, and the command of an editor → the file as a person left it.
import { spawn } from 'node:child_process'

export interface EditorOptions {
  /** Whether stdin is the person's keyboard. Else the editor gets nothing to read. */
  readonly keyboard: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

/** `command` may hold options, such as `code --wait`. Gives what went wrong, in words; undefined when the editor ended well. */
export function runEditor(command: string, file: string, { keyboard, env, cwd }: EditorOptions): Promise<string | undefined> {
  // stdout is for answers alone
  const child = spawn(`${command} "${file}"`, { shell: true, stdio: [keyboard ? 'inherit' : 'ignore', 2, 2], cwd, env })
  return new Promise(resolve => {
    child.on('error', error => resolve(`could not be started: ${error.message}`))
    child.on('close', (code, signal) => {
      if (code === 0) resolve(undefined)
      else resolve(code === null ? `was ended by ${signal}` : `ended with code ${code}`)
    })
  })
}
