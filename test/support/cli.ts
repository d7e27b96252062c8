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
  /**
   * A person at a terminal: what they type, each line as soon as stderr shows the text before it; null ends the input. Ctrl-C is a key where keys are
   * read one by one, else an interrupt.
   */
  readonly person?: readonly (readonly [shown: string, typed: string | null])[]
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
  const interrupts = new Interrupts()
  const stdin: Io['stdin'] = options.person
    ? typing(options.person, Object.assign(stderr, { isTTY: true }), interrupts)
    : Object.assign(Readable.from(options.stdin === undefined ? [] : [options.stdin]), { isTTY: options.terminal ?? false })
  const code = await main(argv, {
    stdin,
    stdout,
    stderr,
    env: options.env ?? {},
    cwd: options.cwd ?? emptyFolder(),
    signal: options.signal ?? interrupts.signal,
    interrupt: () => interrupts.press(),
    takeInterrupts: listener => interrupts.take(listener),
  })
  stdout.end()
  stderr.end()
  const [out, err] = await Promise.all(written)
  return { code, stdout: out, stderr: err, verdict: err.trimEnd().split('\n').at(-1) ?? '' }
}

export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'saydo-cli-'))
}

/** What the process does with them, see bin.ts. */
class Interrupts {
  readonly #abort = new AbortController()
  readonly #takers: (() => void)[] = []

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  press(): void {
    const taker = this.#takers.at(-1)
    if (taker) taker()
    else this.#abort.abort()
  }

  take(listener: () => void): () => void {
    this.#takers.push(listener)
    return () => void this.#takers.splice(this.#takers.lastIndexOf(listener), 1)
  }
}

function typing(person: NonNullable<CliOptions['person']>, screen: PassThrough, interrupts: Interrupts): Io['stdin'] {
  const keyboard = new PassThrough()
  let isRaw = false
  const waiting = [...person]
  let shown = ''
  screen.on('data', chunk => {
    shown += String(chunk)
    const [next] = waiting
    if (next === undefined || !shown.includes(next[0])) return
    waiting.shift()
    shown = ''
    if (next[1] === null) keyboard.end()
    else if (/^\u0003+$/.test(next[1]) && !isRaw) for (const _ of next[1]) interrupts.press()
    else keyboard.write(next[1])
  })
  return Object.assign(keyboard, {
    isTTY: true,
    setRawMode(on: boolean) {
      isRaw = on
    },
  })
}

async function collect(stream: PassThrough): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}
