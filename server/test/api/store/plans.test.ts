import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PaymentId, paymentIdLowerBound, type WalletNumber } from '../../../src/core/ids.ts'
import type { Queryable } from '../../../src/database/database.ts'
import { MAX_SCANNED } from '../../../src/ops/findByWords.ts'
import { listLines, startingAt, sumLines } from '../../../src/sql/books.ts'
import { findAttempts, findDeliveries } from '../../../src/sql/deliveries.ts'
import { readStoreQueue } from '../../../src/sql/deliveryQueue.ts'
import { findEventsOfPayments } from '../../../src/sql/erasure.ts'
import { listLoggedEvents } from '../../../src/sql/eventLog.ts'
import { findEvents, findPaymentEvents } from '../../../src/sql/events.ts'
import { findPaymentTransfers } from '../../../src/sql/ledger.ts'
import { sumOutcomes } from '../../../src/sql/outcomes.ts'
import {
  countPayments,
  findNthNewest,
  listPayers,
  listPayments,
  NO_FILTER,
  type PaymentFilter,
} from '../../../src/sql/paymentList.ts'
import {
  countPending,
  findPayments,
  findPaymentsByQr,
  sumPending,
} from '../../../src/sql/payments.ts'
import { listEventsToEmpty } from '../../../src/sql/retention.ts'
import {
  findClients,
  findPaymentsByWords,
  findPaymentsOfWallets,
  findWalletsByWords,
} from '../../../src/sql/search.ts'
import { findWalletsByText } from '../../../src/sql/wallets.ts'
import { explainQueries } from '../../setup/explainQueries.ts'
import { FILL_LIMITS, fillPayments } from '../../setup/manyPayments.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

const COUNT = 60_000
const WALLETS = 5_000
/** Tables that grow with use. No query may scan one of them completely. */
const GROWING = [
  'payment',
  'transfer',
  'wallet_transfer',
  'event',
  'delivery',
  'delivery_attempt',
  'wallet',
  'archived_line',
  'archived_payer',
]

let t: TestService
let shop: TestStore
let ids: string[]
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  ids = await fillPayments(t, shop.store, COUNT, (n) => ({
    status: n % 1000 === 0 ? 'failed' : 'completed',
    walletId: 1 + (n % WALLETS),
  }))
  await t.database.transaction(async (tx) => {
    await tx.execute(
      `insert into wallet (wallet_id, public_id, mode, name, email, phone, created_at, words)
       select n + 100000, 'wal_' || n, 'live', 'Payer ' || n, n || '@example.com', '+1' || n, now(),
         array_to_tsvector(array['payer', n::text])
       from generate_series(1, $1::int) n`,
      [WALLETS],
    )
    await tx.execute(
      `insert into transfer (
         store_id, reference, kind, mode, debit, credit, amount, currency, at)
       select store_id, payment_id, 'payment', mode, 'wallet:1', 'store:1', gross, currency, settled_at
       from payment`,
    )
    await tx.execute(
      `insert into wallet_transfer (
         wallet_id, at, reference, kind, mode, debit, credit, amount, currency, store_id)
       select wallet_id, settled_at, payment_id, 'payment', mode, 'wallet:1', 'store:1', gross, currency, store_id
       from payment
       where wallet_id is not null`,
    )
    await tx.execute(`update payment set words = 'order ' || qr_number`)
    await tx.execute(
      `insert into delivery (
         store_id, payment_id, sequence, mode, url, host, attempts, created_at, due_at, last_error)
       select store_id, payment_id, 1, mode, 'https://x', 'x', 1, now(), now(), 'refused'
       from payment`,
    )
    await tx.execute(
      `insert into delivery_attempt (
         store_id, payment_id, at, sequence, mode, number, duration_ms, status_code)
       select store_id, payment_id, now(), 1, mode, 1, 1, 500
       from payment`,
    )
    await tx.execute(
      `insert into archived_line (store_id, mode, starts, kind, count, amount)
       select $1, 'live', now() - interval '1 year' - n * interval '15 minutes', 'payment', 1, 1000
       from generate_series(1, $2::int) n`,
      [shop.store.storeId, COUNT],
    )
    await tx.execute(
      `insert into archived_payer (wallet_id, store_id, month, payment_ids)
       select n + 100000, $1, '2020-01-01', array['pay_' || n]
       from generate_series(1, $2::int) n`,
      [shop.store.storeId, WALLETS],
    )
  }, FILL_LIMITS)
  for (const table of GROWING) await t.database.query(`analyze ${table}`)
})
afterAll(() => t.close())

