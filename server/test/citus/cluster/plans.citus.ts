import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PaymentKey } from '../../../src/core/payment.ts'
import { type Database, openDatabase } from '../../../src/database/database.ts'
import { findPayments, findStatuses } from '../../../src/sql/payments.ts'
import { type ClusterDatabase, createClusterDatabase, onNode } from './clusterDatabase.ts'

const PAYMENTS = Number(process.env.FLORIN_CITUS_FILL ?? 500_000)
const STORES = 100

let cluster: ClusterDatabase
let database: Database
let keys: PaymentKey[]
beforeAll(async () => {
  cluster = await createClusterDatabase()
  database = openDatabase({
    url: cluster.url,
    poolSize: 1,
    poolTimeoutMs: 5_000,
    isDistributed: true,
  })
  await onNode(cluster.url, async (client) => {
    await client.query(
      `insert into payment (
         store_id, mode, payment_id, qr_number, gross, fee, currency, request_amount, request_currency, conversion_rate,
         created_at, expires_at, usage_day, usage_month, status)
       select n % $2::int + 1, 'live', 'pay_' || lpad(n::text, 12, '0'), n, 100, 1, 'USD', 100, 'USD', 1,
         now(), now() + interval '1 day', current_date, current_date, 'pending'
       from generate_series(1, $1::int) as n`,
      [PAYMENTS, STORES],
    )
    await client.query('analyze payment')
  })
  // The step and the number of stores are coprime, so the keys belong to all stores.
  keys = await database.query<PaymentKey>(
    `select store_id as "storeId", mode, payment_id as "paymentId"
     from payment
     where payment_id = any($1)`,
    [Array.from({ length: 128 }, (_, n) => `pay_${String(n * 701 + 1).padStart(12, '0')}`)],
  )
})
afterAll(async () => {
  await database.close()
  await cluster.drop()
})

/** The plans of all tasks of the statement that this work sends. */
async function plansOf(work: (on: Database) => Promise<unknown>): Promise<string> {
  let plan = ''
  const explaining: Database = {
    ...database,
    query: async <Row>(text: string, values?: readonly unknown[]) => {
      await database.query('set citus.explain_all_tasks = on')
      const rows = await database.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
      plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      return [] as Row[]
    },
  }
  await work(explaining)
  return plan
}

it.each([1, 64, 128])('workers find %i payments by their primary keys', async (count) => {
  expect(keys.length).toBe(128)
  for (const find of [findStatuses, findPayments]) {
    const plan = await plansOf((on) => find(on, keys.slice(0, count)))
    expect(plan).toMatch(/Index Scan using payment_pkey_\d+/)
    expect(plan).not.toMatch(/Seq Scan|Hash Join|Merge Join/)
    const shards = Number(/Task Count: (\d+)/.exec(plan)![1])
    if (count === 1) expect(shards).toBe(1)
    else expect(shards).toBeGreaterThan(1)
  }
})

it('a batch of one shard is sent to that shard only', async () => {
  // Payments 1 and 70,101 belong to store 2, and both are among the keys.
  const ofStore = keys.filter(({ storeId }) => Number(storeId) === 2)
  expect(ofStore).toHaveLength(2)
  expect(await plansOf((on) => findStatuses(on, ofStore))).toContain('Task Count: 1')
})
