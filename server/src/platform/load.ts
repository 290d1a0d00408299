/** Steps of time within which answers are counted, in milliseconds; what is slower counts behind them. */
export const LATENCY_STEPS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]

/** What was answered over a while. `within[n]` took at most step n, and more than the one before. */
export type Load = {
  readonly answers: number
  /** Answers that say that it was our fault: 500 and above. */
  readonly faults: number
  readonly within: readonly number[]
}

/** Counts answers; a few additions each, so that whoever is answered does not wait for it. */
export function loadCounter() {
  const empty = () => ({ answers: 0, faults: 0, within: LATENCY_STEPS_MS.map(() => 0).concat(0) })
  let current = empty()
  return {
    note(elapsedMs: number, status: number): void {
      const step = LATENCY_STEPS_MS.findIndex((ms) => elapsedMs <= ms)
      current.answers += 1
      if (status >= 500) current.faults += 1
      current.within[step === -1 ? LATENCY_STEPS_MS.length : step]! += 1
    },
    /** What was counted since it was last asked. */
    take(): Load {
      const taken = current
      current = empty()
      return taken
    },
  }
}

/** The time within which this share of the answers came: the end of the step that it falls into. */
function latencyMs(within: readonly number[], share: number): number | null {
  const total = within.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let seen = 0
  const step = within.findIndex((count) => {
    seen += count
    return seen >= total * share
  })
  return LATENCY_STEPS_MS[step] ?? LATENCY_STEPS_MS.at(-1)!
}

/** How much was answered in a second and how fast: of one node, or of all by adding them up. */
export function loadFields(loads: readonly (Load & { readonly seconds: number })[]) {
  const within = LATENCY_STEPS_MS.map(() => 0).concat(0)
  for (const load of loads) {
    for (const [step, count] of load.within.entries()) within[step]! += count
  }
  const perSecond = (count: 'answers' | 'faults') =>
    Math.round(loads.reduce((sum, load) => sum + load[count] / load.seconds, 0) * 100) / 100
  return {
    requests_per_second: perSecond('answers'),
    faults_per_second: perSecond('faults'),
    p50_ms: latencyMs(within, 0.5),
    p95_ms: latencyMs(within, 0.95),
    p99_ms: latencyMs(within, 0.99),
  }
}