const storeAndMode = () => ({ storeId: shop.store.storeId, mode: 'live' as const })
const range = (overrides = {}) => ({
  ...storeAndMode(),
  referenceId: null,
  linkId: null,
  idFrom: null,
  idBefore: null,
  ...overrides,
})
/** The range of payments that one request reads. */
const window = () => range({ idFrom: ids.at(-MAX_SCANNED) })
const payer = { text: 'ada', walletIds: [7 as WalletNumber] }
const key = () => ({ ...storeAndMode(), paymentId: ids[500] as PaymentId })
const hourAgo = () => new Date(Date.now() - 3_600_000)

const list = (
  on: Queryable,
  where: Parameters<typeof listPayments>[1],
  filter: Partial<PaymentFilter>,
) => listPayments(on, where, { filter: { ...NO_FILTER, ...filter }, limit: 26 })

const readLines = (on: Queryable, bounds: Partial<Parameters<typeof listLines>[1]>) =>
  listLines(on, {
    ...storeAndMode(),
    after: startingAt(new Date(0)),
    before: startingAt(new Date('2099-01-01')),
    newestFirst: true,
    limit: 26,
    ...bounds,
  })
const readLog = (on: Queryable, filter: Partial<Parameters<typeof listLoggedEvents>[1]>) =>
  listLoggedEvents(on, {
    ...storeAndMode(),
    state: null,
    type: null,
    paymentId: null,
    from: new Date(0),
    limit: 26,
    before: { at: new Date('2099-01-01'), paymentId: '', sequence: 0 },
    ...filter,
  })

