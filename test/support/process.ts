// The command line as a process of its own: src/cli/bin.ts bundled once into a folder, and runs of it with signals, pipes and tools files.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { esbuildBundledText } from '../../bundled-text.config.js'

export interface ProcessResult {
  readonly code: number | null
  /** What ended the process when it did not end by itself. */
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** The last line of stderr. */
  readonly verdict: string
}

export interface ProcessOptions {
  readonly cwd?: string
  /** Besides PATH. */
  readonly env?: Readonly<Record<string, string>>
  /** Options for Node itself. */
  readonly node?: readonly string[]
  /** Gives it a terminal of its own: all three streams are one, which comes as stdout. */
  readonly terminal?: boolean
  /** Where stdout goes in place of a pipe. */
  readonly stdout?: number
  /** Gets the process as soon as it runs; its stdin stays open until this ends it. */
  readonly during?: (child: ChildProcess) => unknown
}

export type Saydo = (argv: readonly string[], options?: ProcessOptions) => Promise<ProcessResult>

/** Bundles the command line; gives the function that runs it. */
export async function buildSaydo(): Promise<Saydo> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'saydo-bin-')), 'saydo.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, '..', '..', 'src', 'cli', 'bin.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    loader: { '.hbs': 'text' },
    plugins: [esbuildBundledText],
    // what some CommonJS packages inside expect of a Node file
    banner: { js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);" },
    logLevel: 'error',
  })
  return (argv, options = {}) => runNode([...(options.node ?? []), outfile, ...argv], options)
}

/** What a person types at the terminal of a process, each piece as soon as it shows the text before it. */
export function type(child: ChildProcess, typing: readonly (readonly [shown: string, typed: string])[]): void {
  const waiting = [...typing]
  let shown = ''
  child.stdout?.on('data', data => {
    shown += data
    const [next] = waiting
    if (next === undefined || !shown.includes(next[0])) return
    waiting.shift()
    shown = ''
    child.stdin?.write(next[1])
  })
}

/** A tools file with one tool without parameters; `body` is the text of its run function, `more` of further fields. */
export function toolsFile(folder: string, name: string, body: string, more = ''): string {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(
    file,
    `export const ${name} = { name: '${name}', description: 'A tool.', parameters: { type: 'object', properties: {} }, run: ${body}, ${more} }`,
  )
  return file
}

/** Ended, though perhaps not yet taken notice of by whoever has to, is not alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync('/proc/self')
  }
}

function runNode(argv: readonly string[], { cwd, env, stdout, during, terminal }: ProcessOptions): Promise<ProcessResult> {
  return new Promise(resolve => {
    const [command, ...args] = terminal ? inTerminal([process.execPath, ...argv]) : [process.execPath, ...argv]
    const child = spawn(command ?? '', args, {
      cwd: cwd ?? tmpdir(),
      env: { PATH: process.env.PATH, ...env },
      stdio: [during ? 'pipe' : 'ignore', stdout ?? 'pipe', 'pipe'],
    })
    const written = { out: '', err: '' }
    child.stdout?.on('data', data => (written.out += data))
    child.stderr?.on('data', data => (written.err += data))
    during?.(child)
    child.on('close', (code, signal) => {
      const verdict = written.err.trimEnd().split('\n').at(-1) ?? ''
      resolve({ code, signal, stdout: written.out, stderr: written.err, verdict })
    })
  })
}

function inTerminal(argv: readonly string[]): string[] {
  const quoted = argv.map(word => `'${word.replaceAll("'", "'\\''")}'`)
  // a shell in between would end as if it had been interrupted itself
  return ['script', '--quiet', '--return', '--command', `exec ${quoted.join(' ')}`, '/dev/null']
}
