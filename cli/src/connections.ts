import type { Config } from '@florin/server/config.js'

/** Connections of the primary, migrations and the embedded server. */
const EXTRA_CONNECTIONS = 5
/** PostgreSQL allows this many by default. */
const MAX_CONNECTIONS = 100
const COMMAND_POOL_SIZE = 10

/** Each process has a pool and a connection for LISTEN. On a cluster, it has another pool for its decisions to commit. */
export const countConnections = (
  { poolSize, processes }: Config,
  { isDistributed = false } = {},
): number => (poolSize * (isDistributed ? 2 : 1) + 1) * processes + EXTRA_CONNECTIONS

/**
 * The size of the pool of a command. Unless FLORIN_POOL_SIZE is set, it is not as small as those of a service with many processes, but
 * leaves them their connections.
 */
export function commandPoolSize(config: Config): number {
  if (process.env.FLORIN_POOL_SIZE) return config.poolSize
  const free = MAX_CONNECTIONS - countConnections(config)
  return Math.max(config.poolSize, Math.min(COMMAND_POOL_SIZE, free))
}
