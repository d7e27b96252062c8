// Two prompts of one run → how many turns of the first stand unchanged in the second, from its beginning. A turn is the same that reads the same.
import type { Message } from '../core/message.js'

export function keptTurns(before: readonly Message[], after: readonly Message[]): number {
  const changed = before.findIndex((turn, at) => !isSameTurn(turn, after[at]))
  return changed < 0 ? before.length : changed
}

/** Nothing is the same as nothing. */
export function isSameTurn(a: Message | undefined, b: Message | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.role === b.role && a.text === b.text)
}
