// A task in, a result out: the life of a run. Counts steps, checks limits, says what happens, and always closes. What a step is, a subclass says.
import { SaydoError } from '../core/errors.js'
import type { AgentEvent, AgentState } from '../core/event.js'
import type { JsonObject } from '../core/json.js'
import type { RunResult, StopReason } from '../core/step.js'
import type { ToolSpec } from '../core/tool.js'
import { Scratchpad } from '../memory/scratchpad.js'
import type { BaseAgentOptions } from './base-agent-options.js'
import { reportOf } from './error-report.js'
import { EventQueue } from './event-queue.js'
import { Listener } from './listener.js'
import { type ActiveRun, CONTINUE, newRunId, type RunOptions, type StepOutcome } from './run-options.js'
import { stopMessage } from './stop-message.js'
import { CircleWatch } from './stuck.js'

/** What a transcript says about the agent at its start. */
export interface AgentProfile {
  readonly model: string
  readonly dialect: string
  readonly tools: readonly ToolSpec[]
  readonly options: JsonObject
}

/** The bottom of the ladder. State goes IDLE → RUNNING → FINISHED or ERROR, and stays visible until the next run. */
export abstract class BaseAgent {
  readonly name: string
  readonly description: string
  readonly maxSteps: number
  readonly onMaxSteps: 'answer' | 'return' | 'throw'
  readonly keepOpen: boolean
  readonly memory = new Scratchpad()
  #state: AgentState = 'IDLE'
  #opened = false

  protected constructor(defaultName: string, defaultMaxSteps: number, options: BaseAgentOptions = {}) {
    this.name = options.name ?? defaultName
    this.description = options.description ?? ''
    this.maxSteps = checkedMaxSteps(options.maxSteps ?? defaultMaxSteps)
    this.onMaxSteps = options.onMaxSteps ?? 'answer'
    this.keepOpen = options.keepOpen ?? false
  }

  get state(): AgentState {
    return this.#state
  }

