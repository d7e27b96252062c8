// What the user should know besides → a line of its own on stderr.
import type { Io } from './command.js'
import { visible } from './visible.js'

export function sayOn({ stderr }: Pick<Io, 'stderr'>, quiet = false): (line: string) => void {
  return line => {
    if (!quiet) stderr.write(`${visible(`· ${line}`)}\n`)
  }
}
