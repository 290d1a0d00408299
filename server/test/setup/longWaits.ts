import type { Database } from '../../src/database/database.ts'

/**
 * Lets requests wait for connections and locks as long as they need. Requests that compete for them could otherwise reach the
 * limits of the service on a busy machine.
 */
export function allowLongWaits({ pool }: Database): void {
  pool.options.connectionTimeoutMillis = 0
  const changed = new WeakSet<object>()
  pool.on('acquire', (client) => {
    if (changed.has(client)) return
    changed.add(client)
    // Runs before the queries of the borrower. If the connection is broken, those fail too.
    client.query('set lock_timeout = 0').catch(() => {})
  })
}
