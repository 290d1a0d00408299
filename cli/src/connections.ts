import type { Config } from '@florin/server/config.js'

/** Connections of the primary, migrations and the embedded server. */
const EXTRA_CONNECTIONS = 5
/** PostgreSQL allows this many by default. */
const MAX_CONNECTIONS = 100
const COMMAND_POOL_SIZE = 10

/**
 * Each process has a pool and a connection for LISTEN. On a cluster, it has a second pool for the decisions of two-phase
 * commits.
 */
export const countConnections = (
  { poolSize, processes }: Config,
  { isDistributed = false } = {},
): number => (poolSize * (isDistributed ? 2 : 1) + 1) * processes + EXTRA_CONNECTIONS

/**
 * The pool size of a command: FLORIN_POOL_SIZE if it is set. Otherwise up to `COMMAND_POOL_SIZE` of the connections that the
 * service leaves free, and at least as many as one process of the service has. The second pools of a cluster are not counted:
 * where they make a difference, the service alone uses more than `MAX_CONNECTIONS`.
 */
export function commandPoolSize(config: Config): number {
  if (process.env.FLORIN_POOL_SIZE) return config.poolSize
  const free = MAX_CONNECTIONS - countConnections(config)
  return Math.max(config.poolSize, Math.min(COMMAND_POOL_SIZE, free))
}
