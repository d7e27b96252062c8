// How a run ended, and its steps → its result.
import type { RunResult, Trajectory } from '../core/step.js'
import type { ActiveRun } from './active-run.js'
import type { RunEnd } from './run-options.js'
import { stopMessage } from './stop-message.js'

/** `started` in ms of `performance.now`. */
export function runResult(run: ActiveRun, end: RunEnd, steps: Trajectory, started: number): RunResult {
  const { kind: _, final: _final, message = stopMessage(end.reason ?? end.stop, run), ...told } = end
  return { task: run.task, ...told, message, steps: [...steps], usage: run.usage, ms: Math.round(performance.now() - started) }
}
