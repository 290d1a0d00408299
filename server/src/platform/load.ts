/** The upper bounds of the latency buckets. Slower responses count in one more bucket. */
export const LATENCY_BUCKETS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]

/** The responses of a period. */
export type Load = {
  readonly responses: number
  /** Responses with status 500 or above. */
  readonly faults: number
  /** Responses by latency bucket. */
  readonly bucketCounts: readonly number[]
}

export function createLoadCounter() {
  const createEmptyLoad = () => ({
    responses: 0,
    faults: 0,
    bucketCounts: LATENCY_BUCKETS_MS.map(() => 0).concat(0),
  })
  let current = createEmptyLoad()
  return {
    record(elapsedMs: number, status: number): void {
      const bucket = LATENCY_BUCKETS_MS.findIndex((ms) => elapsedMs <= ms)
      current.responses += 1
      if (status >= 500) current.faults += 1
      current.bucketCounts[bucket === -1 ? LATENCY_BUCKETS_MS.length : bucket]! += 1
    },
    /** Returns the counts since the last call and resets them. */
    take(): Load {
      const taken = current
      current = createEmptyLoad()
      return taken
    },
  }
}

/** A percentile of the latency, estimated as if the responses of its bucket were spread evenly between its bounds. */
function percentileMs(bucketCounts: readonly number[], share: number): number | null {
  const total = bucketCounts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = total * share
  let seen = 0
  const bucket = bucketCounts.findIndex((count) => {
    seen += count
    return seen >= rank
  })
  const upper = LATENCY_BUCKETS_MS[bucket]
  if (upper === undefined) return LATENCY_BUCKETS_MS.at(-1)!
  const lower = LATENCY_BUCKETS_MS[bucket - 1] ?? 0
  const count = bucketCounts[bucket]!
  return Math.ceil(lower + ((upper - lower) * (rank - (seen - count))) / count)
}

/** Summarizes the load of one node or, added up, of several. A node can have several loads, one after the other. */
export function loadFields(
  loads: readonly (Load & { readonly nodeId: string; readonly seconds: number })[],
) {
  const totals = LATENCY_BUCKETS_MS.map(() => 0).concat(0)
  for (const load of loads) {
    for (const [bucket, count] of load.bucketCounts.entries()) totals[bucket]! += count
  }
  const sumOf = (ofNode: typeof loads, name: 'responses' | 'faults' | 'seconds') =>
    ofNode.reduce((sum, load) => sum + load[name], 0)
  const nodeIds = [...new Set(loads.map(({ nodeId }) => nodeId))]
  const loadsByNode = nodeIds.map((id) => loads.filter(({ nodeId }) => nodeId === id))
  const perSecond = (name: 'responses' | 'faults') => {
    const rates = loadsByNode.map((ofNode) => sumOf(ofNode, name) / sumOf(ofNode, 'seconds'))
    return Math.round(rates.reduce((sum, rate) => sum + rate, 0) * 100) / 100
  }
  return {
    requests_per_second: perSecond('responses'),
    faults_per_second: perSecond('faults'),
    p50_ms: percentileMs(totals, 0.5),
    p95_ms: percentileMs(totals, 0.95),
    p99_ms: percentileMs(totals, 0.99),
  }
}
