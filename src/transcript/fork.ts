// The events of a run, and a place in it → what a run begins with that goes another way from there on. What stands before the place is taken over, so
// nothing of it is asked or done again.
import { SaydoError } from '../core/errors.js'
import type { AgentEvent } from '../core/event.js'

export interface Fork {
  /** From this step on; counts from 1. */
  readonly step: number
  /** Id of the new run. */
  readonly run: string
  /** The reply of the step in place of the one that came: the run goes on by reading it. */
  readonly reply?: string
  /** Which try at the step the reply is; default its last one. */
  readonly attempt?: number
  /** See `RunStart.after`. */
  readonly after?: string | null
}

/** Throws `CONFIG` when the run has no such step, or the step no such try. */
export function forkOf<Event extends AgentEvent>(events: readonly Event[], fork: Fork): readonly Event[] {
  const { step, run, after } = fork
  const begin = events.findIndex(event => event.type === 'step_start' && event.step === step)
  if (begin < 0) throw new SaydoError('CONFIG', `the run has no step ${step}`, { hint: `it has ${stepsIn(events)}` })
  const taken = fork.reply === undefined ? events.slice(0, begin) : withReply(events, fork, fork.reply)
  return taken.map(event => {
    if (event.type !== 'run_start') return event
    const { after: _, ...start } = event
    return { ...start, run, forked: { run: event.run, step }, ...(after === undefined ? {} : { after }) } as unknown as Event
  })
}

function withReply<Event extends AgentEvent>(events: readonly Event[], { step, attempt }: Fork, text: string): readonly Event[] {
  const end = events.findLastIndex(
    event => event.type === 'reply_end' && event.step === step && (attempt === undefined || event.attempt === attempt),
  )
  const event = events[end]
  if (event?.type !== 'reply_end') throw new SaydoError('CONFIG', `no such reply of step ${step} is on record`)
  const { cuts: _, ...rest } = event
  return [...events.slice(0, end), { ...rest, reply: { text, finish: 'stop' } } as unknown as Event]
}

function stepsIn(events: readonly AgentEvent[]): string {
  const steps = new Set(events.flatMap(event => (event.type === 'step_start' ? [event.step] : [])))
  return steps.size === 0 ? 'none' : `steps 1 to ${Math.max(...steps)}`
}
