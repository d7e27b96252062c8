// A clean-up in shell words → a small process that does it when it is told to, or when this process is gone, whatever ended it (kill -9 too).
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { SandboxError } from '../../core/sandbox.js'
import { CLEAN_UP } from './clean-up.js'

const END_MS = 5000

export interface KeeperOptions {
  /** What to run the shell in; default nothing. */
  readonly within?: readonly string[]
  /** For `sh`, which knows the words of clean-up.ts; `$1`, `$2` … are the arguments. */
  readonly cleanUp: string
  readonly args: readonly string[]
}

export class Keeper {
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#exited = once(child, 'exit')
  }

  static async start({ within = [], cleanUp, args }: KeeperOptions): Promise<Keeper> {
    const [program, ...rest] = [...within, 'sh', '-c', `cat >/dev/null; ${CLEAN_UP}${cleanUp}`, 'sh', ...args]
    const child = spawn(program as string, rest, {
      // a session of its own: Ctrl-C of a terminal is not meant for it
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    })
    await once(child, 'spawn').catch(cause => {
      throw new SandboxError('not_started', `${program} cannot be started: ${cause.message}`, cause)
    })
    child.stdin?.on('error', () => {})
    const keeper = new Keeper(child)
    // it is no reason for this process to go on
    for (const handle of [child, child.stdin, child.stdio[3]]) (handle as { unref?: () => void } | null)?.unref?.()
    return keeper
  }

  /** What it says on its fourth stream until that holds `wanted`, or all there was; to be asked once. */
  async told(wanted: RegExp): Promise<string> {
    let text = ''
    const stream = this.#child.stdio[3] as Readable & { ref?: () => void }
    stream.ref?.()
    for await (const chunk of stream) {
      text += chunk
      if (wanted.test(text)) break
    }
    return text
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
