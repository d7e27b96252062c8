// A run as it stands → a prompt that fits the model's context. What has no room leaves: earlier tasks, then earlier steps, at last the middle of long
// observations; never the task.

import type { Dialect } from '../core/dialect.js'
import type { NoticeCode } from '../core/event.js'
import type { Prompt } from '../core/message.js'
import type { ModelReply } from '../core/model.js'
import { ContextWindow } from '../memory/context-window.js'
import type { Scratchpad } from '../memory/scratchpad.js'
import type { ActiveRun } from './active-run.js'
import { type PromptParts, PromptWriter } from './prompt-writer.js'

export class FittingPrompts {
  readonly #memory: Scratchpad
  readonly #writer: PromptWriter
  readonly #window: ContextWindow
  #toldCut = false

  /** `contextTokens`: see `ContextWindow`; `vision`: see `ToolCallAgentOptions`. */
  constructor(
    memory: Scratchpad,
    dialect: Dialect,
    { contextTokens, vision = false }: { readonly contextTokens: number | undefined; readonly vision: boolean | undefined },
  ) {
    this.#memory = memory
    this.#writer = new PromptWriter(dialect, vision)
    this.#window = new ContextWindow(contextTokens)
  }

  async next(run: ActiveRun, parts: PromptParts): Promise<Prompt> {
    for (;;) {
      const prompt = await this.#writer.write(run, this.#memory.view(), parts)
      // what can't be made to fit is tried all the same: its length is a guess
      if (this.#window.fits(prompt) || !this.#shrink(run)) return prompt
    }
  }

  /** The endpoint says that the prompt is too long; false when nothing more can leave it. */
  refused(prompt: Prompt, run: ActiveRun): boolean {
    this.#window.refused(prompt)
    return this.#shrink(run)
  }

  /** The endpoint read the prompt. */
  answered(prompt: Prompt, { usage }: ModelReply, run: ActiveRun): void {
    const message = this.#window.read(prompt, usage)
    if (message === undefined || this.#toldCut) return
    this.#toldCut = true
    run.emit({ type: 'notice', code: 'CONTEXT_CUT' satisfies NoticeCode, message })
  }

  #shrink(run: ActiveRun): boolean {
    const trimmed = this.#memory.trim()
    const shown = this.#memory.view().turns.at(-1)?.steps ?? []
    const newest = shown.findLast(({ observations }) => observations.length > 0)
    if (!trimmed && !(newest && this.#writer.shorten(newest))) return false
    run.emit({
      type: 'notice',
      code: 'CONTEXT_TRIMMED' satisfies NoticeCode,
      message: `the prompt was too long; ${this.#leftOut(trimmed)}`,
    })
    return true
  }

  #leftOut(trimmed: boolean): string {
    if (!trimmed) return 'the last observation is shown shortened'
    const { omitted, turns } = this.#memory.view()
    const present = turns.at(-1)
    if (!present?.omitted) return `earlier tasks that are no longer in it: ${omitted}`
    return `of the steps only the last ${present.steps.length} stay in it`
  }
}