  /**
   * Runs a task to its end. Resolves for every way a run can end by itself, an abort included (see `RunResult.stop`).
   * Rejects with a `SaydoError`: `STATE` when this agent is running already, `CONFIG` for an empty task, `MODEL_*` when the endpoint fails.
   */
  async run(task: string, options: RunOptions = {}): Promise<RunResult> {
    if (this.#state === 'RUNNING')
      throw new SaydoError('STATE', `agent ${this.name} is running already`, {
        hint: 'await the first run, or use a second agent',
      })
    if (task.trim() === '') throw new SaydoError('CONFIG', 'the task is empty', { hint: 'say what should be done' })
    const maxSteps = checkedMaxSteps(options.maxSteps ?? this.maxSteps)
    const abort = new AbortController()
    const listener = new Listener(options.onEvent, abort)
    const forward = () => abort.abort(options.signal?.reason)
    if (options.signal?.aborted) forward()
    else options.signal?.addEventListener('abort', forward, { once: true })
    const run: ActiveRun = {
      id: options.runId ?? newRunId(),
      task,
      signal: abort.signal,
      emit: event => listener.tell(event),
      maxSteps,
      step: 0,
      situation: undefined,
      wrapUp: undefined,
      usage: { promptTokens: 0, completionTokens: 0 },
      circles: new CircleWatch(tool => this.isRepeatable(tool)),
      toldTools: [],
    }
    const started = performance.now()
    try {
      return await this.#live(run, listener, started)
    } finally {
      options.signal?.removeEventListener('abort', forward)
      // whatever still listens to this run's signal (a late tool) is told that it is over
      abort.abort(new SaydoError('ABORTED', 'the run is over'))
    }
  }

  /**
   * The events of a run, as they come; ends after `run_end`. Leaving the loop early aborts the run and waits for its end, so that the agent
   * is free again. Throws what `run()` would.
   */
  async *stream(task: string, options: Omit<RunOptions, 'onEvent'> = {}): AsyncGenerator<AgentEvent, RunResult> {
    const queue = new EventQueue<AgentEvent>()
    const leave = new AbortController()
    const signal = options.signal ? AbortSignal.any([options.signal, leave.signal]) : leave.signal
    const result = this.run(task, { ...options, signal, onEvent: event => queue.push(event) })
    // the rejection is thrown below, once the events are read
    result.catch(() => {}).finally(() => queue.close())
    try {
      yield* queue
    } finally {
      leave.abort()
      await result.catch(() => {})
    }
    return await result
  }

  /** Closes the agent's resource. Safe to call twice; never needed when `keepOpen` is off. */
  async close(): Promise<void> {
    if (!this.#opened) return
    this.#opened = false
    await this.onClose()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** What a transcript says about this agent. */
  protected abstract profile(): AgentProfile
  /** One turn of the circle: think, act, remember. */
  protected abstract step(run: ActiveRun): Promise<StepOutcome>
  /** The last turn, which may only answer; undefined when none came. */
  protected abstract wrapUp(run: ActiveRun): Promise<string | undefined>
  /** The same call of this tool with the same result is no sign of going in circles (wait, poll, scroll). */
  protected isRepeatable(_tool: string): boolean {
    return false
  }
  /** Forgets what belonged to an earlier run. */
  protected beginRun(_run: ActiveRun): void {}
  /** Acquires the agent's resource: before the first run, and before a later one when it was closed. When it fails, `onClose` is called. */
  protected async onOpen(_run: ActiveRun): Promise<void> {}
  /** Releases it. Called after success, error and abort alike. */
  protected async onClose(): Promise<void> {}
  /** Says what the world looks like before a step; undefined for nothing. */
  protected async beforeStep(_run: ActiveRun): Promise<string | undefined> {
    return undefined
  }

  async #live(run: ActiveRun, listener: Listener, started: number): Promise<RunResult> {
    const profile = this.profile()
    this.memory.begin(run.task)
    this.beginRun(run)
    const from = this.#state
    // before anybody is told: a listener that starts a second run is refused
    this.#state = 'RUNNING'
    run.toldTools = profile.tools
    run.emit({ type: 'run_start', run: run.id, agent: this.name, task: run.task, ...profile })
    run.emit({ type: 'state', from, to: 'RUNNING' })
    let result: RunResult
    try {
      listener.check()
      await this.#open(run)
      result = this.#result(run, await this.#steps(run), started)
      if (!this.keepOpen) await this.#closeAfterSuccess(run)
      listener.check()
    } catch (error) {
      await this.#closeAfter(error)
      this.#transition('ERROR', run)
      const end = { kind: 'end', stop: run.signal.aborted ? 'aborted' : 'error' } as const
      const { steps: _, ...summary } = this.#result(run, end, started)
      run.emit({ type: 'run_end', result: summary, error: reportOf(error) })
      throw error
    }
    this.#transition('FINISHED', run)
    const { steps: _, ...summary } = result
    run.emit({ type: 'run_end', result: summary })
    listener.check()
    return result
  }

  async #steps(run: ActiveRun): Promise<Ended> {
    while (run.step < run.maxSteps) {
      run.step += 1
      const end = await this.#oneStep(run)
      if (end.kind === 'continue') continue
      return end.stop === 'unclear' || end.stop === 'stuck' || end.stop === 'budget' ? this.#lastTurn(run, end) : end
    }
    return this.#lastTurn(run, { kind: 'end', stop: 'max_steps' })
  }

  async #oneStep(run: ActiveRun): Promise<StepOutcome> {
    if (run.signal.aborted) return { kind: 'end', stop: 'aborted' }
    const early = await endIfAborted(run, async () => {
      run.situation = await this.beforeStep(run)
      return CONTINUE
    })
    if (early.kind === 'end') return early
    return this.#framed(run, () => this.step(run))
  }

