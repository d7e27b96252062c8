// Two states of a fixture → what changed between them, by cause: the model said something else, the reader made something else of the same, the world
// answered otherwise, or the prompt was edited and nothing was asked anew.
import { type Fixture, type FixtureReply, type FixtureStep, isSame, repliesOf } from './fixture.js'

export type Cause = 'model' | 'parser' | 'world' | 'prompt'

export interface FixtureChange {
  readonly cause: Cause
  /** For people: `turn 1, step 2`; empty for the whole file. */
  readonly where: string
}

export function changesBetween(before: Fixture, after: Fixture): readonly FixtureChange[] {
  const changes = after.turns.flatMap((turn, at) => {
    const old = before.turns[at]
    const steps = Array.from({ length: Math.max(turn.steps.length, old?.steps.length ?? 0) }, (_, step) => {
      const cause = causeOf(old?.steps[step] ?? {}, turn.steps[step] ?? {})
      return cause ? [{ cause, where: `turn ${at + 1}, step ${step + 1}` }] : []
    }).flat()
    const end = steps.length === 0 && old && old.ends !== turn.ends ? [{ cause: 'parser' as const, where: `turn ${at + 1}` }] : []
    return [...steps, ...end]
  })
  return changes.length === 0 && !isSame(before.request, after.request) ? [{ cause: 'prompt', where: '' }] : changes
}

function causeOf(before: FixtureStep, after: FixtureStep): Cause | undefined {
  const [old, now] = [repliesOf(before), repliesOf(after)]
  const differ = (keys: readonly (keyof FixtureReply)[]): boolean =>
    old.length !== now.length || old.some((reply, at) => keys.some(key => !isSame(reply[key], now[at]?.[key])))
  if (differ(['model', 'reasoning', 'finish', 'error'])) return 'model'
  if (differ(['tool'])) return 'world'
  return differ(['parsed', 'problems', 'nudge']) ? 'parser' : undefined
}
