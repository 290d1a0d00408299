import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database } from '../database/database.ts'
import type { Load } from '../platform/load.ts'
import { deleteNode, insertSample, upsertNode } from '../sql/nodes.ts'

/** This process among those that serve: it says that it is there, and what it answered since. */
export function thisNode(
  database: Database,
  {
    version,
    isReady,
    takeLoad,
  }: { version: string; isReady: () => Promise<boolean>; takeLoad: () => Load },
) {
  const nodeId = randomUUID()
  const startedAt = new Date(Date.now() - process.uptime() * 1000)
  let saidAt = performance.now()
  let forwardedAt: Date | null = null
  return {
    nodeId,
    /** A request came with the headers of a proxy that is not trusted. */
    noteForwarded(at: Date): void {
      forwardedAt = at
    },
    async say(): Promise<void> {
      const { pid } = process
      const state = { isReady: await isReady(), memory: process.memoryUsage.rss() }
      const load = takeLoad()
      const now = performance.now()
      const seconds = Math.max(now - saidAt, 1) / 1000
      saidAt = now
      await database.transaction(async (tx) => {
        const host = hostname()
        await upsertNode(tx, { nodeId, host, pid, version, startedAt, forwardedAt, ...state })
        await insertSample(tx, { ...load, nodeId, seconds })
      })
    },
    /** Whoever stops is not missed. */
    async leave(): Promise<void> {
      await database.transaction((tx) => deleteNode(tx, nodeId))
    },
  }
}
