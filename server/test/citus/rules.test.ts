import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placementsOf, readDistributionSql } from '../../src/database/citus/distribute.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { createTestDatabase, type TestDatabase } from '../setup/testDatabase.ts'
import { asDistributed, checkStatement } from './checkStatement.ts'
import { readTables, type Tables } from './tables.ts'
import { type FunctionVolatility, readFunctions } from './volatility.ts'

let test: TestDatabase
let database: Database
let tables: Tables
let functions: FunctionVolatility
beforeAll(async () => {
  test = await createTestDatabase()
  database = openDatabase({ url: test.url, poolSize: 1, poolTimeoutMs: 5_000 })
  tables = await readTables()
  functions = await readFunctions(database)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const BATCH = 'unnest($1::int[], $2::text[]) as v (store_id, payment_id)'

describe('a statement is refused', () => {
  it.each([
    [
      'for update over several shards',
      `select 1 from payment where status = 'pending' for update skip locked`,
    ],
    [
      'a join of tables that are not colocated',
      'select 1 from payment p join wallet w on w.wallet_id = p.wallet_id where p.store_id = any($1)',
    ],
    [
      'a join of tables that are not colocated',
      'select 1 from payment p join event e on e.payment_id = p.payment_id',
    ],
    [
      'a join of a local table with a distributed one',
      'select 1 from audit_log a join store s on s.name = a.subject',
    ],
    [
      'an outer join that preserves a reference table',
      'select 1 from store s left join payment p on p.store_id = s.store_id',
    ],
    [
      'an outer join that preserves a reference table',
      `select 1 from ${BATCH} left join payment p on p.store_id = v.store_id and p.store_id = any($1)`,
    ],
    [
      'a correlated subquery with a limit or an aggregate',
      `select a.* from ${BATCH} cross join lateral (
         select * from delivery_attempt a where a.store_id = v.store_id order by at desc limit 1) a`,
    ],
    [
      'a correlated subquery over other shards',
      `select 1 from delivery d where exists (
         select 1 from event e where e.payment_id = d.payment_id and e.sequence = d.sequence)`,
    ],
    [
      'a subquery in the select list',
      'select (select count(*) from event e where e.store_id = p.store_id) from payment p',
    ],
    ['a window over several shards', 'select rank() over (order by gross) from payment'],
    ['grouping sets over several shards', 'select count(*) from payment group by rollup (mode)'],
    [
      'an aggregate that needs all rows in one place',
      'select (array_agg(last_error order by due_at))[1] from delivery group by host',
    ],
    [
      'a recursive query',
      'with recursive r as (select 1 from payment union all select 1 from r) select 1 from r',
    ],
    [
      'an insert without a known value for the distribution column',
      `insert into usage (mode, period, starts, used) values ('live', 'day', $1, 0)`,
    ],
    [
      'an upsert from a select',
      `insert into usage (store_id, mode, period, starts, used)
       select v.store_id, 'live', 'day', $3::date, 0 from ${BATCH} on conflict do nothing`,
    ],
    [
      'an insert from a distributed table into another one',
      'insert into event (store_id, payment_id) select store_id, payment_id from payment',
    ],
    [
      'a subquery in the values of an insert',
      `insert into store_balance (store_id, mode, balance) values ($1, 'live', (select 0))`,
    ],
    [
      'an update that moves a row to another shard',
      'update payment set store_id = $2 where store_id = $1',
    ],
    [
      'a bare element of an array as the new value, which crashes the coordinator',
      `update payment p set status = ($3::text[])[array_position($2::text[], p.payment_id)]
       where p.store_id = any($1)`,
    ],
    [
      'a write with a volatile expression',
      'update payment set settled_at = clock_timestamp() where store_id = $1',
    ],
    [
      'a write with a stable function of a column',
      `update delivery d set due_at = now() + d.attempts * interval '1 second' where d.store_id = $1`,
    ],
    [
      'a write with a stable function of a column',
      `update delivery d set last_error = 'status ' || d.attempts where d.store_id = $1`,
    ],
    [
      'a write with a stable expression inside case or coalesce',
      'update delivery set due_at = coalesce(due_at, now()) where store_id = $1',
    ],
    [
      'a stable or volatile expression in returning',
      'update payment set donation = 0 where store_id = $1 returning usage_day::text',
    ],
    [
      'a stable or volatile expression in returning',
      'delete from delivery where store_id = $1 returning extract(epoch from created_at)',
    ],
    [
      'a limit on a reference table without a deterministic order',
      'delete from retention where store_id in (select store_id from retention limit 5)',
    ],
    [
      'a limit on a reference table without a deterministic order',
      'delete from retention where store_id in (select store_id from retention order by emptied_until limit 5)',
    ],
    ['a lock_timeout that does not reach the workers', `set local lock_timeout = '1s'`],
  ])('%s', async (problem, sql) => {
    expect((await checkStatement(sql, tables, functions)).problems).toContain(problem)
  })
})

describe('a statement is routed', () => {
  it.each([
    ['one shard', 'select 1 from payment where store_id = $1 and payment_id = $2 for update'],
    [
      'one shard',
      `select 1 from event e left join delivery d on d.store_id = e.store_id
       where e.store_id = $1 and e.mode = $2`,
    ],
    [
      'one shard',
      `select 1 from event e cross join lateral (
         select gross from payment where store_id = $1 and payment_id = e.payment_id limit 1) p
       where e.store_id = $1`,
    ],
    [
      'shards of the batch',
      `select 1 from ${BATCH} join payment p on p.store_id = v.store_id /* distributed: and p.store_id = any($1) */`,
    ],
    [
      'shards of the batch',
      `update delivery d set lease = null
       from ${BATCH} join event e on e.store_id = v.store_id
       where d.store_id = v.store_id and d.store_id = any($1) and e.store_id = any($1)
       returning d.store_id, e.body, extract(epoch from d.created_at at time zone 'UTC')`,
    ],
    [
      'shards of the batch',
      `insert into event (store_id, payment_id) select v.store_id, v.payment_id from ${BATCH}`,
    ],
    ['every shard', `select 1 from ${BATCH} join payment p on p.store_id = v.store_id`],
    [
      'every shard',
      `select 1 from ${BATCH} join payment p on p.store_id = v.store_id
         and (p.store_id = any($1) or p.gross = ($1::int[])[1])`,
    ],
    [
      'every shard',
      `select 1 from delivery d where d.due_at <= now() and not (d.sequence > 1 and exists (
         select 1 from delivery b where b.store_id = d.store_id and b.sequence < d.sequence)) limit 5`,
    ],
    ['every shard', 'select 1 from wallet_transfer t left join store s on s.store_id = t.store_id'],
    ['every copy', 'select 1 from credential c join store s on s.store_id = c.store_id'],
    ['coordinator', 'select 1 from person_session s join person p on p.person_id = s.person_id'],
    ['coordinator', 'select pg_advisory_xact_lock($1, 0), clock_timestamp() as at'],
    [
      'coordinator',
      `insert into sign_in_guard as g (subject, failures, last_at) values ($1, 0, now())
       on conflict (subject) do update set last_at = g.last_at returning clock_timestamp()`,
    ],
  ])('to %s, without a problem', async (place, sql) => {
    expect(await checkStatement(asDistributed(sql), tables, functions)).toEqual({
      place,
      problems: [],
    })
  })
})

describe('the tables', () => {
  it('all have a placement, and every placement has a table', async () => {
    const rows = await database.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    )
    const placed = placementsOf((await readDistributionSql()).text)
    expect([...placed.keys()].sort()).toEqual(rows.map(({ name }) => name).sort())
  })

  it('that are distributed have unique keys only with their distribution column', async () => {
    const rows = await database.query<{ table: string; columns: string[]; definition: string }>(
      `select c.relname as table, pg_get_indexdef(i.indexrelid) as definition,
         array(select a.attname::text from pg_attribute a
               where a.attrelid = c.oid and a.attnum = any(i.indkey)) as columns
       from pg_index i
       join pg_class c on c.oid = i.indrelid
       where c.relnamespace = 'public'::regnamespace and i.indisunique`,
    )
    const wrong = rows.filter(({ table, columns }) => {
      const placement = tables.get(table)!.placement
      return placement.kind === 'distributed' && !columns.includes(placement.column)
    })
    expect(rows.length).toBeGreaterThan(20)
    expect(wrong).toEqual([])
  })

  it('that are distributed or reference tables have no identity columns, and distributed ones no foreign keys', async () => {
    const identities = await database.query<{ table: string }>(
      `select c.relname as table
       from pg_attribute a
       join pg_class c on c.oid = a.attrelid
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
       where c.relnamespace = 'public'::regnamespace
         and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval%')
       order by 1`,
    )
    const kindOf = (table: string) => tables.get(table)!.placement.kind
    expect(identities.map(({ table }) => [table, kindOf(table)])).toEqual([
      ['audit_log', 'coordinator'],
      ['security_event', 'coordinator'],
    ])
    const foreignKeys = await database.query<{ table: string; other: string }>(
      `select conrelid::regclass::text as table, confrelid::regclass::text as other
       from pg_constraint
       where contype = 'f'`,
    )
    expect(foreignKeys.length).toBeGreaterThan(3)
    const ofOneKind = foreignKeys.filter(({ table, other }) => kindOf(table) === kindOf(other))
    expect(ofOneKind.map(({ table }) => kindOf(table))).not.toContain('distributed')
    // `florin migrate --citus` drops this foreign key.
    expect(foreignKeys.filter((key) => !ofOneKind.includes(key))).toEqual([
      { table: 'person', other: 'store' },
    ])
  })
})
