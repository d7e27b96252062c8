// A place in the run ↔ the end of the page's address: `#step=3`, `#step=3.2&r=1`, where r counts the repairs of the reply from 1; of a conversation
// `#turn=2&step=3`.
import { turnName } from '../exports.js'
import type { TraceTurn } from '../trace.js'

/** Of the turn, and of a problem of its reply. */
export interface Place {
  readonly turn: number
  readonly problem?: number
}

export function readPlace(hash: string, turns: readonly TraceTurn[]): Place | undefined {
  const found = new URLSearchParams(hash.replace(/^#/, ''))
  const name = found.get('step')
  const turn = turns.findIndex(each => turnName(each) === name)
  if (turn < 0) return undefined
  const problem = Number(found.get('r') ?? 0) - 1
  return { turn, ...(turns[turn]?.parsed?.problems[problem] ? { problem } : {}) }
}

/** `among`: which run of a conversation it is. */
export function placeHash({ turn, problem }: Place, turns: readonly TraceTurn[], among?: number): string {
  const at = turns[turn]
  return at ? `${stepHash(at, among)}${problem === undefined ? '' : `&r=${problem + 1}`}` : '#'
}

export function stepHash(turn: Pick<TraceTurn, 'step' | 'attempt'>, among?: number): string {
  return `#${among === undefined ? '' : `turn=${among}&`}step=${turnName(turn)}`
}

/** Which run of a conversation is named, from 1; undefined when none of them is. */
export function readAmong(hash: string, count: number): number | undefined {
  const among = Number(new URLSearchParams(hash.replace(/^#/, '')).get('turn') ?? 0)
  return Number.isInteger(among) && among >= 1 && among <= count ? among : undefined
}

/** Every problem of these turns, in order. */
export function problemPlaces(turns: readonly TraceTurn[], shown: readonly number[]): readonly Required<Place>[] {
  return shown.flatMap(turn => (turns[turn]?.parsed?.problems ?? []).map((_, problem) => ({ turn, problem })))
}

/** The first of the places behind the present one, or the first of all. */
export function nextPlace<P extends Place>(places: readonly P[], { turn, problem = -1 }: Place): P | undefined {
  const isBehind = (place: Place) => place.turn > turn || (place.turn === turn && (place.problem ?? -1) > problem)
  return places.find(isBehind) ?? places[0]
}
