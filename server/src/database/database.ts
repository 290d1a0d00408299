import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'
import { CommitUnknown, DatabaseAway, isConnectionLost, sqlState, translated } from './errors.ts'

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
  /** Whether the rows are spread over several machines. The same statements run there, a few with a hint. */
  readonly isSpread: boolean
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** A transaction that is open. Only `transaction` makes one. */
export type Tx = Queryable & {
  /** Writes, and says how many rows it touched. */
  execute(text: string, values?: readonly unknown[]): Promise<number>
}

export type Database = Queryable & {
  readonly pool: pg.Pool
  /** `statementMs` is for work that may take long, such as an audit of millions of rows. */
  transaction<T>(work: (tx: Tx) => Promise<T>, limits?: { statementMs: number }): Promise<T>
  close(): Promise<void>
}

export type DatabaseOptions = {
  readonly url: string
  readonly poolSize: number
  readonly poolTimeoutMs: number
  readonly isSpread?: boolean
  readonly onRetry?: (code: string) => void
  readonly onIdleError?: (error: Error) => void
}

// A connection to each machine, one after the other, instead of one to each shard of it: those would have to be
// opened first.
const SPREAD_SETTINGS = ' -c citus.multi_shard_modify_mode=sequential'

export function openDatabase(options: DatabaseOptions): Database {
  const isSpread = options.isSpread ?? false
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: options.poolTimeoutMs,
    idleTimeoutMillis: 0,
    ...KEEP_ALIVE,
    application_name: 'florin',
    types,
    // What is asked for in one go is sent in one go. Nothing is ever sent together with the COMMIT.
    ...{ pipeline: true },
    // A store whose lock is stuck must not hold everybody else for ever. There is no statement
    // time-out on the server, because it could cancel a COMMIT that waits for a standby.
    options:
      '-c lock_timeout=2000 -c idle_in_transaction_session_timeout=60000 -c timezone=UTC' +
      (isSpread ? SPREAD_SETTINGS : ''),
    ...NO_STANDBY,
  })
  pool.on('error', (error) => options.onIdleError?.(error))

  return {
    pool,
    isSpread,
    query: async <Row>(text: string, values?: readonly unknown[]) =>
      withClient(pool, async (client) => {
        const result = await runNamed(client, STATEMENT_MS, text, values)
        return result.rows as Row[]
      }),
    transaction: (work, limits) =>
      transactionWithRetry(
        {
          pool,
          isSpread,
          statementMs: limits?.statementMs ?? STATEMENT_MS,
          onRetry: options.onRetry,
        },
        work,
      ),
    close: () => pool.end(),
  }
}

/** Whether an idle connection still leads anywhere is asked every few seconds, not after two hours. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/**
 * After a failover the old address may lead to a server that only follows: what it tells may be old, and
 * what it had not passed on before it was replaced will be undone. So nothing is read there either.
 */
async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await within(
    client,
    STATEMENT_MS,
    client.query<{ follows: boolean }>('select pg_is_in_recovery() as follows'),
  )
  if (!rows[0]!.follows) return
  connectionOf(client).stream.destroy()
  throw new DatabaseAway(new Error('this server follows another one and takes no writes'))
}
// The pool waits for it, though its types do not say so.
const NO_STANDBY = { onConnect: refuseStandby }

// A server that has gone silent answers nobody: the connection is given up, and with it the statement.
// Nothing is cancelled, and a COMMIT that is given up is looked for.
const STATEMENT_MS = 15_000
const COMMIT_MS = 30_000

const RETRIED_CODES = new Set(['40001', '40P01'])
const MAX_TRIES = 5

type Transactions = {
  readonly pool: pg.Pool
  readonly isSpread: boolean
  readonly statementMs: number
  readonly onRetry: ((code: string) => void) | undefined
}

async function transactionWithRetry<T>(on: Transactions, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transactionOnce(on, work)
    } catch (error) {
      const code = sqlState(error)
      if (code === null || !RETRIED_CODES.has(code) || tries === MAX_TRIES) throw error
      on.onRetry?.(code)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** tries))
    }
  }
}

