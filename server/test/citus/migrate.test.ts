import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  isDistributedAt,
  placementsOf,
  readDistributionSql,
  statementsOf,
} from '../../src/database/citus/distribute.ts'
import { migrate, readMigrations } from '../../src/database/migrate.ts'
import { CITUS_STAND_IN } from '../setup/citusStandIn.ts'
import { createDatabaseWithRole, type DatabaseWithRole } from '../setup/databaseWithRole.ts'

type DistributedTable = { name: string; partkey: string | null; colocated_with: string | null }

let cluster: DatabaseWithRole
let client: DatabaseWithRole['client']
let url: string
beforeEach(async () => {
  cluster = await createDatabaseWithRole()
  client = cluster.client
  url = cluster.url
})
afterEach(() => cluster.drop())

const distribute = () => migrate(url, { distribute: true })
const count = async (sql: string) =>
  Number((await client.query(`select count(*) from ${sql}`)).rows[0].count)
const countForeignKeys = () => count(`pg_constraint where contype = 'f'`)

it('refuses a database without Citus, a worker, and a coordinator without workers', async () => {
  await expect(distribute()).rejects.toThrow(
    /Citus is not installed in this database.*create extension citus/,
  )
  expect(await isDistributedAt(cluster.test.url)).toBe(false)

  await client.query(CITUS_STAND_IN)
  await client.query('update pg_dist_local_group set groupid = 1')
  await expect(distribute()).rejects.toThrow('DATABASE_URL must name its coordinator')
  await client.query('update pg_dist_local_group set groupid = 0')
  await client.query('update pg_dist_node set isactive = false')
  await expect(distribute()).rejects.toThrow('The coordinator has no workers')
  expect(await count('pg_dist_partition')).toBe(0)
})

it('distributes every table as in tables.sql, can run again, and drops only one foreign key', async () => {
  const keys = await countForeignKeys()
  await client.query(CITUS_STAND_IN)
  for (let times = 0; times < 2; times++) {
    await distribute()
    const { rows } = await client.query(
      'select logicalrelid::text as name, partkey, colocated_with from pg_dist_partition',
    )
    const expected = [
      ...placementsOf((await readDistributionSql()).text),
    ].flatMap<DistributedTable>(([name, placement]) => {
      if (placement.kind === 'coordinator') return []
      if (placement.kind !== 'distributed') return [{ name, partkey: null, colocated_with: null }]
      const colocated_with = placement.group === name ? 'none' : placement.group
      return [{ name, partkey: placement.column, colocated_with }]
    })
    expect(new Set(rows)).toEqual(new Set(expected))
    // People are on the coordinator and stores on every node, so this one foreign key is dropped.
    expect(await countForeignKeys()).toBe(keys - 1)
    expect(await count(`pg_constraint where conname = 'person_store_id_fkey'`)).toBe(0)
  }
  expect(await isDistributedAt(cluster.test.url)).toBe(true)
  const { rows } = await client.query(
    'select setconfig from pg_db_role_setting where setrole = $1::regrole',
    [cluster.role],
  )
  expect(rows.flatMap((row) => row.setconfig)).toContain('lock_timeout=2s')
})

it('continues where it was interrupted', async () => {
  const keys = await countForeignKeys()
  await client.query(CITUS_STAND_IN)
  await client.query(`insert into broken values ('event')`)
  await expect(distribute()).rejects.toThrow('the connection broke')
  const done = await count('pg_dist_partition')
  expect(done).toBeGreaterThan(3)
  await client.query('delete from broken')
  await distribute()
  expect(await count('pg_dist_partition')).toBeGreaterThan(done)
  expect(await countForeignKeys()).toBe(keys - 1)
})

it('every migration distributes what an interrupted upgrade left, and changes nothing else', async () => {
  const readForeignKeys = async () =>
    (
      await client.query(
        `select oid, conname from pg_constraint where contype = 'f' order by conname`,
      )
    ).rows
  await client.query(CITUS_STAND_IN)
  await distribute()
  const before = await readForeignKeys()
  await migrate(url)
  expect(await readForeignKeys()).toEqual(before)

  await client.query(`delete from pg_dist_partition where logicalrelid = 'retention'::regclass`)
  await client.query('alter table logo drop constraint logo_store_id_fkey')
  await migrate(url)
  expect(await count(`pg_dist_partition where logicalrelid = 'retention'::regclass`)).toBe(1)
  const after = await readForeignKeys()
  expect(after.map((key) => key.conname)).toEqual(before.map((key) => key.conname))
  const remade = after.filter((key, index) => key.oid !== before[index].oid)
  expect(remade.map((key) => key.conname)).toEqual(['logo_store_id_fkey'])
})

