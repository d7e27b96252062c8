// The texts a model sees besides its own turns: their names here, their wording in prompts/, so that no sentence for a model stands in code.
import type { JsonObject, JsonValue } from './json.js'
import { CORRECTION_CODES } from './reply.js'

/** One parameter of a tool, as a prompt shows it. */
export interface ParameterDoc {
  readonly name: string
  /** `string`, `integer`, `list of string`, `one of "a", "b"` … */
  readonly type: string
  readonly required: boolean
  readonly description?: string
  readonly enum?: readonly JsonValue[]
  readonly default?: JsonValue
  readonly example?: JsonValue
}

/** What somebody outside says, which stands in a prompt under their name. */
export interface PromptNote {
  readonly from: string
  /** On one line. */
  readonly text: string
}

/** One tool, as a prompt shows it. */
export interface ToolDoc {
  readonly name: string
  readonly description: string
  readonly returns?: string
  readonly parameters: readonly ParameterDoc[]
}

/**
 * Names of the texts. Those in capitals correct a reply whose problem has that code; each gets
 * `{tool?, near?: string[], missing?: string[], quote?, meant?, atLimit?, observed?, tools: string[], example, answerForm}` where `example` is a
 * right reply in the dialect, `answerForm` an answer with a blank for its text, such as `Final Answer: …`, and `meant` what the reply was read as, in
 * the dialect, when that is to be confirmed by writing it again; `atLimit` says that the endpoint cut the reply off for its length, `observed` that a tool has given
 * a result, so that an answer is as likely to be meant as a call.
 */
export const TEXT_NAMES = [
  ...CORRECTION_CODES,
  /** Observations: `{tool, near: string[], tools: string[]}`. */
  'unknown_tool',
  /** `{tool, issues: {path, message}[], example?}` where example is the JSON text of a correct input. */
  'invalid_input',
  /** `{tool, message}` */
  'tool_threw',
  /** `{tool, seconds}` */
  'tool_timeout',
  /** `{tool}` */
  'tool_aborted',
  /** `{tool, reason?}` */
  'tool_denied',
  /** `{tool, limit, per: 'run' | 'step' | 'minute', seconds?}` */
  'tool_limited',
  /** `{tool, reason}`; reason: `finished`, `refused` */
  'tool_skipped',
  /** `{tool, message}` */
  'tool_unavailable',
  /** A call that was begun before the run was cut short: `{tool, reason?}`. */
  'tool_outcome_unknown',
  /** In front of a result: somebody put another input in the place of the model's: `{tool, input}`, `input` as JSON text. */
  'input_changed',
  /** `{}`: the tool gave nothing back */
  'no_output',
  /** Stands where text was cut out: `{omitted, total}` in characters. */
  'truncated',
  /** `{omitted}`: steps that were trimmed from the scratchpad. */
  'steps_omitted',
  /** `{omitted}`: earlier tasks of a conversation that were left out, with their steps and answers. */
  'turns_omitted',
  /** Before a step, all as names: tools that came, went or are others now, and servers that are gone or back: `{added, removed, changed, gone, back}`. */
  'tools_changed',
  /**
   * Before a step: where the next command begins, which file is open, and what was started in the background:
   * `{folder, open?, jobs: {job?, session?, command, running, code}[]}`; `job` is a number, `session` a name.
   */
  'sandbox_state',
  /** The last turn, without tools: `{reason}` (a stop reason). */
  'wrap_up',
  /** `{tool?, input?, task}`: the same thing again and again. */
  'stuck',
  /** An action where no tool may be called: `{tool}`. */
  'tools_disabled',
  /** An answer before any tool call where one is required: `{tools: string[]}`. */
  'call_required',
  /** The structured answer does not fit its schema: `{issues}`. */
  'invalid_answer',
  /** What is wrong with one field of an input, behind its path: `{type}` in type words such as `list of string`. */
  'issue_required',
  /** `{known: string[], near?}` */
  'issue_unknown_key',
  /** `{type, got?}`; `got` is JSON text, cut short. */
  'issue_type',
  /** This and the next eight: `{limit, got?}`. */
  'issue_at_least',
  'issue_at_most',
  'issue_more_than',
  'issue_less_than',
  'issue_multiple_of',
  'issue_min_length',
  'issue_max_length',
  'issue_min_items',
  'issue_max_items',
  /** `{pattern, got?}` */
  'issue_pattern',
  /** `{format, got?}`: `date`, `email` … */
  'issue_format',
  /** `{}`: the input must be a JSON object. */
  'issue_object',
  /** `{}`: a number has more digits than can be held. */
  'issue_long_number',
  /** `{rule, message, got?}`: another keyword of JSON Schema, and what the validator says about it in English. */
  'issue_other',
] as const

export type TextName = (typeof TEXT_NAMES)[number]

/** Renders one text in the run's language. Throws `TEMPLATE` when the user's own wording names what is not there. */
export type Say = (name: TextName, data?: JsonObject) => string
