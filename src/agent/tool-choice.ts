// Whether tools may be called in a run, must be, or must not.
import { SaydoError } from '../core/errors.js'

const CHOICES = ['none', 'auto', 'required'] as const

/**
 * `none`: the model is told of no tool, none is ever run, and its first text is the answer. `required`: an answer counts only once a call has
 * succeeded.
 */
export type ToolChoice = (typeof CHOICES)[number]

/** Throws `CONFIG` for a choice that is none. */
export function checkedToolChoice(choice: ToolChoice): ToolChoice {
  if (CHOICES.includes(choice)) return choice
  throw new SaydoError('CONFIG', `there is no toolChoice ${JSON.stringify(choice)}`, { hint: `one of ${CHOICES.join(', ')}` })
}
