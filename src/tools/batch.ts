// The calls of one decision → their Observations, in the order of the calls, one for each whatever happens, and whether the run ends with them.
// One after the other by default. Calls that may run side by side are all prepared before the first begins: nobody is asked two things at once.
import type { Ending, Observation, ToolCall } from '../core/tool.js'
import { type CallOptions, endingOf, makeCall, stopwatch } from './call.js'
import type { KnownCall } from './known-call.js'
import { prepareCall, type ReadyCall, type Said } from './prepare.js'
import { skipped } from './refusal.js'
import { requireMaxObserve } from './truncate.js'

export interface BatchOptions extends CallOptions {
  /** Runs the calls side by side. A tool that finishes or is `exclusive` still runs alone, after those before it. */
  readonly parallel?: boolean | undefined
  /** Most calls at a time when `parallel`; default 4. */
  readonly concurrency?: number | undefined
  /** Told what was said about a call by whoever was asked. */
  readonly onApproval?: ((said: Said) => void) | undefined
  /** Awaited before a call begins, so that a journal can hold the intent before the effect. Not for a call that is refused. */
  readonly onStart?: ((call: ToolCall) => void | Promise<void>) | undefined
  /** Awaited with what a call gave; may give another observation to stand in its place. What it throws counts as thrown by a listener. */
  readonly revise?: ((call: ToolCall, observation: Observation) => Promise<Observation | undefined>) | undefined
  /** Awaited after a call, with its observation. Each `onStart` is followed by exactly one `onEnd`. */
  readonly onEnd?: ((call: ToolCall, observation: Observation) => void | Promise<void>) | undefined
  /** Awaited with the observation of a call that never began. */
  readonly onRefused?: ((call: ToolCall, observation: Observation) => void | Promise<void>) | undefined
}

export interface Batch {
  /** One for each call, in the order of the calls. */
  readonly observations: readonly Observation[]
  /** Set when a tool that finishes ended the run. */
  readonly ending?: Ending
  /** Set when whoever was asked wants the run to stop: why. */
  readonly stopped?: string
}

/** A call of the batch and its place in it. */
interface Placed<T> {
  readonly at: number
  readonly call: T
}

/**
 * Makes the calls. A failing call never stops the others. When a tool has finished the run, or whoever was asked has stopped it, the calls that
 * did not begin yet are not made: their observations say `skipped`. After an abort they are `aborted`.
 *
 * Rejects only with what a listener threw, after every call that had begun has ended.
 *
 * @throws SaydoError `CONFIG` when `maxObserve` is no number of characters, before anything is run
 */
export async function callTools(calls: readonly ToolCall[], options: BatchOptions): Promise<Batch> {
  requireMaxObserve(options.maxObserve)
  const batch = new RunningBatch(options)
  for (const group of groupsOf(calls, options)) await batch.makeGroup(group)
  return batch.result()
}

class RunningBatch {
  readonly #options: BatchOptions
  readonly #observations: Observation[] = []
  #ending: Ending | undefined
  #stopped: string | undefined

  constructor(options: BatchOptions) {
    this.#options = options
  }

  result(): Batch {
    return {
      observations: this.#observations,
      ...(this.#ending === undefined ? {} : { ending: this.#ending }),
      ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
    }
  }

  async makeGroup(group: readonly Placed<ToolCall>[]): Promise<void> {
    const ready: Placed<ReadyCall>[] = []
    for (const { at, call } of group) {
      const known = this.#options.known?.(call)
      if (known?.observation) {
        await this.#recall(at, call, known, known.observation)
        continue
      }
      const prepared = this.#isOver() ? undefined : await this.#prepare(at, call)
      if (prepared !== undefined) ready.push({ at, call: prepared })
      else if (this.#observations[at] === undefined) await this.#skip(at, call)
    }
    // stopped by a question about a later call of the group
    if (this.#isOver()) for (const { at, call } of ready) await this.#skip(at, call.call)
    else await this.#makeAll(ready)
  }

  /** What is on record is neither made nor told again. */
  async #recall(at: number, call: ToolCall, { begun, approval }: KnownCall, observation: Observation): Promise<void> {
    this.#observations[at] = observation
    if (approval?.verdict === 'stopped') this.#stopped = approval.reason ?? ''
    if (!begun) return
    const { registry, limits, step } = this.#options
    const tool = registry.get(call.tool)
    if (tool) limits?.take(tool, step)
    this.#ending ??= await endingOf(tool, call, observation, this.#options)
  }

  async #prepare(at: number, call: ToolCall): Promise<ReadyCall | undefined> {
    const { onApproval } = this.#options
    const measured = stopwatch(this.#options)
    const prepared = await prepareCall(call, this.#options)
    for (const said of prepared.said ?? []) {
      onApproval?.(said)
      if (said.verdict.kind === 'stopped') this.#stopped = said.verdict.reason
    }
    if ('ready' in prepared) return prepared.ready
    await this.#refuse(at, call, measured(call, prepared.refused))
    return undefined
  }

  async #skip(at: number, call: ToolCall): Promise<void> {
    const reason = this.#stopped === undefined ? 'finished' : 'refused'
    await this.#refuse(at, call, { tool: call.tool, truncated: 0, ms: 0, ...skipped(call.tool, reason, this.#options.say) })
  }

  async #refuse(at: number, call: ToolCall, observation: Observation): Promise<void> {
    this.#observations[at] = observation
    await this.#options.onRefused?.(call, observation)
  }

  // at most `concurrency` at a time; every call that began ends, then the first error of a listener is thrown
  async #makeAll(ready: readonly Placed<ReadyCall>[]): Promise<void> {
    const { concurrency = 4 } = this.#options
    const errors: unknown[] = []
    const waiting = ready.values()
    const work = async () => {
      for (const { at, call } of waiting) {
        if (errors.length > 0) return
        try {
          await this.#make(at, call)
        } catch (error) {
          errors.push(error)
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(concurrency, ready.length) }, work))
    if (errors.length > 0) throw errors[0]
  }

  async #make(at: number, ready: ReadyCall): Promise<void> {
    const { onStart, revise, onEnd } = this.#options
    await onStart?.(ready.call)
    const { observation, ending } = await makeCall(ready, this.#options)
    this.#observations[at] = observation
    this.#ending ??= ending
    try {
      this.#observations[at] = (await revise?.(ready.call, observation)) ?? observation
    } finally {
      await onEnd?.(ready.call, this.#observations[at] ?? observation)
    }
  }

  #isOver(): boolean {
    return this.#ending !== undefined || this.#stopped !== undefined
  }
}

// calls of one group may run side by side
function groupsOf(calls: readonly ToolCall[], { parallel, registry }: BatchOptions): Placed<ToolCall>[][] {
  const groups: Placed<ToolCall>[][] = []
  let open = false
  for (const [at, call] of calls.entries()) {
    const tool = registry.get(call.tool)
    const alone = !parallel || tool?.finishes === true || tool?.exclusive === true
    if (open && !alone) groups.at(-1)?.push({ at, call })
    else groups.push([{ at, call }])
    open = !alone
  }
  return groups
}
