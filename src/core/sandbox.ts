// A sandbox: a workspace folder, files in it, and programs that run there. What backends implement, and what tools and agents work on.

/**
 * Paths lead to a file or folder of the workspace: relative to it (`src/a.ts`), or absolute as programs in the sandbox see it
 * (`/workspace/src/a.ts`; see `Sandbox.workspace`). `''` and `.` are the workspace itself. Symbolic links are followed one by one; a path
 * that leaves the workspace on its way, be it for a moment, is refused with `outside`.
 */
export interface Sandbox {
  /** The backend: `bwrap`, `srt`, `docker` or `local`. */
  readonly backend: string
  /** The workspace as programs inside see it, such as `/workspace`. */
  readonly workspace: string
  /** What it holds programs to and what it does not, one sentence each, for people. */
  readonly notes: readonly string[]
  /** Runs a command to its end. Resolves for every command that could be started, whatever became of it; rejects as `spawn` does. */
  exec(command: SandboxCommand, options?: ExecOptions): Promise<ExecResult>
  /** Starts a program that is talked to (a server, a shell). Rejects with `SandboxError`: `destroyed`, a bad `cwd`, `not_started`. */
  spawn(command: SandboxCommand, options?: SpawnOptions): Promise<SandboxProcess>
  /** The bytes of a file. Rejects with `too_large` above `maxBytes`, default 10 MiB, and with `not_a_file` for a folder, a pipe, a device. */
  read(path: string, options?: { readonly maxBytes?: number }): Promise<Uint8Array>
  /**
   * Puts a file there in one go: a reader sees the old bytes or the new ones. Folders on the way are made, the mode of an old file is kept.
   * Rejects with `protected` for what git and saydo run by (`.git`, `.saydo`, `saydo.config.json5`), and with `exists` where `exclusive` is set.
   */
  write(path: string, bytes: Uint8Array | string, options?: { readonly exclusive?: boolean }): Promise<void>
  /** What lies in a folder, by name. Links are named as such, not followed. */
  list(path: string): Promise<readonly SandboxEntry[]>
  /** Undefined where nothing is. A link at the end is followed. */
  stat(path: string): Promise<SandboxEntry | undefined>
  /** Removes a file, a link or, with `recursive`, a folder. A link is removed, never what it leads to. Rejects with `not_found`, `protected`. */
  remove(path: string, options?: { readonly recursive?: boolean }): Promise<void>
  /** Ends every process and clears away all that was made around the workspace, which itself stays. May be called again. */
  destroy(): Promise<void>
}

/** A program with its arguments, which no shell reads; or a text for bash, which reads no settings of its user. */
export type SandboxCommand = readonly [program: string, ...args: string[]] | string

export interface SpawnOptions {
  /** Default: the workspace. */
  readonly cwd?: string
  /** Beside PATH, HOME, LANG and TMPDIR, which are all there is of the outer environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Ends the program when aborted. */
  readonly signal?: AbortSignal
}

export interface ExecOptions extends SpawnOptions {
  /** Default 60,000. */
  readonly timeoutMs?: number
  /** Default: an input that is at its end. */
  readonly stdin?: Uint8Array | string
  /** A command that prints more, stdout and stderr together, is ended; default 10 MiB. */
  readonly maxOutputBytes?: number
}

/** Why a program is over: by itself, or for what it was ended. `killed`: by `kill` or `destroy`. */
export type SandboxEnd = 'exit' | 'timeout' | 'aborted' | 'output' | 'disk' | 'killed'

export interface ExitStatus {
  /** 128 + n for a program that signal n ended. */
  readonly code: number
  readonly end: SandboxEnd
}

export interface ExecResult extends ExitStatus {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  /** Both in the order in which they came. */
  readonly output: Uint8Array
  readonly ms: number
}

/** With all it starts a program forms one group, which ends together: on its exit, `kill`, an abort, `destroy`, and the death of this process. */
export interface SandboxProcess {
  /** To be read once, and read on: while nobody reads, the program waits. Ends soon after the program, whoever still holds the pipe. */
  readonly stdout: AsyncIterable<Uint8Array>
  readonly stderr: AsyncIterable<Uint8Array>
  /** Resolves when the bytes are taken; rejects with `SandboxError` `ended` when the program doesn't read any more. */
  write(bytes: Uint8Array | string): Promise<void>
  /** End of its input. */
  endInput(): void
  readonly exited: Promise<ExitStatus>
  /** Ends the whole group at once; resolves when it is gone. */
  kill(): Promise<void>
  /** As Ctrl-C in a shell: SIGINT for all that the program has started, not for itself. Whether they heed it is theirs. */
  interrupt(): Promise<void>
}

export interface SandboxEntry {
  /** From the workspace, with links resolved; `.` for the workspace itself. */
  readonly path: string
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** In bytes. */
  readonly size: number
  /** Permission bits. */
  readonly mode: number
  /** In ms since 1970. */
  readonly mtimeMs: number
}

export type SandboxErrorCode =
  | 'outside'
  | 'protected'
  | 'not_found'
  | 'exists'
  | 'not_a_file'
  | 'not_a_folder'
  | 'too_large'
  | 'bad_path'
  | 'ended'
  | 'not_started'
  | 'destroyed'

/** What can't be done in a sandbox. `message` is a sentence that a model can act on. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly code: SandboxErrorCode

  constructor(code: SandboxErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
