// One step of the circle: think (read a decision), review it, act (run its calls), remember. A reply that gives nothing to go on with is answered
// with a correction and tried again within the same step; too many in a row end the run.
import { SaydoError } from '../core/errors.js'
import type { Step } from '../core/step.js'
import type { Observation, ToolCall } from '../core/tool.js'
import { estimateTokens } from '../memory/tokens.js'
import type { ActiveRun } from './active-run.js'
import type { Turn } from './ask-model.js'
import { BaseAgent } from './base-agent.js'
import type { BaseAgentOptions } from './base-agent-options.js'
import { askForOther, askHook } from './hooks.js'
import type { LastWord } from './last-turn.js'
import { isRead, type KnownTurn, reviewedThen } from './past.js'
import { RefusalCount } from './refusal-count.js'
import type { Refused, Review } from './review.js'
import { addUsage, CONTINUE, type RunEnd, type StepOutcome } from './run-options.js'
import { orAborted } from './until-aborted.js'

export interface ReActAgentOptions extends BaseAgentOptions {
  /** Replies in a row that may be refused before the run ends with stop `unclear`; default 3. Empty replies are counted apart. */
  readonly maxFormatErrors?: number
}

/** What ends the run, once what was done before is remembered. */
export interface Fault {
  readonly thrown: unknown
}

/** What acting gave: one observation for each call, and perhaps the end of the run. */
export interface ActResult {
  readonly observations: readonly Observation[]
  readonly ends?: RunEnd
  /** What the model is told about the calls, beside their results. */
  readonly remark?: string
  readonly fault?: Fault
}

/** One try at a step: the turn of the model, and where in the run it stands. */
interface Try {
  readonly turn: Turn
  readonly attempt: number
  /** What a run that goes on knows of it. */
  readonly known: KnownTurn | undefined
}

/** think → review → act → observe. A subclass says how it thinks, what it accepts and how it acts. */
export abstract class ReActAgent extends BaseAgent {
  readonly maxFormatErrors: number

  protected constructor(defaultName: string, defaultMaxSteps?: number, options: ReActAgentOptions = {}) {
    super(defaultName, defaultMaxSteps, options)
    this.maxFormatErrors = options.maxFormatErrors ?? 3
    if (!Number.isInteger(this.maxFormatErrors) || this.maxFormatErrors < 1)
      throw new SaydoError('CONFIG', `maxFormatErrors must be a whole number from 1, got ${String(this.maxFormatErrors)}`)
  }

  /** Asks for one reply and reads it. Decides only; touches nothing. */
  protected abstract think(run: ActiveRun, attempt: number): Promise<Turn>
  /** Says what the reply comes to. */
  protected abstract review(run: ActiveRun, turn: Turn): Promise<Review>
  /** Makes the calls. Never rejects for a tool's fault. */
  protected abstract act(run: ActiveRun, calls: readonly ToolCall[], attempt: number): Promise<ActResult>
  /** The text that tells the model that it goes in circles. */
  protected abstract hint(run: ActiveRun, calls: readonly ToolCall[]): Promise<string>

  protected override async step(run: ActiveRun): Promise<StepOutcome> {
    const refusals = new RefusalCount(this.maxFormatErrors)
    for (let attempt = 1; ; attempt++) {
      const known = run.recall(attempt)
      // what was received already is read all the same
      if (!known && run.cut) return run.cut
      const one = await this.#think(run, attempt, known)
      const review = await this.#review(run, one)
      switch (review.kind) {
        case 'answer': {
          await this.#remember(run, one)
          return { kind: 'end', stop: 'final_answer', answer: review.text, ...dataOf(review) }
        }
        case 'act':
          return this.#act(run, one, review)
        case 'observe':
          for (const observation of review.observations) run.emit({ type: 'observation', step: run.step, attempt, observation })
          return this.#observe(run, one, review.observations)
      }
      run.emit({ type: 'nudge', step: run.step, attempt, text: review.nudge })
      await this.#refuse(run, one, review)
      const end = refusals.add(review)
      if (end) return end
    }
  }

  protected override async wrapUp(run: ActiveRun): Promise<LastWord | undefined> {
    const one = await this.#think(run, 1, run.recall(1))
    const review = await this.#review(run, one)
    if (review.kind === 'answer') {
      await this.#remember(run, one)
      return { answer: review.text, ...dataOf(review) }
    }
    if (review.kind === 'refused') await this.#refuse(run, one, review)
    else await this.#remember(run, one)
    return undefined
  }

