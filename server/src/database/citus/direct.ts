import type { Database, Tx } from '../database.ts'
import { CommitUnknown, DatabaseUnavailable } from '../errors.ts'
import { createPipeline } from '../pipeline.ts'
import { STATEMENT_TIMEOUT_MS, withClient } from '../transaction.ts'
import { COUNT_SHARDS, mustHaveShards, workerError } from './branch.ts'
import { type Branches, createBranches } from './branches.ts'
import { byWorker, type Part, partsOf } from './parts.ts'
import { NotDirect, type Servers } from './pools.ts'
import { textOn } from './shardMap.ts'

/**
 * Sends statements to the tables of the shards, on their workers. Citus would plan each one on the coordinator and again on
 * the worker, which costs several times as much as the statement. A transaction still begins on the coordinator, which holds
 * the locks on stores and wallets; each worker takes the same ones, so that an unclear COMMIT there can be looked up.
 */
export function createDirectDatabase(coordinator: Database, servers: Servers): Database {
  const { map, pools } = servers
  async function read<Row>(text: string, parts: readonly Part[]): Promise<Row[]> {
    const { worker } = parts[0]!.shard
    try {
      return await withClient(pools.of(worker), async (client) => {
        const pipeline = createPipeline(client, STATEMENT_TIMEOUT_MS)
        const reads = parts.map((one) => pipeline.send(textOn(one.shard, text), one.values))
        // Sent last: rows of a shard that is still here are current.
        const counted = pipeline.send(COUNT_SHARDS, [parts.map(({ shard }) => shard.id)])
        const results = await Promise.all([...reads, counted])
        mustHaveShards(results.pop()!.rows, parts.length)
        return results.flatMap(({ rows }) => rows as Row[])
      })
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw workerError(error)
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
      return (await Promise.all(byWorker(parts).map((some) => read<Row>(text, some)))).flat()
    },
    transaction: async <T>(
      work: (tx: Tx) => Promise<T>,
      limits?: { statementTimeoutMs: number },
    ) => {
      let branches: Branches | undefined
      const state: { committed?: { readonly result: T } } = {}
      try {
        const result = await servers.atHome(async (home) => {
          // The coordinator retries. What a worker has committed must not be repeated.
          if (state.committed !== undefined) return state.committed.result
          await branches?.abandon()
          await branches?.release()
          branches = createBranches(servers, home)
          const done = await work(branches.tx)
          if ((await branches.finish()) === 'committed') state.committed = { result: done }
          return done
        }, limits)
        await branches!.commitPrepared()
        branches!.notify()
        return result
      } catch (error) {
        if (state.committed !== undefined) {
          branches!.notify()
          return state.committed.result
        }
        // After an unclear COMMIT of the coordinator, `recoverCommits` ends what is prepared.
        if (!(error instanceof CommitUnknown)) await branches?.abandon()
        throw error
      } finally {
        await branches?.release()
      }
    },
  }
}
