import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  distributeTables,
  isDistributed,
  isFullyDistributed,
  refuseSlowRecovery,
  statementsOf,
} from './citus/distribute.ts'
import { prepareConnection, type Queryable, SESSION_MARK } from './database.ts'
import { isLockTimeout, sqlState } from './errors.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

// An arbitrary number. Only one process at a time may migrate a database.
const MIGRATION_LOCK = 7_036_402_511n

/**
 * Less than the lock timeout of a request, but more than the default `deadlock_timeout`. Only after that does PostgreSQL cancel an
 * autovacuum that holds the lock, and an autovacuum can take hours.
 */
const MAX_LOCK_WAIT_MS = 1_500
const RETRY_PAUSE_MS = 5_000
const LONG_MIGRATION_MS = 5_000

/** This version of Florin can't use the database. The message says what to do. */
export class SchemaError extends Error {}

type Migration = { readonly name: string; readonly sql: string; readonly checksum: string }

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{3}_.*\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, FOLDER), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Applies pending migrations. Several processes may call it at the same time: one works, the others wait for its
 * lock and then find nothing to do. Each migration commits together with its record, and is retried until it gets the locks of
 * its tables. On Citus it also distributes new tables. `distribute` distributes the tables of a database for the first time.
 */
export async function migrate(
  url: string,
  {
    distribute = false,
    retryPauseMs = RETRY_PAUSE_MS,
    longMigrationMs = LONG_MIGRATION_MS,
    print = () => {},
  }: {
    distribute?: boolean
    retryPauseMs?: number
    longMigrationMs?: number
    print?: (line: string) => void
  } = {},
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    // No timeouts, even if the role has them: another process may be migrating, and a large table takes time. Citus
    // can't change reference tables and distributed tables in one transaction in parallel mode.
    options: `${SESSION_MARK} -c lock_timeout=0 -c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c citus.multi_shard_modify_mode=sequential`,
  })
  // Without a listener, a connection that breaks later would crash the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await prepareConnection(client)
    if (distribute) await refuseSlowRecovery(client)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(
      `create table if not exists schema_migration (
         name       text primary key,
         checksum   text not null,
         applied_at timestamptz not null default now()
       )`,
    )
    const pending = await pendingMigrations({
      query: async <Row>(text: string) => (await client.query(text)).rows as Row[],
    })
    for (const migration of pending) {
      const apply = async () => {
        const printRunning = () =>
          print(`Migration ${migration.name} is running. With many payments it can take minutes…`)
        const timer = setTimeout(printRunning, longMigrationMs)
        return tryToApply(client, migration).finally(() => clearTimeout(timer))
      }
      for (let attempt = 1; !(await apply()); attempt++) {
        if (attempt === 1) {
          print(
            `Migration ${migration.name} waits for another transaction, such as a dump or an audit…`,
          )
        }
        await sleep(retryPauseMs)
      }
    }
    // Without statistics, prepared statements would keep poor plans.
    if (pending.length > 0) await client.query('analyze')
    if (distribute || ((await isDistributed(client)) && !(await isFullyDistributed(client))))
      await distributeTables(client)
  } finally {
    await client.end()
  }
}

/**
 * False if another transaction holds a lock that the migration needs, such as that of a dump or an audit, which can take hours.
 * Requests wait behind a migration that waits, so it must not wait for long.
 */
async function tryToApply(client: pg.Client, { name, sql, checksum }: Migration): Promise<boolean> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${MAX_LOCK_WAIT_MS}`)
    // Send statements one by one, because Citus forwards each query as it was sent.
    for (const statement of statementsOf(sql)) await client.query(statement)
  } catch (error) {
    const isDeadlock = sqlState(error) === '40P01'
    if (!isLockTimeout(error) && !isDeadlock) throw error
    await client.query('rollback')
    return false
  }
  const values = [name, checksum]
  await client.query('insert into schema_migration (name, checksum) values ($1, $2)', values)
  await client.query('commit')
  return true
}

/** The migrations that are not applied yet. Throws a `SchemaError` if this version can't migrate the database. */
export async function pendingMigrations(on: Pick<Queryable, 'query'>): Promise<Migration[]> {
  const files = await readMigrations()
  const rows = await on.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration order by name',
  )
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  for (const [name, checksum] of applied) {
    const migration = files.find((candidate) => candidate.name === name)
    if (!migration) {
      throw new SchemaError(
        `The database has migration ${name}, which this version of Florin doesn't know. Start a newer version.`,
      )
    }
    if (migration.checksum !== checksum) {
      throw new SchemaError(`Migration ${name} was changed after it was applied. Restore the file.`)
    }
  }
  return files.filter((migration) => !applied.has(migration.name))
}

type SchemaState = 'current' | 'empty' | 'older'

let migrationNames: Promise<string[]> | undefined

/** Compares the database with this version. A newer database counts as current; `pendingMigrations` refuses it. */
export async function schemaState(on: Queryable): Promise<SchemaState> {
  migrationNames ??= readMigrations().then((migrations) => migrations.map(({ name }) => name))
  const [table] = await on.query<{ isCreated: boolean }>(
    `select to_regclass('schema_migration') is not null as "isCreated"`,
  )
  if (!table!.isCreated) return 'empty'
  const [row] = await on.query<{ applied: number }>(
    'select count(*)::int as applied from schema_migration where name = any($1)',
    [await migrationNames],
  )
  return row!.applied === (await migrationNames).length ? 'current' : 'older'
}
