// A dialect is one way to write a step: its labels, its stop strings, its parser and its writer, all in one value.
import type { Finish } from './model.js'
import type { Delta, ParsedReply, ProblemCode } from './reply.js'
import type { Step } from './step.js'
import type { ToolSpec } from './tool.js'

/** Reads one reply while it arrives. Total: no method ever throws, whatever the text. */
export interface ReplyParser {
  /** Feeds the next piece of the reply; gives the text that is certain by now. */
  push(chunk: string): readonly Delta[]
  /**
   * True as soon as the decision is complete and nothing that may still follow could change it, or when the reply is as long as one may be: the
   * reader may hang up. Never goes back to false. The one thing that is not waited for is a lone end of reasoning, which would take back all that
   * stands before it.
   */
  readonly done: boolean
  /** Ends the reply (default `stop`); gives the last deltas and the reading. Further calls give the same reading. */
  end(finish?: Finish): ReadReply
}

/** A reading, with the deltas that only the end made certain. */
export interface ReadReply extends ParsedReply {
  readonly deltas: readonly Delta[]
}

/** The label words of a dialect; the first of each list is the one it writes, all of them are read. */
export interface Labels {
  readonly thought: readonly string[]
  readonly action: readonly string[]
  readonly actionInput: readonly string[]
  readonly observation: readonly string[]
  readonly finalAnswer: readonly string[]
}

/** How one step stands in a prompt. */
export interface WrittenStep {
  /** The assistant's turn. */
  readonly reply: string
  /** The user's turn after it; empty when the step has no observation. */
  readonly observation: string
}

/** As much of a step as its writer needs. */
export type StepToWrite = Pick<Step, 'parsed' | 'observations'> &
  Partial<Pick<Step, 'reply'>> & {
    /** The tools that the step will be read with. Unset: inputs are written in full, so that they read back whatever the tools. */
    readonly tools?: readonly ToolSpec[]
    /** The further language whose labels will be read (see `ParserOptions`), so that none of them is written into a text. */
    readonly labels?: string
  }

/**
 * What a prompt's `{{> format}}` says, by language: Handlebars source with the names of any template, or what loads it when the language is
 * first wanted.
 */
export interface Wording {
  /** Also for each language that has no wording of its own. */
  readonly en: string
  readonly [language: string]: string | (() => Promise<string>)
}

export interface ParserOptions {
  /** The tools that can be called. Unset (not empty): names are taken as written and plain text becomes `{input: text}`. */
  readonly tools?: readonly ToolSpec[]
  /**
   * A further language whose label words are read, besides English and Chinese: `de`, `fr`, `es`, `pt`, `it`, `ru`, `ja`, `ko`.
   * Throws `CONFIG` for another.
   */
  readonly labels?: string
  /**
   * Forgivenesses that are not wanted: a reply whose decision needed one of them is `unclear` with `NOT_EXACT`. Default none. Throws `CONFIG`
   * for a code that does not exist.
   */
  readonly strict?: readonly ProblemCode[]
}

export interface Dialect {
  readonly name: string
  readonly labels: Labels
  /** How the model is told to write; unset: by the names of the labels, each on its own line. */
  readonly wording?: Wording
  /** What an assistant's turn begins with when the model only continues text, e.g. `Thought:`. */
  readonly opener: string
  /** Stop strings for either endpoint. */
  readonly stop: readonly string[]
  /** Further stop strings for a completions endpoint. */
  readonly textStop: readonly string[]
  /** A line that stands before each task where all turns are one text, so that a model can show where its answer ends; may be empty. */
  readonly taskBreak: string
  createParser(options?: ParserOptions): ReplyParser
  /** The user's turn that states the task. */
  formatTask(task: string): string
  /** Writes what the engine says to the model where an observation would stand: a correction, a hint. */
  formatNote(text: string): string
  /**
   * What the world looks like, as it may stand in a prompt: like an observation, nothing in it can be taken for a label or for markup of the dialect.
   * `labels`: the further language whose labels are read.
   */
  formatSituation(text: string, labels?: string): string
  /**
   * Writes a step as this dialect wants it: parsing the written reply gives the step's decision back. A clean reply keeps the model's own
   * bytes, an odd one is written anew; invented text never comes back. Lines of an observation that could be read as a label or as
   * markup of the dialect are prefixed with `| ` or visibly broken. Without a reply (a few-shot example) there are no bytes to keep.
   */
  formatStep(step: StepToWrite): WrittenStep
}
