// What is typed in a chat, one entry after the other → turns of the conversation and commands. At a terminal an error is told, and the chat goes on; in
// a pipe nobody is there to do better, so it ends the chat.

import { counted } from '../../core/counted.js'
import { SaydoError } from '../../core/errors.js'
import type { AgentEvent } from '../../core/event.js'
import type { RunResult } from '../../core/step.js'
import type { Io, Verdict } from '../command.js'
import { printAnswer, verdictOf } from '../commands/run.js'
import { errorLines } from '../error-lines.js'
import type { Paint } from '../paint.js'
import { viewReading } from '../reading-view.js'
import type { Settings } from '../settings.js'
import { type StepName, stepName } from '../step-name.js'
import { RunView } from '../view.js'
import { visible } from '../visible.js'
import type { Chat } from './chat-command.js'
import { chatCommand, commandIn } from './chat-commands.js'
import type { ChatInput } from './chat-input.js'
import type { Conversation, TurnWatch } from './conversation.js'
import { editText } from './edit-text.js'
import type { StepGate } from './step-gate.js'

export interface SessionParts {
  readonly io: Io
  readonly paint: Paint
  readonly input: ChatInput
  readonly conversation: Conversation
  readonly gate: StepGate
  readonly settings: Settings
  /** Makes settings of flags, and gives the conversation an agent that goes by them. */
  readonly resettle: (flags: Settings['flags']) => Promise<Settings>
}

export class ChatSession implements Chat {
  readonly io: Io
  readonly paint: Paint
  readonly conversation: Conversation
  readonly gate: StepGate
  readonly #input: ChatInput
  readonly #resettle: SessionParts['resettle']
  #settings: Settings
  #view: RunView | undefined
  /** What the view said of the agent last. */
  #introduced = ''
  #isLeaving = false
  /** Of each turn that was made, in its place in the conversation, whether it has a final answer. */
  readonly #answered: boolean[] = []

  constructor({ io, paint, input, conversation, gate, settings, resettle }: SessionParts) {
    this.io = io
    this.paint = paint
    this.conversation = conversation
    this.gate = gate
    this.#input = input
    this.#settings = settings
    this.#resettle = resettle
  }

  get settings(): Settings {
    return this.#settings
  }

  /** Leaves the terminal to somebody else, for a question. */
  hush(): void {
    this.#view?.hush()
  }

