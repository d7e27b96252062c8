// A step → its turns in a prompt, as the dialect writes them. Written once: a step never changes, and prompts only grow.
import type { Dialect } from '../core/dialect.js'
import type { Message } from '../core/message.js'
import type { Step } from '../core/step.js'
import { isReadable } from '../memory/scratchpad.js'
import type { ReadWith } from './example-turns.js'
import { clipUnreadable } from './unreadable.js'

export class StepTurns {
  readonly #dialect: Dialect
  readonly #written = new WeakMap<Step, readonly Message[]>()

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  of(step: Step, readWith: ReadWith): readonly Message[] {
    const known = this.#written.get(step)
    if (known) return known
    const { reply, observation } = this.#dialect.formatStep({ ...step, ...readWith })
    const turns: Message[] = []
    // servers refuse an empty turn, and an empty reply has nothing to show; of an unreadable one, models copy what they see
    if (reply.trim() !== '') turns.push({ role: 'assistant', text: isReadable(step) ? reply : clipUnreadable(reply) })
    if (observation !== '') turns.push({ role: 'user', text: observation })
    this.#written.set(step, turns)
    return turns
  }
}
