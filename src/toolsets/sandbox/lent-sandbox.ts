// A sandbox that somebody else opened → the same for one user: when that one is done, all it started is over, and the sandbox goes on.
import {
  type ExecOptions,
  type ExecResult,
  type Sandbox,
  type SandboxCommand,
  type SandboxEntry,
  SandboxError,
  type SandboxProcess,
  type SpawnOptions,
} from '../../core/sandbox.js'

export class LentSandbox implements Sandbox {
  readonly #sandbox: Sandbox
  readonly #running = new Set<SandboxProcess>()
  /** Aborted when it is given back. */
  readonly #over = new AbortController()

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  get backend(): string {
    return this.#sandbox.backend
  }

  get workspace(): string {
    return this.#sandbox.workspace
  }

  get notes(): readonly string[] {
    return this.#sandbox.notes
  }

  async exec(command: SandboxCommand, options: ExecOptions = {}): Promise<ExecResult> {
    this.#requireOpen()
    return this.#sandbox.exec(command, { ...options, signal: this.#until(options.signal) })
  }

  async spawn(command: SandboxCommand, options: SpawnOptions = {}): Promise<SandboxProcess> {
    this.#requireOpen()
    const started = await this.#sandbox.spawn(command, { ...options, signal: this.#until(options.signal) })
    this.#running.add(started)
    void started.exited.then(() => this.#running.delete(started))
    return started
  }

  async read(path: string, options?: { readonly maxBytes?: number }): Promise<Uint8Array> {
    this.#requireOpen()
    return this.#sandbox.read(path, options)
  }

  async write(path: string, bytes: Uint8Array | string, options?: { readonly exclusive?: boolean }): Promise<void> {
    this.#requireOpen()
    return this.#sandbox.write(path, bytes, options)
  }

  async list(path: string): Promise<readonly SandboxEntry[]> {
    this.#requireOpen()
    return this.#sandbox.list(path)
  }

  async stat(path: string): Promise<SandboxEntry | undefined> {
    this.#requireOpen()
    return this.#sandbox.stat(path)
  }

  async remove(path: string, options?: { readonly recursive?: boolean }): Promise<void> {
    this.#requireOpen()
    return this.#sandbox.remove(path, options)
  }

  /** Resolves when all that was started here is over. */
  async destroy(): Promise<void> {
    this.#over.abort()
    await Promise.all([...this.#running].map(({ exited }) => exited))
  }

  #until(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#over.signal]) : this.#over.signal
  }

  #requireOpen(): void {
    if (this.#over.signal.aborted) throw new SandboxError('destroyed', 'this sandbox is closed')
  }
}
