import { mustBeClean } from './lib/checks.mjs'
import { withCleanup } from './lib/cleanup.mjs'
import { openDemoShop } from './lib/demoShop.mjs'
import { roundTo } from './lib/figures.mjs'
import * as requests from './rates/requests.mjs'

const PAYMENTS = Number(process.env.BENCH_PAYMENTS ?? 10_000)
const BATCH_SIZE = 2_000
const MAX_KB = 2

export const run = withCleanup(measure)

/** Measures the bytes per paid payment without a webhook, by table. */
async function measure(print, cleanups) {
  const { database, shop, payerOf, send } = await openDemoShop(cleanups)
  async function payAll() {
    for (let done = 0; done < PAYMENTS; done += BATCH_SIZE) {
      const count = Math.min(BATCH_SIZE, PAYMENTS - done)
      const creates = Array.from({ length: count }, () => requests.create(shop))
      const { bodies } = await send(creates, { keepBodies: true })
      const payRequests = bodies.map((body, n) =>
        requests.pay(requests.paymentOf(shop, body), payerOf(n)),
      )
      await send(shuffle(payRequests))
      print(`${done + count} of ${PAYMENTS} payments`)
    }
  }
  // Pay once before measuring: what PostgreSQL allocates in advance, such as the pending list of the search index, doesn't count.
  await payAll()
  const before = await readSizes(database)
  await payAll()
  await mustBeClean(database, 'florin')
  const after = await readSizes(database)
  const bytes = Object.keys(after)
    .map((table) => [table, (after[table] - (before[table] ?? 0)) / PAYMENTS])
    .filter(([, perPayment]) => perPayment >= 1)
    .sort(([, a], [, b]) => b - a)
  const counted = bytes.filter(([table]) => !table.endsWith('idempotency'))
  const value = roundTo(counted.reduce((sum, [, perPayment]) => sum + perPayment, 0) / 1000)
  const line = (perPayment) => ({ 'bytes per payment': Math.round(perPayment) })
  return {
    payments: PAYMENTS,
    table: Object.fromEntries(bytes.map(([table, perPayment]) => [table, line(perPayment)])),
    targets: [
      {
        what: 'KB per paid payment, without idempotency keys',
        value,
        target: `at most ${MAX_KB}`,
        isMet: value <= MAX_KB,
      },
    ],
  }
}

/** Shuffles a list. Payers don't pay in the order of the payments, so the rows of one page change at different times. */
const shuffle = (list) =>
  list
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)

/** The size of each table with its indexes. */
async function readSizes(database) {
  // Merges the pending list into the search index.
  await database.query('vacuum')
  const rows = await database.query(
    `select relname as name, pg_total_relation_size(oid)::int as bytes
     from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]))
}
