// A step → its turns in a prompt, as the dialect writes them. Written once: a step never changes, and prompts only grow. Only what no prompt has room
// for is shown shortened.
import type { Dialect } from '../core/dialect.js'
import type { Message } from '../core/message.js'
import type { Step } from '../core/step.js'
import type { Say } from '../core/text.js'
import { isReadable } from '../memory/scratchpad.js'
import { truncate } from '../tools/truncate.js'
import type { ReadWith } from './example-turns.js'
import { clipUnreadable } from './unreadable.js'

/** Observations of so many characters are short enough. */
const SHORT = 400

export class StepTurns {
  readonly #dialect: Dialect
  readonly #written = new WeakMap<Step, readonly Message[]>()
  /** Most characters of each observation of a step that is shown shortened. */
  readonly #most = new WeakMap<Step, number>()

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  of(step: Step, readWith: ReadWith, say: Say): readonly Message[] {
    const known = this.#written.get(step)
    if (known) return known
    const { reply, observation } = this.#dialect.formatStep({ ...this.#shown(step, say), ...readWith })
    const turns: Message[] = []
    // servers refuse an empty turn, and an empty reply has nothing to show; of an unreadable one, models copy what they see
    const isUnclear = step.parsed.decision.kind === 'unclear' && !isReadable(step)
    if (reply.trim() !== '') turns.push({ role: 'assistant', text: isUnclear ? clipUnreadable(reply) : reply })
    if (observation !== '') turns.push({ role: 'user', text: observation })
    this.#written.set(step, turns)
    return turns
  }

  /** From now on the observations of this step are shown at half their length; false when they are short already. */
  shorten(step: Step): boolean {
    const longest = Math.max(0, ...step.observations.map(({ text }) => text.length))
    const shown = Math.min(longest, this.#most.get(step) ?? longest)
    if (shown <= SHORT) return false
    this.#most.set(step, Math.floor(shown / 2))
    this.#written.delete(step)
    return true
  }

  #shown(step: Step, say: Say): Step {
    const most = this.#most.get(step)
    if (most === undefined) return step
    return { ...step, observations: step.observations.map(one => ({ ...one, text: truncate(one.text, most, say).text })) }
  }
}
