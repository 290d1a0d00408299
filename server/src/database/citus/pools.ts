import type pg from 'pg'
import { type DatabaseOptions, openPool, type Tx } from '../database.ts'
import { WorkerUnavailable } from '../errors.ts'
import type { ShardMap, Worker } from './shardMap.ts'

/**
 * The work can't be done on the shards themselves: a shard has moved, this process can't connect to its worker, or only Citus
 * can run the statements. Nothing was changed; run the work through the coordinator.
 */
export class NotDirect extends WorkerUnavailable {}

/**
 * Statements on shards find their rows by key. A new shard has no statistics, so don't let the planner choose a scan of all
 * rows, and don't plan again for each list of keys.
 */
const SETTINGS =
  ' -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off -c plan_cache_mode=force_generic_plan'

/** Shorter than the timeout of the coordinator, because the work then runs through the coordinator. */
const CONNECT_TIMEOUT_MS = 2_000
/** How long work runs through the coordinator instead of on a worker that this process couldn't reach. */
const RETRY_MS = 5_000

export type WorkerPools = ReturnType<typeof createWorkerPools>

export type Servers = {
  readonly map: ShardMap
  readonly pools: WorkerPools
  /** Runs a transaction on the coordinator. */
  readonly onCoordinator: <T>(
    work: (tx: Tx) => Promise<T>,
    limits?: { statementTimeoutMs: number },
  ) => Promise<T>
  /**
   * Runs a transaction on the coordinator with connections of its own, which transactions that wait for locks of stores and
   * wallets can't use up. Don't take such locks in it.
   */
  readonly onDecisionPool: Servers['onCoordinator']
}

/** Connections to the workers, with the role and the password of the coordinator's URL. */
export function createWorkerPools(options: DatabaseOptions) {
  const pools = new Map<string, pg.Pool>()
  const unreachableUntilMs = new Map<string, number>()
  const nameOf = ({ host, port }: Worker) => `${host}:${port}`

  function open({ host, port }: Worker): pg.Pool {
    const url = new URL(options.url)
    url.hostname = host
    url.port = String(port)
    return openPool({ ...options, url: url.href, poolTimeoutMs: CONNECT_TIMEOUT_MS }, SETTINGS)
  }

  return {
    of(worker: Worker): pg.Pool {
      const name = nameOf(worker)
      if ((unreachableUntilMs.get(name) ?? 0) > performance.now()) {
        throw new NotDirect(new Error(`${name} was unreachable`))
      }
      let pool = pools.get(name)
      if (pool === undefined) {
        pool = open(worker)
        pools.set(name, pool)
      }
      return pool
    },
    markUnreachable: (worker: Worker) =>
      void unreachableUntilMs.set(nameOf(worker), performance.now() + RETRY_MS),
    async close(): Promise<void> {
      await Promise.all([...pools.values()].map((pool) => pool.end()))
    },
  }
}
