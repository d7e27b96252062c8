// `3` or `3.2` ↔ a step of a run, or one attempt at it.

export interface StepName {
  readonly step: number
  readonly attempt: number
}

/** Without an attempt: all of them. */
export type StepChoice = Pick<StepName, 'step'> & Partial<StepName>

/** Throws an Error that says what is wanted. */
export function readStep(text: string): StepChoice {
  const [, step, attempt] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text.trim()) ?? []
  if (step === undefined) throw new Error('a number such as 3, or 3.2, is wanted')
  return { step: Number(step), ...(attempt === undefined ? {} : { attempt: Number(attempt) }) }
}

export function isOf(one: StepName, { step, attempt = one.attempt }: StepChoice): boolean {
  return one.step === step && one.attempt === attempt
}

export function stepName({ step, attempt = 1 }: StepChoice): string {
  return attempt === 1 ? String(step) : `${step}.${attempt}`
}