  /** A part of the run between its `step_start` and its `step_end`, however it ends. */
  async #framed(run: ActiveRun, part: () => Promise<StepOutcome>): Promise<StepOutcome> {
    const { situation } = run
    run.emit({ type: 'step_start', step: run.step, ...(situation === undefined ? {} : { situation }) })
    try {
      return await endIfAborted(run, part)
    } catch (error) {
      // a first prompt that is too long is a fault of the configuration; later on the run has grown out of its model
      const outgrown = error instanceof SaydoError && error.code === 'MODEL_CONTEXT' && this.memory.steps.length > 0
      if (!outgrown) throw error
      return { kind: 'end', stop: 'context', ...(error.hint === undefined ? {} : { message: error.hint }) }
    } finally {
      run.emit({ type: 'step_end', step: run.step })
    }
  }

  /** One more turn that may only answer, when a limit was met. */
  async #lastTurn(run: ActiveRun, end: Ended): Promise<Ended> {
    if (this.onMaxSteps === 'throw')
      throw new SaydoError('STATE', stopMessage(end.stop, run), { hint: "raise maxSteps, or use onMaxSteps: 'answer'" })
    if (this.onMaxSteps === 'return') return end
    run.wrapUp = end.stop
    // nobody looked at the world before this turn, and nothing can be done in it
    run.situation = undefined
    run.step += 1
    let answer: string | undefined
    const outcome = await this.#framed(run, async () => {
      answer = await this.wrapUp(run)
      return end
    })
    if (outcome.kind === 'end' && outcome !== end) return outcome
    return answer === undefined ? end : { kind: 'end', stop: 'best_effort', answer, reason: end.stop }
  }

  #result(run: ActiveRun, end: Ended, started: number): RunResult {
    return {
      task: run.task,
      ...(end.answer === undefined ? {} : { answer: end.answer }),
      stop: end.stop,
      ...(end.reason === undefined ? {} : { reason: end.reason }),
      message: end.message ?? stopMessage(end.reason ?? end.stop, run),
      steps: this.memory.steps,
      usage: run.usage,
      ms: Math.round(performance.now() - started),
    }
  }

  async #open(run: ActiveRun): Promise<void> {
    if (this.#opened) return
    this.#opened = true
    try {
      await this.onOpen(run)
    } catch (error) {
      await this.#closeAfter(error, true)
      throw error
    }
  }

  /** A finished run is not lost over a resource that won't close. */
  async #closeAfterSuccess(run: ActiveRun): Promise<void> {
    try {
      await this.close()
    } catch (error) {
      run.emit({
        type: 'notice',
        code: 'CLOSE_FAILED',
        message: `closing failed: ${error instanceof Error ? error.message : String(error)}`,
      })
    }
  }

  /** Closes after a failure, whose error is the one that matters. */
  async #closeAfter(error: unknown, always = !this.keepOpen): Promise<void> {
    if (!always) return
    try {
      await this.close()
    } catch (closing) {
      if (error instanceof Error && error.cause === undefined) error.cause = closing
    }
  }

  #transition(to: AgentState, run: ActiveRun): void {
    const from = this.#state
    this.#state = to
    run.emit({ type: 'state', from, to })
  }
}

type Ended = Extract<StepOutcome, { kind: 'end' }> & { readonly reason?: StopReason }

/** Runs a part of the run; when the run was aborted meanwhile, that is how it ends. */
async function endIfAborted(run: ActiveRun, part: () => Promise<StepOutcome>): Promise<StepOutcome> {
  try {
    const outcome = await part()
    return run.signal.aborted && outcome.kind === 'continue' ? { kind: 'end', stop: 'aborted' } : outcome
  } catch (error) {
    if (run.signal.aborted) return { kind: 'end', stop: 'aborted' }
    throw error
  }
}

function checkedMaxSteps(value: number): number {
  if (Number.isInteger(value) && value >= 1) return value
  throw new SaydoError('CONFIG', `maxSteps must be a whole number from 1, got ${String(value)}`)
}
