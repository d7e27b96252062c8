// The events of a record → the runs in it. A record may hold a conversation: one run after the other, each complete in itself. What was taken back
// stays in the file, and is no part of the conversation that goes on.
import type { AgentEvent } from '../core/event.js'

/** The events of each run, in the order of the record. What stands before the first start of a run belongs to it. */
export function runsIn<Event extends AgentEvent>(events: readonly Event[]): readonly (readonly Event[])[] {
  const starts = events.flatMap(({ type }, at) => (type === 'run_start' ? [at] : [])).slice(1)
  return events.length === 0 ? [] : [0, ...starts].map((from, at) => events.slice(from, starts[at]))
}

/** The runs on the way to the last one, oldest first. */
export function conversationIn<Event extends AgentEvent>(events: readonly Event[]): readonly (readonly Event[])[] {
  const runs = runsIn(events)
  const way: (readonly Event[])[] = []
  for (let at = runs.length - 1; at >= 0; ) {
    const run = runs[at] ?? []
    way.unshift(run)
    const start = run.find(event => event.type === 'run_start')
    const after = start?.type === 'run_start' ? start.after : undefined
    at = after === undefined ? at - 1 : runs.slice(0, at).findLastIndex(each => each.some(event => isStartOf(event, after)))
  }
  return way
}

function isStartOf(event: AgentEvent, run: string | null): boolean {
  return event.type === 'run_start' && event.run === run
}
