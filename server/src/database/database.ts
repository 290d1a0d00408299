import type { Socket } from 'node:net'
import pg from 'pg'
import { written } from './encode.ts'
import { CommitUnknown, DatabaseAway, isConnectionLost, sqlState, translated } from './errors.ts'
import { type Answer, Flight, type Statement } from './pipeline.ts'

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
        const { rows } = await openLine(client, STATEMENT_MS).ask(text, values)
        return rows as Row[]
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
  const line = openLine(client, STATEMENT_MS)
  const { rows } = await line.ask('select pg_is_in_recovery() as follows')
  if (!(rows[0] as { follows: boolean }).follows) return
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
    const line = openLine(client, statementMs)
    // Whatever the server's default is: what is read after the locks must be what stands there then. It goes
    // out together with the first statements, which the server skips should it fail.
    const begun = line.ask('begin isolation level read committed')
    // Awaited below, unless the work fails first.
    begun.catch(() => {})
    const tx: Tx = {
      isSpread,
      query: async <Row>(text: string, values?: readonly unknown[]) =>
        (await line.ask(text, values)).rows as Row[],
      execute: async (text, values) => {
        const { command } = await line.ask(text, values)
        return Number(command.slice(command.lastIndexOf(' ') + 1)) || 0
      },
    }
    let result: T
    try {
      result = await work(tx)
      await begun
    } finally {
      line.close()
    }
    // The work may have gone on without what failed.
    const failure = line.failure()
    if (failure !== null) throw failure.error
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
      await openLine(client, STATEMENT_MS)
        .ask('rollback')
        .catch((failure: Error) => {
          broken = failure
        })
    }
    throw error
  } finally {
    client.off('error', ignore)
    client.release(broken)
  }
}

/**
 * Alone, so that what goes wrong before is known before, and as a plain query: a server that is told to stop while
 * it commits still answers that to the end.
 */
async function commit(client: pg.PoolClient): Promise<void> {
  const stopClock = startClock(client, COMMIT_MS)
  let result: pg.QueryResult
  try {
    result = await client.query('commit')
  } catch (error) {
    // A COMMIT that the server refused carries a code and was rolled back; anything else is unknown.
    const isRefused = sqlState(error) !== null && !isConnectionLost(error)
    throw isRefused ? translated(error) : new CommitUnknown(error)
  } finally {
    stopClock()
  }
  // COMMIT of a failed transaction answers ROLLBACK without an error.
  if (result.command !== 'COMMIT') throw new Error(`COMMIT was answered with ${result.command}`)
}

const connectionOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection

/** Ends the connection where nothing comes in time. */
function startClock(client: pg.ClientBase, ms: number): () => void {
  const timer = setTimeout(() => connectionOf(client).stream.destroy(), ms)
  return () => clearTimeout(timer)
}

type Asked = Statement & {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

/**
 * To ask the server through a connection. What is asked for in one turn of the event loop goes out together, and
 * what is asked for meanwhile when that is back. Where no answer comes in time the connection is ended.
 */
function openLine(client: pg.ClientBase, withinMs: number) {
  let waiting: Asked[] = []
  let isBusy = false
  let isClosed = false
  let first: { readonly error: unknown } | null = null

  function schedule(): void {
    if (isBusy || waiting.length === 0) return
    isBusy = true
    process.nextTick(depart)
  }

  function depart(): void {
    const asked = waiting
    waiting = []
    if (isClosed) {
      for (const { reject } of asked) reject(new Error('The transaction is over'))
      isBusy = false
      return
    }
    const stopClock = startClock(client, withinMs)
    const flight = new Flight(asked, (error) => {
      stopClock()
      if (error === null) {
        for (const [index, { resolve }] of asked.entries()) resolve(flight.answers[index]!)
      } else {
        // Nothing more is sent: behind a BEGIN that failed it would stand by itself.
        isClosed = true
        // The one that failed is told first, since it is the cause.
        asked[flight.answers.length]?.reject(error)
        for (const { reject } of asked) reject(error)
      }
      isBusy = false
      schedule()
    })
    client.query(flight)
  }

  return {
    async ask(text: string, values: readonly unknown[] = []): Promise<Answer> {
      try {
        return await new Promise<Answer>((resolve, reject) => {
          waiting.push({ text, values: values.map(written), resolve, reject })
          schedule()
        })
      } catch (error) {
        isClosed = true
        // The first alone is told to all: others may fail because of it, and would hide the cause.
        if (first === null) {
          // Who asked, instead of where the answer was read.
          Error.captureStackTrace(error as Error)
          first = { error: translated(error) }
        }
        throw first.error
      }
    },
    /** What has not been sent by now never is. */
    close(): void {
      isClosed = true
    },
    failure: () => first,
  }
}
