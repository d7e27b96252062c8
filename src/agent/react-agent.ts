// One step of the circle: think (read a decision), act (run its calls), remember. A reply that gave no decision is answered with a correction
// and tried again within the same step; too many in a row end the run.
import type { ParsedReply } from '../core/reply.js'
import type { Step } from '../core/step.js'
import type { Observation, ToolCall } from '../core/tool.js'
import type { Turn } from './ask-model.js'
import { BaseAgent } from './base-agent.js'
import type { BaseAgentOptions } from './base-agent-options.js'
import { type ActiveRun, addUsage, CONTINUE, type StepOutcome } from './run-options.js'

export interface ReActAgentOptions extends BaseAgentOptions {
  /** Replies in a row that may be unreadable before the run ends with stop `unclear`; default 3. Empty replies are counted apart. */
  readonly maxFormatErrors?: number
}

/** What acting gave: one observation for each call, and perhaps the end of the run. */
export interface ActResult {
  readonly observations: readonly Observation[]
  readonly ends?: Extract<StepOutcome, { kind: 'end' }>
}

/** think → act → observe. A subclass says how it thinks and how it acts. */
export abstract class ReActAgent extends BaseAgent {
  readonly maxFormatErrors: number

  protected constructor(defaultName: string, defaultMaxSteps: number, options: ReActAgentOptions = {}) {
    super(defaultName, defaultMaxSteps, options)
    this.maxFormatErrors = options.maxFormatErrors ?? 3
  }

  /** Asks for one reply and reads it. Decides only; touches nothing. */
  protected abstract think(run: ActiveRun, attempt: number): Promise<Turn>
  /** Makes the calls. Never rejects for a tool's fault. */
  protected abstract act(run: ActiveRun, calls: readonly ToolCall[], attempt: number): Promise<ActResult>
  /** The text that tells the model what was wrong with an unreadable reply. */
  protected abstract correct(parsed: ParsedReply): string
  /** Observations that stand for calls which can't be made (unknown tool, invalid input); none for a reply that is merely unreadable. */
  protected abstract refuse(parsed: ParsedReply): readonly Observation[]
  /** The text that tells the model that it goes in circles. */
  protected abstract hint(run: ActiveRun, calls: readonly ToolCall[]): string
  /** What to say about the part of a decision that was left out, such as a second call nobody could read. */
  protected abstract remark(parsed: ParsedReply): string | undefined

  protected override async step(run: ActiveRun): Promise<StepOutcome> {
    let unreadable = 0
    let empty = 0
    for (let attempt = 1; ; attempt++) {
      const turn = await this.#think(run, attempt)
      const { decision } = turn.parsed
      if (decision.kind === 'answer') {
        this.#remember(run, attempt, turn, [])
        return { kind: 'end', stop: 'final_answer', answer: decision.text }
      }
      if (decision.kind === 'act') return this.#act(run, attempt, turn, decision.calls)

      const refusals = this.refuse(turn.parsed)
      if (refusals.length > 0) {
        for (const observation of refusals) run.emit({ type: 'observation', step: run.step, attempt, observation })
        return this.#observe(run, attempt, turn, refusals)
      }
      const nudge = this.correct(turn.parsed)
      run.emit({ type: 'nudge', step: run.step, attempt, text: nudge })
      this.#remember(run, attempt, turn, [], nudge)
      if (decision.problem.code === 'EMPTY_REPLY') empty += 1
      else unreadable += 1
      if (unreadable >= this.maxFormatErrors || empty >= this.maxFormatErrors)
        return {
          kind: 'end',
          stop: 'unclear',
          message: `${attempt} replies in a row gave no decision: ${decision.problem.message}`,
        }
    }
  }

  protected override async wrapUp(run: ActiveRun): Promise<string | undefined> {
    const turn = await this.#think(run, 1)
    this.#remember(run, 1, turn, [])
    const { decision } = turn.parsed
    return decision.kind === 'answer' ? decision.text : undefined
  }

  async #think(run: ActiveRun, attempt: number): Promise<Turn> {
    const turn = await this.think(run, attempt)
    run.usage = addUsage(run.usage, turn.reply.usage)
    run.emit({ type: 'parsed', step: run.step, attempt, parsed: turn.parsed })
    return turn
  }

  async #act(run: ActiveRun, attempt: number, turn: Turn, calls: readonly ToolCall[]): Promise<StepOutcome> {
    const remark = this.remark(turn.parsed)
    if (remark !== undefined) run.emit({ type: 'nudge', step: run.step, attempt, text: remark })
    const blocked = run.circles.isBlocked(calls)
    const { observations, ends } = blocked ? this.#block(run, attempt, calls) : await this.act(run, calls, attempt)
    if (!ends) return this.#observe(run, attempt, turn, observations, remark)
    this.#remember(run, attempt, turn, observations, remark)
    return ends
  }

  /** The same calls would give the same again: they are not made, and the model is told so. */
  #block(run: ActiveRun, attempt: number, calls: readonly ToolCall[]): ActResult {
    const failure = { code: 'limited', message: 'the same call gave the same result again and again' } as const
    const text = this.hint(run, calls)
    const observations = calls.map(({ tool }) => ({ tool, text, failure, truncated: 0, ms: 0 }))
    for (const observation of observations) run.emit({ type: 'observation', step: run.step, attempt, observation })
    return { observations }
  }

  /** Remembers a step with observations. When it closes a circle the model gets a hint, and at last the run ends. */
  #observe(run: ActiveRun, attempt: number, turn: Turn, observations: readonly Observation[], remark?: string): StepOutcome {
    const step = this.#stepOf(run, attempt, turn, observations, remark)
    const verdict = run.circles.judge([...this.memory.steps, step])
    if (verdict !== 'hint' || remark !== undefined) {
      this.memory.add(step)
      return verdict === 'stuck' ? { kind: 'end', stop: 'stuck' } : CONTINUE
    }
    const { decision } = turn.parsed
    const nudge = this.hint(run, decision.kind === 'act' ? decision.calls : [])
    run.emit({ type: 'nudge', step: run.step, attempt, text: nudge })
    this.memory.add({ ...step, nudge })
    return CONTINUE
  }

  #remember(run: ActiveRun, attempt: number, turn: Turn, observations: readonly Observation[], nudge?: string): void {
    this.memory.add(this.#stepOf(run, attempt, turn, observations, nudge))
  }

  #stepOf(run: ActiveRun, attempt: number, turn: Turn, observations: readonly Observation[], nudge?: string): Step {
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
}
