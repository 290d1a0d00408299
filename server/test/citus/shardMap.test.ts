import { afterAll, beforeAll, expect, it } from 'vitest'
import { createShardMap, hashInt4, textOn } from '../../src/database/citus/shardMap.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { createTestDatabase, type TestDatabase } from '../setup/testDatabase.ts'

let testDatabase: TestDatabase
let database: Database
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ url: testDatabase.url, poolSize: 2, poolTimeoutMs: 5_000 })
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

it('computes the hash of PostgreSQL, by which Citus chooses shards', async () => {
  const rows = await database.query<{ id: number; hash: number }>(
    `select id, hashint4(id) as hash
     from (select generate_series(-50, 1000) union values (2147483647), (-2147483648)) as v (id)`,
  )
  expect(rows.length).toBe(1_053)
  expect(rows.filter(({ id, hash }) => hashInt4(id) !== hash)).toEqual([])
})

it('finds the shard and the worker of stores and wallets, and follows a shard that moves', async () => {
  await database.query(
    `create table pg_dist_partition (logicalrelid regclass, partmethod "char", partkey text)`,
  )
  await database.query(
    'create table pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text)',
  )
  await database.query('create table pg_dist_placement (shardid bigint, groupid int)')
  await database.query(
    'create table pg_dist_node (groupid int, nodename text, nodeport int, noderole text)',
  )
  await database.query(
    `create function column_to_column_name(regclass, text) returns text language sql as 'select $2'`,
  )
  await database.query(
    `insert into pg_dist_partition values
       ('payment', 'h', 'store_id'), ('event', 'h', 'store_id'), ('wallet', 'h', 'wallet_id'), ('store', 'n', null)`,
  )
  await database.query(
    `insert into pg_dist_shard values
       ('payment', 1, '-2147483648'), ('payment', 2, '0'), ('wallet', 3, '-2147483648'),
       ('event', 4, '-2147483648'), ('event', 5, '0'), ('store', 6, null)`,
  )
  await database.query(
    'insert into pg_dist_placement values (1, 10), (2, 20), (3, 10), (4, 10), (5, 20), (6, 10)',
  )
  await database.query(
    `insert into pg_dist_node values
       (10, 'a', 1, 'primary'), (20, 'b', 2, 'primary'), (20, 'c', 3, 'secondary'), (30, 'd', 4, 'primary')`,
  )
  const map = createShardMap(database)
  expect([map.workerOfStore(1), map.isKnown()]).toEqual(['', false])
  await map.renew()
  expect(map.isKnown()).toBe(true)
  expect(map.workers()).toEqual([
    { id: '10', host: 'a', port: 1 },
    { id: '20', host: 'b', port: 2 },
  ])
  const stores = Array.from({ length: 100 }, (_, id) => id)
  const negative = stores.filter((id) => hashInt4(id) < 0)
  expect(negative.length).toBeGreaterThan(20)
  expect(stores.filter((id) => map.workerOfStore(id) === '10')).toEqual(negative)
  expect(new Set(stores.map((id) => map.workerOfWallet(id)))).toEqual(new Set(['10']))
  const text = 'select * from event where store_id = $1'
  expect(textOn(map.shardOf('store', negative[0]!)!, text)).toContain('from event_4 where')
  await database.query('update pg_dist_placement set groupid = 30 where shardid in (1, 4)')
  await map.renew()
  expect(map.shardOf('store', negative[0]!)!.worker).toEqual({ id: '30', host: 'd', port: 4 })
})
