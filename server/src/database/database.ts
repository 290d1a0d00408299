import { createHash } from 'node:crypto'
import pg from 'pg'

const INT8 = 20
const DATE = 1082

// Money is bigint everywhere; a date is a day in some store's zone and must not become an instant.
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return (text: string) => BigInt(text)
    if (oid === DATE) return (text: string) => text
    return pg.types.getTypeParser(oid, format)
  },
}

/** Reads take any of these; everything that writes asks for a `Tx`. */
export type Queryable = {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** A transaction that is open. Only `transaction` makes one. */
export type Tx = Queryable & {
  /** Writes, and says how many rows it touched. */
  execute(text: string, values?: readonly unknown[]): Promise<number>
}

export type Database = Queryable & {
  readonly pool: pg.Pool
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The connection broke while COMMIT was under way: the work may have been done or not. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection was lost during COMMIT', { cause })
  }
}

export type DatabaseOptions = {
  readonly url: string
  readonly poolSize: number
  readonly poolTimeoutMs: number
  readonly onRetry?: (code: string) => void
  readonly onIdleError?: (error: Error) => void
}

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: options.poolTimeoutMs,
    idleTimeoutMillis: 0,
    keepAlive: true,
    application_name: 'florin',
    types,
    // A store whose lock is stuck must not hold everybody else for ever. There is no statement
    // time-out, because it could cancel a COMMIT that waits for a standby.
    options: '-c lock_timeout=2000 -c idle_in_transaction_session_timeout=60000 -c timezone=UTC',
  })
  pool.on('error', (error) => options.onIdleError?.(error))

  return {
    pool,
    query: async <Row>(text: string, values?: readonly unknown[]) =>
      (await runNamed(pool, text, values)).rows as Row[],
    transaction: (work) => transactionWithRetry(pool, work, options.onRetry),
    close: () => pool.end(),
  }
}

const RETRIED_CODES = new Set(['40001', '40P01'])
const MAX_TRIES = 5

async function transactionWithRetry<T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  onRetry: ((code: string) => void) | undefined,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transactionOnce(pool, work)
    } catch (error) {
      const code = sqlState(error)
      if (code === null || !RETRIED_CODES.has(code) || tries === MAX_TRIES) throw error
      onRetry?.(code)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** tries))
    }
  }
}

async function transactionOnce<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  // A broken connection also fails the query that is under way; this only keeps it from being fatal.
  const ignore = () => {}
  client.on('error', ignore)
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work({
      query: async <Row>(text: string, values?: readonly unknown[]) =>
        (await runNamed(client, text, values)).rows as Row[],
      execute: async (text, values) => (await runNamed(client, text, values)).rowCount ?? 0,
    })
    await commit(client)
    return result
  } catch (error) {
    if (isConnectionLost(error) || error instanceof CommitUnknown) {
      broken = error as Error
    } else {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
    }
    throw error
  } finally {
    client.off('error', ignore)
    client.release(broken)
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  let result: pg.QueryResult
  try {
    result = await client.query('commit')
  } catch (error) {
    // A COMMIT that the server refused carries a code and was rolled back; anything else is unknown.
    if (isConnectionLost(error)) throw new CommitUnknown(error)
    throw error
  }
  // COMMIT of a failed transaction answers ROLLBACK without an error.
  if (result.command !== 'COMMIT') throw new Error(`COMMIT was answered with ${result.command}`)
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
    names.set(text, name)
  }
  return name
}

/** Every statement text is fixed, so each is parsed and planned once per connection. */
function runNamed(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult> {
  return on.query({ name: nameOf(text), text, values: values as unknown[] })
}

/** PostgreSQL's codes all have a digit; EPIPE is five letters too, but the system's. */
export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : null
}

// 08 connection, 57P01..57P05 shut down or starting up: the server ended the session.
function isConnectionLost(error: unknown): boolean {
  const code = sqlState(error)
  if (code !== null) return code.startsWith('08') || code.startsWith('57P')
  if (!(error instanceof Error)) return false
  const system = (error as NodeJS.ErrnoException).code
  if (system !== undefined && /^E[A-Z]+$/.test(system)) return true
  return /connection terminated|client was closed|connection error|not queryable|calling end/i.test(
    error.message,
  )
}

/** The database cannot be reached or is full: worth another try later, nobody's mistake. */
export function isDatabaseAway(error: unknown): boolean {
  if (isConnectionLost(error)) return true
  const code = sqlState(error)
  // 53: disk full, out of memory, too many connections. 25006: a standby that takes no writes.
  if (code !== null) return code.startsWith('53') || code === '25006'
  return (
    error instanceof Error &&
    /timeout exceeded when trying to connect|timeout expired/i.test(error.message)
  )
}

export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/** A guard in the SQL disagreed with the decision taken under the locks: a bug, so nothing is kept. */
export function mustMatch(touched: number, expected: number, what: string): void {
  if (touched !== expected) throw new Error(`${what}: ${touched} rows instead of ${expected}`)
}
