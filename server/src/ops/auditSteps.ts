import type { Database, Tx } from '../database/database.ts'
import { joinSnapshot, prepareForManyRows, readBackendPid } from '../sql/locks.ts'

/** A part of an audit. Steps are independent of each other. */
export type Step = (tx: Tx) => Promise<void>

/** A query over many millions of rows takes a long time. */
export const STEP_TIMEOUT_MS = 3_600_000

/**
 * Runs the steps on this transaction and on others that read the same snapshot. If a step fails, the others finish their
 * current step and start no other.
 */
export async function runSteps(
  database: Database,
  tx: Tx,
  {
    steps,
    snapshot,
    connections,
    onBegin,
    onProgress,
  }: {
    steps: readonly Step[]
    /** The snapshot that the other transactions join. Null on a cluster, where this transaction runs all steps. */
    snapshot: string | null
    connections: number
    onBegin: (backend: number) => void
    onProgress: (done: number, total: number) => void
  },
): Promise<void> {
  const waiting = [...steps]
  let done = 0
  const work = async (on: Tx) => {
    for (;;) {
      const step = waiting.shift()
      if (step === undefined) return
      await step(on)
      done += 1
      onProgress(done, steps.length)
    }
  }
  const stopOthers = (error: unknown) => {
    waiting.length = 0
    throw error
  }
  const workOnOther = (snapshotId: string) =>
    database.transaction(
      async (other) => {
        await joinSnapshot(other, snapshotId)
        await prepareForManyRows(other)
        onBegin(await readBackendPid(other))
        await work(other)
      },
      { statementTimeoutMs: STEP_TIMEOUT_MS },
    )
  const others =
    snapshot === null ? [] : Array.from({ length: connections - 1 }, () => workOnOther(snapshot))
  const all = [work(tx), ...others].map((worker) => worker.catch(stopOthers))
  for (const result of await Promise.allSettled(all)) {
    if (result.status === 'rejected') throw result.reason
  }
}
