import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { isSpread, isSpreadWhole, spreadTables, statementsOf } from './citus/distribute.ts'
import type { Queryable } from './database.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

// Any number that nobody else uses; every process that migrates this database waits for it.
const MIGRATION_LOCK = 7_036_402_511n

export type Migration = { readonly name: string; readonly sql: string; readonly checksum: string }

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
 * Brings a database up to date. Several processes may call it at once: one works, the others wait
 * for its lock and then find nothing left to do. Each migration commits together with its record. New tables of
 * a cluster are put where they belong; `spread` makes one of a database that is not.
 */
export async function migrate(url: string, { spread = false } = {}): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    // Who waits for another that migrates waits as long as it takes, whatever the role is told. On a cluster, tables
    // that every machine has whole cannot be changed beside others at the same time.
    options: '-c lock_timeout=0 -c citus.multi_shard_modify_mode=sequential',
  })
  // Without a listener a connection that breaks later would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
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
      await client.query('begin')
      // One by one, because a cluster passes on each as it was sent.
      for (const statement of statementsOf(migration.sql)) await client.query(statement)
      await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [
        migration.name,
        migration.checksum,
      ])
      await client.query('commit')
    }
    // Statements that are planned while tables have no statistics keep poor plans.
    if (pending.length > 0) await client.query('analyze')
    if (spread || ((await isSpread(client)) && !(await isSpreadWhole(client))))
      await spreadTables(client)
  } finally {
    await client.end()
  }
}

/** What is still to be applied. Fails where the database is not one that this version can bring on. */
export async function pendingMigrations(on: Pick<Queryable, 'query'>): Promise<Migration[]> {
  const files = await readMigrations()
  const rows = await on.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration order by name',
  )
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  for (const [name, checksum] of applied) {
    const migration = files.find((candidate) => candidate.name === name)
    if (!migration) {
      throw new Error(
        `The database has migration ${name}, which this version of Florin does not know. Start the newer version.`,
      )
    }
    if (migration.checksum !== checksum) {
      throw new Error(`Migration ${name} was changed after it had been applied. Restore the file.`)
    }
  }
  return files.filter((migration) => !applied.has(migration.name))
}

let known: Promise<Migration[]> | undefined

export type SchemaState = 'current' | 'empty' | 'older'

/** How the database stands to this version: what /ready asks, and the command line before it acts. */
export async function schemaState(on: Queryable): Promise<SchemaState> {
  known ??= readMigrations()
  const names = (await known).map((migration) => migration.name)
  const [table] = await on.query<{ exists: boolean }>(
    `select to_regclass('schema_migration') is not null as exists`,
  )
  if (!table!.exists) return 'empty'
  const [row] = await on.query<{ applied: number }>(
    'select count(*)::int as applied from schema_migration where name = any($1)',
    [names],
  )
  return row!.applied === names.length ? 'current' : 'older'
}
