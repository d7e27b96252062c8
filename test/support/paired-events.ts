// The events of a run → starts without an end and ends without a start; empty when all is paired and nested.
import type { AgentEvent } from '../../src/core/event.js'

const ENDS: Readonly<Record<string, readonly string[]>> = {
  run_start: ['run_end'],
  step_start: ['step_end'],
  reply_start: ['reply_end', 'reply_error'],
  call_start: ['call_end'],
}

/** Calls that run side by side are paired by their number. */
export function unpaired(events: readonly AgentEvent[]): string[] {
  const open: string[] = []
  const odd: string[] = []
  for (const event of events) {
    const { type } = event
    const name = 'call' in event && event.call ? `${type} ${event.call.id}` : type
    if (type in ENDS) open.push(name)
    else if (type === 'call_end') {
      const at = open.lastIndexOf(name.replace('call_end', 'call_start'))
      if (at < 0 || open.slice(at).some(start => !start.startsWith('call_start'))) odd.push(`… ${name}`)
      else open.splice(at, 1)
    } else if (Object.values(ENDS).flat().includes(type)) {
      const start = open.pop()
      if (start === undefined || !ENDS[start]?.includes(type)) odd.push(`${start} … ${type}`)
    }
  }
  return [...odd, ...open]
}
