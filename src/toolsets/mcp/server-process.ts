// What a server that is started is to its transport, wherever it runs: bytes in and out, and an end.

export interface StdioCommand {
  readonly command: string
  readonly args: readonly string[]
  /** Besides a few variables such as PATH. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
}

export interface ProcessEvents {
  readonly onOutput: (chunk: Buffer) => void
  /** What it says on stderr. */
  readonly onSaid: (text: string) => void
  /** It has ended, and why; there may be output still. */
  readonly onExit: (why: string) => void
  /** Nothing more comes. */
  readonly onOver: () => void
}

export interface ServerProcess {
  /** Bytes that were written, and not taken yet. */
  readonly backlog: number
  write(text: string): void
  /** How it is asked to end, each time harder: the end of its input, a signal where there is one, the end of all that it has started. */
  end(how: 'input' | 'ask' | 'kill'): void
  /** It must not keep this process awake any more. */
  release(): void
}

/** Rejects with an Error that says why it can't be started. */
export type StartProcess = (command: StdioCommand, events: ProcessEvents) => Promise<ServerProcess>
