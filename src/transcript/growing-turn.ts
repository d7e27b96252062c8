// One turn of the model while its events come in, and what it is once they are there.
import type { Step } from '../core/step.js'
import type { ToolCall } from '../core/tool.js'
import type { Pending, RecordedCall, RecordedTurn } from './transcript.js'

export type Growing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] }

export interface GrowingTurn extends Omit<Growing<RecordedTurn>, 'calls'> {
  calls: Growing<RecordedCall>[]
  asked: boolean
  /** Nothing more comes to it. */
  closed: boolean
}

/** The place of a call: its own; for an observation without a call the first that has none. */
export function callIn(turn: GrowingTurn, call: ToolCall | undefined): Growing<RecordedCall> {
  const known = turn.calls.find(each => (call === undefined ? each.observation === undefined : each.call?.id === call.id))
  if (known) return known
  const added: Growing<RecordedCall> = { ...(call ? { call } : {}), begun: false }
  turn.calls.push(added)
  return added
}

export function recorded({ asked: _, closed: __, ...turn }: GrowingTurn): RecordedTurn {
  return turn
}

/** As the run remembers it; nothing for a reply that never came, was never read or was never acted on. */
export function stepOf({ step, attempt, situation, reply, parsed, calls, nudge }: GrowingTurn): readonly Step[] {
  if (reply === undefined || parsed === undefined) return []
  return [
    {
      index: step,
      attempt,
      ...(situation === undefined ? {} : { situation }),
      reply,
      parsed,
      observations: calls.flatMap(({ observation }) => observation ?? []),
      ...(nudge === undefined ? {} : { nudge }),
    },
  ]
}

export function pendingOf(turn: GrowingTurn): Pending {
  return {
    turn: recorded(turn),
    asked: turn.asked,
    unread: turn.reply !== undefined && turn.parsed === undefined,
    begun: turn.calls.flatMap(({ call, begun, observation }) => (begun && observation === undefined && call ? [call] : [])),
  }
}

/** Something came of it: what was said about the reply, or all that its calls gave. In a run that was cut short the last turn may lack that. */
export function isFinished({ calls, nudge }: GrowingTurn): boolean {
  return nudge !== undefined || (calls.length > 0 && calls.every(({ observation }) => observation))
}
