// Figures → words.

export function timeText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < 90_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`
}

// made once: it takes long to make
const FORMAT = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

export function numberText(value: number): string {
  return FORMAT.format(value)
}

export function count(value: number, one: string, many = `${one}s`): string {
  return `${numberText(value)} ${value === 1 ? one : many}`
}
