// Two prompts of a run, one after the other → what the later one keeps, leaves out and adds, turn by turn.
import { isSameTurn } from '../agent/kept-turns.js'
import type { Message } from '../core/message.js'
import { align, type Pair } from './align.js'

/** In order; read from the start, they turn the turns of one prompt into those of the next. */
export type Change =
  | { readonly kind: 'keep' | 'remove'; readonly count: number }
  | { readonly kind: 'add'; readonly turns: readonly Message[] }

export function changesBetween(before: readonly Message[], after: readonly Message[]): readonly Change[] {
  const changes: Change[] = []
  for (const pair of align(before, after, isSameTurn)) {
    const change = changeOf(pair, after)
    const joined = joinChanges(changes.at(-1), change)
    if (joined) changes[changes.length - 1] = joined
    else changes.push(change)
  }
  return changes
}

/** The turns that a change leads to. */
export function changed(before: readonly Message[], changes: readonly Change[]): readonly Message[] {
  const after: Message[] = []
  let at = 0
  for (const change of changes) {
    if (change.kind === 'add') {
      after.push(...change.turns)
      continue
    }
    if (change.kind === 'keep') after.push(...before.slice(at, at + change.count))
    at += change.count
  }
  return after
}

/** The turns that a change leaves out. */
export function removed(before: readonly Message[], changes: readonly Change[]): readonly Message[] {
  let at = 0
  return changes.flatMap(change => {
    if (change.kind === 'add') return []
    at += change.count
    return change.kind === 'remove' ? before.slice(at - change.count, at) : []
  })
}

function changeOf([one, other]: Pair, after: readonly Message[]): Change {
  if (one === undefined) return { kind: 'add', turns: after.slice(other, (other ?? 0) + 1) }
  return { kind: other === undefined ? 'remove' : 'keep', count: 1 }
}

/** Undefined for two of different kinds. */
function joinChanges(one: Change | undefined, other: Change): Change | undefined {
  if (one?.kind === 'add' && other.kind === 'add') return { kind: 'add', turns: [...one.turns, ...other.turns] }
  if (one === undefined || one.kind === 'add' || other.kind === 'add' || one.kind !== other.kind) return undefined
  return { kind: one.kind, count: one.count + other.count }
}
