import type { Database, Tx } from '../database.ts'
import { DatabaseUnavailable } from '../errors.ts'
import { createPipeline } from '../pipeline.ts'
import { STATEMENT_TIMEOUT_MS, withClient } from '../transaction.ts'
import { COUNT_SHARDS, mustHaveShards, translateWorkerError } from './branch.ts'
import { type Branches, createBranches } from './branches.ts'
import { groupByWorker, type Part, partsOf } from './parts.ts'
import { NotDirect, type Servers } from './pools.ts'

/**
 * Sends statements to the tables of the shards, on their workers. Citus would plan each one on the coordinator and again on
 * the worker, which costs several times as much as the statement. A transaction still begins on the coordinator, which holds
 * the locks on stores and wallets. Each worker takes the same locks, so that an unclear COMMIT there can be looked up.
 */
export function createDirectDatabase(coordinator: Database, servers: Servers): Database {
  const { map, pools } = servers
  async function read<Row>(parts: readonly Part[]): Promise<Row[]> {
    const { worker } = parts[0]!.shard
    try {
      return await withClient(pools.of(worker), async (client) => {
        const pipeline = createPipeline(client, STATEMENT_TIMEOUT_MS)
        const reads = parts.map(({ text, values }) => pipeline.send(text, values))
        // Sent last: if the shards are still on this worker, the rows that were read before are current.
        const counted = pipeline.send(COUNT_SHARDS, [parts.map(({ shard }) => shard.id)])
        const results = await Promise.all([...reads, counted])
        mustHaveShards(results.pop()!.rows, parts.length)
        return results.flatMap(({ rows }) => rows as Row[])
      })
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw translateWorkerError(error)
      if (!(error instanceof NotDirect)) pools.markUnreachable(worker)
      throw new NotDirect(error.cause)
    }
  }

  return {
    pool: coordinator.pool,
    isDistributed: false,
    close: coordinator.close,
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      const parts = partsOf(map, text, values)
      if (parts === null) return coordinator.query<Row>(text, values)
      return (await Promise.all(groupByWorker(parts).map((group) => read<Row>(group)))).flat()
    },
    transaction: async <T>(
      work: (tx: Tx) => Promise<T>,
      limits?: { statementTimeoutMs: number },
    ) => {
      let branches: Branches | undefined
      let result: { readonly value: T } | undefined
      try {
        await servers.onCoordinator(async (tx) => {
          // `onCoordinator` may retry. What workers have committed must not run again.
          if (branches?.isCommitted()) return
          await branches?.release()
          branches = createBranches(servers, tx)
          result = { value: await work(branches.tx) }
          await branches.finish()
        }, limits)
      } catch (error) {
        // The workers have committed: the coordinator only held the locks.
        if (!branches?.isCommitted()) throw error
      } finally {
        await branches?.release()
      }
      branches!.notify()
      return result!.value
    },
  }
}
