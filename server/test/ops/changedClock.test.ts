import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { totalOutcomes } from '../../src/core/outcomes.ts'
import { readMigrations } from '../../src/database/migrate.ts'
import { sweepOverdue } from '../../src/ops/expirePayments.ts'
import { createOutcomeReader } from '../../src/ops/outcomes.ts'
import { addPaymentTotals } from '../../src/ops/paymentTotals.ts'
import { sweepOldRows } from '../../src/ops/sweepOldRows.ts'
import { moved, recountUsage } from '../setup/ledgerHistory.ts'
import { createPaidPayment } from '../setup/merchantCalls.ts'
import { startOldLedger } from '../setup/oldLedger.ts'
import { rethrow } from '../setup/rethrow.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

const HOUR_MS = 3_600_000

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())
afterEach(() => {
  vi.useRealTimers()
})

const run = (text: string, values: unknown[] = []) =>
  t.database.transaction((tx) => tx.execute(text, values))

const sweep = () => sweepOverdue(t.database, t.service.outbox, rethrow)

// In all tests but the last one, the database's clock was ahead, and was then set back.

it('makes retries due that wait longer than any schedule allows', async () => {
  const { store } = await t.createStore()
  const delivery = `insert into delivery (store_id, payment_id, sequence, mode, url, host, created_at, due_at)
    values ($1, $2, 1, 'sandbox', 'http://127.0.0.1:1/', '127.0.0.1:1', now(), now() + $3::interval)`
  const mail = `insert into mail (mail_id, recipient, template, locale, content, created_at, due_at)
    values ($1, 'a@example.com', 'test', 'en', '', now(), now() + $2::interval)`
  for (const wait of ['26 hours', '30 days']) {
    await run(delivery, [store.storeId, `pay_${wait}`, wait])
  }
  for (const wait of ['24 hours', '30 days']) await run(mail, [`mail_${wait}`, wait])
  await sweepOldRows(t.database, { idempotencyTtlMs: 86_400_000, keepMailsMs: 86_400_000 })
  const due = await t.database.query(
    `select payment_id as id from delivery where due_at <= now()
     union all
     select mail_id from mail where due_at <= now()`,
  )
  expect(due).toEqual([{ id: 'pay_30 days' }, { id: 'mail_30 days' }])
  await run('delete from delivery')
  await run('delete from mail')
})

describe.each(['2 minutes', '1 hour', '3 days'])(
  'a sweep while the clock was ahead: %s',
  (ahead) => {
    const readMinutesBehind = async () => {
      const [row] = await t.database.query<{ minutes: number }>(
        `select extract(epoch from now() - done_until)::float8 / 60 as minutes
       from sweep where name = 'expiry'`,
      )
      return row!.minutes
    }
    /** A payment that has used up the limits of its store and expired this long ago, after the clock was set back. */
    async function createOverdue(age: string) {
      const shop = await t.createStore({ dailyLimitMinor: 1000n })
      const { payment_id } = await t.createPayment(shop.live, { amount: 10 })
      await run(
        `update payment set created_at = now() - interval '1 day', expires_at = now() - $2::interval
       where payment_id = $1`,
        [payment_id, age],
      )
      await run(
        `update sweep set done_until = now() + $1::interval - interval '90 seconds' where name = 'expiry'`,
        [ahead],
      )
      return { ...shop, payment_id }
    }

    it('does not delay the loop', async () => {
      const oldest = await createOverdue('23 hours')
      const newest = await createOverdue('1 second')
      expect(await sweep()).toBe(2)
      const events = await t.database.query(
        `select type from event where payment_id = any($1) and type = 'payment.expired'`,
        [[oldest.payment_id, newest.payment_id]],
      )
      expect(events).toHaveLength(2)
      const minutes = await readMinutesBehind()
      expect(minutes).toBeGreaterThan(1)
      expect(minutes).toBeLessThan(5)
      expect(await sweep()).toBe(0)
    })

    it('does not block the limits of a store', async () => {
      const { live } = await createOverdue('20 minutes')
      expect(await t.createPayment(live, { amount: 10 })).toHaveProperty('payment_id')
      expect(await sweep()).toBe(0)
      expect(await t.auditFindings()).toEqual([])
    })
  },
)

it('the upgrade expires payments that an earlier sweep has missed', async () => {
  await sweep()
  const { live } = await t.createStore()
  const { payment_id } = await t.createPayment(live)
  await run(`update payment set expires_at = now() - interval '6 days' where payment_id = $1`, [
    payment_id,
  ])
  expect(await sweep()).toBe(0)
  const migration = (await readMigrations()).find(({ name }) => name.startsWith('033'))!
  await run(migration.sql)
  expect(await sweep()).toBe(1)
})

