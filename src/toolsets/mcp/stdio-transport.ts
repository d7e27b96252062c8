// A command → a transport of MCP messages over its stdin and stdout. Whatever the process does, this one stays alive and within its memory: lines that
// are no message are counted and passed over, a message that is too long is answered for by an error, a process that floods or does not end is killed
// with its whole group.
import { type ChildProcess, spawn } from 'node:child_process'
import { isObject, type JsonObject } from '../../core/json.js'
import { LineReader } from './line-reader.js'
import { commandFor } from './windows-command.js'

/** A line without an end, and messages that the process does not take: beyond this it is broken, in multiples of the longest message. */
const MOST_OPEN = 16

/** The last that a process said on stderr, in UTF-16 code units. */
const TAIL = 600

/** What a process has to end by itself, and then after it was asked to, in ms. */
const GRACE_MS = 1_000

/** What a server gets of the environment without being given it: no keys, no tokens. */
const INHERITED =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'USERNAME',
        'USERPROFILE',
      ]
    : ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER']

export interface StdioCommand {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** In bytes. */
  readonly maxMessageBytes: number
}

/** Processes that run: they end with this one. */
const alive = new Set<StdioTransport>()

/** A transport as the SDK wants it. */
export class StdioTransport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: unknown) => void
  readonly #command: StdioCommand
  readonly #lines: LineReader
  #child: ChildProcess | undefined
  #stderr = ''
  #ended: string | undefined
  #closed: () => void = () => {}
  readonly #whenClosed = new Promise<void>(resolve => {
    this.#closed = resolve
  })
  /** Lines on stdout that were no messages. */
  junk = 0

  constructor(command: StdioCommand) {
    this.#command = command
    this.#lines = new LineReader({
      most: command.maxMessageBytes,
      onLine: line => this.#hear(line),
      onTooLong: (head, tail) => this.#answerFor(head, tail),
    })
  }

  /** Why the process is gone, with the last it said; undefined while it runs. */
  get ended(): string | undefined {
    if (this.#ended === undefined) return undefined
    const last = this.#stderr.trim()
    return last === '' ? this.#ended : `${this.#ended}; it said: ${last}`
  }

  /** Rejects when the command can't be started. */
  start(): Promise<void> {
    const { env, cwd } = this.#command
    const { command, args, verbatim } = commandFor(this.#command)
    const inherited = INHERITED.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
    const child = spawn(command, args, {
      env: { ...Object.fromEntries(inherited), ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: 'pipe',
      // a group of its own, so that what it starts ends with it
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    })
    this.#child = child
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-TAIL)
    })
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', error => this.onerror?.(error))
    child.on('exit', (code, signal) => {
      this.#ended ??= signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`
      alive.delete(this)
    })
    child.on('close', () => this.#over())
    return new Promise((resolve, reject) => {
      child.once('spawn', () => {
        alive.add(this)
        resolve()
      })
      child.once('error', error => {
        this.#ended ??= whyNotStarted(error, this.#command)
        this.#over()
        reject(new Error(this.#ended))
      })
    })
  }

  /** A message is written whole, also when nobody waits for its answer any more. */
  async send(message: object): Promise<void> {
    const stdin = this.#child?.stdin
    if (!stdin?.writable || this.#ended !== undefined) throw new Error(this.ended ?? 'it takes no messages any more')
    if (stdin.writableLength > MOST_OPEN * this.#command.maxMessageBytes) this.#kill('it did not take what was sent to it')
    else stdin.write(`${JSON.stringify(message)}\n`)
  }

  /** Lets the process end by itself, asks it to, and kills it at last. */
  async close(): Promise<void> {
    const child = this.#child
    if (!child || this.#ended !== undefined) return
    this.#ended = 'it was closed'
    child.stdin?.end()
    for (const signal of ['SIGTERM', 'SIGKILL', undefined] as const) {
      await Promise.race([this.#whenClosed, new Promise(resolve => setTimeout(resolve, GRACE_MS).unref())])
      if (signal === undefined || child.exitCode !== null || child.signalCode !== null) break
      this.signal(signal)
    }
    this.#release()
  }

  signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch {
      this.#child?.kill(signal)
    }
  }

  #take(chunk: Buffer): void {
    if (this.#ended !== undefined) return
    this.#lines.push(chunk)
    if (this.#lines.open > MOST_OPEN * this.#command.maxMessageBytes) this.#kill('it wrote without end, and no line break')
  }

  #hear(line: string): void {
    const message = messageIn(line)
    if (message !== undefined) this.onmessage?.(message)
    else if (line.trim() !== '') this.junk += 1
  }

  /** Whoever waits for a message that is passed over is told so, where its number can be seen. */
  #answerFor(head: string, tail: string): void {
    const id = idIn(head, tail)
    const limit = Math.round(this.#command.maxMessageBytes / 1024)
    this.junk += 1
    if (id === undefined) return
    const error = { code: -32_000, message: `the answer was longer than ${limit} kB, and was passed over` }
    this.onmessage?.({ jsonrpc: '2.0', id, error })
  }

  #kill(why: string): void {
    this.#ended ??= why
    this.signal('SIGKILL')
    this.#over()
  }

  #over(): void {
    this.#ended ??= 'it ended'
    alive.delete(this)
    this.#closed()
    const told = this.onclose
    delete this.onclose
    told?.()
    this.#release()
  }

  /** What a grandchild keeps open must not keep this process awake. */
  #release(): void {
    for (const stream of [this.#child?.stdin, this.#child?.stdout, this.#child?.stderr]) stream?.destroy()
    this.#child?.unref()
  }
}

process.on('exit', () => {
  for (const transport of alive) transport.signal('SIGKILL')
})

/** A line that is a message of JSON-RPC; batches are none. */
function messageIn(line: string): JsonObject | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  return isObject(value) && value.jsonrpc === '2.0' && (isText(value.method) || isId(value.id))
    ? (value as JsonObject)
    : undefined
}

function idIn(head: string, tail: string): number | undefined {
  if (/"method"\s{0,4}:/.test(head)) return undefined
  const found = /^\s{0,8}\{(?:\s{0,4}"jsonrpc"\s{0,4}:\s{0,4}"2\.0"\s{0,4},)?\s{0,4}"id"\s{0,4}:\s{0,4}(\d{1,15})\s{0,4},/.exec(
    head,
  )
  const last = /,\s{0,4}"id"\s{0,4}:\s{0,4}(\d{1,15})\s{0,4}\}\s{0,4}$/.exec(tail)
  const id = (found ?? last)?.[1]
  return id === undefined ? undefined : Number(id)
}

function isId(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string'
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function whyNotStarted(error: NodeJS.ErrnoException, { command, cwd }: StdioCommand): string {
  if (error.code !== 'ENOENT') return `${command} can't be started: ${error.message}`
  return `there is no command ${command} on the PATH${cwd === undefined ? '' : `, or no folder ${cwd}`}`
}
