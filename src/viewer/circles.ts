// The turns of a run → where it was found to go in circles, and which earlier turns are the evidence.

import { callsKey, resultKeys, thoughtKey } from '../agent/step-keys.js'
import type { StopReason } from '../core/step.js'
import type { RecordedTurn } from '../transcript/transcript.js'

export interface Circle {
  /** What is the same. */
  readonly same: 'calls and results' | 'results' | 'calls' | 'thoughts'
  /** Places of those turns in the run, from 0; the newest last. */
  readonly as: readonly number[]
  /** The model was told, the call was not made again, or the run ended. */
  readonly done: 'told' | 'not made' | 'ended'
}

/** By place of the turn. */
export function circlesIn(turns: readonly RecordedTurn[], stop: StopReason | undefined): ReadonlyMap<number, Circle> {
  const found = new Map<number, Circle>()
  const seen = new Map<string, number[]>()
  turns.forEach((turn, at) => {
    const keys = keysOf(turn)
    const done = doneAt(turn, stop === 'stuck' && at === turns.length - 1)
    const evidence = done && SAMENESS.find(same => seen.has(keys[same]))
    if (evidence) found.set(at, { same: evidence, as: (seen.get(keys[evidence]) ?? []).slice(-3), done })
    for (const same of SAMENESS) if (keys[same] !== '') seen.set(keys[same], [...(seen.get(keys[same]) ?? []).slice(-2), at])
  })
  return found
}

const SAMENESS = ['calls and results', 'results', 'calls', 'thoughts'] as const

/** A hint stands on a turn that has observations: of one that has none it is a correction. */
function doneAt({ nudge, calls }: RecordedTurn, isEnd: boolean): Circle['done'] | undefined {
  if (isEnd) return 'ended'
  if (calls.length > 0 && calls.every(({ begun, observation }) => !begun && observation?.failure?.code === 'limited'))
    return 'not made'
  return nudge !== undefined && calls.some(({ observation }) => observation) ? 'told' : undefined
}

/** Empty where there is nothing to compare. */
function keysOf({ parsed, calls }: RecordedTurn): Readonly<Record<Circle['same'], string>> {
  const made = calls.flatMap(({ call }) => call ?? [])
  const callKey = made.length === 0 ? '' : `calls ${callsKey(made)}`
  const observations = calls.flatMap(({ observation }) => observation ?? [])
  const resultKey = observations.length === 0 ? '' : `results ${resultKeys({ observations }).join('\n')}`
  const thought = thoughtKey(parsed?.thought ?? null)
  return {
    'calls and results': callKey && resultKey && `${callKey}\n${resultKey}`,
    results: resultKey,
    calls: callKey,
    thoughts: thought && `thought ${thought}`,
  }
}
