// A command line → a running program with a process group of its own. What of it is over, when, and that nothing of it is left, is known here.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { type ExitStatus, type SandboxEnd, SandboxError, type SandboxProcess } from '../../core/sandbox.js'

/** How long output is waited for after the exit, in ms: a child in the background may hold the pipe for ever. */
const DRAIN_MS = 250
/** Most output that is taken after the exit without anybody reading, in bytes: what a pipe holds, and some. */
const MOST_AFTER_EXIT = 1024 * 1024
/** Signal numbers, by which a shell tells how a program ended. */
const SIGNALS: Readonly<Record<string, number>> = {
  SIGINT: 2,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
  SIGXCPU: 24,
}

export const SECRET_FD = 3

export interface GroupLaunch {
  readonly argv: readonly string[]
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>
  /** Can be read once from `SECRET_FD`. */
  readonly secret?: string
  /** A folder of this machine. */
  readonly cwd?: string
  /** Ends what escaped the process group; called when it is killed, and when it is over, with why it is. */
  readonly sweep?: (end: SandboxEnd) => Promise<void>
  /** Interrupts what the program started. */
  readonly interrupt?: (pid: number) => Promise<void>
}

export class Group implements SandboxProcess {
  readonly stdout: AsyncIterable<Uint8Array>
  readonly stderr: AsyncIterable<Uint8Array>
  readonly exited: Promise<ExitStatus>
  readonly #child: ChildProcess
  readonly #launch: GroupLaunch
  #end: SandboxEnd = 'exit'

  private constructor(child: ChildProcess, launch: GroupLaunch) {
    this.#child = child
    this.#launch = launch
    const [stdout, stderr] = [outlet(child.stdout as Readable), outlet(child.stderr as Readable)]
    this.stdout = stdout.read
    this.stderr = stderr.read
    // a program that doesn't read any more closes its input: `write` tells
    child.stdin?.on('error', () => {})
    this.exited = once(child, 'exit').then(async ([code, signal]: (number | string | null)[]) => {
      this.#killGroup()
      await Promise.all([stdout.finish(), stderr.finish(), launch.sweep?.(this.#end)])
      return { code: typeof code === 'number' ? code : 128 + (SIGNALS[signal as string] ?? 0), end: this.#end }
    })
  }

  /** Rejects with `SandboxError` `not_started`. */
  static async start(launch: GroupLaunch, signal?: AbortSignal): Promise<Group> {
    if (signal?.aborted) throw new SandboxError('not_started', 'it was aborted before it began')
    const [program = '', ...args] = launch.argv
    const { cwd, env, secret } = launch
    const stdio = new Array<'pipe'>(secret === undefined ? SECRET_FD : SECRET_FD + 1).fill('pipe')
    const child = spawned(program, args, { detached: true, stdio, env: { ...env }, ...(cwd === undefined ? {} : { cwd }) })
    const secretly = child.stdio[SECRET_FD] as Writable | undefined
    // who ends before it was read shows it by the end
    secretly?.on('error', () => {}).end(secret)
    await once(child, 'spawn').catch(cause => {
      throw new SandboxError('not_started', `${program} cannot be started: ${cause.message}`, cause)
    })
    const group = new Group(child, launch)
    const onAbort = () => void group.kill('aborted')
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    void group.exited.then(() => signal?.removeEventListener('abort', onAbort))
    return group
  }

  async write(bytes: Uint8Array | string): Promise<void> {
    const { stdin } = this.#child
    await new Promise<void>((resolve, reject) => {
      if (!stdin?.writable) return reject(new SandboxError('ended', 'the program does not read any more'))
      stdin.write(bytes, error =>
        error ? reject(new SandboxError('ended', 'the program does not read any more', error)) : resolve(),
      )
    })
  }

  endInput(): void {
    this.#child.stdin?.end()
  }

  /** `end`: what it is ended for; the first one stays. */
  async kill(end: SandboxEnd = 'killed'): Promise<void> {
    if (this.#isRunning()) {
      if (this.#end === 'exit') this.#end = end
      this.#killGroup()
      await this.#launch.sweep?.(this.#end)
    }
    await this.exited
  }

  async interrupt(): Promise<void> {
    if (this.#isRunning() && this.#child.pid !== undefined) await this.#launch.interrupt?.(this.#child.pid)
  }

  #isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  #killGroup(): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL')
    } catch {
      // nothing is left of the group
    }
  }
}

function spawned(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(program, args, options)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const why = code === 'E2BIG' ? 'the command is too long: put its text into a file' : message
    throw new SandboxError('not_started', `it cannot be started: ${why}`, cause)
  }
}

interface Outlet {
  readonly read: AsyncIterable<Uint8Array>
  /** After the exit: takes what is still there, whether anybody reads or not, and ends. */
  finish(): Promise<void>
}

function outlet(source: Readable): Outlet {
  const sink = new PassThrough()
  source.pipe(sink)
  source.on('error', () => sink.end())
  return {
    read: sink,
    async finish() {
      source.unpipe(sink)
      let room = MOST_AFTER_EXIT
      source.on('data', (chunk: Buffer) => {
        if (room > 0) sink.write(chunk.subarray(0, room))
        room -= chunk.length
        if (room <= 0) source.destroy()
      })
      // taking the pipe away has paused it
      source.resume()
      if (!source.closed) {
        // what has come by then is read first, however late this is
        const late = setTimeout(() => setImmediate(() => source.destroy()), DRAIN_MS)
        await once(source, 'close').catch(() => {})
        clearTimeout(late)
      }
      sink.end()
    },
  }
}
