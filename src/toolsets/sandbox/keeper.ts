// A clean-up in shell words → a small process that does it when it is told to, or when this process is gone, whatever ended it (kill -9 too).
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { SandboxError } from '../../core/sandbox.js'
import { CLEAN_UP } from './clean-up.js'

const START_MS = 20_000
const END_MS = 5000

export interface KeeperOptions {
  /** What to run the shell in; default nothing. */
  readonly within?: readonly string[]
  /** For `sh`, which knows the words of clean-up.ts; `$1`, `$2` … are the arguments. */
  readonly cleanUp: string
  readonly args: readonly string[]
  /** Beside `PATH`. */
  readonly env?: Readonly<Record<string, string>>
}

export class Keeper {
  /** Of its shell, in the PID namespace it runs in. */
  readonly pid: string
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>

  private constructor(child: ChildProcess, pid: string) {
    this.#child = child
    this.pid = pid
    this.#exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve()
  }

  /** Resolves when its shell runs; rejects with `SandboxError` `not_started` where that can't be, or takes too long. */
  static async start({ within = [], cleanUp, args, env }: KeeperOptions): Promise<Keeper> {
    const script = `echo $$; exec >/dev/null; cat; ${CLEAN_UP}${cleanUp}`
    const [program = '', ...rest] = [...within, 'sh', '-c', script, 'sh', ...args]
    const child = spawn(program, rest, {
      // a session of its own: Ctrl-C of a terminal is not meant for it
      detached: true,
      stdio: 'pipe',
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', ...env },
    })
    child.stdin?.on('error', () => {})
    const complaint = collected(child.stderr as Readable)
    const pid = await pidSaid(child).catch(cause => {
      child.kill('SIGKILL')
      const why = complaint().trim() || cause.message
      throw new SandboxError('not_started', `${program} cannot be started: ${why}`, cause)
    })
    // it is no reason for this process to go on
    for (const handle of [child, ...child.stdio]) (handle as { unref?: () => void } | null)?.unref?.()
    return new Keeper(child, pid)
  }

  /** Does the clean-up; resolves when it is done, or after five seconds. */
  async end(): Promise<void> {
    this.#child.stdin?.end()
    this.#child.ref()
    const late = setTimeout(() => this.#child.kill('SIGKILL'), END_MS)
    await this.#exited
    clearTimeout(late)
  }
}

async function pidSaid(child: ChildProcess): Promise<string> {
  const signal = AbortSignal.timeout(START_MS)
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('it ended at once')
  })
  ended.catch(() => {})
  const [said] = await Promise.race([once(child.stdout as Readable, 'data', { signal }), ended])
  return String(said).trim()
}

/** Gives what came until now. */
function collected(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(0, 10_000)
  })
  return () => text
}
