// What a batch of calls gave → what acting gave, and what was said about a call → the event that tells it.
import type { AgentEvent } from '../core/event.js'
import type { Say } from '../core/text.js'
import type { Batch } from '../tools/batch.js'
import type { Said } from '../tools/prepare.js'
import type { AnswerForm } from './answer-form.js'
import type { ActResult } from './react-agent.js'
import { notInForm } from './review-reply.js'
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

/** An answer that came by a tool must fit as any other does; else the run goes on, and the model is told why. */
export async function inForm(result: ActResult, form: AnswerForm, say: Say): Promise<ActResult> {
  const { observations, ends } = result
  if (ends?.stop !== 'final_answer') return result
  const read = await form.read(ends.answer ?? '', say)
  if (read.ok) return { observations, ends: { ...ends, answer: JSON.stringify(read.value), value: read.value } }
  return { observations, remark: notInForm(read.issues, say) }
}

type ApprovalEvent = Extract<AgentEvent, { type: 'approval' }>

export function approvalOf({ call, verdict }: Said): Pick<ApprovalEvent, 'call' | 'verdict' | 'reason'> {
  switch (verdict.kind) {
    case 'denied':
      return { call, verdict: verdict.kind, ...withReason(verdict.reason ?? verdict.why) }
    case 'stopped':
      return { call, verdict: verdict.kind, ...withReason(verdict.reason) }
    default:
      return { call, verdict: verdict.kind }
  }
}

function withReason(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason }
}

function end(stop: 'final_answer' | 'gave_up' | 'denied') {
  return { kind: 'end', stop } as const satisfies RunEnd
}
