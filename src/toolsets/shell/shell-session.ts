// A sandbox → one bash in it that lasts: commands go in one after the other, each comes back with its output and status. Whatever a command does,
// the session goes on, or a new one begins and that is said.
import { randomBytes } from 'node:crypto'
import type { Sandbox, SandboxProcess } from '../../core/sandbox.js'
import { QUIET_ENV } from '../quiet-env.js'
import { MarkedOutput } from './marked-output.js'
import { firstLines, SHELL_PROGRAM } from './program.js'
import { RunningCommand } from './running-command.js'

/** Most output of programs in the background that is kept between two commands. */
const MOST_STRAY = 64 * 1024
/** How often an interrupt is repeated, and after how many it is a kill: what a loop starts next has not heard of the first. */
const INTERRUPT_MS = 150
const FRIENDLY_INTERRUPTS = 6
const MOST_INTERRUPTS = 20

/** Both go to the output of the bash; that is put back behind the command, whatever `exec` has made of it. */
const OUTPUT = '19>&1 1>&19 2>&19 19>&-'

export type RunEnding =
  /** By itself. */
  | 'ended'
  /** It goes on, and may be given input. */
  | 'running'
  | 'timeout'
  /** For printing too much. */
  | 'output'
  | 'aborted'
  /** The bash itself is over. */
  | 'exited'

export interface Ran {
  readonly ending: RunEnding
  /** Unset while it runs. */
  readonly status?: number
  /** What it printed since the last look, stdout and stderr in their order. */
  readonly output: Buffer
  /** It did not heed an interrupt: the session is lost with what it held. */
  readonly lost?: true
  /** Number of the job that was started. */
  readonly job?: number
}

export interface WaitOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Look no longer once nothing was printed for so long; the command goes on. Otherwise it is interrupted when the time is up. */
  readonly quietMs?: number
}

export class ShellSession {
  readonly #sandbox: Sandbox
  readonly #folder: string
  readonly #token = randomBytes(16).toString('hex')
  #process: SandboxProcess | undefined
  #running: RunningCommand | undefined
  #stray = Buffer.alloc(0)
  #number = 0
  #cwd: string
  #started = false

  /** `folder` lies in the sandbox, and is the session's own. */
  constructor(sandbox: Sandbox, folder: string) {
    this.#sandbox = sandbox
    this.#folder = folder
    this.#cwd = sandbox.workspace
  }

  /** As the last command left it. */
  get cwd(): string {
    return this.#cwd
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** There was a bash, and it is over: the next command gets a new one. */
  get hasEnded(): boolean {
    return this.#started && this.#process === undefined
  }

  get hasBegun(): boolean {
    return this.#started
  }

  /** What programs in the background have printed since the last command. */
  takeStray(): Buffer {
    const stray = this.#stray
    this.#stray = Buffer.alloc(0)
    return stray
  }

  /** `takesInput`: what it reads comes from `input`; otherwise there is nothing to read. Not while another is running. */
  async run(command: string, options: WaitOptions & { readonly takesInput?: boolean }): Promise<Ran> {
    const source = options.takesInput ? `0<>${this.#folder}/input` : '0</dev/null'
    await this.#begin(command, 'builtin eval ', ` ${source} ${OUTPUT}`)
    return this.wait(options)
  }

  /** Runs a command in the background, with its output in `log`, its id in `job-ID.pid` and at last its status in `job-ID.status`. */
  async start(command: string, id: number, options: WaitOptions): Promise<Ran> {
    const at = `${this.#folder}/job-${id}`
    await this.#begin(
      command,
      '( builtin eval ',
      `; builtin echo $? >${at}.status ) </dev/null >${at}.log 2>&1 &\nbuiltin echo $! >${at}.pid`,
    )
    return this.wait(options)
  }

  /** What the running command has printed since, when it ends or as the options say. */
  async wait({ timeoutMs, signal, quietMs }: WaitOptions): Promise<Ran> {
    const running = this.#running
    if (running === undefined) throw new Error('nothing is running')
    const until = performance.now() + timeoutMs
    running.lastOutput = performance.now()
    for (;;) {
      if (running.isOver) return this.#taken(running, running.exited ? 'exited' : 'ended')
      const now = performance.now()
      if (signal.aborted) return this.#stop(running, 'aborted')
      if (running.printsTooMuch) return this.#stop(running, 'output')
      const next = quietMs === undefined ? until : Math.min(until, running.lastOutput + quietMs)
      if (now >= next) return quietMs === undefined ? this.#stop(running, 'timeout') : this.#taken(running, 'running')
      await running.changeWithin(next - now, signal)
    }
  }