const QUERIES: Record<string, (on: Queryable) => Promise<unknown>> = {
  'the first page': (on) => list(on, range(), {}),
  'a deep page': (on) => list(on, range({ idBefore: ids[700] }), {}),
  'a page by time': (on) => list(on, range({ idFrom: paymentIdLowerBound(hourAgo()) }), {}),
  'a page by status': (on) => list(on, window(), { status: 'failed' }),
  'a page by a status without matches': (on) => list(on, window(), { status: 'pending' }),
  'a page of expired payments': (on) => list(on, window(), { status: 'expired' }),
  'a page of a rare outcome': (on) => list(on, range({ outcome: 'failed' }), { status: 'failed' }),
  'the end of the scanned range of a rare outcome': (on) =>
    findNthNewest(on, range({ outcome: 'failed' }), MAX_SCANNED),
  'the sum of pending payments': (on) =>
    sumPending(on, { storeId: shop.store.storeId, mode: 'live' }, new Date()),
  'the count of pending payments': (on) => countPending(on, shop.store.storeId, new Date()),
  'a page by amount': (on) => list(on, window(), { grossFrom: 5n, grossTo: 9n }),
  'a page by payer': (on) => list(on, window(), { payer }),
  'a page by client': (on) =>
    list(on, window(), { client: { email: 'a@shop.example', phone: '+1 555 0100' } }),
  'the events of some payments': (on) => findEventsOfPayments(on, [key()]),
  'the attempts of some payments': (on) => findAttempts(on, [key()], 100),
  'events past their retention': (on) =>
    listEventsToEmpty(on, { ...storeAndMode(), from: new Date(0), before: hourAgo(), limit: 200 }),
  'a page by reference': (on) => list(on, range({ referenceId: 'order-1' }), {}),
  'the end of the searched range': (on) => findNthNewest(on, range(), MAX_SCANNED),
  'the payers of a range': (on) => listPayers(on, window()),
  'wallets by name': (on) => findWalletsByText(on, [100_001, 100_002] as WalletNumber[], 'payer'),
  'payments by a rare word': (on) =>
    findPaymentsByWords(on, range(), { words: ['599'], limit: 2000 }),
  'payments by a common word': (on) =>
    findPaymentsByWords(on, range(), { words: ['order'], limit: 26 }),
  'payments by two words': (on) =>
    findPaymentsByWords(on, range(), { words: ['ord', '599'], limit: 2000 }),
  'payers by words': (on) =>
    findWalletsByWords(on, 'live', { words: ['payer', '499'], walletIds: null, limit: 501 }),
  'payers of a range by words': (on) =>
    findWalletsByWords(on, 'live', {
      words: ['payer'],
      walletIds: [100_001 as WalletNumber],
      limit: 9,
    }),
  'payments of some payers': (on) =>
    findPaymentsOfWallets(on, range(), { wallets: [7, 8] as WalletNumber[], limit: 2000 }),
  'payments by id with a filter': (on) =>
    list(on, range({ ids: ids.slice(0, 2000) }), { status: 'failed' }),
  'the clients of some payments': (on) => findClients(on, range(), ids.slice(0, 2000)),
  'a payment by code': (on) => findPaymentsByQr(on, [{ ...storeAndMode(), qrNumber: 500n }]),
  'one payment': (on) => findPayments(on, [key()]),
  'the transfers of a payment': (on) => findPaymentTransfers(on, key()),
  'the events of a payment': (on) => findPaymentEvents(on, key()),
  'the deliveries of a payment': (on) => findDeliveries(on, key()),
  'an hour of outcomes': (on) =>
    sumOutcomes(on, { ...storeAndMode(), from: hourAgo(), to: new Date() }),
  'failing deliveries': (on) => readStoreQueue(on, { ...storeAndMode(), limit: 1000 }),
  'the count of a range': (on) => countPayments(on, window()),
  'the count of a rare outcome': (on) => countPayments(on, range({ outcome: 'failed' })),
  'the newest lines': (on) => readLines(on, { newestFirst: true }),
  'the oldest lines': (on) => readLines(on, { newestFirst: false }),
  'lines before a position': (on) =>
    readLines(on, { newestFirst: true, before: { at: hourAgo(), reference: ids[9]!, rank: 2 } }),
  'sums of two periods': (on) =>
    sumLines(on, storeAndMode(), [
      { from: hourAgo(), to: new Date() },
      { from: new Date(), to: new Date('2099-01-01') },
    ]),
  'the webhook log': (on) => readLog(on, {}),
  'delivered events': (on) => readLog(on, { state: 'delivered' }),
  'failing events': (on) => readLog(on, { state: 'failing' }),
  'exhausted events': (on) => readLog(on, { state: 'exhausted' }),
  'events of a type': (on) => readLog(on, { type: 'payment.failed' }),
  'events of a payment': (on) => readLog(on, { paymentId: ids[500] as PaymentId }),
  'events by id': (on) => findEvents(on, [{ ...key(), sequence: 1 }]),
}

it.each(Object.keys(QUERIES))('uses an index for %s', async (name) => {
  const { nodes } = await explainQueries(t.database, QUERIES[name]!)
  expect(nodes.length).toBeGreaterThan(0)
  expect(nodes.filter((node) => node.startsWith('Seq Scan'))).toEqual([])
})

it('a page of a rare outcome reads the index of rare outcomes', async () => {
  const { indexes } = await explainQueries(t.database, QUERIES['a page of a rare outcome']!)
  expect(indexes).toEqual(['event_rare_outcome', 'payment_pkey'])
})

it('failing deliveries are read from their own index', async () => {
  const { indexes } = await explainQueries(t.database, QUERIES['failing deliveries']!)
  expect(indexes).toEqual(['delivery_failed'])
})

it('detects a query without an index', async () => {
  const { nodes } = await explainQueries(t.database, (on) =>
    on.query(`select 1 from payment where status = 'failed'`),
  )
  expect(nodes).toEqual(['Seq Scan on payment'])
})
