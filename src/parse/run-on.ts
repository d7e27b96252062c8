// The text of an answer → where it runs on into a further step behind a sentence: `… in 1969. Thought: I am done. Final Answer: 1969`, as
// models do that are never stopped. A thought in mid-line alone is text; it needs an action or an answer behind it.
import { isProtocol } from './grammar.js'
import type { Lexed, Mark } from './marks.js'
import { endsSentence } from './midline.js'

export interface RunOn {
  readonly at: number
  readonly code: 'SECOND_ANSWER' | 'ACTION_AFTER_ANSWER'
}

/** The first further step within the answer of mark `k`, before `limit`. `stepAt` says what a later mark leads to. */
export function runOnWithin(
  lexed: Lexed,
  marks: readonly Mark[],
  k: number,
  limit: number,
  stepAt: (n: number) => 'answer' | 'action' | undefined,
): RunOn | undefined {
  const { text, strays } = lexed
  const from = (marks[k] as Mark).value
  let looks = 16
  for (const [index, thought] of strays.entries()) {
    if (thought.start >= limit || looks === 0) return undefined
    if (thought.role !== 'thought' || thought.start <= from || !/\p{Lu}|\p{Lo}/u.test(text[thought.start] ?? '')) continue
    if (!endsSentence(text, from, thought.start) || isQuoted(text, from, thought.start)) continue
    looks--
    const stray = strays.slice(index + 1, index + 20).find(label => label.role !== 'thought')
    const next = marks.findIndex((mark, n) => n > k && mark.start > thought.start && isProtocol(mark.role))
    const before = stray && stray.start < (marks[next]?.start ?? limit)
    const role = before ? stray.role : next < 0 ? undefined : stepAt(next)
    if (role === 'answer') return { at: thought.start, code: 'SECOND_ANSWER' }
    if (role === 'action') return { at: thought.start, code: 'ACTION_AFTER_ANSWER' }
  }
  return undefined
}

/** A quote on the line is open at `at`. */
function isQuoted(text: string, from: number, at: number): boolean {
  const line = text.slice(Math.max(from, at - 1000, text.lastIndexOf('\n', at) + 1), at)
  return line.split('"').length % 2 === 0 || line.split('“').length > line.split('”').length
}
