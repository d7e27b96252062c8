// A sandbox → a shell in it for one agent: its session, its jobs, and a folder outside of the workspace that holds their files.
import { type ExecResult, type Sandbox, SandboxError } from '../../core/sandbox.js'
import { type Ran, ShellSession, type WaitOptions } from './shell-session.js'

export interface JobState {
  readonly id: number
  readonly command: string
  /** Unset while it runs. */
  readonly status: number | undefined
  /** Bytes printed so far. */
  readonly size: number
}

/** Most of a job's output that one look gives, in bytes. */
const MOST_READ = 64 * 1024
const KILLED = 137

export class Shell {
  readonly session: ShellSession
  readonly #sandbox: Sandbox
  readonly #folder: string
  readonly #jobs = new Map<number, { readonly command: string; read: number }>()
  #files = 0

  private constructor(sandbox: Sandbox, folder: string) {
    this.#sandbox = sandbox
    this.#folder = folder
    this.session = new ShellSession(sandbox, folder)
  }

  static async open(sandbox: Sandbox): Promise<Shell> {
    const made = await sandbox.exec(['mktemp', '-d', '-t', 'saydo-shell.XXXXXXXX'])
    const folder = text(made).trim()
    if (made.code !== 0 || !/^[\w./-]+$/.test(folder))
      throw new SandboxError('not_started', 'the shell has no folder for its files')
    return new Shell(sandbox, folder)
  }

  /** Ends all that runs in it, and removes its files. */
  async close(): Promise<void> {
    await this.session.restart()
    await this.#sandbox.exec(['rm', '-rf', this.#folder])
  }

  /** Gives the file, as programs of the sandbox see it; undefined when there is no room for it. */
  async save(bytes: Uint8Array): Promise<string | undefined> {
    const file = `${this.#folder}/output-${++this.#files}.txt`
    const { code } = await this.#sandbox.exec(['sh', '-c', 'cat >"$1"', 'sh', file], { stdin: bytes })
    return code === 0 ? file : undefined
  }

  async startJob(command: string, options: WaitOptions): Promise<Ran> {
    const id = this.#jobs.size + 1
    const ran = await this.session.start(command, id, options)
    if (ran.status !== 0) return ran
    this.#jobs.set(id, { command, read: 0 })
    return { ...ran, job: id }
  }

  async jobs(): Promise<readonly JobState[]> {
    return Promise.all([...this.#jobs].map(([id, { command }]) => this.#stateOf(id, command)))
  }

  /** What the job has printed since the last look; when that is much, the end of it. */
  async readJob(id: number): Promise<{ readonly output: Buffer; readonly skipped: number; readonly state: JobState }> {
    const job = this.#job(id)
    const state = await this.#stateOf(id, job.command)
    const from = Math.max(job.read, state.size - MOST_READ)
    const skipped = from - job.read
    const { stdout } = await this.#sandbox.exec([
      'sh',
      '-c',
      'tail -c "+$1" "$3" | head -c "$2"',
      'sh',
      `${from + 1}`,
      `${MOST_READ}`,
      `${this.#at(id)}.log`,
    ])
    job.read = from + stdout.length
    return { output: Buffer.from(stdout), skipped, state }
  }

  async killJob(id: number): Promise<JobState> {
    const { command } = this.#job(id)
    const { status } = await this.#stateOf(id, command)
    if (status === undefined) {
      await this.session.killJob(text(await this.#sandbox.exec(['cat', `${this.#at(id)}.pid`])).trim())
      await this.#sandbox.exec(['sh', '-c', 'echo "$1" >"$2"', 'sh', `${KILLED}`, `${this.#at(id)}.status`])
    }
    return this.#stateOf(id, command)
  }

  #job(id: number) {
    const job = this.#jobs.get(id)
    if (job !== undefined) return job
    const known = this.#jobs.size === 0 ? 'none was started' : `there are 1 to ${this.#jobs.size}`
    throw new Error(`there is no job ${id}: ${known}`)
  }

  async #stateOf(id: number, command: string): Promise<JobState> {
    const at = this.#at(id)
    // the end of a bash is the end of its jobs
    const said = text(
      await this.#sandbox.exec([
        'sh',
        '-c',
        'cat "$1.status" 2>/dev/null || echo -; wc -c <"$1.log" 2>/dev/null || echo 0',
        'sh',
        at,
      ]),
    )
    const [status = '-', size = '0'] = said.split('\n').map(line => line.trim())
    const isLost = this.session.hasEnded || !this.session.hasBegun
    return { id, command, size: Number(size), status: status === '-' ? (isLost ? KILLED : undefined) : Number(status) }
  }

  #at(id: number): string {
    return `${this.#folder}/job-${id}`
  }
}

function text({ stdout }: ExecResult): string {
  return Buffer.from(stdout).toString('utf8')
}