  async input(text: string): Promise<void> {
    await this.#send('input', text)
  }

  /** As Ctrl-C, and then harder. */
  async interrupt(): Promise<Ran> {
    const running = this.#running
    if (running === undefined) throw new Error('nothing is running')
    return this.#stop(running, 'ended')
  }

  async killJob(pid: string): Promise<void> {
    await this.#send('kill', pid)
  }

  /** Ends the bash and all that runs below it; the next command begins a new one. */
  async restart(): Promise<void> {
    await this.#process?.kill()
    this.#forget()
    this.#stray = Buffer.alloc(0)
    this.#started = false
  }

  async #begin(command: string, before: string, after: string): Promise<void> {
    if (this.#process === undefined) await this.#open()
    const number = ++this.#number
    this.#running = new RunningCommand(number)
    // the line is whole when it says that it begins: what is interrupted before might go on in its middle
    const end = this.#endLine(number)
    await this.#send('run', command, `${end} -; ${before}`, `${after}\n${end}`)
  }

  async #open(): Promise<void> {
    const { workspace } = this.#sandbox
    const child = await this.#sandbox.spawn(['bash', '-c', SHELL_PROGRAM, 'bash', this.#folder], { env: QUIET_ENV })
    this.#process = child
    this.#started = true
    this.#cwd = workspace
    const output = new MarkedOutput(this.#token, {
      onBytes: bytes => this.#take(bytes),
      onMark: ({ number, status, cwd }) => {
        if (cwd !== '') this.#cwd = cwd
        if (this.#running?.number !== number) return
        this.#running.begun = true
        if (status !== undefined) this.#running.end(status)
      },
    })
    void drain(child.stderr, () => {})
    void Promise.all([drain(child.stdout, bytes => output.push(bytes)), child.exited]).then(([, { code }]) => {
      if (this.#process !== child) return
      output.finish()
      const running = this.#running
      this.#forget()
      if (running?.isOver === false) running.exit(code)
    })
    await this.#send('run', firstLines(this.#folder), 'eval ', '')
  }

  #forget(): void {
    this.#process = undefined
    this.#running = undefined
    this.#cwd = this.#sandbox.workspace
  }

  #take(bytes: Buffer): void {
    const running = this.#running
    if (running?.isOver === false) running.print(bytes)
    else this.#stray = Buffer.concat([this.#stray, bytes]).subarray(-MOST_STRAY)
  }

  #taken(running: RunningCommand, ending: RunEnding, lost?: true): Ran {
    const output = running.takeOutput()
    if (running.isOver && this.#running === running) this.#running = undefined
    return {
      ending,
      output,
      ...(running.status === undefined ? {} : { status: running.status }),
      ...(lost ? { lost } : {}),
    }
  }

  async #stop(running: RunningCommand, ending: RunEnding): Promise<Ran> {
    for (let count = 0; count < MOST_INTERRUPTS && !running.isOver; count++) {
      if (!running.begun) {
        await running.overWithin(INTERRUPT_MS)
        continue
      }
      await this.#send('interrupt', count < FRIENDLY_INTERRUPTS ? 'INT' : 'KILL')
      // the line that says its end may have been lost to the interrupt
      await this.#sendLine(this.#endLine(running.number))
      await running.overWithin(INTERRUPT_MS)
    }
    if (running.isOver) return this.#taken(running, ending)
    await this.restart()
    running.status = 137
    return this.#taken(running, ending, true)
  }

  #endLine(number: number): string {
    return `__saydo_mark "$?" ${this.#token}.${number}`
  }

  #sendLine(line: string): Promise<void> {
    return this.#send('line', line)
  }

  /** A session that ended meanwhile is told by its exit. */
  async #send(kind: string, ...texts: readonly string[]): Promise<void> {
    const [a = '', b = '', c = ''] = texts
    await this.#process?.write(`${kind}\0${a}\0${b}\0${c}\0`).catch(() => {})
  }
}

async function drain(stream: AsyncIterable<Uint8Array>, take: (bytes: Uint8Array) => void): Promise<void> {
  for await (const chunk of stream) take(chunk)
}