it.each(['10 minutes', '2 hours'])(
  'replaces totals that end later than now, and adds the payments that they lack: %s',
  async (ahead) => {
    const shop = await t.createStore()
    const payer = await t.createWallet({ balance: '100.00' })
    const { payment_id } = await createPaidPayment(t, shop.live, payer, { amount: 7 })
    await run(`update store set created_at = now() - interval '3 days'`)
    await run(`update event set created_at = now() - interval '30 minutes' where payment_id = $1`, [
      payment_id,
    ])
    // The loop has added the periods until then, without this payment.
    await run('delete from payment_total')
    await run(
      `update sweep set done_until = date_bin('5 minutes', now() + $1::interval, '2000-01-01')
     where name = 'payment totals'`,
      [ahead],
    )
    await run(
      `insert into payment_total
     select now() + $1::interval - interval '5 minutes', 'live', 'USD', 1, 5, 0, 0, 0, 0, 0, 0`,
      [ahead],
    )
    const readTotals = () =>
      t.database.query(
        "select completed, gross from payment_total where starts > now() - interval '1 day'",
      )
    await addPaymentTotals(t.database)
    expect(await readTotals()).toEqual([{ completed: 1, gross: 700n }])
    await addPaymentTotals(t.database)
    expect(await readTotals()).toEqual([{ completed: 1, gross: 700n }])
    await run('delete from event where payment_id = $1', [payment_id])
  },
)

it.each([
  ['at once', 0],
  ['after the clock has caught up', 4 * HOUR_MS],
])(
  'sums hours of a day again that were cached while the clock was ahead: %s',
  async (_, laterMs) => {
    const { store, live } = await t.createStore()
    const payer = await t.createWallet({ balance: '100.00' })
    const nowMs = Date.now()
    const day = {
      storeId: store.storeId,
      mode: 'live',
      from: new Date(nowMs - 12 * HOUR_MS),
      to: new Date(nowMs + 12 * HOUR_MS),
    } as const
    // This database reports that all events until then are visible.
    let visibleUntil = new Date(nowMs + 3 * HOUR_MS)
    const database = { ...t.database, transaction: async () => visibleUntil } as typeof t.database
    const reader = createOutcomeReader(database)
    await reader.readHours(day, visibleUntil)
    await createPaidPayment(t, live, payer, { amount: 7 })
    const monotonicMs = performance.now()
    vi.spyOn(performance, 'now').mockReturnValue(monotonicMs + laterMs)
    visibleUntil = new Date(Date.now() + laterMs)
    const hours = await reader.readHours(day, visibleUntil)
    expect(totalOutcomes(hours)).toMatchObject({ sales: 1, salesGross: 700n })
  },
)

it.each([
  ['an hour', '1 hour', 0],
  ['three days', '3 days', 3],
  ['until after the archived month', '40 days', 40],
])('audits and archives payments of a clock that was ahead: %s', async (_, ahead, days) => {
  const ledger = await startOldLedger()
  const { client, sales } = ledger
  const [paid, refunded] = [sales[0]!, sales.at(-1)!]
  const later = (...columns: string[]) =>
    columns.map((column) => `${column} = ${moved(column, ahead)}`).join(', ')
  const usage = `usage_day = usage_day + ${days},
    usage_month = date_trunc('month', (usage_day + ${days})::timestamp)::date`
  // One payment was created while the clock was ahead, and paid after it was set back. The other one was also paid while the clock
  // was ahead, and refunded after it was set back.
  await client.query(
    `update payment set ${later('created_at', 'expires_at')}, ${usage} where payment_id = $1`,
    [paid],
  )
  await client.query(
    `update payment set ${later('created_at', 'expires_at', 'settled_at')}, ${usage} where payment_id = $1`,
    [refunded],
  )
  for (const table of ['transfer', 'wallet_transfer']) {
    await client.query(
      `update ${table} set ${later('at')}
       where reference = $1 and kind in ('payment', 'fee', 'donation')`,
      [refunded],
    )
  }
  await client.query(
    `update event set ${later('created_at')} where payment_id = $1 and sequence = 1`,
    [refunded],
  )
  await recountUsage(client)
  const wrongOrder = await ledger.rowsOf(
    `select payment_id from payment where settled_at < created_at or refunded_at < settled_at`,
  )
  expect(wrongOrder.map((row) => row.payment_id).sort()).toEqual([paid, refunded].sort())

  const resealed = await ledger.audit('reseal')
  expect(resealed.checks.flatMap((check) => check.findings)).toEqual([])
  expect(resealed.seals!.newDays).toBeGreaterThan(0)
  const everyAudit = async () => [
    await ledger.findings('new'),
    await ledger.findings('all'),
    await ledger.findings('all', { paymentsPerStep: 1 }),
    await ledger.t.auditFindings(),
  ]
  expect(await everyAudit()).toEqual([[], [], [], []])
  expect(await ledger.archive()).not.toBeNull()
  expect(await everyAudit()).toEqual([[], [], [], []])
  expect(await ledger.files()).toEqual([])
  expect((await ledger.audit('reseal')).checks.flatMap((check) => check.findings)).toEqual([])
  expect(await everyAudit()).toEqual([[], [], [], []])
  await ledger.close()
})

it('finds pending payments while the clock of the process is 26 hours ahead', async () => {
  const { live, store } = await t.createStore()
  const { payment_id } = await t.createPayment(live, { amount: 10 })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 26 * HOUR_MS })
  const list = await t.call('GET', '/merchant/payments?status=pending', live)
  const balance = await t.call('GET', '/merchant/balance', live)
  const summary = await t.call('GET', `/operator/stores/${store.storeId}/standing`, t.operator)
  expect(list.body.data.payments).toMatchObject([{ payment_id }])
  expect(balance.body.data.pending_amount).toBe('10.00')
  expect(summary.body.data.pending).toMatchObject([{ mode: 'live', count: 1 }])
})
