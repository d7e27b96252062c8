// Plain numbers: medians, growth, processor time, and how a number is printed.

export function median(list) {
  const sorted = list.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Slope of log cost over log size between points `[size, cost]`: 1 is linear, 2 quadratic. */
export function exponent(points) {
  const logs = points.filter(([, cost]) => cost > 0).map(([size, cost]) => [Math.log(size), Math.log(cost)])
  if (logs.length < 2) return Number.NaN
  const mean = axis => logs.reduce((sum, point) => sum + point[axis], 0) / logs.length
  const [x, y] = [mean(0), mean(1)]
  const rise = logs.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
  return rise / logs.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
}

/** What the next size will cost if growth goes on as it did (at least linearly). */
export function predict(points, size) {
  const last = points.at(-1)
  if (last === undefined) return 0
  const growth = points.length > 1 ? Math.max(1, exponent(points.slice(-2))) : 1
  return last[1] * (size / last[0]) ** growth
}

/** Processor time of this process in ms, all its threads: on a busy machine it tells more than the clock. */
export function cpuMs(since) {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

/** Does `work` again and again until it has taken so much processor time; gives how much one time took, in ms. */
export async function timed(ms, work) {
  const started = process.cpuUsage()
  let times = 0
  do {
    await work()
    times += 1
  } while (cpuMs(started) < ms)
  return cpuMs(started) / times
}

/** Three digits that matter. */
export function digits(value) {
  if (value === undefined || Number.isNaN(value)) return '–'
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(size >= 10 ? 1 : size >= 0.1 ? 2 : 3)
}
