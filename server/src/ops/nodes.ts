import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database } from '../database/database.ts'
import type { Load } from '../platform/load.ts'
import { deleteNode, insertSample, upsertNode } from '../sql/nodes.ts'

/** A process that has not reported for this long is not running, or has lost the database. */
export const SILENT_MS = 30_000

/** Stores the state and the load of this process, so that every node can list them. */
export function createNodeReporter(
  database: Database,
  {
    version,
    isReady,
    takeLoad,
  }: { version: string; isReady: () => Promise<boolean>; takeLoad: () => Load },
) {
  const nodeId = randomUUID()
  const startedAt = new Date(Date.now() - process.uptime() * 1000)
  let reportedMs = performance.now()
  let forwardedAt: Date | null = null
  return {
    nodeId,
    /** Call it for a request with forwarding headers while no proxy is trusted. */
    recordForwarded(at: Date): void {
      forwardedAt = at
    },
    async report(): Promise<void> {
      const { pid } = process
      const ready = await isReady()
      const load = takeLoad()
      const nowMs = performance.now()
      const seconds = Math.max(nowMs - reportedMs, 1) / 1000
      reportedMs = nowMs
      await database.transaction(async (tx) => {
        const host = hostname()
        await upsertNode(tx, {
          nodeId,
          host,
          pid,
          version,
          startedAt,
          isReady: ready,
          memoryBytes: process.memoryUsage.rss(),
          forwardedAt,
        })
        await insertSample(tx, { ...load, nodeId, seconds })
      })
    },
    /** Removes this node, so that a clean stop is not reported as a failure. */
    async remove(): Promise<void> {
      await database.transaction((tx) => deleteNode(tx, nodeId))
    },
  }
}
