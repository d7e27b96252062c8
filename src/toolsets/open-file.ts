// A file → shown by the program that the system has for such files.
import { spawn } from 'node:child_process'

const OPENERS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '""'],
}

/** Undefined, or why it could not be opened. Does not wait until it is closed. */
export function openFile(file: string, platform: string = process.platform): Promise<string | undefined> {
  const [program, ...args] = OPENERS[platform] ?? ['xdg-open']
  return new Promise(settle => {
    const child = spawn(program, [...args, file], { detached: true, stdio: 'ignore' })
    child.once('error', error => settle(error.message))
    child.once('spawn', () => {
      child.unref()
      settle(undefined)
    })
  })
}
