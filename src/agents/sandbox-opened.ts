// A sandbox that a run works in → the notice that says which, and what it keeps from the rest of the machine.
import type { AgentEvent, NoticeCode } from '../core/event.js'
import type { Sandbox } from '../core/sandbox.js'

export function sandboxOpened({ backend, notes }: Sandbox): AgentEvent {
  const message = `commands run in the sandbox ${backend}: ${notes.join('; ')}`
  return { type: 'notice', code: 'SANDBOX_OPENED' satisfies NoticeCode, message }
}
