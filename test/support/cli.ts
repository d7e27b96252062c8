// A command line run inside the test's own process: what main() does with it, what it wrote, how it ended.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import type { Io } from '../../src/cli/command.js'
import { main } from '../../src/cli/main.js'

export interface CliOptions {
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly signal?: AbortSignal
  /** Stands for a terminal on stdin. */
  readonly terminal?: boolean
}

export interface CliResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** The last line of stderr. */
  readonly verdict: string
}

export async function saydo(argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const written = [collect(stdout), collect(stderr)] as const
  const stdin: Io['stdin'] = Object.assign(Readable.from(options.stdin === undefined ? [] : [options.stdin]), {
    isTTY: options.terminal ?? false,
  })
  const code = await main(argv, {
    stdin,
    stdout,
    stderr,
    env: options.env ?? {},
    cwd: options.cwd ?? emptyFolder(),
    signal: options.signal ?? new AbortController().signal,
  })
  stdout.end()
  stderr.end()
  const [out, err] = await Promise.all(written)
  return { code, stdout: out, stderr: err, verdict: err.trimEnd().split('\n').at(-1) ?? '' }
}

export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'saydo-cli-'))
}

async function collect(stream: PassThrough): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}
