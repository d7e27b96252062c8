// A run as it stands → the prompt for its next reply.
import type { Dialect } from '../core/dialect.js'
import type { Prompt } from '../core/message.js'
import type { Step } from '../core/step.js'
import type { ToolSpec } from '../core/tool.js'
import type { ScratchpadView } from '../memory/scratchpad.js'
import { describeTool } from '../tools/describe.js'
import type { ActiveRun } from './active-run.js'
import type { AnswerForm } from './answer-form.js'
import type { ReadWith } from './example-turns.js'
import { StepTurns } from './step-turns.js'
import type { LoadedWording } from './wording.js'

/** What one prompt is made of besides the run. */
export interface PromptParts {
  readonly wording: LoadedWording
  /** The tools that are shown; none where none may be called. */
  readonly shown: readonly ToolSpec[]
  /** How replies are read, which written steps must read back with. */
  readonly readWith: ReadWith
  readonly view: ScratchpadView
  readonly form: AnswerForm | undefined
}

export class PromptWriter {
  readonly #dialect: Dialect
  readonly #turns: StepTurns

  constructor(dialect: Dialect) {
    this.#dialect = dialect
    this.#turns = new StepTurns(dialect)
  }

  async write(run: ActiveRun, { wording, shown, readWith, view, form }: PromptParts): Promise<Prompt> {
    const leftOut = (message: string) => run.emit({ type: 'notice', code: 'EXAMPLE_LEFT_OUT', message })
    const nudge = this.#nudge(view.steps.at(-1))
    const data = {
      task: this.#dialect.formatTask(run.task),
      tools: shown.map(describeTool),
      examples: await wording.examplesFor({ ...readWith, tools: shown }, leftOut),
      scratchpad: view.steps.flatMap(step => this.#turns.of(step, readWith)),
      labels: this.#dialect.labels,
      omitted: view.omitted,
      ...(form ? { answerSchema: form.told } : {}),
      ...(run.situation === undefined ? {} : { situation: run.situation }),
      ...(nudge === undefined ? {} : { nudge }),
      ...(run.wrapUp === undefined ? {} : { final: true, reason: run.wrapUp }),
    }
    return wording.renderPrompt(wording.template, data, this.#dialect)
  }

  /** A correction stands as an observation, so that it has a label of its own where all turns are one text. */
  #nudge(last: Step | undefined): string | undefined {
    if (last?.nudge === undefined || last.observations.length > 0) return last?.nudge
    return this.#dialect.formatNote(last.nudge)
  }
}
