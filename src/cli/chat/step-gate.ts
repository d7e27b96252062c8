// Each reading of a reply, on its way to what is done with it → a stop at which a person looks at it and says how the turn goes on.
import type { HookPlace, Hooks } from '../../agent/hooks.js'
import type { ModelReply } from '../../core/model.js'
import type { ParsedReply } from '../../core/reply.js'
import type { Paint } from '../paint.js'
import type { Person } from '../person.js'
import { viewReading } from '../reading-view.js'
import { type StepName, stepName } from '../step-name.js'
import { visible } from '../visible.js'

/** How the turn goes on after a stop. */
export type GateVerdict = 'go on' | 'abort' | 'edit'

const KEYS = 'enter: go on  e: edit the reply  r: show it as it came  s: stop no more in this turn  a: abort the turn  ?: help'

export class StepGate {
  /** Whether turns stop. */
  isOn: boolean
  /** The reply that shall be edited before the turn goes on. */
  toEdit: StepName | undefined
  readonly #person: Person
  readonly #paint: Paint
  #isOpen = false
  #reply = ''
  #abort = new AbortController()

  constructor(person: Person, paint: Paint, isOn: boolean) {
    this.#person = person
    this.#paint = paint
    this.isOn = isOn
  }

  /** For the agent. */
  readonly hooks: Hooks = {
    afterModel: reply => this.#heard(reply),
    afterParse: (parsed, at) => this.#stop(parsed, at),
  }

  /** A turn begins, which is ended by `abort`. */
  begin(abort: AbortController): void {
    this.#abort = abort
    this.#isOpen = !this.isOn
    this.toEdit = undefined
  }

  #heard({ text }: ModelReply): void {
    this.#reply = text
  }

  async #stop(parsed: ParsedReply, at: HookPlace): Promise<undefined> {
    if (this.#isOpen || !this.#person.isThere) return undefined
    const verdict = await this.#ask(parsed, at)
    if (verdict === 'go on') return undefined
    if (verdict === 'edit') this.toEdit = at
    this.#abort.abort()
    return undefined
  }

  async #ask(parsed: ParsedReply, at: HookPlace): Promise<GateVerdict> {
    const { signal } = this.#abort
    const paint = this.#paint
    let shown = viewReading(parsed, this.#reply, { paint, explain: false })
    for (;;) {
      const line = await this.#person.ask(`${shown}${paint.bold(`step ${stepName(at)}`)} [enter, e, r, s, a, ?] `, signal)
      switch (line?.trim().toLowerCase()) {
        case '':
          return 'go on'
        case 's':
          this.#isOpen = true
          return 'go on'
        case 'e':
          return 'edit'
        case 'r':
          shown = `${visible(this.#reply)}\n`
          break
        case 'a':
        case undefined:
          return 'abort'
        default:
          shown = `${KEYS}\n`
      }
    }
  }
}
