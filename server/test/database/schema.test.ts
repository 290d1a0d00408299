import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { createTestDatabase, type TestDatabase } from '../setup/testDatabase.ts'

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  database = openDatabase({ url: test.url, poolSize: 2, poolTimeoutMs: 5_000 })
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

/** The schema that results from the migrations, as readable text. */
async function describeSchema(): Promise<string> {
  const columns = await database.query<{ table: string; line: string }>(
    `select c.relname as table,
       format('  %-22s %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
         case when a.attcollation <> t.typcollation then ' collate ' || quote_ident(l.collname) else '' end,
         case when a.attnotnull then ' not null' else '' end,
         coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')) as line
     from pg_attribute a
     join pg_class c on c.oid = a.attrelid
     join pg_type t on t.oid = a.atttypid
     left join pg_collation l on l.oid = a.attcollation
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
     order by c.relname, a.attnum`,
  )
  const constraints = await database.query<{ table: string; line: string }>(
    `select conrelid::regclass::text as table, '  ' || pg_get_constraintdef(oid) as line
     from pg_constraint
     where connamespace = 'public'::regnamespace and contype <> 'n'
     order by 1, contype desc, 2`,
  )
  const indexes = await database.query<{ table: string; line: string }>(
    `select i.tablename as table,
       case when i.indexdef like 'CREATE UNIQUE %' then '  unique index ' else '  index ' end
         || substring(i.indexdef from 'USING .*') as line
     from pg_indexes i
     where i.schemaname = 'public'
       and not exists (select 1 from pg_constraint c where c.conname = i.indexname)
     order by 1, 2`,
  )
  const tables = [...new Set(columns.map((row) => row.table))]
  const linesOf = (rows: { table: string; line: string }[], table: string) =>
    rows.filter((row) => row.table === table).map((row) => row.line.trimEnd())
  return tables
    .map((table) =>
      [
        table,
        ...linesOf(columns, table),
        ...linesOf(constraints, table),
        ...linesOf(indexes, table),
        '',
      ].join('\n'),
    )
    .join('\n')
}

it('the migrations produce the reviewed schema', async () => {
  await expect(await describeSchema()).toMatchFileSnapshot('../../migrations/schema.txt')
})

it('no index contains the status of a payment, so a status change updates none', async () => {
  const rows = await database.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where tablename = 'payment'`,
  )
  expect(rows.length).toBeGreaterThan(3)
  expect(rows.filter((row) => row.indexdef.includes('status'))).toEqual([])
})

it('no table has triggers, and payments have no foreign keys', async () => {
  const triggers = await database.query(`select tgname from pg_trigger where not tgisinternal`)
  expect(triggers).toEqual([])
  const foreignKeys = await database.query(
    `select conname from pg_constraint where contype = 'f' and conrelid = 'payment'::regclass`,
  )
  expect(foreignKeys).toEqual([])
})
