// How many cases a property tries: its own number, times PROPERTY_RUNS (default 1). Seeds are fixed, and move with the multiplier.

export function runs(numRuns: number, seed: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: Math.max(1, Math.round(numRuns * FACTOR)), seed: FACTOR === 1 ? seed : seed + Math.round(FACTOR * 1000) }
}

/** Time for a property that takes `ms` at most with its own number of cases. */
export function timeFor(ms: number): number {
  return ms * Math.max(1, FACTOR)
}

const FACTOR = Number(process.env.PROPERTY_RUNS ?? 1)