  protected override bestSoFar(run: ActiveRun): LastWord | undefined {
    return run.spare
  }

  async #think(run: ActiveRun, attempt: number, known: KnownTurn | undefined): Promise<Try> {
    const read = isRead(known) ? known : await this.think(run, attempt)
    const { usage, text } = read.reply
    run.usage = addUsage(run.usage, usage)
    run.budget.spend(usage ? usage.promptTokens + usage.completionTokens : (read.estimate ?? estimateTokens(text)))
    if (isRead(known)) return { turn: known, attempt, known }
    const at = { step: run.step, attempt }
    await askHook(run, this.hooks.afterModel, read.reply, at)
    const parsed = (await askForOther(run, this.hooks, 'afterParse', read.parsed, at)) ?? read.parsed
    const turn = { ...read, parsed }
    run.emit({ type: 'parsed', ...at, parsed })
    return { turn, attempt, known }
  }

  async #review(run: ActiveRun, { turn, known }: Try): Promise<Review> {
    const review = await orAborted(this.review(run, turn), run.signal)
    return known ? reviewedThen(known, review) : review
  }

  async #act(run: ActiveRun, one: Try, { calls, remark }: Extract<Review, { kind: 'act' }>): Promise<StepOutcome> {
    if (remark !== undefined) run.emit({ type: 'nudge', step: run.step, attempt: one.attempt, text: remark })
    const blocked = run.circles.isBlocked(calls)
    const acted = blocked ? await this.#block(run, one, calls) : await this.act(run, calls, one.attempt)
    if (acted.remark !== undefined) run.emit({ type: 'nudge', step: run.step, attempt: one.attempt, text: acted.remark })
    const told = [remark, acted.remark].filter(text => text !== undefined).join('\n\n')
    const { observations, ends, fault } = acted
    if (fault) {
      this.memory.add(stepOf(run, one, observations))
      throw fault.thrown
    }
    if (!ends || one.known?.wentOn) return this.#observe(run, one, observations, told || undefined)
    await this.#remember(run, one, observations, told || undefined)
    return ends
  }

  /** The same calls would give the same again: they are not made, and the model is told so. */
  async #block(run: ActiveRun, { attempt }: Try, calls: readonly ToolCall[]): Promise<ActResult> {
    const failure = { code: 'limited', message: 'the same call gave the same result again and again' } as const
    const text = await this.hint(run, calls)
    const observations = calls.map(call => {
      const observation = { tool: call.tool, text, failure, truncated: 0, ms: 0 }
      run.emit({ type: 'observation', step: run.step, attempt, call, observation })
      return observation
    })
    return { observations }
  }

  async #refuse(run: ActiveRun, one: Try, { nudge, fault, spare }: Refused): Promise<void> {
    await this.#remember(run, one, [], nudge)
    if (spare !== undefined) run.spare = { answer: spare, note: fault }
  }

  /** Remembers a step with observations. When it closes a circle the model gets a hint, and at last the run ends. */
  async #observe(run: ActiveRun, one: Try, observations: readonly Observation[], remark?: string): Promise<StepOutcome> {
    const verdict = run.circles.judge(stepOf(run, one, observations))
    if (verdict !== 'hint') {
      await this.#remember(run, one, observations, remark)
      return verdict === 'stuck' ? { kind: 'end', stop: 'stuck' } : CONTINUE
    }
    const { decision } = one.turn.parsed
    const hint = await this.hint(run, decision.kind === 'act' ? decision.calls : [])
    run.emit({ type: 'nudge', step: run.step, attempt: one.attempt, text: hint })
    await this.#remember(run, one, observations, remark === undefined ? hint : `${remark}\n\n${hint}`)
    return CONTINUE
  }

  async #remember(run: ActiveRun, one: Try, observations: readonly Observation[] = [], nudge?: string): Promise<void> {
    const step = stepOf(run, one, observations, nudge)
    this.memory.add(step)
    if (!one.known?.wentOn) await askHook(run, this.hooks.afterStep, step)
  }
}

function stepOf(run: ActiveRun, { turn, attempt }: Try, observations: readonly Observation[], nudge?: string): Step {
  return {
    index: run.step,
    attempt,
    ...(run.situation === undefined ? {} : { situation: run.situation }),
    reply: turn.reply,
    parsed: turn.parsed,
    observations,
    ...(nudge === undefined ? {} : { nudge }),
  }
}

function dataOf({ value }: Extract<Review, { kind: 'answer' }>): Pick<RunEnd, 'value'> {
  return value === undefined ? {} : { value }
}
