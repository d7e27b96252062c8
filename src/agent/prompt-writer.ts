// A run and a view of its memory → the prompt for its next reply.

import type { Dialect } from '../core/dialect.js'
import type { NoticeCode } from '../core/event.js'
import type { Message, Prompt } from '../core/message.js'
import type { Step } from '../core/step.js'
import type { PromptNote } from '../core/text.js'
import type { ToolSpec } from '../core/tool.js'
import type { ScratchpadView, ShownTurn } from '../memory/scratchpad.js'
import type { ActiveRun } from './active-run.js'
import type { AnswerForm } from './answer-form.js'
import type { ReadWith } from './example-turns.js'
import { StepTurns } from './step-turns.js'
import type { LoadedWording } from './wording.js'

/** What one prompt is made of besides the run and its memory. */
export interface PromptParts {
  readonly wording: LoadedWording
  /** The tools that are shown; none where none may be called. */
  readonly shown: readonly ToolSpec[]
  /** How replies are read, which written steps must read back with. */
  readonly readWith: ReadWith
  readonly form: AnswerForm | undefined
  readonly notes: readonly PromptNote[]
}

export class PromptWriter {
  readonly #dialect: Dialect
  readonly #turns: StepTurns

  constructor(dialect: Dialect) {
    this.#dialect = dialect
    this.#turns = new StepTurns(dialect)
  }

  async write(run: ActiveRun, { turns, omitted }: ScratchpadView, parts: PromptParts): Promise<Prompt> {
    const { wording, shown, readWith, form, notes } = parts
    const leftOut = (message: string) => run.emit({ type: 'notice', code: 'EXAMPLE_LEFT_OUT' satisfies NoticeCode, message })
    const [first, ...later] = turns
    const nudge = this.#nudge(turns.at(-1)?.steps.at(-1))
    const note = omitted === 0 ? '' : `${wording.say('turns_omitted', { omitted })}\n\n`
    const data = {
      task: note + this.#dialect.formatTask(first.task),
      ...(await wording.show({ ...readWith, tools: shown }, leftOut)),
      scratchpad: [...this.#steps(first, parts), ...later.flatMap(turn => this.#turn(turn, parts))],
      labels: this.#dialect.labels,
      omitted: first.omitted,
      ...(notes.length > 0 ? { notes } : {}),
      ...(form ? { answerSchema: form.told } : {}),
      ...(run.situation === undefined ? {} : { situation: this.#dialect.formatSituation(run.situation, readWith.labels) }),
      ...(nudge === undefined ? {} : { nudge }),
      ...(run.wrapUp === undefined ? {} : { final: true, reason: run.wrapUp }),
    }
    return wording.renderPrompt(wording.template, data, this.#dialect)
  }

  /** From now on the observations of this step are shown at half their length; false when they are short already. */
  shorten(step: Step): boolean {
    return this.#turns.shorten(step)
  }

  /** A task that followed another, with what was done about it. */
  #turn(turn: ShownTurn, parts: PromptParts): readonly Message[] {
    const { omitted } = turn
    const note = omitted === 0 ? '' : `\n\n${parts.wording.say('steps_omitted', { omitted })}`
    return [{ role: 'user', text: this.#dialect.formatTask(turn.task) + note, task: true }, ...this.#steps(turn, parts)]
  }

  #steps({ steps }: ShownTurn, { readWith, wording }: PromptParts): readonly Message[] {
    return steps.flatMap(step => this.#turns.of(step, readWith, wording.say))
  }

  /** A correction stands as an observation, so that it has a label of its own where all turns are one text. */
  #nudge(last: Step | undefined): string | undefined {
    if (last?.nudge === undefined || last.observations.length > 0) return last?.nudge
    return this.#dialect.formatNote(last.nudge)
  }
}
