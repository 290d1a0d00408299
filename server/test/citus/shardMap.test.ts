import { afterAll, beforeAll, expect, it } from 'vitest'
import { createShardMap, hashInt4 } from '../../src/database/citus/shardMap.ts'
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
    'create table pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text)',
  )
  await database.query('create table pg_dist_placement (shardid bigint, groupid int)')
  await database.query(
    `insert into pg_dist_shard values
       ('payment', 1, '-2147483648'), ('payment', 2, '0'), ('wallet', 3, '-2147483648')`,
  )
  await database.query('insert into pg_dist_placement values (1, 10), (2, 20), (3, 10)')
  const map = createShardMap(database)
  expect(map.ofStore(1)).toEqual({ shard: '', worker: '' })
  await map.renew()
  const stores = Array.from({ length: 100 }, (_, id) => id)
  const negative = stores.filter((id) => hashInt4(id) < 0)
  expect(negative.length).toBeGreaterThan(20)
  expect(stores.filter((id) => map.ofStore(id).shard === '1')).toEqual(negative)
  expect(new Set(stores.map((id) => map.ofWallet(id).worker))).toEqual(new Set(['10']))
  await database.query('update pg_dist_placement set groupid = 30 where shardid = 1')
  await map.renew()
  expect(map.ofStore(negative[0]!)).toMatchObject({ shard: '1', worker: '30' })
})
