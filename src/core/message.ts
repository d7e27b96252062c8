// What is sent to a model: a list of turns, and the same turns written out as one text for endpoints that only continue text.
import type { Image } from './image.js'

export type Role = 'system' | 'user' | 'assistant'

/** One turn of a conversation. */
export interface Message {
  readonly role: Role
  readonly text: string
  /** This turn states a task: the one to do, or an example's. Where all turns are one text, a rule stands before it. */
  readonly task?: true
}

/**
 * One prompt in its two renderings. `messages` go to a chat endpoint. `text` goes to a completions endpoint: it holds the same turns and
 * ends in `opener` (such as `Thought:`), which the model then continues.
 *
 * Prompt k of a run is a strict prefix of prompt k+1 in both, except where a correction leaves, a budget elides or a situation shrinks.
 */
export interface Prompt {
  readonly messages: readonly Message[]
  readonly text: string
  /** What a turn of the assistant begins with in `text`; empty when the dialect has no such label. */
  readonly opener: string
  /** The rule before each task in `text`, so that a model can show where its answer ends; may be empty. */
  readonly taskBreak: string
  /** Strings at which the model should stop, for either endpoint; never an empty string. */
  readonly stop: readonly string[]
  /** Further stop strings for a completions endpoint, where nothing else ends the turn (such as an invented next question). */
  readonly textStop: readonly string[]
  /** Shown with the last turn, for models that can see; a completions endpoint gets none. */
  readonly images?: readonly Image[]
}
