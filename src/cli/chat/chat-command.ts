// What a command of the chat is, and what it works on.
import type { RunResult } from '../../core/step.js'
import type { Io } from '../command.js'
import type { Paint } from '../paint.js'
import type { Settings } from '../settings.js'
import type { StepName } from '../step-name.js'
import type { Conversation, TurnWatch } from './conversation.js'
import type { StepGate } from './step-gate.js'

export interface Chat {
  readonly io: Io
  readonly paint: Paint
  readonly conversation: Conversation
  readonly gate: StepGate
  /** What runs go by at the moment. */
  readonly settings: Settings
  /** One line for the person. */
  readonly say: (line: string) => void
  /** A text for the person, as it is. */
  readonly show: (text: string) => void
  /** Makes a turn, and shows it. */
  readonly turn: (work: (watch: TurnWatch) => Promise<RunResult>) => Promise<void>
  /** The last turn goes on with the reply of that step as a person leaves it in their editor. */
  edit(step: StepName): Promise<void>
  /** Goes on with these flags. Rejects with `CONFIG`, and leaves all as it is, when they can't be used. */
  change(flags: Settings['flags']): Promise<void>
  /** Ends the chat after this command. */
  leave(): void
}

export interface ChatCommand {
  readonly name: string
  /** Such as `FILE`, or `[N]` when it may be left out. */
  readonly argument?: string
  readonly summary: string
  /** Rejects with `CONFIG` for what the person must do otherwise. */
  run(chat: Chat, argument: string): void | Promise<void>
}