it('waits for another process that migrates, even if the role has a short lock timeout', async () => {
  await client.query(`alter role ${cluster.role} set lock_timeout = '100ms'`)
  await client.query('select pg_advisory_lock(7036402511)')
  const migrating = migrate(url)
  const inThisDatabase =
    'database = (select oid from pg_database where datname = current_database())'
  await expect.poll(() => count(`pg_locks where not granted and ${inThisDatabase}`)).toBe(1)
  // Longer than the lock timeout.
  await new Promise((resolve) => setTimeout(resolve, 300))
  await client.query('select pg_advisory_unlock(7036402511)')
  await expect(migrating).resolves.toBeUndefined()
})

// Changes of a distributed table that Citus refuses. It accepts a constraint with a name.
const REFUSED_CHANGES = [
  /\badd (column )?(if not exists )?(?!constraint\b)\w+ [^,;]*\b(check|references|unique|primary key)\b/i,
  /\badd (check|unique|primary key|foreign key)\b/i,
]
it('no migration since the first version with Citus contains a change that Citus refuses', async () => {
  const isRefused = (sql: string) =>
    /^alter table/i.test(sql) && REFUSED_CHANGES.some((rule) => rule.test(sql))
  const migrations = (await readMigrations()).filter((migration) => migration.name >= '009')
  expect(migrations.length).toBeGreaterThan(0)
  expect(migrations.flatMap((migration) => statementsOf(migration.sql)).filter(isRefused)).toEqual(
    [],
  )
  for (const bad of [
    `alter table store add column x text check (x <> '')`,
    'alter table payment add column y int references store',
    'alter table payment add check (gross > 0)',
  ]) {
    expect(isRefused(bad)).toBe(true)
  }
  expect(isRefused('alter table wallet add column erased_at timestamptz')).toBe(false)
  expect(isRefused('alter table payment add constraint paid check (gross > 0)')).toBe(false)
})

it('moves the accounts of an older cluster back to the coordinator', async () => {
  await client.query(CITUS_STAND_IN)
  await distribute()
  const keys = await countForeignKeys()
  const accountTables = [
    'person',
    'person_session',
    'operator',
    'operator_session',
    'operator_token',
    'totp',
  ]
  for (const table of accountTables) {
    await client.query(`insert into pg_dist_partition values ('${table}', 'n', null, null)`)
  }
  await migrate(url)
  expect(
    await count(`pg_dist_partition where logicalrelid::text = any('{${accountTables}}')`),
  ).toBe(0)
  expect(await countForeignKeys()).toBe(keys)
})

it('refuses a table that is distributed differently, and says how to undo it', async () => {
  await client.query(CITUS_STAND_IN)
  await client.query(`select create_distributed_table('payment', 'wallet_id')`)
  await expect(distribute()).rejects.toThrow(
    `Table payment is distributed by wallet_id, but must be distributed by store_id. Undo this first: select undistribute_table('payment')`,
  )
  expect(await count('pg_dist_partition')).toBe(1)
})

it('names the worker whose role has no lock timeout', async () => {
  await client.query(CITUS_STAND_IN)
  await client.query(`update worker_setting set report = '{"hasLockTimeout": false}'`)
  await expect(distribute()).rejects.toThrow(
    /^On worker-1:5432 the role \w+ does not have the lock timeout of 2s\. Run there: alter role \w+ set lock_timeout = '2s'$/,
  )
})

it('distinguishes an unreachable worker from one with another version', async () => {
  await client.query(CITUS_STAND_IN)
  await client.query(`update worker_setting set failure = 'failed to connect to worker-1:5432'`)
  await expect(distribute()).rejects.toThrow(
    'The worker worker-1:5432 does not respond: failed to connect to worker-1:5432',
  )
  await client.query(`update worker_setting set failure = null, report = '{"citus": "12.1-1"}'`)
  await expect(distribute()).rejects.toThrow(
    /^worker-1:5432 has Citus 12\.1-1, but the coordinator/,
  )
})

it.each(['1min', '-1'])('refuses citus.recover_2pc_interval = %s', async (value) => {
  await client.query(CITUS_STAND_IN)
  await client.query(`alter role ${cluster.role} set citus.recover_2pc_interval = '${value}'`)
  await expect(distribute()).rejects.toThrow(
    `Run on the coordinator as a superuser: alter system set citus.recover_2pc_interval = '5s'`,
  )
  expect(await count('pg_dist_partition')).toBe(0)
})
