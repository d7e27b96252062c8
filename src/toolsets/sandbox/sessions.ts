// A sandbox → named sessions of a shell in it: each has a folder that lasts from command to command, and runs one command at a time, in front or in the
// background. That a command is over is known by its exit, never by what it prints.
import { randomBytes } from 'node:crypto'
import type { ExecResult, ExitStatus, Sandbox, SandboxProcess } from '../../core/sandbox.js'
import { QUIET_ENV } from '../quiet-env.js'
import { BASH } from './backend-sandbox.js'

/** Most that is kept of what a command in the background prints, in bytes; of more, the end. */
const KEPT = 256 * 1024
const MOST_SESSIONS = 16

/** `$1` the command, `$2` a mark before and behind the folder it ends in, `$3` the folder it begins in. */
const IN_FOLDER = `trap 'printf "\\0%s%s\\0" "$saydo_mark" "$PWD"' EXIT
saydo_command=$1 saydo_mark=$2
cd -- "$3" 2>/dev/null || echo "[the folder $3 is gone: this runs in $PWD]" >&2
set --
eval "$saydo_command"`

export interface Finished {
  readonly text: string
  readonly status: ExitStatus
}

export interface SessionState {
  readonly name: string
  readonly folder: string
  /** The command in the background, if there was one that is not read to its end. */
  readonly job?: { readonly command: string; readonly seconds: number; readonly status?: ExitStatus }
}

interface Session {
  folder: string
  job?: Job
}

export class Sessions {
  readonly #sandbox: Sandbox
  readonly #sessions = new Map<string, Session>()

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  /** In front: waits for its end. Throws a sentence for the model where a session is busy. */
  async run(name: string, command: string, timeoutMs: number, signal: AbortSignal): Promise<Finished> {
    const session = this.#free(name)
    const mark = randomBytes(12).toString('hex')
    const argv = [...BASH, IN_FOLDER, 'bash', command, mark, session.folder] as const
    const result = await this.#sandbox.exec(argv, { env: QUIET_ENV, timeoutMs, signal })
    const { text, folder } = withoutMark(result, mark)
    if (folder !== undefined) session.folder = folder
    return { text, status: result }
  }

  /** In the background: resolves when it has started. */
  async start(name: string, command: string): Promise<void> {
    const session = this.#free(name)
    const argv = [...BASH, 'cd -- "$2" && eval "$1"', 'bash', command, session.folder] as const
    const started = await this.#sandbox.spawn(argv, { env: QUIET_ENV })
    started.endInput()
    session.job = new Job(command, started)
  }

  /** What came since it was last read; waits for its end, but no longer than that. */
  async read(
    name: string,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly status: ExitStatus | undefined }> {
    const { job } = this.#known(name)
    if (job === undefined) return { text: '', status: undefined }
    await job.wait(waitMs, signal)
    return { text: job.take(), status: job.status }
  }

  async kill(name: string): Promise<string> {
    const { job } = this.#known(name)
    if (job === undefined || job.status !== undefined) return `nothing runs in session ${name}`
    await job.process.kill()
    return `ended: ${job.command}`
  }

  /** Where the next command of the session main begins. */
  get folder(): string {
    return this.#sessions.get('main')?.folder ?? this.#sandbox.workspace
  }

  states(): readonly SessionState[] {
    return [...this.#sessions].map(([name, { folder, job }]) => ({ name, folder, ...(job ? { job: job.state() } : {}) }))
  }

  /** The session, made when it is new. */
  #free(name: string): Session {
    const known = this.#sessions.get(name)
    if (known?.job && known.job.status === undefined)
      throw new Error(`session ${name} runs "${known.job.command}": read or kill that first, or name another session`)
    if (known) return known
    if (this.#sessions.size === MOST_SESSIONS) throw new Error(`there are ${MOST_SESSIONS} sessions already: use one of them`)
    const made: Session = { folder: this.#sandbox.workspace }
    this.#sessions.set(name, made)
    return made
  }

  #known(name: string): Session {
    const known = this.#sessions.get(name)
    if (known) return known
    const names = [...this.#sessions.keys()]
    throw new Error(
      `there is no session ${name}${names.length === 0 ? ': no command was run yet' : `; there are ${names.join(', ')}`}`,
    )
  }
}

/** A command in the background. */
class Job {
  readonly command: string
  readonly process: SandboxProcess
  status: ExitStatus | undefined
  readonly #started = performance.now()
  readonly #over: Promise<unknown>
  #unread: Buffer = Buffer.alloc(0)
  #lost = 0

  constructor(command: string, process: SandboxProcess) {
    this.command = command
    this.process = process
    const streams = [process.stdout, process.stderr].map(stream => this.#collect(stream))
    this.#over = Promise.all([...streams, process.exited]).then(() =>
      process.exited.then(status => {
        this.status = status
      }),
    )
  }

  state() {
    const seconds = Math.round((performance.now() - this.#started) / 1000)
    return { command: this.command, seconds, ...(this.status ? { status: this.status } : {}) }
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise(resolve => {
      timer = setTimeout(resolve, ms)
      signal.addEventListener('abort', resolve, { once: true })
    })
    await Promise.race([this.#over, late])
    clearTimeout(timer)
  }

  take(): string {
    const text = new TextDecoder().decode(this.#unread)
    const note = this.#lost === 0 ? '' : `[… ${this.#lost} earlier bytes are left out]\n`
    this.#unread = Buffer.alloc(0)
    this.#lost = 0
    return note + text
  }

  async #collect(stream: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of stream) {
      const all = Buffer.concat([this.#unread, chunk])
      this.#unread = all.subarray(Math.max(0, all.length - KEPT))
      this.#lost += all.length - this.#unread.length
    }
  }
}

/** What a command printed, and the folder it ended in: unset where it was killed, or had other plans for its end. */
function withoutMark({ output }: ExecResult, mark: string): { readonly text: string; readonly folder?: string } {
  const bytes = Buffer.from(output)
  const start = bytes.indexOf(`\0${mark}`)
  if (start === -1) return { text: new TextDecoder().decode(bytes) }
  const from = start + mark.length + 1
  const end = bytes.indexOf('\0', from)
  const rest = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end + 1)])
  return { text: new TextDecoder().decode(rest), folder: bytes.subarray(from, end).toString() }
}
