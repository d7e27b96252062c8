// What a fixture says of a turn, and what was made of it today → the first thing that differs, and the turn with today's in its place. Only what was
// concluded is compared, never what was said.
import { SaydoError } from '../core/errors.js'
import { type FixtureReply, type FixtureTurn, isSame, repliesOf } from '../transcript/fixture.js'

const OF_REPLY = ['parsed', 'problems'] as const
const OF_TURN = ['ends', 'reason', 'answer', 'value'] as const
const CHECKED = ['ends', 'reason', 'value'] as const

/** Throws `FIXTURE_MISMATCH` that shows both. `results`: what tools gave is compared, too, since it was not played. */
export function requireSame(file: string, recorded: FixtureTurn, today: FixtureTurn, results = false): void {
  for (const [at, step] of recorded.steps.entries()) {
    const now = repliesOf(today.steps[at] ?? {})
    for (const [index, reply] of repliesOf(step).entries()) {
      if (reply.model === undefined) continue
      const key = firstDifference(reply, now[index] ?? {}, results)
      if (key) throw mismatch(file, `step ${at + 1}, ${key}`, reply[key], now[index]?.[key])
    }
  }
  const key = CHECKED.find(name => recorded[name] !== undefined && !isSame(recorded[name], today[name]))
  if (key) throw mismatch(file, key, recorded[key], today[key])
  const [answer, now] = [answerOf(recorded), answerOf(today)]
  if (answer !== undefined && answer !== now) throw mismatch(file, 'answer', answer, now)
}

/** It is not said twice where it is the last reply's own. */
function answerOf({ answer, ends, steps }: FixtureTurn): string | undefined {
  const { parsed } = steps.at(-1) ?? {}
  const own = ends === 'final_answer' && parsed && 'answer' in parsed ? parsed.answer : undefined
  return answer ?? own
}

/** The recorded turn with what is concluded today. */
export function refreshed(recorded: FixtureTurn, today: FixtureTurn): FixtureTurn {
  const { ends: _, reason: _reason, answer: _answer, value: _value, ...turn } = recorded
  return {
    ...turn,
    ...picked(today, OF_TURN),
    steps: recorded.steps.map((step, at) => {
      const { failed: now = [], ...own } = today.steps[at] ?? {}
      const failed = step.failed?.map((reply, index) => refreshedReply(reply, now[index] ?? {}))
      return { ...refreshedReply(step, own), ...(failed ? { failed } : {}) }
    }),
  }
}

function refreshedReply<Reply extends FixtureReply>(recorded: Reply, today: FixtureReply): Reply {
  if (recorded.model === undefined || recorded.model !== today.model) return recorded
  const { parsed: _, problems: _problems, ...rest } = recorded
  return { ...rest, ...picked(today, OF_REPLY) } as Reply
}

function firstDifference(reply: FixtureReply, now: FixtureReply, results: boolean): 'parsed' | 'problems' | 'tool' | undefined {
  if (reply.parsed !== undefined && !isSame(reply.parsed, now.parsed)) return 'parsed'
  // a file that says what was read says all that was odd about it
  if ((reply.parsed !== undefined || reply.problems !== undefined) && !isSame(reply.problems ?? [], now.problems ?? []))
    return 'problems'
  return results && reply.tool !== undefined && !isSame(reply.tool, now.tool) ? 'tool' : undefined
}

function picked<T extends object, K extends keyof T>(value: T, keys: readonly K[]): Partial<Pick<T, K>> {
  return Object.fromEntries(keys.flatMap(key => (value[key] === undefined ? [] : [[key, value[key]]]))) as Partial<Pick<T, K>>
}

function mismatch(file: string, what: string, recorded: unknown, today: unknown): SaydoError {
  return new SaydoError('FIXTURE_MISMATCH', `${file}, ${what}\n- ${shown(recorded)}\n+ ${shown(today)}`, {
    hint: `if today's is right: saydo fixtures update ${file}, or vitest -u`,
  })
}

function shown(value: unknown): string {
  return value === undefined ? '(nothing)' : JSON.stringify(value)
}
