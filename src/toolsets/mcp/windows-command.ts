// A command with its arguments → how it is started. Elsewhere than on Windows as it is. There `npx` is a script that only its shell can run, and that
// shell reads the whole line once more, so each part is quoted for it.
import { existsSync } from 'node:fs'
import { win32 } from 'node:path'

export interface StartedAs {
  readonly command: string
  readonly args: readonly string[]
  /** The arguments are quoted already. */
  readonly verbatim: boolean
}

interface Machine {
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly exists: (path: string) => boolean
}

export function commandFor(
  { command, args = [] }: { readonly command: string; readonly args?: readonly string[] },
  { platform, env, exists }: Machine = { platform: process.platform, env: process.env, exists: existsSync },
): StartedAs {
  const plain = { command, args, verbatim: false }
  if (platform !== 'win32') return plain
  const found = candidates(command, env).find(exists)
  if (found === undefined || !/\.(?:cmd|bat)$/i.test(found)) return { ...plain, command: found ?? command }
  const line = [found, ...args].map(quoted).join(' ')
  return { command: env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true }
}

function candidates(command: string, env: Machine['env']): readonly string[] {
  const folders = /[\\/]/.test(command) ? [''] : (env.PATH ?? env.Path ?? '').split(';').filter(folder => folder !== '')
  const endings = win32.extname(command) === '' ? (env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';') : ['']
  return folders.flatMap(folder => endings.map(ending => win32.join(folder, command + ending.toLowerCase())))
}

/** For the program (quotes and the backslashes before them), then for the shell (all that it reads), twice since a script passes it on. */
function quoted(part: string): string {
  const inner = `"${part.replace(/(\\{0,64})"/g, '$1$1\\"').replace(/(\\{1,64})$/, '$1$1')}"`
  const forShell = (text: string) => text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&')
  return forShell(forShell(inner))
}
