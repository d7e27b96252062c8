// A program that was started → what its command came to: its output, its exit, and whether it had to be ended for its time or its output.
import type { ExecOptions, ExecResult } from '../../core/sandbox.js'
import type { Group } from './group.js'

const TIMEOUT_MS = 60_000
const MOST_OUTPUT = 10 * 1024 * 1024

/** Never rejects for what the program does. */
export async function runCommand(group: Group, options: ExecOptions = {}): Promise<ExecResult> {
  const started = performance.now()
  const { timeoutMs = TIMEOUT_MS, maxOutputBytes = MOST_OUTPUT, stdin } = options
  const timer = setTimeout(() => void group.kill('timeout'), timeoutMs)
  const output: Uint8Array[] = []
  let room = maxOutputBytes
  const collect = async (stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
    const own: Uint8Array[] = []
    for await (const chunk of stream) {
      const kept = chunk.subarray(0, Math.max(room, 0))
      room -= chunk.length
      own.push(kept)
      output.push(kept)
      if (room < 0) void group.kill('output')
    }
    return Buffer.concat(own)
  }
  // a program that does not read its input is none the worse for it
  if (stdin !== undefined) group.write(stdin).catch(() => {})
  group.endInput()
  const [stdout, stderr, status] = await Promise.all([collect(group.stdout), collect(group.stderr), group.exited])
  clearTimeout(timer)
  return { ...status, stdout, stderr, output: Buffer.concat(output), ms: performance.now() - started }
}
