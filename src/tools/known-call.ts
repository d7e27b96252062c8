// What a record says about a call → what is left to do about it. A call that was begun and gave nothing may have been done or not: it is made again
// only where that does no harm, or where somebody who was asked says so.
import type { Approval, Observation, ToolCall } from '../core/tool.js'

/** A call as a record knows it. */
export interface KnownCall {
  /** As it was made, or would have been. */
  readonly call?: ToolCall
  /** Without an observation nobody knows whether it was done. */
  readonly begun: boolean
  readonly approval?: { readonly verdict: string; readonly reason?: string }
  readonly observation?: Observation
}

/** What was said about a call that was not begun; undefined when nothing was, or not all of it is on record. */
export function approvalIn({ approval, call }: KnownCall, wanted: ToolCall): Approval | undefined {
  if (approval === undefined) return undefined
  const { verdict, reason } = approval
  if (verdict === 'allowed') return isSameInput(call, wanted) ? true : undefined
  if (verdict === 'denied') return reason ?? false
  return verdict === 'stopped' ? { stop: reason ?? '' } : undefined
}

/** Somebody put another input in the place of the model's. */
export function isSameInput(call: ToolCall | undefined, wanted: ToolCall): boolean {
  return call === undefined || JSON.stringify(call.input) === JSON.stringify(wanted.input)
}

/** The record has a mask where the input had a secret: made so, the call would be another one. */
export function isMasked({ input }: ToolCall): boolean {
  return /\[secret [^\]]{1,200}\]/.test(JSON.stringify(input))
}
