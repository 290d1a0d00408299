import { afterAll, beforeAll, expect, it } from 'vitest'
import { localDay, startOfLocalDay } from '../../../src/core/calendar.ts'
import { invalid } from '../../setup/expected.ts'
import { newLink, payLink } from '../../setup/links.ts'
import { createPaidPayment } from '../../setup/merchantCalls.ts'
import { createPerson, type TestPerson } from '../../setup/people.ts'
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
  wallet = await t.createWallet({ balance: '100000' })
})
afterAll(() => t.close())

async function openShop(settings = {}): Promise<TestStore & { owner: TestPerson }> {
  const shop = await t.createStore({ timeZone: ZONE, ...settings })
  return { ...shop, owner: await createPerson(t, shop.store, 'owner') }
}

const read = async ({ headers }: TestPerson, path: string) =>
  (await t.call('GET', `/store/live/${path}`, headers)).body

/** Moves the outcome of a payment to another time. Call it before the first read, because complete hours are cached. */
const moveEvents = (id: string, to: Date) =>
  t.database.transaction((tx) =>
    tx.execute('update event set created_at = $2 where payment_id = $1', [id, to]),
  )

const sum = (count: number, amount: string) => ({ count, amount })

it('compares a chosen period with the one before, by day, hour of the day and method', async () => {
  const shop = await openShop()
  const at = (day: string, hour: number) =>
    new Date(startOfLocalDay(day, ZONE)!.getTime() + (hour + 0.5) * HOUR_MS)
  const sales = [
    ['2026-03-02', 9, 10],
    ['2026-03-03', 9, 20],
    ['2026-03-03', 17, 40],
    ['2026-03-01', 9, 5],
    ['2026-02-27', 9, 1000],
  ] as const
  for (const [day, hour, amount] of sales) {
    const { payment_id } = await createPaidPayment(t, shop.live, wallet, { amount })
    await moveEvents(payment_id, at(day, hour))
  }
  const charged = await t.call('POST', '/store/live/payments', shop.owner.headers, { amount: 7 })
  const { payment_id, qr_code } = charged.body.data
  await t.call('POST', `/wallet/payment/${qr_code}/pay`, wallet.headers, {})
  await moveEvents(payment_id, at('2026-03-03', 17))
  const link = await newLink(t, shop.live, { amount: 2 })
  const paid = await payLink(t, wallet, link)
  await moveEvents(paid.body.data.payment_id, at('2026-03-03', 17))

  const { data } = await read(shop.owner, 'overview/series?from=2026-03-02&to=2026-03-03')
  expect(data).toMatchObject({ step: 'day', is_complete: true, currency: 'USD', time_zone: ZONE })
  const salesOf = (points: readonly { from: string; sales: unknown }[]) =>
    points.map((point) => [localDay(new Date(`${point.from}Z`), ZONE), point.sales])
  expect(salesOf(data.points)).toEqual([
    ['2026-03-02', sum(1, '10.00')],
    ['2026-03-03', sum(4, '69.00')],
  ])
  expect(salesOf(data.before.points)).toEqual([
    ['2026-02-28', sum(0, '0.00')],
    ['2026-03-01', sum(1, '5.00')],
  ])
  expect([data.total.sales, data.before.total.sales]).toEqual([sum(5, '79.00'), sum(1, '5.00')])
  expect(data.hours).toHaveLength(24)
  expect(data.hours.filter((hour: { sales: { count: number } }) => hour.sales.count > 0)).toEqual([
    { hour: 9, sales: sum(2, '30.00') },
    { hour: 17, sales: sum(3, '49.00') },
  ])
  expect(data.methods).toEqual([
    { method: 'till', sales: sum(1, '7.00') },
    { method: 'link', sales: sum(1, '2.00') },
    { method: 'api', sales: sum(3, '70.00') },
  ])
})

it('compares today with yesterday until the same time of day', async () => {
  const shop = await openShop({ timeZone: zoneOfNoon() })
  const { payment_id: earlyId } = await createPaidPayment(t, shop.live, wallet, { amount: 3 })
  const { payment_id: lateId } = await createPaidPayment(t, shop.live, wallet, { amount: 4 })
  const now = new Date()
  await moveEvents(earlyId, new Date(now.getTime() - 24 * HOUR_MS - 60_000))
  await moveEvents(lateId, new Date(now.getTime() - 23 * HOUR_MS))
  const { data } = await read(shop.owner, 'overview/series?days=1')
  expect(data.before.total.sales).toEqual(sum(1, '3.00'))
  expect(data.before.points.length).toBe(data.points.length)
})

it('shows as refunds what payers got back, also in the daily close, where the amounts add up to the closing balance', async () => {
  const shop = await openShop({ timeZone: zoneOfNoon(), feeBps: 100, refundFeeMinor: 50n })
  await t.fund(shop.store, 'live', '100')
  const { payment_id } = await createPaidPayment(t, shop.live, wallet, { amount: 50 })
  await t.call('POST', `/merchant/payment/${payment_id}/refund`, shop.live)
  const refunds = sum(1, '49.50')
  expect((await read(shop.owner, 'overview')).data.today.refunds).toEqual(refunds)
  expect((await read(shop.owner, 'today')).data.refunds).toEqual(refunds)
  const [close] = (await read(shop.owner, 'closes?limit=1')).data.closes
  expect(close).toMatchObject({
    opening: '0.00',
    sales: sum(1, '50.00'),
    fees: sum(1, '0.50'),
    refunds,
    refund_fees: sum(1, '0.50'),
    funding: sum(1, '100.00'),
    payouts: sum(0, '0.00'),
    closing: '99.50',
  })
})

it.each([
  ['from=2026-13-01', ['from', 'from must be a day such as 2026-01-31']],
  ['to=yesterday', ['to', 'to must be a day such as 2026-01-31']],
  ['from=2026-03-02&to=2026-03-01', ['to', 'to must not be before from']],
  ['from=2999-01-01', ['to', 'to must not be before from']],
  ['from=2026-01-01&to=2026-04-03', ['from', 'from must be at most 91 days before to']],
] as const)('refuses %s', async (query, problem) => {
  const { owner } = await openShop()
  expect(await read(owner, `overview/series?${query}`)).toEqual(invalid([...problem]))
})
