import type { Database, DatabaseOptions } from '../database.ts'
import { runTransaction, STATEMENT_TIMEOUT_MS } from '../transaction.ts'
import { createDirectDatabase } from './direct.ts'
import { createWorkerPools, NotDirect, type Servers } from './pools.ts'
import { createShardMap } from './shardMap.ts'
import { recoverCommits } from './twoPhase.ts'

export type Cluster = ReturnType<typeof openCluster>

/** A Citus cluster. Call `renew` at the start and regularly: until then everything runs through the coordinator. */
export function openCluster(coordinator: Database, options: DatabaseOptions) {
  const map = createShardMap(coordinator)
  const pools = createWorkerPools(options)
  const servers: Servers = {
    map,
    pools,
    atHome: (work, limits) =>
      runTransaction(
        {
          pool: coordinator.pool,
          isDistributed: true,
          statementTimeoutMs: limits?.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
          onRetry: options.onRetry,
        },
        work,
      ),
  }
  const direct = createDirectDatabase(coordinator, servers)
  return {
    map,
    /** Runs work over stores and wallets on their shards, or through the coordinator if that is impossible. */
    async run<T>(work: (on: Database) => Promise<T>): Promise<T> {
      if (!map.isKnown()) return work(coordinator)
      try {
        return await work(direct)
      } catch (error) {
        if (!(error instanceof NotDirect)) throw error
        await map.renew().catch(() => {})
        return work(coordinator)
      }
    },
    renew: map.renew,
    recover: () => recoverCommits(servers),
    close: pools.close,
  }
}
