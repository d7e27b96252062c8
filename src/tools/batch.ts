// The calls of one decision → their Observations, in the order of the calls, one for each whatever happens. One after the other by default.
import type { Observation, ToolCall } from '../core/tool.js'
import { type CallOptions, callTool, skipCall } from './call.js'
import { requireMaxObserve } from './truncate.js'

export interface BatchOptions extends Omit<CallOptions, 'callId'> {
  /** Index of the step the calls belong to, from 1; with a call's id it gives the `callId`. */
  readonly step: number
  /** Runs the calls side by side. A finishing tool still runs alone, after those before it. */
  readonly parallel?: boolean | undefined
  /** Most calls at a time when `parallel`; default 4. */
  readonly concurrency?: number | undefined
  /** Awaited before a call begins, so that a journal can hold the intent before the effect. */
  readonly onStart?: ((call: ToolCall) => void | Promise<void>) | undefined
  /** Awaited after a call, with its observation. Each `onStart` is followed by exactly one `onEnd`. */
  readonly onEnd?: ((call: ToolCall, observation: Observation) => void | Promise<void>) | undefined
}

/**
 * Makes the calls. A failing call never stops the others. When a tool that `finishes` has succeeded, the calls after it are not made:
 * their observations say `skipped`. After an abort, calls not yet begun are `aborted`.
 *
 * Rejects only with what `onStart` or `onEnd` threw, after every call that had begun has ended.
 */
export async function callTools(calls: readonly ToolCall[], options: BatchOptions): Promise<Observation[]> {
  requireMaxObserve(options.maxObserve)
  const observations: Observation[] = []
  let finished = false
  for (const group of groupsOf(calls, options)) {
    const after = finished
    observations.push(...(await settleAll(group, options, call => (after ? skipCall(call, options.say) : make(call, options)))))
    finished ||= group.some((call, at) => finishes(call, options) && observations.at(at - group.length)?.failure === undefined)
  }
  return observations
}

function make(call: ToolCall, options: BatchOptions): Promise<Observation> {
  return callTool(call, { ...options, callId: `${options.step}.${call.id}` })
}

// calls of one group may run side by side
function groupsOf(calls: readonly ToolCall[], options: BatchOptions): ToolCall[][] {
  const groups: ToolCall[][] = []
  let open = false
  for (const call of calls) {
    const alone = !options.parallel || finishes(call, options)
    if (open && !alone) groups.at(-1)?.push(call)
    else groups.push([call])
    open = !alone
  }
  return groups
}

// at most `concurrency` at a time; every call that began ends, then the first error of a listener is thrown
async function settleAll(
  calls: readonly ToolCall[],
  { onStart, onEnd, concurrency = 4 }: BatchOptions,
  run: (call: ToolCall) => Observation | Promise<Observation>,
): Promise<Observation[]> {
  const observations: Observation[] = []
  const errors: unknown[] = []
  const waiting = calls.entries()
  const work = async () => {
    for (const [at, call] of waiting) {
      if (errors.length > 0) return
      try {
        await onStart?.(call)
        const observation = await run(call)
        observations[at] = observation
        await onEnd?.(call, observation)
      } catch (error) {
        errors.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, calls.length)) }, work))
  if (errors.length > 0) throw errors[0]
  return observations
}

function finishes(call: ToolCall, { registry }: BatchOptions): boolean {
  return registry.get(call.tool)?.finishes === true
}