  readonly say = (line: string): void => {
    if (!this.#isQuiet) this.show(`${this.paint.dim(visible(`· ${line}`))}\n`)
  }

  readonly show = (text: string): void => {
    this.io.stderr.write(text)
  }

  leave(): void {
    this.#isLeaving = true
  }

  /** Until nothing more comes, or the person leaves. */
  async talk(): Promise<Verdict> {
    for (;;) {
      const entry = await this.#input.next()
      if (entry.kind === 'interrupted') return { code: 130, ...this.#summary() }
      if (entry.kind === 'end') return this.#verdict()
      try {
        await this.#take(entry.text)
      } catch (error) {
        if (!this.#input.isTerminal) throw error
        for (const line of errorLines(error, this.#settings.options.verbose === true)) this.show(`${this.paint.red(line)}\n`)
      }
      if (this.io.signal.aborted) return { code: 130, ...this.#summary() }
      if (this.#isLeaving) return this.#verdict()
    }
  }

  readonly turn = async (work: (watch: TurnWatch) => Promise<RunResult>): Promise<void> => {
    const result = await this.#watched(work)
    this.#answered[this.conversation.length - 1] = result.stop === 'final_answer'
    const { toEdit } = this.gate
    if (toEdit && !this.io.signal.aborted) return this.edit(toEdit)
    printAnswer(result, this.io)
    const { line } = verdictOf(result, this.#isQuiet)
    if (line !== undefined) this.show(`${this.paint.dim(visible(line))}\n`)
  }

  async edit({ step, attempt }: StepName): Promise<void> {
    const { last } = this.conversation
    const turn = last.turns.find(each => each.step === step && each.attempt === attempt)
    if (turn?.reply === undefined)
      throw new SaydoError('CONFIG', `there is no reply of step ${stepName({ step, attempt })} to edit`)
    // what a Ctrl-C means is the editor's business meanwhile
    const release = this.io.takeInterrupts?.(() => {})
    const edited = await editText(turn.reply.text, `step-${stepName(turn)}.txt`, this.io).finally(release)
    if (edited.trim() === '') return this.say('the text is empty: nothing is changed')
    if (edited === turn.reply.text && turn.parsed) return this.say('the text is the same: nothing is changed')
    const dropped = last.turns.slice(last.turns.indexOf(turn) + 1)
    const begun = [turn, ...dropped].some(({ calls }) => calls.some(call => call.begun))
    this.say(`going on from step ${stepName(turn)}${begun ? '; what later calls did stays done' : ''}`)
    return this.turn(watch => this.conversation.goOnFrom({ step, attempt }, edited, this.#showingReading(edited, watch)))
  }

  async change(flags: Settings['flags']): Promise<void> {
    this.#settings = await this.#resettle(flags)
  }

  async #take(text: string): Promise<void> {
    const command = commandIn(text)
    if (command) return chatCommand(command.name).run(this, command.argument)
    const task = text.trim().replace(/^\/\//, '/')
    return this.turn(watch => this.conversation.ask(task, watch))
  }

  /** A turn that a Ctrl-C ends, and that is shown. */
  async #watched(work: (watch: TurnWatch) => Promise<RunResult>): Promise<RunResult> {
    const { io, gate, paint } = this
    const { verbose } = this.#settings.options
    const abort = new AbortController()
    const release = this.#input.isTerminal ? this.#takeInterrupts(abort) : undefined
    gate.begin(abort)
    this.#view = this.#isQuiet ? undefined : new RunView(io.stderr, { paint, verbose: verbose === true })
    try {
      return await work({
        signal: AbortSignal.any([io.signal, abort.signal]),
        onEvent: event => {
          if (!this.#isKnown(event)) this.#view?.show(event)
        },
      })
    } finally {
      this.hush()
      release?.()
    }
  }

  /** The first one is for the turn, a second one for the whole program. */
  #takeInterrupts(abort: AbortController): (() => void) | undefined {
    const release = this.io.takeInterrupts?.(() => {
      if (!abort.signal.aborted) return abort.abort()
      release?.()
      this.io.interrupt?.()
    })
    return release
  }

  /** What the edited reply is read as; where readings are stopped at, it is shown there. */
  #showingReading(reply: string, watch: TurnWatch): TurnWatch {
    let isShown = this.gate.isOn || this.#isQuiet
    return {
      ...watch,
      onEvent: event => {
        if (event.type === 'parsed' && !isShown) {
          isShown = true
          this.show(viewReading(event.parsed, reply, { paint: this.paint, explain: false }))
        }
        watch.onEvent(event)
      },
    }
  }

  /** Who answers is said once, and again when it is another. */
  #isKnown(event: AgentEvent): boolean {
    if (event.type !== 'run_start') return false
    const { agent, model, dialect, tools } = event
    const introduction = [agent, model, dialect, tools.length].join(' ')
    const isKnown = introduction === this.#introduced
    this.#introduced = introduction
    return isKnown
  }

  get #isQuiet(): boolean {
    return this.#settings.options.quiet === true
  }

  /** Who leaves a terminal has seen how the turns went. */
  #verdict(): Verdict {
    return { code: this.#input.isTerminal || !this.#made.includes(false) ? 0 : 1, ...this.#summary() }
  }

  #summary(): Pick<Verdict, 'line'> {
    const made = this.#made
    if (this.#isQuiet && !made.includes(false)) return {}
    return { line: `${counted(made.length, 'turn')}, ${made.filter(answered => answered).length} answered` }
  }

  /** What was taken back does not count, nor what was said before this chat. */
  get #made(): readonly boolean[] {
    return this.#answered.slice(0, this.conversation.length).filter(answered => answered !== undefined)
  }
}
