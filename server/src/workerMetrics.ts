import { AggregatorRegistry, type Registry } from 'prom-client'

export type Snapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** A busy worker responds sooner, and Prometheus waits longer: 10 seconds by default. */
const COLLECT_TIMEOUT_MS = 3_000

const addUp = (snapshots: Snapshot[]): Registry => AggregatorRegistry.aggregate(snapshots)

/** In the primary: collects the metrics of the workers, by worker id, and adds them up. */
export function createWorkerMetrics() {
  const latest = new Map<number, Snapshot>()
  const waiting = new Map<number, (() => void)[]>()
  let ended = Promise.resolve<Snapshot>([])

  function stopWaiting(id: number): void {
    for (const resolve of waiting.get(id) ?? []) resolve()
    waiting.delete(id)
  }

  function collectFrom(id: number, ask: () => void): Promise<void> {
    return new Promise((resolve) => {
      const timeout = setTimeout(resolve, COLLECT_TIMEOUT_MS)
      const stop = () => {
        clearTimeout(timeout)
        resolve()
      }
      waiting.set(id, [...(waiting.get(id) ?? []), stop])
      ask()
    })
  }

  return {
    /** Asks each worker, and returns the text for Prometheus. A worker that doesn't respond counts with its last snapshot. */
    async collect(workers: readonly { readonly id: number; readonly ask: () => void }[]) {
      await Promise.all(workers.map(({ id, ask }) => collectFrom(id, ask)))
      return addUp([...latest.values(), await ended]).metrics()
    },

    receive(id: number, snapshot: Snapshot): void {
      latest.set(id, snapshot)
      stopWaiting(id)
    },

    /**
     * Keeps the counters of a worker that has ended. Prometheus takes a decreasing total for a restart from zero, and would count
     * the remaining total again.
     */
    forget(id: number): void {
      const last = latest.get(id) ?? []
      const counters = last.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
      latest.delete(id)
      stopWaiting(id)
      ended = ended.then((before) => addUp([before, counters]).getMetricsAsJSON())
    },
  }
}
