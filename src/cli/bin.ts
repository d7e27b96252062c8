#!/usr/bin/env node
// The process → one call of main() and one exit code. Signals, closed pipes, faults that nobody waited for and the exit live here and nowhere else.
import { Console } from 'node:console'
import { messageOf } from '../tools/result.js'
import { main } from './main.js'
import { visible } from './visible.js'

/** After a first Ctrl-C the run has this long to wind up, in ms, unless it asks for more. */
const GRACE = 1_500
let grace = GRACE

const SIGNALS = ['SIGTERM', 'SIGHUP'] as const

/** Set by every exit of ours; whoever else ends the process does so behind our back. */
let leaving = false
const interrupt = new AbortController()

/** Who gets a Ctrl-C in place of the whole program, the last one first. */
const takers: (() => void)[] = []

process.on('SIGINT', onInterrupt)
for (const signal of SIGNALS) process.on(signal, onSignal)

// a reader that hangs up (`saydo … | head -1`) is no error
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') leave(0)
  leave(3, `error OUTPUT: stdout cannot be written (${error.code ?? error.message})`)
})
process.stderr.on('error', () => {})

// a promise or a timer that fails when nobody waits for it any more: no reason to lose the run
for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (fault: unknown) => tell(`! something that was left behind failed: ${messageOf(fault)}`))
}

// stdout carries the answer alone: what a package logs goes where all else goes
globalThis.console = new Console(process.stderr, process.stderr)

process.on('exit', () => {
  if (leaving) return
  tell('error UNEXPECTED: the process was ended before the run was')
  process.exitCode = 1
})

const code = await main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: workingDirectory(),
  signal: interrupt.signal,
  interrupt: onInterrupt,
  takeInterrupts,
  mayWindUp(ms) {
    grace = Math.max(grace, ms)
  },
})
await flushed(process.stdout)
await flushed(process.stderr)
leave(interrupt.signal.aborted ? 130 : code)

function onInterrupt(): void {
  const taker = takers.at(-1)
  if (taker) taker()
  else onSignal()
}

function takeInterrupts(listener: () => void): () => void {
  takers.push(listener)
  return () => {
    const at = takers.lastIndexOf(listener)
    if (at >= 0) takers.splice(at, 1)
  }
}

function onSignal(): void {
  if (interrupt.signal.aborted) leave(130, 'aborted at once')
  interrupt.abort()
  setTimeout(() => leave(130, 'aborted: the run did not end by itself'), grace).unref()
  if (grace > GRACE) setTimeout(() => tell('! the run is winding up; once more ends it at once'), GRACE).unref()
}

function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    return leave(2, 'error CONFIG: the working directory is gone — change to one that exists')
  }
}

function leave(status: number, verdict?: string): never {
  leaving = true
  if (verdict !== undefined) tell(verdict)
  process.exit(status)
}

function tell(line: string): void {
  process.stderr.write(`${visible(line)}\n`)
}

/** Resolves when what was written has left this process; exiting earlier would cut a pipe short, or miss that a disk is full. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise(resolve => stream.write('', () => setImmediate(resolve)))
}
