// A task in, a result out: the life of a run. Counts steps, keeps limits, says what happens, and always closes. What a step is, a subclass says.
import { SaydoError } from '../core/errors.js'
import type { AgentEvent, AgentState, NoticeCode } from '../core/event.js'
import type { JsonObject } from '../core/json.js'
import type { Artifacts, RunResult } from '../core/step.js'
import type { ToolSpec } from '../core/tool.js'
import { Scratchpad } from '../memory/scratchpad.js'
import { ActiveRun } from './active-run.js'
import { AgentLimits } from './agent-limits.js'
import type { BaseAgentOptions } from './base-agent-options.js'
import { requireBaseOptions, requireRunOptions } from './check-options.js'
import { type Circle, goRound } from './circle.js'
import { reportOf } from './error-report.js'
import { askHook, type Hooks } from './hooks.js'
import { type LastWord, MetLimit } from './last-turn.js'
import { Listener } from './listener.js'
import { Past } from './past.js'
import { recall } from './recall.js'
import { Resource } from './resource.js'
import type { Looked, RunEnd, RunOptions, StepOutcome } from './run-options.js'
import { runResult } from './run-result.js'
import { streamed } from './streamed.js'
import type { ToolFacts } from './stuck.js'

/** What a transcript says about the agent at the start of a run. */
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
  readonly keepOpen: boolean
  readonly memory = new Scratchpad()
  protected readonly hooks: Hooks
  readonly #limits: AgentLimits
  readonly #resource: Resource
  #state: AgentState = 'IDLE'

  protected constructor(defaultName: string, defaultMaxSteps = 10, options: BaseAgentOptions = {}) {
    requireBaseOptions(options)
    this.name = options.name ?? defaultName
    this.description = options.description ?? ''
    this.keepOpen = options.keepOpen ?? false
    this.hooks = options.hooks ?? {}
    this.#limits = new AgentLimits(options, defaultMaxSteps)
    this.#resource = new Resource({ open: run => this.onOpen(run), close: () => this.onClose() }, options.resources)
  }

  get maxSteps(): number {
    return this.#limits.maxSteps
  }

  get onMaxSteps(): 'answer' | 'return' | 'throw' {
    return this.#limits.onMaxSteps
  }

  get state(): AgentState {
    return this.#state
  }

  /**
   * Runs a task to its end; a further task goes on from what was said before, as in a conversation (`reset()` forgets it). Without a task it goes
   * on with one that has no answer yet: after an abort, an error, or a limit. Steps, limits and the watch for circles begin anew in each run.
   *
   * Resolves for every way a run can end by itself, an abort included (see `RunResult.stop`). Rejects with a `SaydoError`: `STATE` when this
   * agent is running already, `CONFIG` for an empty task, none to go on with, an option that is not there or a limit that is none, `MODEL_*`
   * when the endpoint fails.
   */
  async run(task?: string, options: RunOptions = {}): Promise<RunResult> {
    this.#requireIdle()
    requireRunOptions(options)
    const past = options.resume && new Past(options.resume)
    if (past && task !== undefined && task !== past.task)
      throw new SaydoError('CONFIG', `run ${past.run} has another task`, { hint: 'leave the task out: it is that of the record' })
    if (task === undefined && !past && !this.memory.isOpen)
      throw new SaydoError('CONFIG', 'there is no task to go on with', { hint: 'give a task: the last one has its answer' })
    if (task !== undefined && (typeof task !== 'string' || task.trim() === ''))
      throw new SaydoError('CONFIG', 'the task is empty', { hint: 'say what should be done' })
    const maxSteps = this.#limits.stepsOf(options)
    const budget = this.#limits.budget(options)
    const abort = new AbortController()
    const listener = new Listener(options.onEvent, abort)
    const forward = () => abort.abort(options.signal?.reason)
    if (options.signal?.aborted) forward()
    else options.signal?.addEventListener('abort', forward, { once: true })
    const run = new ActiveRun({
      task: task ?? past?.task ?? this.memory.task,
      isNew: task !== undefined || past !== undefined,
      options,
      maxSteps,
      budget,
      circles: this.#limits.watch(tool => this.factsOf(tool)),
      abort: abort.signal,
      emit: event => past?.tells(event) || listener.tell(event),
      past,
    })
    try {
      return await this.#live(run, listener, performance.now() - (past?.ms ?? 0))
    } finally {
      options.signal?.removeEventListener('abort', forward)
      budget.close()
      listener.close()
      // whatever still listens to this run's signal (a late tool) is told that it is over
      abort.abort(new SaydoError('ABORTED', 'the run is over'))
    }
  }

  /**
   * The events of a run, as they come; ends after `run_end`. Leaving the loop early aborts the run and waits for its end, so that the agent
   * is free again. Throws what `run()` would.
   */
  async *stream(task?: string, options: Omit<RunOptions, 'onEvent'> = {}): AsyncGenerator<AgentEvent, RunResult> {
    requireRunOptions(options)
    return yield* streamed(more => this.run(task, { ...options, ...more }), options.signal)
  }

  /**
   * Remembers a recorded conversation, and nothing else, as if it had been with this agent: a further task goes on from it. `events` are those of
   * its runs, as a journal holds them. Throws `STATE` during a run.
   */
  recall(events: readonly AgentEvent[]): void {
    this.#requireIdle()
    recall(this.memory, events)
  }

  /** Forgets every task and step, as if the agent were new. Throws `STATE` during a run. */
  reset(): void {
    this.#requireIdle()
    this.memory.reset()
    this.#state = 'IDLE'
  }

  /** Closes the agent's resource. Safe to call twice; never needed when `keepOpen` is off. */
  async close(): Promise<void> {
    await this.#resource.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** What a transcript says about this agent. */
  protected abstract profile(run: ActiveRun): AgentProfile
  /** One turn of the circle: think, act, remember. */
  protected abstract step(run: ActiveRun): Promise<StepOutcome>
  /** The last turn, which may only answer; undefined when no answer came. */
  protected abstract wrapUp(run: ActiveRun): Promise<LastWord | undefined>
  /** The best there is without asking again: an answer of this run that did not count when it came. */
  protected bestSoFar(_run: ActiveRun): LastWord | undefined {
    return undefined
  }
  /** What a tool says about itself, as far as it matters for going in circles. */
  protected factsOf(_tool: string): ToolFacts | undefined {
    return undefined
  }
  /** Forgets what belonged to an earlier run. */
  protected beginRun(_run: ActiveRun): void {}
  /** Acquires the agent's resource: before the first run, and before a later one when it was closed. When it fails, `onClose` is called. */
  protected async onOpen(_run: ActiveRun): Promise<void> {}
  /** Releases it. Called after success, error and abort alike. */
  protected async onClose(): Promise<void> {}
  /** Says what the world looks like before a step; undefined for nothing. The end of the run when there is no world left to act in. */
  protected async beforeStep(_run: ActiveRun): Promise<Looked> {
    return undefined
  }

  /** What the run has made, while its resource is still open; asked for however it ends. */
  protected async artifacts(_run: ActiveRun): Promise<Artifacts | undefined> {
    return undefined
  }

  /** The limits of a run, as they are told in its events. */
  protected limitsOf({ options }: ActiveRun): JsonObject {
    return this.#limits.told(options)
  }

  async #live(run: ActiveRun, listener: Listener, started: number): Promise<RunResult> {
    const from = run.past?.state ?? this.#state
    if (run.past) await this.#requireTools(run, run.past)
    const profile = this.profile(run)
    if (run.past) recall(this.memory, run.past.before)
    if (run.isNew) this.memory.begin(run.task)
    else this.memory.resume()
    this.beginRun(run)
    // before anybody is told: a listener that starts a second run is refused
    this.#state = 'RUNNING'
    run.toldTools = run.past?.toldTools(profile.tools) ?? profile.tools
    run.emit({ type: 'run_start', run: run.id, agent: this.name, task: run.task, ...profile })
    run.emit({ type: 'state', from, to: 'RUNNING' })
    if (run.past) run.emit({ type: 'notice', code: 'RESUMED' satisfies NoticeCode, message: run.past.summary })
    const resultOf = (end: RunEnd) => runResult(run, end, this.memory.steps, started)
    let result: RunResult
    let made: Pick<RunEnd, 'artifacts'> | undefined
    try {
      listener.check()
      const end = await goRound(run, this.#circle(run))
      made = await this.#made(run)
      result = resultOf({ ...end, ...made })
      if (!this.keepOpen) await this.#resource.closeAfterSuccess(run)
      await this.hooks.afterRun?.(result)
      listener.check()
    } catch (thrown) {
      made ??= await this.#made(run)
      const error = thrown instanceof MetLimit ? thrown.toError(end => resultOf({ ...end, ...made })) : thrown
      if (!this.keepOpen) await this.#resource.closeAfter(error)
      this.#transition('ERROR', run)
      const { steps: _, ...summary } = resultOf({ kind: 'end', stop: run.cut?.stop === 'aborted' ? 'aborted' : 'error', ...made })
      run.emit({ type: 'run_end', result: summary, error: reportOf(error) })
      throw error
    }
    if (result.answer !== undefined) this.memory.end()
    this.#transition('FINISHED', run)
    const { steps: _, ...summary } = result
    run.emit({ type: 'run_end', result: summary })
    listener.check()
    return result
  }

  /** A run is not lost over what cannot be told of it. */
  async #made(run: ActiveRun): Promise<Pick<RunEnd, 'artifacts'>> {
    try {
      const artifacts = await this.artifacts(run)
      return artifacts === undefined ? {} : { artifacts }
    } catch (error) {
      const message = `what was changed cannot be told: ${error instanceof Error ? error.message : String(error)}`
      run.emit({ type: 'notice', code: 'ARTIFACTS_FAILED' satisfies NoticeCode, message })
      return {}
    }
  }

  /** A run goes on with the tools that it had, some of which are known only once the resource is open. Before anything is told or written. */
  async #requireTools(run: ActiveRun, past: Past): Promise<void> {
    const state = this.#state
    this.#state = 'RUNNING'
    try {
      await this.#resource.open(run)
      past.requireTools(this.profile(run).tools)
    } catch (error) {
      // an abort ends the run in the usual way
      if (run.signal.aborted && run.cut) return
      if (!this.keepOpen) await this.#resource.closeAfter(error)
      this.#state = state
      throw error
    }
  }

  #circle(run: ActiveRun): Circle {
    return {
      onMaxSteps: this.onMaxSteps,
      open: () => this.#resource.open(run),
      askBefore: () => askHook(run, this.hooks.beforeStep, run.step),
      look: () => this.beforeStep(run),
      step: () => this.step(run),
      wrapUp: () => this.wrapUp(run),
      best: () => this.bestSoFar(run),
      hasPast: () => this.memory.steps.length > 0,
    }
  }

  #requireIdle(): void {
    if (this.#state !== 'RUNNING') return
    throw new SaydoError('STATE', `agent ${this.name} is running already`, { hint: 'await the first run, or use a second agent' })
  }

  #transition(to: AgentState, run: ActiveRun): void {
    const from = this.#state
    this.#state = to
    run.emit({ type: 'state', from, to })
  }
}
