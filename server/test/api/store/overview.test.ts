import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startOfDay } from '../../../src/core/calendar.ts'
import { createOutcomeReader } from '../../../src/ops/outcomes.ts'
import { refusal } from '../../setup/expected.ts'
import { restoreEventTimes } from '../../setup/ledgerHistory.ts'
import { changeStore, createPaidPayment, sandboxPay } from '../../setup/merchantCalls.ts'
import { withOlderTransactions } from '../../setup/olderTransactions.ts'
import { createPerson, type TestPerson } from '../../setup/people.ts'
import { type Receiver, startReceiver } from '../../setup/receiver.ts'
import {
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../../setup/testService.ts'
import { zoneOfNoon } from '../../setup/timeZones.ts'

const ZONE = 'Asia/Kathmandu'
const HOUR_MS = 3_600_000

let t: TestService
let wallet: TestWallet
beforeAll(async () => {
  t = await startTestService()
  t.service.dispatcher.start()
  wallet = await t.createWallet({ balance: '100000' })
})
afterAll(async () => {
  await t.service.dispatcher.stop()
  await restoreEventTimes(t)
  const findings = await t.auditFindings()
  await t.close()
  expect(findings).toEqual([])
})

async function openShop(settings = {}): Promise<TestStore & { owner: TestPerson }> {
  const shop = await t.createStore({ timeZone: ZONE, ...settings })
  return { ...shop, owner: await createPerson(t, shop.store, 'owner') }
}

const read = async ({ headers }: TestPerson, path: string, mode = 'live') =>
  (await t.call('GET', `/store/${mode}/${path}`, headers)).body.data

/** Moves the outcomes of payments to another time. Call it before the first read, because complete hours are cached. */
const moveEvents = (ids: readonly string[], to: Date) =>
  t.database.transaction((tx) =>
    tx.execute('update event set created_at = $2 where payment_id = any($1)', [ids, to]),
  )

const NOTHING = {
  sales: { count: 0, amount: '0.00' },
  refunds: { count: 0, amount: '0.00' },
  failed: 0,
  expired: 0,
  cancelled: 0,
  success_rate: null,
}

describe('overview', () => {
  it('compares today with yesterday until the same time of day', async () => {
    const timeZone = zoneOfNoon()
    const shop = await openShop({ timeZone, refundCapCashierMinor: null })
    const now = new Date()
    const today = startOfDay(now, timeZone)
    const yesterday = startOfDay(new Date(today.getTime() - 60_000), timeZone)
    const pay = async (amount: number) =>
      (await createPaidPayment(t, shop.live, wallet, { amount })).payment_id
    await pay(10)
    const refunded = await pay(5)
    const soldBefore = await pay(7)
    const soldLater = await pay(100)
    await t.call('POST', `/merchant/payment/${refunded}/refund`, shop.live)
    const { payment_id: cancelled } = await t.createPayment(shop.live)
    await t.call('POST', `/merchant/payment/${cancelled}/expire`, shop.live)
    const { payment_id: expired } = await t.createPayment(shop.live)
    await t.makeOverdue(expired)
    expect((await read(shop.owner, `payments/${expired}`)).status).toBe('expired')
    await moveEvents([soldBefore], yesterday)
    // This sale was at a later time of day than now.
    await moveEvents(
      [soldLater],
      new Date(yesterday.getTime() + (now.getTime() - today.getTime()) + HOUR_MS),
    )
    const overview = await read(shop.owner, 'overview')
    expect(overview).toMatchObject({
      time_zone: timeZone,
      currency: 'USD',
      balance: '117.00',
      today: {
        sales: { count: 2, amount: '15.00' },
        refunds: { count: 1, amount: '5.00' },
        failed: 0,
        expired: 1,
        cancelled: 1,
        success_rate: 2 / 3,
      },
      yesterday: { ...NOTHING, sales: { count: 1, amount: '7.00' }, success_rate: 1 },
      limits: {
        daily: { limit: null, left: null },
        monthly: { limit: null, left: null },
      },
      webhooks: { failing: 0, exhausted: 0, last_error: null },
    })
    expect(await read(shop.owner, 'overview', 'sandbox')).toMatchObject({
      today: NOTHING,
      yesterday: NOTHING,
      balance: '0.00',
    })
    // The till shows the same figures.
    expect(await read(shop.owner, 'today')).toMatchObject({
      sales: overview.today.sales,
      refunds: overview.today.refunds,
    })
  })

  it('shows the used limits and the failing webhooks', async () => {
    const limits = { dailyLimitMinor: 2000n, monthlyLimitMinor: 5000n }
    const shop = await openShop({ ...limits, timeZone: zoneOfNoon() })
    const webhook_url = 'http://127.0.0.1:1/hook'
    await createPaidPayment(t, shop.live, wallet, { amount: 15, webhook_url })
    await expect
      .poll(async () => (await read(shop.owner, 'overview')).webhooks, { timeout: 10_000 })
      .toEqual({ failing: 1, exhausted: 0, last_error: expect.stringMatching(/\w/) })
    expect((await read(shop.owner, 'overview')).limits).toEqual({
      daily: { used: '15.00', limit: '20.00', left: '5.00' },
      monthly: { used: '15.00', limit: '50.00', left: '35.00' },
    })
    await changeStore(t, shop, { daily_limit: '10' })
    expect((await read(shop.owner, 'overview')).limits.daily).toMatchObject({ left: '0.00' })
  })

  it('shows failing webhooks of live mode, however many newer ones wait in the sandbox', async () => {
    const shop = await openShop()
    await t.database.transaction((tx) =>
      tx.execute(
        `insert into delivery (
           store_id, payment_id, sequence, mode, url, host, attempts, created_at, due_at, last_error)
         select $1, 'pay_' || lpad(n::text, 26, '0'), 1,
           case when n = 0 then 'live' else 'sandbox' end, 'https://x', 'x',
           case when n = 0 then 1 else 0 end, now(), now() + interval '1 hour',
           case when n = 0 then 'refused' end
         from generate_series(0, 1000) n`,
        [shop.store.storeId],
      ),
    )
    const { webhooks } = await read(shop.owner, 'overview')
    expect(webhooks).toEqual({ failing: 1, exhausted: 0, last_error: 'refused' })
  })
})

describe('series', () => {
  it('has every day, oldest first, or the hours of today', async () => {
    const timeZone = zoneOfNoon()
    const shop = await openShop({ timeZone })
    const today = startOfDay(new Date(), timeZone)
    const dayBefore = new Date(today.getTime() - 36 * HOUR_MS)
    await sandboxPay(t, shop.sandbox, (await t.createPayment(shop.sandbox)).payment_id)
    const { payment_id: failed } = await t.createPayment(shop.sandbox)
    await sandboxPay(t, shop.sandbox, failed, 'error')
    await moveEvents([failed], dayBefore)
    const readDays = () => read(shop.owner, 'overview/series?days=7', 'sandbox')
    // A request sums for at most one second, which may be too short on a busy machine.
    await expect.poll(async () => (await readDays()).is_complete).toBe(true)
    const series = await readDays()
    expect(series).toMatchObject({ step: 'day', is_complete: true, currency: 'USD' })
    expect(series.points).toHaveLength(7)
    type Point = { sales: { count: number }; failed: number }
    const countSales = (point: Point) => point.sales.count
    const found = series.points.map((point: Point) => [countSales(point), point.failed])
    expect(found).toEqual([...Array.from({ length: 4 }, () => [0, 0]), [0, 1], [0, 0], [1, 0]])
    expect(series.total).toMatchObject({ sales: { count: 1 }, failed: 1, success_rate: 0.5 })

    const hours = await read(shop.owner, 'overview/series?days=1', 'sandbox')
    expect(hours.step).toBe('hour')
    expect(hours.points[0].from).toBe(today.toISOString().slice(0, 19).replace('T', ' '))
    // The sale is in the last hour, or in the one before if another has begun since.
    expect(hours.points.slice(-2).map(countSales).toSorted()).toEqual([0, 1])
    expect(hours.total.failed).toBe(0)
  })

  it.each(['0', '91', 'x', '1.5'])('refuses %s days', async (days) => {
    const { owner } = await openShop()
    const url = `/store/live/overview/series?days=${days}`
    const response = await t.call('GET', url, owner.headers)
    expect(response).toMatchObject({
      status: 400,
      body: {
        errors: [{ field: 'days', message: 'days must be a whole number from 1 to 90' }],
      },
    })
  })

  it('caches complete hours, and reads the current hour each time', async () => {
    const { store, live } = await t.createStore()
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push((await createPaidPayment(t, live, wallet)).payment_id)
    const from = new Date(Date.now() - 30 * 24 * HOUR_MS)
    const day = {
      storeId: store.storeId,
      mode: 'live' as const,
      from,
      to: new Date(from.getTime() + 24 * HOUR_MS),
    }
    const at = (hours: number) => new Date(from.getTime() + hours * HOUR_MS)
    await moveEvents([ids[0]!], at(0.5))
    await moveEvents([ids[1]!], at(2.5))
    await moveEvents([ids[2]!], at(2.6))
    const outcomes = createOutcomeReader(t.database)
    const sales = async (when: Date) =>
      (await outcomes.readHours(day, when)).map((hour) => hour.sales)
    expect(outcomes.isCached(day)).toBe(false)
    expect(await sales(at(2.55))).toEqual([1, 0, 1])
    // Cached hours are not read again. Newer payments are.
    await moveEvents([ids[0]!], at(1.5))
    const concurrentSales = await Promise.all([sales(at(2.9)), sales(at(2.9)), sales(at(3.5))])
    expect(concurrentSales).toEqual([
      [1, 0, 2],
      [1, 0, 2],
      [1, 0, 2, 0],
    ])
    expect(await sales(at(40))).toEqual([1, 0, 2, ...Array.from({ length: 21 }, () => 0)])
    expect(outcomes.isCached(day)).toBe(true)
  })

  it('caches days of two time zones that start at the same time separately', async () => {
    const { store, live } = await t.createStore()
    const { payment_id } = await createPaidPayment(t, live, wallet)
    const from = new Date(Date.now() - 30 * 24 * HOUR_MS)
    const at = (hours: number) => new Date(from.getTime() + hours * HOUR_MS)
    await moveEvents([payment_id], at(24.5))
    const outcomes = createOutcomeReader(t.database)
    const countHours = async (hours: number) => {
      const day = { storeId: store.storeId, mode: 'live', from, to: at(hours) } as const
      const found = await outcomes.readHours(day, new Date())
      return [found.length, found.reduce((sum, { sales }) => sum + sales, 0)]
    }
    // One of them changes its clocks on this day.
    expect(await countHours(25)).toEqual([25, 1])
    expect(await countHours(24)).toEqual([24, 0])
  })

  it('caches an hour two minutes after its end, and not before', async () => {
    const { store, live } = await t.createStore()
    const { payment_id } = await createPaidPayment(t, live, wallet)
    const from = new Date(Date.now() - 2 * HOUR_MS)
    const to = new Date(from.getTime() + 24 * HOUR_MS)
    const day = { storeId: store.storeId, mode: 'live', from, to } as const
    const move = (hours: number) =>
      moveEvents([payment_id], new Date(from.getTime() + hours * HOUR_MS))
    const outcomes = createOutcomeReader(t.database)
    const salesAt = async (secondsAfterHour: number) => {
      const at = new Date(from.getTime() + HOUR_MS + secondsAfterHour * 1_000)
      return (await outcomes.readHours(day, at)).map((hour) => hour.sales)
    }
    await move(0.5)
    expect(await salesAt(119)).toEqual([1, 0])
    await move(-1)
    expect(await salesAt(119)).toEqual([0, 0])
    await move(0.5)
    expect(await salesAt(121)).toEqual([1, 0])
    await move(-1)
    expect(await salesAt(121)).toEqual([1, 0])
  })

  it("doesn't cache an hour in which a transaction may still commit", async () => {
    const { store, live } = await t.createStore()
    const { payment_id } = await createPaidPayment(t, live, wallet)
    const from = new Date(Date.now() - 2 * HOUR_MS)
    const to = new Date(from.getTime() + 24 * HOUR_MS)
    const day = { storeId: store.storeId, mode: 'live', from, to } as const
    const at = (hours: number) => new Date(from.getTime() + hours * HOUR_MS)
    await withOlderTransactions(t, '2 hours', async (database) => {
      const outcomes = createOutcomeReader(database)
      const sales = async () => (await outcomes.readHours(day, at(1.6))).map((hour) => hour.sales)
      await t.database.transaction(async (tx) => {
        await tx.query('select pg_current_xact_id()')
        expect(await sales()).toEqual([0, 0])
      })
      await moveEvents([payment_id], at(0.5))
      expect(await sales()).toEqual([1, 0])
    })
  })
})

describe('a payment', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  it('shows its transfers, and resends its webhook, which is audited', async () => {
    const shop = await openShop({ feeBps: 100, refundFeeMinor: 50n })
    const payer = await t.createWallet({ balance: '100' })
    const fields = { amount: 10, webhook_url: receiver.url }
    const { payment_id: id } = await createPaidPayment(t, shop.live, payer, fields, 1)
    await t.fund(shop.store, 'live', '10')
    await t.call('POST', `/merchant/payment/${id}/refund`, shop.live)
    const { lines } = await read(shop.owner, `payments/${id}/ledger`)
    expect(lines.map(({ at: _, ...line }: { at: string }) => line)).toEqual(
      [
        ['payment', 'payer', 'store', '10.00'],
        ['fee', 'store', 'fees', '0.10'],
        ['donation', 'payer', 'gifts', '1.00'],
        ['refund', 'store', 'payer', '9.50'],
        ['refund_fee', 'store', 'fees', '0.50'],
      ].map(([kind, from, to, amount]) => ({
        kind,
        from,
        to,
        amount,
        currency: 'USD',
        note: null,
      })),
    )
    const path = `payments/${id}/webhooks`
    const readStates = async () =>
      (await read(shop.owner, path)).events.map((event: { state: string }) => event.state)
    await expect.poll(readStates, { timeout: 10_000 }).toEqual(['delivered', 'delivered'])
    const before = receiver.received.length
    const manager = await createPerson(t, shop.store, 'manager')
    const again = await t.call('POST', `/store/live/${path}/redeliver`, manager.headers)
    expect(again.body.data).toMatchObject({ type: 'payment.refunded' })
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(before + 1)
    const log = await t.call('GET', `/operator/audit-log?subject=payment:${id}`, t.operator)
    expect(log.body.data.entries[0]).toMatchObject({
      actor: `${manager.email} (store ${shop.store.storeId})`,
      action: 'webhook.redeliver',
      after: { type: 'payment.refunded' },
    })
  })

  it('is unknown to another store and in the other mode', async () => {
    const [shop, other] = [await openShop(), await openShop()]
    const { payment_id: id } = await t.createPayment(shop.live)
    const paths = ['', '/status', '/refund', '/ledger', '/webhooks']
    const unknown = refusal(404, 'Payment not found')
    for (const path of paths) {
      const send = (mode: string, { headers }: TestPerson) =>
        t.call('GET', `/store/${mode}/payments/${id}${path}`, headers)
      expect((await send('live', other.owner)).body).toEqual(unknown)
      expect((await send('sandbox', shop.owner)).body).toEqual(unknown)
      expect((await send('live', shop.owner)).status).toBe(200)
    }
    const url = `/store/live/payments/${id}/webhooks/redeliver`
    expect((await t.call('POST', url, other.owner.headers)).body).toEqual(unknown)
    expect((await t.call('POST', url, shop.owner.headers)).body).toEqual(
      refusal(409, 'This payment has no events yet'),
    )
  })
})
