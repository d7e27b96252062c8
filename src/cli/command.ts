// What a command is: data that the command line is built from, and one function from options to an exit code. Nothing here exits or prints.
import type { Readable, Writable } from 'node:stream'

/** The world a command runs in; in tests plain streams. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Aborted at the first Ctrl-C. */
  readonly signal: AbortSignal
  /** What a Ctrl-C does, for who reads the keyboard key by key and gets it as one of them. */
  readonly interrupt?: () => void
  /** From now on a Ctrl-C is the listener's, and aborts nothing; gives what ends that. The last one who asked gets it. */
  readonly takeInterrupts?: (listener: () => void) => () => void
  /** A run that has something to write down at its end: after a Ctrl-C it has this long for that, in ms. */
  readonly mayWindUp?: (ms: number) => void
}

export interface OptionSpec {
  /** As commander writes them: `-m, --model <name>`, `--no-stream`. */
  readonly flags: string
  readonly description: string
  readonly choices?: readonly string[]
  /** Turns the text into a value; throws an Error whose message says what is wanted. */
  readonly parse?: (text: string) => unknown
  /** May be given several times; the value is then an array. */
  readonly repeat?: boolean
  /**
   * For an option of a scene: whether a record may bring this value back when its run goes on. One that grants what is kept from a run otherwise is
   * never written down. `cwd`: the working directory.
   */
  readonly returns?: (value: unknown, cwd: string) => boolean
  /** The heading of a part of the help that it stands in; default with the others. */
  readonly group?: string
}

/** 0 answered or passed · 1 ran without a final answer · 2 usage or configuration · 3 the world failed · 4 fixture · 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130

/** How a command ended. `line`, when given, is the last line on stderr. */
export interface Verdict {
  readonly code: ExitCode
  readonly line?: string
}

export interface Invocation {
  readonly args: readonly string[]
  /** By camel-cased long flag. */
  readonly options: Readonly<Record<string, unknown>>
  readonly io: Io
}

export interface Command {
  readonly name: string
  readonly summary: string
  /** Such as `[task...]`. */
  readonly positional?: string
  readonly options: readonly OptionSpec[]
  /** Lines for `--help`, first the most common. */
  readonly examples: readonly string[]
  /** Loads what it needs when called, so that `saydo --version` stays quick. Throws `SaydoError` for what the user must fix. */
  run(invocation: Invocation): Promise<Verdict>
}
