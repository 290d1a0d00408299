import pg from 'pg'
import { DatabaseUnavailable, SettingsIgnored, UnusableServer } from './errors.ts'
import { createPipeline, endConnection } from './pipeline.ts'
import {
  type Queryable,
  runTransaction,
  STATEMENT_TIMEOUT_MS,
  type Tx,
  withClient,
} from './transaction.ts'

export type { Queryable, Tx }

export type Database = Queryable & {
  readonly pool: pg.Pool
  /** Set `statementTimeoutMs` for long work, such as an audit of millions of rows. */
  transaction<T>(work: (tx: Tx) => Promise<T>, limits?: { statementTimeoutMs: number }): Promise<T>
  close(): Promise<void>
}

export type DatabaseOptions = {
  readonly url: string
  readonly poolSize: number
  readonly poolTimeoutMs: number
  /** How PostgreSQL lists the connections. */
  readonly applicationName?: string | undefined
  readonly isDistributed?: boolean
  readonly onRetry?: (code: string) => void
  readonly onIdleError?: (error: Error) => void
}

// With this setting, Citus changes several shards over one connection per worker instead of one per shard.
const CITUS_SETTINGS = ' -c citus.multi_shard_modify_mode=sequential'

/** Detects a broken idle connection within seconds instead of two hours. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** Shows that the server got the options of the session. A pooler can drop them, and options in the URL replace them. */
export const SESSION_MARK = '-c florin.session=on'

/** For queries before a pool is open. Errors are those of the driver. */
export async function withConnection<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    // No timeout, even if the role has one.
    options: '-c statement_timeout=0',
  })
  // Without a listener, a connection that breaks later would crash the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** `settings` are options of the server, such as ` -c jit=off`. */
export function openPool(options: DatabaseOptions, settings: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: withoutName(options.url),
    max: options.poolSize,
    connectionTimeoutMillis: options.poolTimeoutMs,
    idleTimeoutMillis: 0,
    ...KEEP_ALIVE,
    application_name: options.applicationName ?? 'florin',
    // lock_timeout: a store whose lock is stuck must not block the others. No statement_timeout, even if the role
    // has one: it could cancel a COMMIT that waits for a standby. datestyle: the driver reads only ISO times.
    options:
      `${SESSION_MARK} -c lock_timeout=2000 -c statement_timeout=0 -c idle_in_transaction_session_timeout=60000` +
      ` -c timezone=UTC -c datestyle=ISO${settings}`,
    ...ON_CONNECT,
  })
  pool.on('error', (error) => options.onIdleError?.(error))
  return pool
}

/** A name in the URL would replace that of the pool, by which `florin rotate-key` finds running processes and commands. */
const withoutName = (url: string) => url.replace(/([?&])application_name=[^&]*/g, '$1')

export function openDatabase(options: DatabaseOptions): Database {
  const isDistributed = options.isDistributed ?? false
  const pool = openPool(options, isDistributed ? CITUS_SETTINGS : '')
  return {
    pool,
    isDistributed,
    query: async <Row>(text: string, values?: readonly unknown[]) =>
      withClient(pool, async (client) => {
        const { rows } = await createPipeline(client, STATEMENT_TIMEOUT_MS).send(text, values)
        return rows as Row[]
      }),
    transaction: (work, limits) =>
      runTransaction(
        {
          pool,
          isDistributed,
          statementTimeoutMs: limits?.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
          onRetry: options.onRetry,
        },
        work,
      ),
    close: () => pool.end(),
  }
}

/**
 * Refuses a standby, for reads as well: after a failover, the old address may lead to one whose data is stale or will be undone.
 * Makes COMMIT wait for the disk, even if the server has another default, because a response must be durable. Refuses a pooler that
 * drops the options of the session: it may change connections between transactions, and then settings and prepared statements
 * are lost.
 */
export async function prepareConnection(client: pg.ClientBase): Promise<void> {
  const pipeline = createPipeline(client, STATEMENT_TIMEOUT_MS)
  const { rows } = await pipeline.send(
    `select pg_is_in_recovery() as is_standby,
       coalesce(current_setting('florin.session', true), '') = 'on' as has_options,
       case when current_setting('synchronous_commit') = 'off'
         then set_config('synchronous_commit', 'on', false) end`,
  )
  const { is_standby, has_options } = rows[0] as { is_standby: boolean; has_options: boolean }
  if (!is_standby && has_options) return
  endConnection(client)
  throw new DatabaseUnavailable(
    is_standby ? new UnusableServer(STANDBY) : new SettingsIgnored(NO_OPTIONS),
  )
}
const STANDBY = 'this server is a read-only standby'
const NO_OPTIONS =
  'the settings of the session have no effect. Connect to PostgreSQL directly instead of through a pooler, and remove "options" from the URL'

// Not written inline: the pool awaits the promise, but the type of `onConnect` declares none.
const ON_CONNECT = { onConnect: prepareConnection }
