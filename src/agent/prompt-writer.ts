// A run and a view of its memory → the prompt for its next reply.

import type { Dialect } from '../core/dialect.js'
import type { NoticeCode } from '../core/event.js'
import type { Image } from '../core/image.js'
import type { Message, Prompt } from '../core/message.js'
import type { Step, Trajectory } from '../core/step.js'
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

interface Seen {
  readonly text: string
  readonly before: Step | undefined
}

export class PromptWriter {
  readonly #dialect: Dialect
  readonly #turns: StepTurns
  readonly #vision: boolean

  /** `vision`: images are shown. */
  constructor(dialect: Dialect, vision: boolean) {
    this.#dialect = dialect
    this.#vision = vision
    this.#turns = new StepTurns(dialect)
  }

  async write(run: ActiveRun, { turns, omitted }: ScratchpadView, parts: PromptParts): Promise<Prompt> {
    const { wording, shown, readWith, form, notes } = parts
    const leftOut = (message: string) => run.emit({ type: 'notice', code: 'EXAMPLE_LEFT_OUT' satisfies NoticeCode, message })
    const [first] = turns
    const seen = this.#seen(run, (turns.at(-1) ?? first).steps, readWith)
    const nudge = this.#nudge(turns.at(-1)?.steps.at(-1))
    const note = omitted === 0 ? '' : `${wording.say('turns_omitted', { omitted })}\n\n`
    const data = {
      task: note + this.#dialect.formatTask(first.task),
      ...(await wording.show({ ...readWith, tools: shown }, leftOut)),
      scratchpad: turns.flatMap((turn, at) => [
        ...(at === 0 ? [] : [this.#task(turn, parts)]),
        ...this.#steps(turn, parts, turn === turns.at(-1) ? seen : undefined),
      ]),
      labels: this.#dialect.labels,
      omitted: first.omitted,
      ...(notes.length > 0 ? { notes } : {}),
      ...(form ? { answerSchema: form.told } : {}),
      ...(seen === undefined || seen.before !== undefined ? {} : { situation: seen.text }),
      ...(nudge === undefined ? {} : { nudge }),
      ...(run.wrapUp === undefined ? {} : { final: true, reason: run.wrapUp }),
    }
    const prompt = wording.renderPrompt(wording.template, data, this.#dialect)
    const images = this.#vision ? imagesNow(run, turns) : []
    return images.length === 0 ? prompt : { ...prompt, images }
  }

  /** From now on the observations of this step are shown at half their length; false when they are short already. */
  shorten(step: Step): boolean {
    return this.#turns.shorten(step)
  }

  /** The situation, and the step before which it stands: the first that it was said to, for as long as it is the same; else behind all. */
  #seen(run: ActiveRun, steps: Trajectory, { labels }: ReadWith): Seen | undefined {
    // nobody looks before the last turn: what was seen last stays
    const done = run.wrapUp === undefined ? steps : steps.filter(({ index }) => index !== run.step)
    const situation = run.wrapUp === undefined ? run.situation : done.at(-1)?.situation
    if (situation === undefined) return undefined
    const since = done.findLastIndex(step => step.situation !== situation) + 1
    return { text: this.#dialect.formatSituation(situation, labels), before: done[since] }
  }

  /** A task that followed another. */
  #task({ task, omitted }: ShownTurn, { wording }: PromptParts): Message {
    const note = omitted === 0 ? '' : `\n\n${wording.say('steps_omitted', { omitted })}`
    return { role: 'user', text: this.#dialect.formatTask(task) + note, task: true }
  }

  #steps({ steps }: ShownTurn, { readWith, wording }: PromptParts, seen: Seen | undefined): readonly Message[] {
    return steps.flatMap(step => [
      ...(seen?.before === step ? [{ role: 'user', text: seen.text } as const] : []),
      ...this.#turns.of(step, readWith, wording.say),
    ])
  }

  /** A correction stands as an observation, so that it has a label of its own where all turns are one text. */
  #nudge(last: Step | undefined): string | undefined {
    if (last?.nudge === undefined || last.observations.length > 0) return last?.nudge
    return this.#dialect.formatNote(last.nudge)
  }
}

/** What the newest results and the present situation show. Of earlier ones their words stay. */
function imagesNow({ wrapUp, images }: ActiveRun, turns: ScratchpadView['turns']): readonly Image[] {
  const newest = turns.at(-1)?.steps.findLast(({ observations }) => observations.length > 0)
  const results = newest?.observations.flatMap(observation => observation.images ?? []) ?? []
  return [...results, ...(wrapUp === undefined ? images : [])].slice(-MOST_IMAGES)
}

const MOST_IMAGES = 4
