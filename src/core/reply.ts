// What a reply says, once read: a thought, one decision, and every oddity that was met on the way. All of it plain data.
import type { JsonObject } from './json.js'
import type { ToolCall } from './tool.js'

/** [start, end) in UTF-16 code units of the reply's text. */
export type Span = readonly [start: number, end: number]

/** Codes that leave no decision and are answered with a correction: a text of the same name in prompts/. */
export const CORRECTION_CODES = [
  'EMPTY_REPLY',
  'ONLY_THOUGHT',
  'MISSING_INPUT',
  'MISSING_ACTION',
  'MISSING_TOOL',
  'BROKEN_INPUT',
  'AMBIGUOUS_INPUT',
  'DUPLICATE_KEY',
  'FORBIDDEN_KEY',
  'INPUT_TOO_LARGE',
  'TRUNCATED',
  'PLACEHOLDER',
  'UNREADABLE_MARKUP',
  'AMBIGUOUS_CALL',
  'AMBIGUOUS_ANSWER',
  'ANSWER_FROM_INVENTED',
  'AMBIGUOUS_OBSERVATION',
  'IN_DOUBT',
  'NOT_EXACT',
] as const

/** Codes that leave no decision. The last two are calls that can't be made: the model reads about them in an observation. */
export const UNCLEAR_CODES = [...CORRECTION_CODES, 'UNKNOWN_TOOL', 'INVALID_INPUT'] as const

/**
 * Everything the reader can remark about a reply. Those before `UNCLEAR_CODES` are repairs: the reply was odd, and what it says is still
 * certain.
 */
export const PROBLEM_CODES = [
  // labels and layout
  'LABEL_CASE',
  'LABEL_DECORATED',
  'LABEL_COLON',
  'LABEL_SPELLING',
  'LABEL_DOUBLED',
  'LABEL_MIDLINE',
  'LABEL_MISSING',
  'LABEL_LOOKALIKE',
  'LABEL_UNKNOWN',
  'REPLY_FENCED',
  'PREAMBLE',
  'REASONING_REMOVED',
  'SPECIAL_TOKEN',
  'STOP_WORD_CUT',
  'TEXT_AFTER_CALL',
  // turns that are not the model's to write
  'INVENTED_OBSERVATION',
  'INVENTED_TURN',
  'EARLY_ANSWER',
  'LATER_CALL',
  'SECOND_ANSWER',
  'ACTION_AFTER_ANSWER',
  'NO_ACTION',
  // calls
  'CALL_FORM',
  'CALL_OBJECT',
  'NATIVE_MARKUP',
  'TOOL_NAME_CLEANED',
  'TOOL_NAME_FOLDED',
  'KEY_IGNORED',
  'ANSWER_ENVELOPE',
  'ANSWER_UNLABELLED',
  'ANSWER_OPEN_BRACKET',
  // arguments
  'INPUT_FENCED',
  'INPUT_UNQUOTED',
  'INPUT_IGNORED',
  'INPUT_ESCAPES',
  'INPUT_JSON5',
  'INPUT_REPAIRED',
  'INPUT_INNER_QUOTES',
  'INPUT_CLOSED',
  'INPUT_UNWRAPPED',
  'INPUT_LINES',
  'INPUT_TO_ONLY_PARAMETER',
  'INPUT_COERCED',
  'INPUT_KEY_FOLDED',
  'INPUT_ENUM_FOLDED',
  ...UNCLEAR_CODES,
] as const

export type ProblemCode = (typeof PROBLEM_CODES)[number]
export type UnclearCode = (typeof UNCLEAR_CODES)[number]

/** One oddity of a reply. `cost` is how much of a guess its repair was: 0 a matter of layout, 1 safe, 2 plausible, 3 doubtful. */
export interface Problem {
  readonly code: ProblemCode
  /** One sentence for people. */
  readonly message: string
  readonly span: Span
  readonly cost: number
  /**
   * Facts for the correction text: `tool`, `near` (names), `missing` (parameters), `quote` (bounded) …; for `IN_DOUBT` and `NOT_EXACT`
   * `reading`, the `Decision` that would have been made.
   */
  readonly data?: JsonObject
}

/** A problem that left no decision, or left a call of it out. */
export type UnclearProblem = Problem & { readonly code: UnclearCode }

/** A call the model meant but that can't be made, as far as it could be read. */
export interface Attempted {
  readonly tool: string
  /** The input as the model wrote it. */
  readonly input: string
}

export type Decision =
  | { readonly kind: 'act'; readonly calls: readonly [ToolCall, ...ToolCall[]] }
  | { readonly kind: 'answer'; readonly text: string }
  /** `problem` is the one that a correction should name; it is among the reply's problems. */
  | { readonly kind: 'unclear'; readonly problem: UnclearProblem; readonly attempted?: Attempted }

export interface ParsedReply {
  /** Trimmed; null when the reply holds none. */
  readonly thought: string | null
  readonly decision: Decision
  /** In the order of their spans. */
  readonly problems: readonly Problem[]
  /** The part of the reply that the decision rests on: outside it everything was struck, each strike with a problem. */
  readonly kept: Span
}

/** Text of one channel, as it comes. Joined per channel they give the whole text, whatever the chunking. */
export interface Delta {
  readonly channel: 'thought' | 'input' | 'answer'
  readonly text: string
}
