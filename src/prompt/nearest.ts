// A mistyped name and the known ones → the known one that was probably meant, for error messages only (never to act upon).

/** The known name with the fewest differing letters; undefined when more than half of the letters differ. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.floor(Math.max(name.length, 2) / 2) + 1
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      best = candidate
      least = distance
    }
  }
  return best
}

/** `, did you mean "tools"?`, or nothing when no known name is close. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = nearest(name, known)
  return near === undefined ? '' : `, did you mean "${near}"?`
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
