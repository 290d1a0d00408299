import type pg from 'pg'
import {
  CommitUnknown,
  DatabaseUnavailable,
  isCommitRefused,
  sqlState,
  translateError,
} from './errors.ts'
import { createPipeline, startTimer } from './pipeline.ts'

/** Runs reads. Everything that writes takes a `Tx`. */
export type Queryable = {
  /** Whether Citus distributes the rows. Most statements are the same there; some differ, such as those with a `shardFilter`. */
  readonly isDistributed: boolean
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** An open transaction, as `Database.transaction` passes it to its work. */
export type Tx = Queryable & {
  /** Writes, and returns the number of affected rows. */
  execute(text: string, values?: readonly unknown[]): Promise<number>
  /** Calls `notify` right after the COMMIT. Not after a rollback, and not if the outcome of the COMMIT is unknown. */
  onCommit(notify: () => void): void
  /** The same object in all transactions of a database, as a key for per-process state. */
  readonly database: object
}

// If the server doesn't respond, the connection is ended and the statement fails with it. Nothing is cancelled. After a COMMIT
// timeout it is unknown whether the transaction was committed: `CommitUnknown` is thrown.
export const STATEMENT_TIMEOUT_MS = 15_000
const COMMIT_TIMEOUT_MS = 30_000

const RETRIED_CODES = new Set(['40001', '40P01'])
const MAX_ATTEMPTS = 5

type TransactionOptions = {
  readonly pool: pg.Pool
  readonly isDistributed: boolean
  readonly statementTimeoutMs: number
  readonly onRetry: ((code: string) => void) | undefined
}

/** Runs a transaction. Retries serialization failures and deadlocks with jitter. */
export async function runTransaction<T>(
  options: TransactionOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(options, work)
    } catch (error) {
      const code = sqlState(error)
      if (code === null || !RETRIED_CODES.has(code) || attempt === MAX_ATTEMPTS) throw error
      options.onRetry?.(code)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt))
    }
  }
}

async function runOnce<T>(
  { pool, isDistributed, statementTimeoutMs }: TransactionOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return withClient(pool, async (client) => {
    const pipeline = createPipeline(client, statementTimeoutMs)
    // Read committed, even if the server has another default: reads after the locks must see current rows.
    // BEGIN is sent with the first statements, which the server skips if BEGIN fails.
    const begun = pipeline.send('begin isolation level read committed')
    // `begun` is awaited below unless `work` fails first. Don't report an unhandled rejection.
    begun.catch(() => {})
    const notifications: (() => void)[] = []
    const tx: Tx = {
      isDistributed,
      query: async <Row>(text: string, values?: readonly unknown[]) =>
        (await pipeline.send(text, values)).rows as Row[],
      execute: async (text, values) => countOf((await pipeline.send(text, values)).command),
      onCommit: (notify) => void notifications.push(notify),
      database: pool,
    }
    let result: T
    try {
      result = await work(tx)
      await begun
    } finally {
      pipeline.close()
    }
    // `work` may have caught the error of a statement. The transaction has failed nevertheless.
    const failure = pipeline.failure()
    if (failure !== null) throw failure.error
    await endTransaction(client, 'commit', { isDistributed })
    for (const notify of notifications) notify()
    return result
  })
}

/** The number of affected rows in a command tag, such as 3 in `UPDATE 3`. */
export const countOf = (command: string) => Number(command.slice(command.lastIndexOf(' ') + 1)) || 0

export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  return pool.connect().catch((error: unknown) => {
    throw translateError(error)
  })
}

/** Takes a connection from the pool. Rolls back on failure and discards a broken connection. */
export async function withClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect(pool)
  // Ignore the event: the pending query fails as well. Without a listener the event would crash the process.
  const ignore = () => {}
  client.on('error', ignore)
  let broken: Error | undefined
  try {
    return await work(client)
  } catch (error) {
    if (error instanceof CommitUnknown || error instanceof DatabaseUnavailable) broken = error
    else {
      await createPipeline(client, STATEMENT_TIMEOUT_MS)
        .send('rollback')
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
 * Commits a transaction, or runs a step of a two-phase commit. Sends the command alone, after every statement has succeeded, and
 * as a simple query: a server that is shutting down still replies to it.
 */
export async function endTransaction(
  client: pg.PoolClient,
  command:
    | 'commit'
    | `${'prepare transaction' | 'commit prepared' | 'rollback prepared'} '${string}'`,
  on: { readonly isDistributed: boolean },
): Promise<void> {
  const stopTimer = startTimer(client, COMMIT_TIMEOUT_MS)
  let warning: Error | undefined
  const keepWarning = (notice: { code?: string | undefined; message?: string | undefined }) => {
    if (notice.code?.startsWith('01')) warning = new Error(notice.message)
  }
  client.on('notice', keepWarning)
  let result: pg.QueryResult
  try {
    result = await client.query(command)
  } catch (error) {
    throw isCommitRefused(error, on) ? translateError(error) : new CommitUnknown(error)
  } finally {
    stopTimer()
    client.off('notice', keepWarning)
  }
  // The server warns if the wait for a synchronous standby was cancelled. Then the standby may not have the transaction. A
  // coordinator of Citus also warns about workers that it has not reached after its decision.
  if (warning !== undefined && !on.isDistributed) throw new CommitUnknown(warning)
  // COMMIT of a failed transaction returns ROLLBACK without an error.
  const expected = command.split(' ')[0]!.toUpperCase()
  if (result.command !== expected) throw new Error(`${expected} returned ${result.command}`)
}
