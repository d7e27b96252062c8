// sandbox-runtime keeps state of its whole process and takes its signals, so it lives in a small process of its own, which this one talks to: what its
// proxy is, and the command line that a command becomes. It ends with this process, and takes its proxy with it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { SaydoError } from '../../core/errors.js'

const START_MS = 20_000

/** `argv`: what to import, and its configuration. Says what its proxy is, then for each command, one JSON text a line, its command line. */
const PROGRAM = `
import { execFileSync } from 'node:child_process'
import { createInterface } from 'node:readline'
const [url, config] = process.argv.slice(1)
const { SandboxManager } = await import(url)
const say = value => process.stdout.write(JSON.stringify(value) + '\\n')
const proxy = async () => {
  const socket = SandboxManager.getLinuxHttpSocketPath()
  if (socket === undefined) return {}
  const { argv: [program, ...args] } = await SandboxManager.wrapWithSandboxArgv('env -0', 'bash')
  const lines = execFileSync(program, args, { env: process.env, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }).split('\\0')
  const env = Object.fromEntries(lines.filter(line => line.includes('=')).map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
  return { socket, env }
}
try {
  const { errors } = await SandboxManager.checkDependenciesAsync()
  if (errors.length > 0) throw new Error(errors.join('; '))
  await SandboxManager.initialize(JSON.parse(config))
  say(await proxy())
  for await (const line of createInterface({ input: process.stdin })) {
    try { say(await SandboxManager.wrapWithSandboxArgv(JSON.parse(line), 'bash')) } catch (error) { say({ error: String(error.message) }) }
  }
} catch (error) { say({ error: String(error.message) }) }
await SandboxManager.reset()
process.exit(0)
`

export interface SrtProxy {
  /** A Unix socket. */
  readonly socket: string
  /** All variables of a program behind it. */
  readonly env: Readonly<Record<string, string>>
}

export interface SrtCommand {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export class SrtProcess {
  /** Rejects with `SANDBOX` where it can't work here. */
  readonly ready: Promise<unknown>
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>
  /** One question at a time: the answers come in order. */
  #last: Promise<unknown>

  constructor(url: string, config: object, env: Readonly<Record<string, string>>) {
    const args = ['--input-type=module', '--eval', PROGRAM, url, JSON.stringify(config)]
    this.#child = spawn(process.execPath, args, { detached: true, stdio: ['pipe', 'pipe', 'ignore'], env: { ...env } })
    this.#child.stdin?.on('error', () => {})
    this.#lines = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
    this.ready = this.#next().finally(() => this.#rest(false))
    this.#last = this.ready.catch(() => {})
  }

  /** Linux only. Rejects as `ready` does. */
  async proxy(): Promise<SrtProxy> {
    return (await this.ready) as SrtProxy
  }

  async wrap(command: string): Promise<SrtCommand> {
    const answer = this.#last.then(async () => {
      this.#rest(true)
      this.#child.stdin?.write(`${JSON.stringify(command)}\n`)
      return this.#next().finally(() => this.#rest(false))
    })
    this.#last = answer.catch(() => {})
    return (await answer) as SrtCommand
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.ref()
    this.#child.stdin?.end()
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 3000)
    await once(this.#child, 'exit')
    clearTimeout(late)
  }

  async #next(): Promise<unknown> {
    const late = setTimeout(() => this.#child.kill('SIGKILL'), START_MS)
    const { value, done } = await this.#lines.next()
    clearTimeout(late)
    const said = done ? { error: 'it ended' } : JSON.parse(value)
    if (said.error === undefined) return said
    throw new SaydoError('SANDBOX', `The sandbox srt does not work here: ${said.error}.`, {
      hint: 'On Linux it needs bubblewrap, socat and ripgrep: apt-get install bubblewrap socat ripgrep.',
    })
  }

  /** An idle one is no reason for this process to go on. */
  #rest(awake: boolean): void {
    for (const handle of [this.#child, this.#child.stdin, this.#child.stdout]) {
      const { ref, unref } = (handle ?? {}) as { ref?: () => void; unref?: () => void }
      if (awake) ref?.call(handle)
      else unref?.call(handle)
    }
  }
}
