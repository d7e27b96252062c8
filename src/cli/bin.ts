#!/usr/bin/env node
// The process → one call of main() and one exit code. Signals, closed pipes and the exit live here and nowhere else.
import { main } from './main.js'

/** After a first Ctrl-C the run has this long to wind up, in ms. */
const GRACE = 1_500

const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (interrupt.signal.aborted) process.exit(130)
    interrupt.abort()
    setTimeout(() => process.exit(130), GRACE).unref()
  })
}

// a reader that hangs up (`saydo … | head -1`) is no error
process.stdout.on('error', error => process.exit((error as NodeJS.ErrnoException).code === 'EPIPE' ? 0 : 3))
process.stderr.on('error', () => {})

const code = await main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  signal: interrupt.signal,
})
await flushed(process.stdout)
await flushed(process.stderr)
process.exit(interrupt.signal.aborted ? 130 : code)

/** Resolves when what was written has left this process; exiting earlier would cut a pipe short. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise(resolve => (stream.writableLength === 0 ? resolve() : stream.write('', () => resolve())))
}
