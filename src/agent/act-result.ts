// What a batch of calls gave → what acting gave: observations, and perhaps the end of the run.
import type { Batch } from '../tools/batch.js'
import { type AnswerRules, acceptAnswer } from './accept-answer.js'
import type { ActResult } from './react-agent.js'
import type { RunEnd } from './run-options.js'

/** A run ends by its batch: with an answer, without success, or because somebody stopped it. */
export function actResult({ observations, ending, stopped }: Batch): ActResult {
  if (stopped !== undefined) return { observations, ends: { ...end('denied'), ...(stopped === '' ? {} : { message: stopped }) } }
  if (ending === undefined) return { observations }
  const { success, answer } = ending
  if (success) return { observations, ends: { ...end('final_answer'), answer } }
  return {
    observations,
    ends: { ...end('gave_up'), ...(answer === '' ? {} : { answer, message: `the model gave up: ${answer}` }) },
  }
}

/** An answer that came by a tool must be accepted as any other; else the run goes on, and the model is told why. */
export async function withAnswerAccepted(result: ActResult, rules: AnswerRules): Promise<ActResult> {
  const { observations, ends } = result
  if (ends?.stop !== 'final_answer') return result
  const accepted = await acceptAnswer(ends.answer ?? '', rules)
  if (accepted.kind === 'refused') return { observations, remark: accepted.nudge }
  const { text, value } = accepted
  return { observations, ends: { ...ends, answer: text, ...(value === undefined ? {} : { value }) } }
}

function end(stop: 'final_answer' | 'gave_up' | 'denied') {
  return { kind: 'end', stop } as const satisfies RunEnd
}
