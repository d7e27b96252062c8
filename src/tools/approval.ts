// A call that wants a confirmation → what was said about it. Fails closed: whoever throws, or says something that is no Approval, denies the call.
import type { JsonObject } from '../core/json.js'
import type { Approval, Tool, ToolContext } from '../core/tool.js'
import { copyInput, readInput } from './copy-input.js'
import { isolate } from './isolate.js'
import { messageOf } from './result.js'

/** Asks somebody whether a call may be made. Any other answer than an `Approval`, an exception included, denies it. */
export type Confirm = (tool: Tool, input: JsonObject, context: ToolContext) => Promise<Approval> | Approval

export type Verdict =
  | { readonly kind: 'allowed' }
  /** The model is told the `reason`; people are told why, where nobody said no, but asking failed. */
  | { readonly kind: 'denied'; readonly reason?: string; readonly why?: string }
  | { readonly kind: 'changed'; readonly input: JsonObject }
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'stopped'; readonly reason: string }

export interface Question {
  readonly tool: Tool
  /** As it will run, defaults included. */
  readonly input: JsonObject
  readonly context: ToolContext
}

/** Whether the tool wants this call confirmed. In doubt it does: a condition that throws, gives no boolean or takes too long. */
export async function wantsConfirmation({ tool, input, context }: Question, timeoutMs: number): Promise<boolean> {
  const { confirm } = tool
  if (typeof confirm !== 'function') return confirm !== undefined
  const wanted = await isolate(signal => confirm(copyInput(input), signal), { signal: context.signal, timeoutMs })
  return wanted.kind !== 'value' || wanted.value !== false
}

/** Asks, and waits as long as it takes; undefined when the run was aborted meanwhile. Who is asked gets a copy of the input. */
export async function askAbout({ tool, input, context }: Question, confirm: Confirm): Promise<Verdict | undefined> {
  const said = await isolate(signal => confirm(tool, copyInput(input), { ...context, signal }), { signal: context.signal })
  if (said.kind === 'aborted') return undefined
  if (said.kind === 'value') return readApproval(said.value)
  return { kind: 'denied', why: said.kind === 'threw' ? messageOf(said.thrown) : 'nobody answered in time' }
}

function readApproval(value: unknown): Verdict {
  if (value === true) return { kind: 'allowed' }
  if (value === false) return { kind: 'denied' }
  if (typeof value === 'string') return value.trim() === '' ? { kind: 'denied' } : { kind: 'denied', reason: messageOf(value) }
  return readObject(value) ?? { kind: 'denied', why: 'what was said is no approval' }
}

// exactly one of the keys: an object that says two things says nothing
function readObject(value: unknown): Verdict | undefined {
  try {
    if (typeof value !== 'object' || value === null) return undefined
    const [said, ...more] = Object.entries(value)
    if (said === undefined || more.length > 0) return undefined
    const [key, content]: [string, unknown] = said
    if (key === 'input') {
      const input = readInput(content)
      return input && { kind: 'changed', input }
    }
    if (typeof content !== 'string') return undefined
    if (key === 'observation') return { kind: 'answered', text: content }
    return key === 'stop' ? { kind: 'stopped', reason: messageOf(content) } : undefined
  } catch {
    // a proxy or a getter that throws
    return undefined
  }
}
