// A backend, which knows how a command is started within it, and a workspace folder → the sandbox of both. Files, endings and limits that all
// backends share are held here.
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
import { DiskWatch } from './disk-watch.js'
import { Group, type GroupLaunch } from './group.js'
import { runCommand } from './run-command.js'
import { oddVariable } from './settings.js'
import { WorkspaceFiles } from './workspace-files.js'

/** With a socket for its input, as here, bash takes itself for a remote shell and would read the settings of its user. */
export const BASH = ['bash', '--norc', '-c'] as const

export interface Backend {
  readonly name: string
  /** The real path of the workspace folder. */
  readonly root: string
  /** The same as programs see it. */
  readonly workspace: string
  readonly notes: readonly string[]
  /** Most that may be written to the disk while commands run, in MiB. */
  readonly diskMiB: number
  /** Whether the files of this machine's users are out of sight. */
  readonly hidesFiles: boolean
  /** `cwd` is a folder as programs see it. */
  launch(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>>): GroupLaunch | Promise<GroupLaunch>
  /** Called once, when no group runs any more. */
  close(): Promise<void>
}

export class BackendSandbox implements Sandbox {
  readonly backend: string
  readonly workspace: string
  readonly notes: readonly string[]
  readonly #backend: Backend
  readonly #files: WorkspaceFiles
  readonly #groups = new Set<Group>()
  readonly #disk: DiskWatch
  #destroyed: Promise<void> | undefined

  constructor(backend: Backend) {
    this.backend = backend.name
    this.workspace = backend.workspace
    this.notes = backend.notes
    this.#backend = backend
    this.#files = new WorkspaceFiles(backend.root, backend.workspace)
    this.#disk = new DiskWatch(backend.root, backend.diskMiB, () => {
      for (const group of this.#groups) void group.kill('disk')
    })
  }

  async exec(command: SandboxCommand, options: ExecOptions = {}): Promise<ExecResult> {
    return runCommand(await this.#start(command, options), options)
  }

  async spawn(command: SandboxCommand, options: SpawnOptions = {}): Promise<SandboxProcess> {
    return this.#start(command, options)
  }

  async read(path: string, { maxBytes }: { readonly maxBytes?: number } = {}): Promise<Uint8Array> {
    this.#requireOpen()
    return this.#files.read(path, maxBytes)
  }

  async write(path: string, bytes: Uint8Array | string, { exclusive }: { readonly exclusive?: boolean } = {}): Promise<void> {
    this.#requireOpen()
    return this.#files.write(path, bytes, exclusive)
  }

  async list(path: string): Promise<readonly SandboxEntry[]> {
    this.#requireOpen()
    return this.#files.list(path)
  }

  async stat(path: string): Promise<SandboxEntry | undefined> {
    this.#requireOpen()
    return this.#files.stat(path)
  }

  async remove(path: string, { recursive }: { readonly recursive?: boolean } = {}): Promise<void> {
    this.#requireOpen()
    return this.#files.remove(path, recursive)
  }

  destroy(): Promise<void> {
    this.#destroyed ??= this.#end()
    return this.#destroyed
  }

  async #start(command: SandboxCommand, { cwd = '', env = {}, signal }: SpawnOptions): Promise<Group> {
    this.#requireOpen()
    const odd = oddVariable(env)
    if (odd !== undefined) throw new SandboxError('not_started', odd)
    const argv = typeof command === 'string' ? [...BASH, command] : command
    const launch = await this.#backend.launch(argv, await this.#folder(cwd), env)
    const group = await Group.start(launch, signal)
    this.#groups.add(group)
    this.#disk.begin()
    void group.exited.then(() => {
      this.#groups.delete(group)
      if (this.#groups.size === 0) this.#disk.end()
    })
    // destroyed while it was being started
    if (this.#destroyed) await group.kill()
    return group
  }

  async #folder(path: string): Promise<string> {
    const entry = await this.#files.stat(path)
    if (entry === undefined) throw new SandboxError('not_found', `the folder ${path} does not exist`)
    if (entry.kind !== 'folder') throw new SandboxError('not_a_folder', `${path} is no folder`)
    return entry.path === '.' ? this.workspace : `${this.workspace}/${entry.path}`
  }

  #requireOpen(): void {
    if (this.#destroyed) throw new SandboxError('destroyed', 'this sandbox is closed')
  }

  async #end(): Promise<void> {
    await Promise.all([...this.#groups].map(group => group.kill()))
    this.#disk.end()
    await this.#backend.close()
  }
}
