/** COMMIT has no clear result: the transaction may be committed or not. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super(`The result of COMMIT is unknown: ${(cause as Error).message}`, { cause })
  }
}

/** The database can't be reached, doesn't respond, is full or is read-only. Retry later. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The database is unavailable: ${(cause as Error).message}`, { cause })
  }
}

/** The server responds, but Florin refuses to use it. The message says why. */
export class UnusableServer extends Error {}

/** A pooler or the URL drops the settings of the session. Unlike a standby, it stays unusable. */
export class SettingsIgnored extends UnusableServer {}

/** A worker of the cluster can't be reached. Requests that don't need it may succeed. */
export class WorkerUnavailable extends DatabaseUnavailable {}

/** The SQLSTATE of an error; null if it has none. Each contains a digit, unlike EPIPE, the code of a system error. */
export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : null
}

/** Converts an error of the driver that means that the database, or one of its workers, is unavailable. */
export function translateError(error: unknown): unknown {
  if (isWorkerLost(error)) return new WorkerUnavailable(error)
  return isConnectionLost(error) || isFullOrReadOnly(error) ? new DatabaseUnavailable(error) : error
}

// 08: connection. 57P01 to 57P05: the server shuts down, starts up or has ended the session. A PANIC ends the server.
export function isConnectionLost(error: unknown): boolean {
  const code = sqlState(error)
  if ((error as { severity?: unknown } | null)?.severity === 'PANIC') return true
  if (code !== null) return code.startsWith('08') || code.startsWith('57P')
  if (!(error instanceof Error)) return false
  const system = (error as NodeJS.ErrnoException).code
  if (system !== undefined && /^E[A-Z]+$/.test(system)) return true
  return /connection terminated|client was closed|connection error|not queryable|calling end|timeout exceeded when trying to connect|timeout expired/i.test(
    error.message,
  )
}

// Citus reports a lost worker as a lost connection, an I/O error or an internal error.
function isWorkerLost(error: unknown): boolean {
  const code = sqlState(error)
  if (code !== '08006' && code !== '58030' && code !== 'XX000') return false
  return /terminating connection|failed to complete COPY|connection to the remote node|connections? to the node|failure on connection marked as essential/i.test(
    (error as Error).message,
  )
}

// 53: disk full, out of memory, too many connections. 25006: a read-only standby.
function isFullOrReadOnly(error: unknown): boolean {
  const code = sqlState(error)
  return code !== null && (code.startsWith('53') || code === '25006')
}

/** Citus doesn't always pass on the code of its worker. */
export function isLockTimeout(error: unknown): boolean {
  const code = sqlState(error)
  if (code === '55P03') return true
  return code === 'XX000' && /due to lock timeout/.test((error as Error).message)
}

/**
 * Whether the server refused a COMMIT and rolled back. A single PostgreSQL that reports an ERROR has rolled back. After a FATAL
 * or PANIC it may have committed: if it fails to sync the log, for example, the COMMIT can be on disk nevertheless. A coordinator
 * of Citus can also fail after it has committed, and then reports another code than those below.
 */
export function isCommitRefused(error: unknown, { isDistributed }: { isDistributed: boolean }) {
  const code = sqlState(error)
  if (code === null || isConnectionLost(error)) return false
  if (isDistributed) return code === '40001' || code === '40P01' || code.startsWith('23')
  // The severity may be translated. Then the outcome counts as unknown, which is slower, but never wrong.
  return (error as { severity?: unknown }).severity === 'ERROR'
}

export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === '57014'
}

/** Throws if a guard in the SQL disagreed with a decision made under the locks. That is a bug: roll back. */
export function mustMatch(affected: number, expected: number, action: string): void {
  if (affected !== expected) throw new Error(`${action}: ${affected} rows instead of ${expected}`)
}