async function transactionOnce<T>(
  { pool, isSpread, statementMs }: Transactions,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return withClient(pool, async (client) => {
    // Whatever the server's default is: what is read after the locks must be what stands there then.
    const begun = within(client, statementMs, client.query('begin isolation level read committed'))
    // Awaited below, unless the work fails first.
    begun.catch(() => {})
    let first: { readonly error: unknown } | null = null
    let isOver = false
    const run = async (text: string, values?: readonly unknown[]) => {
      try {
        // A first read goes out together with BEGIN. A write waits: without the transaction it would
        // stand, and so would whatever came after its end.
        if (!text.startsWith('select')) await begun
        if (isOver) throw new Error('The transaction is over')
        const [, result] = await Promise.all([begun, runNamed(client, statementMs, text, values)])
        return result
      } catch (error) {
        // What was sent behind it fails for that alone, which would hide the cause.
        first ??= { error }
        throw first.error
      }
    }
    const tx: Tx = {
      isSpread,
      query: async <Row>(text: string, values?: readonly unknown[]) =>
        (await run(text, values)).rows as Row[],
      execute: async (text, values) => (await run(text, values)).rowCount ?? 0,
    }
    const result = await work(tx).finally(() => {
      isOver = true
    })
    await begun
    await commit(client)
    return result
  })
}

/** A connection for as long as the work takes; rolled back where it fails, thrown away if it broke. */
async function withClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw translated(error)
  })
  // A broken connection also fails the query that is under way; this only keeps it from being fatal.
  const ignore = () => {}
  client.on('error', ignore)
  let broken: Error | undefined
  try {
    return await work(client)
  } catch (error) {
    if (error instanceof CommitUnknown || error instanceof DatabaseAway) broken = error
    else {
      await within(client, STATEMENT_MS, client.query('rollback')).catch((failure: Error) => {
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
    result = await within(client, COMMIT_MS, client.query('commit'))
  } catch (error) {
    // A COMMIT that the server refused carries a code and was rolled back; anything else is unknown.
    if (error instanceof DatabaseAway && isConnectionLost(error.cause)) {
      throw new CommitUnknown(error.cause)
    }
    throw error
  }
  // COMMIT of a failed transaction answers ROLLBACK without an error.
  if (result.command !== 'COMMIT') throw new Error(`COMMIT was answered with ${result.command}`)
}

const connectionOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection

/** The answer, or the end of the connection when none comes in time. */
async function within<T>(client: pg.ClientBase, ms: number, answer: Promise<T>): Promise<T> {
  const timer = setTimeout(() => connectionOf(client).stream.destroy(), ms)
  try {
    return await answer
  } catch (error) {
    // Who asked, instead of where the answer was read.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw translated(error)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Lists as the database reads them; the driver's own way looks at every character several times. Lists have
 * long runs of the same: one currency, one time.
 */
function written(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const parts: string[] = []
  let last: unknown
  let text = 'NULL'
  for (const element of value) {
    if (element !== last || parts.length === 0) text = writtenElement(element)
    last = element
    parts.push(text)
  }
  return `{${parts.join(',')}}`
}

function writtenElement(element: unknown): string {
  if (typeof element === 'string') return quoted(element)
  if (element === null || element === undefined) return 'NULL'
  if (element instanceof Date) return `"${element.toISOString()}"`
  if (Buffer.isBuffer(element)) return `"\\\\x${element.toString('hex')}"`
  if (typeof element === 'object') {
    throw new TypeError(
      'a list for the database holds texts, numbers, booleans, times, bytes and nulls',
    )
  }
  return String(element)
}

/** As JSON writes it, which is quicker, unless JSON escapes more than quotes and backslashes. */
function quoted(text: string): string {
  if (!/["\\]/.test(text)) return `"${text}"`
  const json = JSON.stringify(text)
  return /\\[^"\\]/.test(json) ? `"${text.replace(/["\\]/g, '\\$&')}"` : json
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
  client: pg.PoolClient,
  withinMs: number,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult> {
  // What is asked for in this turn goes out in one piece.
  const { stream } = connectionOf(client)
  stream.cork()
  process.nextTick(() => stream.uncork())
  return within(client, withinMs, ask(client, text, values.map(written)))
}

/**
 * As `client.query` does it, which would copy the statement slowly, property by property. It gives the query
 * the types of the connection, by which money becomes a bigint.
 */
function ask(client: pg.PoolClient, text: string, values: unknown[]): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query(text, values, (error, result) => {
      if (error) reject(error)
      else resolve(result)
    })
    client.query(Object.assign(query, { name: nameOf(text) }))
  })
}
