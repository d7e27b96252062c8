// The environment of a program → the Chromium of this machine: Debian's, or another of its family that lies in PATH.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']

/** How to get one, where there is none. */
export const GET_CHROMIUM = 'apt-get install -y chromium, or give --browser PATH'

/** Undefined when there is none. */
export function findChromium(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  return (env.PATH ?? '')
    .split(delimiter)
    .flatMap(folder => NAMES.map(name => join(folder, name)))
    .find(isProgram)
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
