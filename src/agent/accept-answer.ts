// The text of an answer → the answer of the run, or why it is none: it must have its form, and nobody may refuse it. The same for an answer that a
// model wrote and for one that came by a tool.
import type { JsonValue } from '../core/json.js'
import type { Say } from '../core/text.js'
import type { AnswerForm } from './answer-form.js'
import type { Refused } from './review.js'

export interface AnswerRules {
  readonly say: Say
  /** What an answer must look like; unset: any text will do. */
  readonly form: AnswerForm | undefined
  /** Refuses an answer by giving what the model is told. */
  readonly refuse: (text: string) => Promise<string | undefined>
}

export interface Accepted {
  readonly kind: 'answer'
  readonly text: string
  readonly value?: JsonValue
}

export async function acceptAnswer(text: string, rules: AnswerRules): Promise<Accepted | Refused> {
  const { say, form, refuse } = rules
  const read = form ? await form.read(text, say) : undefined
  if (read && !read.ok) {
    const nudge = say('invalid_answer', { issues: read.issues.map(({ path, message }) => ({ path, message })) })
    return { kind: 'refused', nudge, fault: 'the answer does not fit its schema', ...(await spare(text, rules)) }
  }
  const accepted: Accepted = { kind: 'answer', text, ...(read ? { text: JSON.stringify(read.value), value: read.value } : {}) }
  const nudge = await refuse(accepted.text)
  return nudge === undefined ? accepted : { kind: 'refused', nudge, fault: 'the answer was refused' }
}

/** An answer that does not count may still be better than none, unless somebody refuses it. */
export async function spare(text: string, { refuse }: AnswerRules): Promise<Pick<Refused, 'spare'>> {
  return text.trim() === '' || (await refuse(text)) !== undefined ? {} : { spare: text }
}
