// The catalogue: every code that a user may meet, explained. `saydo explain`, `saydo parse --explain` and docs/forgiveness.md are made from it.
import { type ProblemCode, UNCLEAR_CODES } from '../core/reply.js'
import { CALL_PROBLEMS } from './call-problems.js'
import type { ProblemEntry } from './entry.js'
import { INPUT_PROBLEMS } from './input-problems.js'
import { LABEL_PROBLEMS } from './label-problems.js'
import { TURN_PROBLEMS } from './turn-problems.js'
import { UNCLEAR_PROBLEMS } from './unclear-problems.js'

export const PROBLEMS: Readonly<Record<ProblemCode, ProblemEntry>> = {
  ...LABEL_PROBLEMS,
  ...TURN_PROBLEMS,
  ...CALL_PROBLEMS,
  ...INPUT_PROBLEMS,
  ...UNCLEAR_PROBLEMS,
}

/** The problems as they are listed for people. */
export const PROBLEM_GROUPS: readonly { readonly title: string; readonly codes: readonly ProblemCode[] }[] = [
  { title: 'Labels and layout', codes: codesOf(LABEL_PROBLEMS) },
  { title: 'Turns, and what wins', codes: codesOf(TURN_PROBLEMS) },
  { title: 'Calls and answers', codes: codesOf(CALL_PROBLEMS) },
  { title: 'Arguments', codes: codesOf(INPUT_PROBLEMS) },
  { title: 'What is asked about again', codes: codesOf(UNCLEAR_PROBLEMS) },
]

const UNCLEAR: ReadonlySet<string> = new Set(UNCLEAR_CODES)

/** The reply is read all the same; the other codes leave no decision. */
export function isForgiven(code: ProblemCode): boolean {
  return !UNCLEAR.has(code)
}

function codesOf(entries: Partial<Record<ProblemCode, ProblemEntry>>): readonly ProblemCode[] {
  return Object.keys(entries) as ProblemCode[]
}
