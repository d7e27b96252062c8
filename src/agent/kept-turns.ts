// Two prompts of one run → how many turns of the first stand unchanged in the second, from its beginning.
import type { Message } from '../core/message.js'

export function keptTurns(before: readonly Message[], after: readonly Message[]): number {
  const changed = before.findIndex((turn, at) => !isSame(turn, after[at]))
  return changed < 0 ? before.length : changed
}

function isSame(a: Message, b: Message | undefined): boolean {
  return a === b || (b !== undefined && a.role === b.role && a.text === b.text)
}
