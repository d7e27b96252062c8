// A workspace in a sandbox → the tools that find files by their names and lines by their text. The programs find and grep look, so that no file of a large
// workspace goes through here; what others have made and nobody edits is left out.
import type { Sandbox, SandboxCommand } from '../core/sandbox.js'
import type { Tool } from '../core/tool.js'
import { tool } from '../tools/define.js'
import { LEFT_BEHIND } from './left-behind.js'

export interface SearchPlace {
  readonly sandbox: Sandbox
  /** Where relative paths begin, as programs see it. */
  readonly folder: string
}

type Argv = Exclude<SandboxCommand, string>

const MOST_SHOWN = 100
/** Most files that are named in place of one that is not there. */
const MOST_NAMED = 20
/** Most of a line that is shown, in characters. */
const MOST_LINE = 240
const SEARCH_MS = 30_000
const MOST_BYTES = 2 * 1024 * 1024
const LEFT_OUT = ['.git', ...LEFT_BEHIND] as const
const folder = { type: 'string', description: 'Where to look; default the working directory' } as const

export function searchTools(open: () => Promise<SearchPlace>): readonly Tool[] {
  return [
    tool({
      name: 'find_file',
      description: 'Finds files by their name, in a folder and all below it.',
      returns: 'their paths',
      effect: 'none',
      timeoutMs: SEARCH_MS * 2,
      input: {
        type: 'object',
        properties: { name: { type: 'string', minLength: 1, description: 'Such as main.py, *.test.js or src/*.c' }, folder },
        required: ['name'],
        additionalProperties: false,
      },
      async run({ name, folder }: { readonly name: string; readonly folder?: string }, { signal }) {
        const place = await open()
        const look = (pattern: string) => linesOf(place, filesNamed(pattern), folder, signal)
        const named = await look(name)
        return named.shown.length > 0 ? told(named) : noSuchFile(await look('*'))
      },
    }),
    tool({
      name: 'search_dir',
      description: 'Finds the lines that hold a text, exactly as it is given, in the text files of a folder and all below it.',
      returns: 'path:line:text for each',
      effect: 'none',
      timeoutMs: SEARCH_MS * 2,
      input: {
        type: 'object',
        properties: { text: { type: 'string', minLength: 1, description: 'A piece of one line; no pattern' }, folder },
        required: ['text'],
        additionalProperties: false,
      },
      async run({ text, folder }: { readonly text: string; readonly folder?: string }, { signal }) {
        if (text.includes('\n')) throw new Error('text is a piece of one line: give the line that is rarest')
        const skip = LEFT_OUT.map(each => `--exclude-dir=${each}`)
        const found = await linesOf(await open(), ['grep', '-rnIF', ...skip, '-e', text, '.'], folder, signal)
        return found.shown.length > 0 ? told(found) : ['No line was found.', ...found.omitted].join('\n')
      },
    }),
  ]
}

interface Found {
  readonly shown: readonly string[]
  /** What is said of the rest. */
  readonly omitted: readonly string[]
}

/** `pattern` may be a path from the folder, or the end of one. */
function filesNamed(pattern: string): Argv {
  const meant = pattern.replace(/^(?:\.?\/|\*\*\/)/, '')
  const test = meant.includes('/') ? ['-path', `*/${meant}`] : ['-name', meant]
  const skip = LEFT_OUT.flatMap((each, at) => [...(at > 0 ? ['-o'] : []), '-name', each])
  return ['find', '.', '-type', 'd', '(', ...skip, ')', '-prune', '-o', '-type', 'f', ...test, '-print']
}

/** Whoever looks for a name that is not there has guessed it, or means a text. */
function noSuchFile(there: Found): string {
  const { length } = there.shown
  const names = there.shown.slice(0, MOST_NAMED).join(', ')
  const rest = length > MOST_NAMED || there.omitted.length > 0 ? ' and more' : ''
  return `No file was found. Texts in files are found by search_dir. ${length > 0 ? `There are: ${names}${rest}` : 'There are no files.'}`
}

function told({ shown, omitted }: Found): string {
  return [...shown, ...omitted].join('\n')
}

async function linesOf(
  { sandbox, folder }: SearchPlace,
  command: Argv,
  path: string | undefined,
  signal: AbortSignal,
): Promise<Found> {
  if (command.some(part => part.includes('\0'))) throw new Error('a search cannot hold a NUL character')
  const cwd = path === undefined ? folder : path.startsWith('/') ? path : `${folder}/${path}`
  const limits = { timeoutMs: SEARCH_MS, maxOutputBytes: MOST_BYTES, signal }
  const { code, end, stdout, stderr } = await sandbox.exec(command, { cwd, env: { LC_ALL: 'C' }, ...limits })
  if (code > 125 && end === 'exit') throw new Error(Buffer.from(stderr).toString('utf8').trim().slice(0, MOST_LINE))
  const lines = Buffer.from(stdout).toString('utf8').split('\n')
  // what follows the last line break is empty, or was cut off
  lines.pop()
  const shown = lines
    .sort(byText)
    .slice(0, MOST_SHOWN)
    .map(line => line.replace(/^\.\//, '').slice(0, MOST_LINE))
  return { shown, omitted: omitted(lines.length, end) }
}

function omitted(count: number, end: string): readonly string[] {
  if (end === 'timeout') return [`[it was ended after ${SEARCH_MS / 1000} s: there may be more; look in a folder below]`]
  if (end !== 'exit') return ['[there are too many: look for something rarer, or in a folder below]']
  return count > MOST_SHOWN ? [`[${count - MOST_SHOWN} more: look for something rarer, or in a folder below]`] : []
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
