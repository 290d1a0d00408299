import type pg from 'pg'
import { type Database, type DatabaseOptions, openPool } from '../database.ts'
import { runTransaction, STATEMENT_TIMEOUT_MS } from '../transaction.ts'
import { createDirectDatabase } from './direct.ts'
import { createWorkerPools, NotDirect, type Servers } from './pools.ts'
import { createShardMap } from './shardMap.ts'
import { recoverCommits } from './twoPhase.ts'

/** A Citus cluster. Call `renew` at the start and regularly: until then everything runs through the coordinator. */
export function openCluster(coordinator: Database, options: DatabaseOptions) {
  const map = createShardMap(coordinator)
  const pools = createWorkerPools(options)
  // A separate pool: while a transaction commits, others that wait for its locks may use every connection of `coordinator`.
  const decisions = openPool(options, '')
  const transactionsOn =
    (pool: pg.Pool): Servers['onCoordinator'] =>
    (work, limits) =>
      runTransaction(
        {
          pool,
          isDistributed: true,
          statementTimeoutMs: limits?.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
          onRetry: options.onRetry,
        },
        work,
      )
  const servers: Servers = {
    map,
    pools,
    onCoordinator: transactionsOn(coordinator.pool),
    onDecisionPool: transactionsOn(decisions),
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
    close: async () => {
      await pools.close()
      await decisions.end()
    },
  }
}
