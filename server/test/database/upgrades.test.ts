import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { hashToken } from '../../src/core/ids.ts'
import { statementsOf } from '../../src/database/citus/distribute.ts'
import { migrate, readMigrations } from '../../src/database/migrate.ts'
import { open } from '../../src/open.ts'
import { explainStartError } from '../../src/startErrors.ts'
import { createEmptyDatabase, type TestDatabase } from '../setup/testDatabase.ts'

let testDatabase: TestDatabase
let client: pg.Client
beforeEach(async () => {
  testDatabase = await createEmptyDatabase()
  client = new pg.Client({ connectionString: testDatabase.url })
  await client.connect()
  // A timeout of the database or the role must not end a migration.
  const name = new URL(testDatabase.url).pathname.slice(1)
  await client.query(`alter database "${name}" set statement_timeout = 1`)
})
afterEach(async () => {
  await client.end()
  await testDatabase.drop()
})

/** Applies the migrations with names below `end`, as an earlier version did. */
async function migrateBefore(end: string): Promise<void> {
  await client.query(
    `create table schema_migration (
       name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
  )
  for (const { name, sql, checksum } of await readMigrations()) {
    if (name >= end) continue
    for (const statement of statementsOf(sql)) await client.query(statement)
    await client.query('insert into schema_migration values ($1, $2)', [name, checksum])
  }
}

async function insertOperator(id: string, email: string, isDisabled = false): Promise<void> {
  await client.query(
    `insert into operator values ($1, $2, 'Name', 'hash', now(), case when $3 then now() end)`,
    [id, email, isDisabled],
  )
}

/** A token as an earlier version wrote it, `days` ago. Without an actor it is not in the audit log. */
async function insertToken(
  secret: string,
  { label, actor, requestId = 'r', days = 1 }: Record<string, string | number | null | undefined>,
): Promise<void> {
  const at = `now() - interval '${days} days'`
  await client.query(
    `insert into operator_token (token_hash, label, created_at) values ($1, $2, ${at})`,
    [hashToken(secret), label],
  )
  if (actor === undefined) return
  await client.query(
    `insert into audit_log (at, actor, action, subject, after, request_id, act_id)
     values (${at} + interval '2 milliseconds', $1, 'operator.issue', $2, null, $3, gen_random_uuid())`,
    [actor, `operator:${label}`, requestId],
  )
}

it('operators become admins, and tokens belong to the operator that created them', async () => {
  await migrateBefore('015')
  await insertOperator('opr_1', 'ada@florin.example')
  await insertOperator('opr_2', 'bo@florin.example', true)
  const ada = 'ada@florin.example (operator)'
  await insertToken('flo_ada', { label: 'script', actor: ada, days: 3 })
  await insertToken('flo_bo', { label: 'script', actor: 'bo@florin.example (operator)', days: 2 })
  await insertToken('flo_shell', { label: 'cron', actor: 'root (command line)' })
  await insertToken('flo_demo', { label: 'demo', actor: 'demo', requestId: null })
  await insertToken('flo_fake', { label: 'like demo', actor: 'demo' })
  await insertToken('flo_token', { label: 'made by a token', actor: 'script' })
  await insertToken('flo_old', { label: 'not in the log' })
  await insertToken('flo_revoked', { label: 'revoked', actor: ada })
  await client.query(`update operator_token set revoked_at = now() where label = 'revoked'`)

  await migrate(testDatabase.url)

  const operators = await client.query('select operator_id, role from operator order by 1')
  expect(operators.rows).toEqual([
    { operator_id: 'opr_1', role: 'admin' },
    { operator_id: 'opr_2', role: 'admin' },
  ])
  const { rows } = await client.query<Record<string, unknown>>(
    `select token_hash, token_id, label, operator_id, owner_name, scopes, upgraded, last_used_at,
       revoked_at is null as is_active, round(extract(epoch from expires_at - now()) / 86400) as days
     from operator_token`,
  )
  const ownerOf = (secret: string) => {
    const row = rows.find(({ token_hash: hash }) => hashToken(secret).equals(hash as Buffer))!
    expect(row).toMatchObject({ scopes: ['admin'], upgraded: true, last_used_at: null, days: '90' })
    expect(row.token_id).toMatch(/^tok_0{10}[0-9a-f]{16}$/)
    return [row.label, row.operator_id, row.owner_name, row.is_active]
  }
  expect(rows).toHaveLength(8)
  expect(new Set(rows.map(({ token_id: id }) => id)).size).toBe(8)
  expect(ownerOf('flo_ada')).toEqual(['script', 'opr_1', null, true])
  expect(ownerOf('flo_bo')).toEqual(['script', 'opr_2', null, true])
  expect(ownerOf('flo_shell')).toEqual(['cron', null, 'command line', true])
  expect(ownerOf('flo_demo')).toEqual(['demo', null, 'demo', true])
  expect(ownerOf('flo_fake')).toEqual(['like demo', null, 'unknown', true])
  expect(ownerOf('flo_token')).toEqual(['made by a token', null, 'unknown', true])
  expect(ownerOf('flo_old')).toEqual(['not in the log', null, 'unknown', true])
  expect(ownerOf('flo_revoked')).toEqual(['revoked', 'opr_1', null, false])
  const leftovers = await client.query(
    `select 1 from pg_class where relname in ('token_before', 'operator_before')`,
  )
  expect(leftovers.rows).toEqual([])
})

it('old payments get the words of their texts for the search, and payments without texts get none', async () => {
  await migrateBefore('021')
  await client.query(
    `insert into payment (
       store_id, mode, payment_id, qr_number, status, gross, fee, currency, request_amount, request_currency,
       conversion_rate, client, reference_id, created_at, expires_at, usage_day, usage_month)
     select 12, 'live', v.id, v.qr_number, 'pending', 500, 0, 'USD', 500, 'USD', 1000000, v.client::json,
       v.reference_id, now(), now() + interval '1 hour', current_date, current_date
     from (values
       ('pay_1', 1, '{"name":"José Núñez","email":"jn@example.com","phone":"20 30"}', 'A-17'),
       ('pay_2', 2, null, null)) as v (id, qr_number, client, reference_id)`,
  )
  // Payments can be read while the migration waits for a long transaction, such as a dump.
  const dump = new pg.Client({
    connectionString: testDatabase.url,
    options: '-c statement_timeout=0',
  })
  await dump.connect()
  await dump.query('begin; lock table payment in access share mode')
  const print = vi.fn()
  const migrating = migrate(testDatabase.url, { retryPauseMs: 100, print })
  const waiting = `select from pg_locks where relation = 'payment'::regclass and not granted`
  await vi.waitFor(async () => expect((await client.query(waiting)).rowCount).toBe(1), 20_000)
  await client.query(`set lock_timeout = 2000; select from payment`)
  await vi.waitFor(() => expect(print).toHaveBeenCalled(), 20_000)
  // The migration waits until PostgreSQL looks for deadlocks, because then it also cancels an autovacuum.
  const { rows: locks } = await client.query(
    `select classid::bigint << 32 | objid::bigint as key
     from pg_locks
     where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
  )
  await dump.query(`set deadlock_timeout = '1h'`)
  const { rows: own } = await dump.query('select pg_backend_pid() as pid')
  const crossing = dump.query('select pg_advisory_lock($1)', [locks[0].key])
  crossing.catch(() => {})
  const deadlocks =
    'select deadlocks > 0 as any from pg_stat_database where datname = current_database()'
  await vi.waitFor(
    async () => expect((await client.query(deadlocks)).rows).toEqual([{ any: true }]),
    20_000,
  )
  // Only this backend: other test files share the server.
  await client.query('select pg_cancel_backend($1)', [own[0].pid])
  await expect(crossing).rejects.toThrow('canceling statement')
  await dump.end()
  await migrating
  expect(print.mock.calls).toEqual([[expect.stringContaining('waits for another transaction')]])
  const { rows } = await client.query('select payment_id, words from payment order by payment_id')
  expect(rows).toEqual([
    { payment_id: 'pay_1', words: '17 20 2030 30 a com example jn jose nunez' },
    { payment_id: 'pay_2', words: null },
  ])
})

