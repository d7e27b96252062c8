// A name that does not exist → the few existing ones it may have been meant for. Only ever a suggestion: nothing is run by likeness.
// The door of fastest-levenshtein.
import { distance } from 'fastest-levenshtein'

const MOST = 3
const LONGEST = 100

/** At most three of `names`, nearest first; case, `_`, `-` and blanks count for nothing. Empty when none is near. */
export function nearNames(name: string, names: Iterable<string>): string[] {
  const wanted = fold(name)
  if (wanted === '') return []
  return [...new Set(names)]
    .map(candidate => ({ candidate, distance: farness(wanted, fold(candidate)) }))
    .filter(({ distance }) => distance <= 0.4)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map(({ candidate }) => candidate)
}

// 0: the same when folded, up to 1: nothing in common
function farness(a: string, b: string): number {
  if (a === b) return 0
  const edits = distance(a, b) / Math.max(a.length, b.length, 1)
  const shorter = a.length < b.length ? a : b
  const longer = a.length < b.length ? b : a
  // `search` for `web_search`: a whole word more or less is nearer than the edits say
  return shorter.length >= 3 && longer.includes(shorter) ? Math.min(edits, 0.35) : edits
}

function fold(name: string): string {
  return name
    .slice(0, LONGEST)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\s_-]/gu, '')
}
