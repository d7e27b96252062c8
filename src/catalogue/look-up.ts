// A name → every entry of the catalogue that has it, whatever its kind and case.
import { nearNames } from '../core/near-names.js'
import { PROBLEM_CODES, type ProblemCode } from '../core/reply.js'
import type { NameEntry, ProblemEntry } from './entry.js'
import { PROBLEM_GROUPS, PROBLEMS } from './index.js'
import { ERRORS, FAILURES, STOPS } from './names.js'
import { NOTICES } from './notices.js'

type Named = 'error' | 'failure' | 'stop' | 'notice'

export type Found =
  | { readonly kind: 'problem'; readonly name: ProblemCode; readonly group: string; readonly entry: ProblemEntry }
  | { readonly kind: Named; readonly name: string; readonly group: string; readonly entry: NameEntry }

/** All entries, in the order in which they are listed. */
export function allEntries(): readonly Found[] {
  const named = (kind: Named, group: string, entries: Readonly<Record<string, NameEntry>>): Found[] =>
    Object.entries(entries).map(([name, entry]) => ({ kind, name, group, entry }))
  return [
    ...PROBLEM_GROUPS.flatMap(({ title, codes }) =>
      codes.map((name): Found => ({ kind: 'problem', name, group: title, entry: PROBLEMS[name] })),
    ),
    ...named('failure', 'Why a call failed', FAILURES),
    ...named('stop', 'Why a run ended', STOPS),
    ...named('notice', 'What a run says once', NOTICES),
    ...named('error', 'Errors', ERRORS),
  ]
}

/** More than one when an error, a failure and a stop share a name; empty for a name nobody knows. */
export function lookUp(name: string): readonly Found[] {
  const wanted = fold(name)
  return allEntries().filter(found => fold(found.name) === wanted)
}

/** The nearest names, for a slip. */
export function nearEntries(name: string): readonly string[] {
  return nearNames(name, new Set([...PROBLEM_CODES, ...allEntries().map(found => found.name)]))
}

function fold(name: string): string {
  return name.trim().toLowerCase().replace(/[\s-]/g, '_')
}