it('a migration that takes long is named while it runs', async () => {
  const print = vi.fn()
  await migrate(testDatabase.url, { longMigrationMs: 0, print })
  expect(print).toHaveBeenCalledWith(
    'Migration 001_service.sql is running. With many payments it can take minutes…',
  )
})

it('a database with tables of another program is refused, with a message that says what to do', async () => {
  await client.query('create table store (id text primary key)')
  const error = await migrate(testDatabase.url).catch((reason) => reason)
  expect(explainStartError(error, {})).toBe(
    'DATABASE_URL: relation "store" already exists. Florin did not create it. Rename it, or use a database for Florin alone.',
  )
})

it('a database of a newer version is refused, with a message that says what to do', async () => {
  await migrate(testDatabase.url)
  await client.query(`insert into schema_migration values ('999_later.sql', 'checksum')`)
  const folder = await mkdtemp(join(tmpdir(), 'florin-older-'))
  const config = readConfig({ DATABASE_URL: testDatabase.url, FLORIN_DATA: folder })
  const log = pino({ level: 'silent' })
  const error = await open(config, { log, print: () => {}, upgrade: true }).catch(
    (reason) => reason,
  )
  expect(explainStartError(error, {})).toBe(
    "The database has migration 999_later.sql, which this version of Florin doesn't know. Start a newer version.",
  )
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})
