/** The connection broke while COMMIT was under way: the work may have been done or not. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection was lost during COMMIT', { cause })
  }
}

/** The database cannot be reached, is silent or full: worth another try later, nobody's mistake. */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super(`The database is away: ${(cause as Error).message}`, { cause })
  }
}

/** PostgreSQL's codes all have a digit; EPIPE is five letters too, but the system's. */
export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : null
}

/** What the driver threw, as ours where it says that the database is away. */
export function translated(error: unknown): unknown {
  const isAway = isConnectionLost(error) || isWorkerLost(error) || isFull(error)
  return isAway ? new DatabaseAway(error) : error
}

// 08 connection, 57P01..57P05 shut down or starting up: the server ended the session.
export function isConnectionLost(error: unknown): boolean {
  const code = sqlState(error)
  if (code !== null) return code.startsWith('08') || code.startsWith('57P')
  if (!(error instanceof Error)) return false
  const system = (error as NodeJS.ErrnoException).code
  if (system !== undefined && /^E[A-Z]+$/.test(system)) return true
  return /connection terminated|client was closed|connection error|not queryable|calling end|timeout exceeded when trying to connect|timeout expired/i.test(
    error.message,
  )
}

// A cluster says so of one of its machines, under the code of an input error or of an internal one.
function isWorkerLost(error: unknown): boolean {
  const code = sqlState(error)
  if (code !== '58030' && code !== 'XX000') return false
  return /terminating connection|failed to complete COPY|connection to the remote node/i.test(
    (error as Error).message,
  )
}

// 53: disk full, out of memory, too many connections. 25006: a standby that takes no writes.
function isFull(error: unknown): boolean {
  const code = sqlState(error)
  return code !== null && (code.startsWith('53') || code === '25006')
}

/** A cluster does not always pass on the code that its machine gave. */
export function isLockTimeout(error: unknown): boolean {
  const code = sqlState(error)
  if (code === '55P03') return true
  return code === 'XX000' && /due to lock timeout/.test((error as Error).message)
}

/** It took longer than the server was told to work on it. */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === '57014'
}

/** A guard in the SQL disagreed with the decision taken under the locks: a bug, so nothing is kept. */
export function mustMatch(touched: number, expected: number, what: string): void {
  if (touched !== expected) throw new Error(`${what}: ${touched} rows instead of ${expected}`)
}
