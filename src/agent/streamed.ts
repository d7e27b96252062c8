// A run that is told to a listener → its events as they come, for who would rather read them in a loop.
import type { AgentEvent } from '../core/event.js'
import type { RunResult } from '../core/step.js'
import { EventQueue } from './event-queue.js'
import type { RunOptions } from './run-options.js'

/** Leaving the loop early aborts the run and waits for its end. Throws what `run` rejects with, once the events are read. */
export async function* streamed(
  run: (more: Required<Pick<RunOptions, 'signal' | 'onEvent'>>) => Promise<RunResult>,
  outside: AbortSignal | undefined,
): AsyncGenerator<AgentEvent, RunResult> {
  const queue = new EventQueue<AgentEvent>()
  const leave = new AbortController()
  const signal = outside ? AbortSignal.any([outside, leave.signal]) : leave.signal
  const result = run({ signal, onEvent: event => queue.push(event) })
  result.catch(() => {}).finally(() => queue.close())
  try {
    yield* queue
  } finally {
    leave.abort()
    await result.catch(() => {})
  }
  return await result
}
