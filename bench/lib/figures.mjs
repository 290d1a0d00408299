export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]
}

/** The smallest and the largest value, rounded, such as 1200–1350. */
export const formatSpread = (values) =>
  `${Math.round(Math.min(...values))}–${Math.round(Math.max(...values))}`

export const roundTo = (value, places = 2) => Number(value.toFixed(places))

export const formatSeconds = (ms) => `${roundTo(ms / 1000, 1)} s`

/** Throws if a benchmark did not do its work. */
export function mustBe(actual, expected, what) {
  if (actual !== expected) throw new Error(`${what}: ${actual} instead of ${expected}`)
}
