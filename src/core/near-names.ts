// A name that does not exist → the few existing ones it may have been meant for. Only ever a suggestion: nothing is run by likeness.
// Own code, since every room needs it at start and swapped letters (`dmeo`), the commonest slip, count as one.

const MOST = 3
const LONGEST = 100

/** At most three of `names`, nearest first; case, `_`, `-` and blanks count for nothing. Empty when none is near. */
export function nearNames(name: string, names: Iterable<string>): string[] {
  const wanted = fold(name)
  if (wanted === '') return []
  return [...names]
    .map(candidate => ({ candidate, distance: farness(wanted, fold(candidate)) }))
    .filter(({ distance }) => distance <= 0.4)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map(({ candidate }) => candidate)
}

/** `, did you mean "tools"?`, or nothing when no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const [near] = nearNames(name, known)
  return near === undefined ? '' : `, did you mean "${near}"?`
}

/** One is the other with a single slip: a letter more, less or changed, or two neighbours swapped. Case counts for nothing. */
export function isSlip(written: string, meant: string): boolean {
  return written.length <= LONGEST && edits(written.toLowerCase(), meant.toLowerCase()) === 1
}

// 0: the same when folded, up to 1: nothing in common
function farness(a: string, b: string): number {
  if (a === b) return 0
  const share = edits(a, b) / Math.max(a.length, b.length, 1)
  const shorter = a.length < b.length ? a : b
  const longer = a.length < b.length ? b : a
  // `search` for `web_search`: a whole word more or less is nearer than the edits say
  return shorter.length >= 3 && longer.includes(shorter) ? Math.min(share, 0.35) : share
}

function fold(name: string): string {
  return name
    .slice(0, LONGEST)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\s_-]/gu, '')
}

/** Insertions, deletions, changes and swaps of neighbours that turn one text into the other (optimal string alignment distance). */
function edits(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min((row[j - 1] ?? 0) + (same ? 0 : 1), (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      next.push(least)
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
