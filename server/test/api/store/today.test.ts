import { afterAll, beforeAll, expect, it } from 'vitest'
import { restoreEventTimes } from '../../setup/ledgerHistory.ts'
import { createPaidPayment, sandboxPay } from '../../setup/merchantCalls.ts'
import { createPerson } from '../../setup/people.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'
import { zoneFarFromMidnight } from '../../setup/timeZones.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(async () => {
  await restoreEventTimes(t)
  const findings = await t.auditFindings()
  await t.close()
  expect(findings).toEqual([])
})

it("sums sales and refunds of today in the store's time zone, for this mode and store only", async () => {
  const timeZone = zoneFarFromMidnight('Pacific/Apia', 'Asia/Kolkata')
  const shop = await t.createStore({ timeZone })
  const { headers } = await createPerson(t, shop.store, 'viewer')
  await t.fund(shop.store, 'live', '100')
  const wallet = await t.createWallet({ balance: '100' })
  const readToday = async (mode: string) =>
    (await t.call('GET', `/store/${mode}/today`, headers)).body
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date())
  const expected = (sales: [number, string], refunds: [number, string]) => ({
    status: 200,
    message: 'Today',
    data: {
      day,
      time_zone: timeZone,
      currency: 'USD',
      sales: { count: sales[0], amount: sales[1] },
      refunds: { count: refunds[0], amount: refunds[1] },
    },
  })
  expect(await readToday('live')).toEqual(expected([0, '0.00'], [0, '0.00']))
  const ids: string[] = []
  for (const amount of [1.5, 2, 4]) {
    ids.push((await createPaidPayment(t, shop.live, wallet, { amount })).payment_id)
  }
  await t.createPayment(shop.live, { amount: 64 })
  await sandboxPay(t, shop.sandbox, (await t.createPayment(shop.sandbox)).payment_id)
  const other = await t.createStore()
  await createPaidPayment(t, other.live, wallet, { amount: 32 })
  await t.call('POST', `/merchant/payment/${ids[1]}/refund`, shop.live)
  expect(await readToday('live')).toEqual(expected([3, '7.50'], [1, '2.00']))
  expect(await readToday('sandbox')).toEqual(expected([1, '10.00'], [0, '0.00']))
  await t.database.transaction((tx) =>
    tx.execute(
      `update event set created_at = created_at - interval '26 hours'
       where payment_id = any($1) and sequence = 1`,
      [ids.slice(0, 2)],
    ),
  )
  expect(await readToday('live')).toEqual(expected([1, '4.00'], [1, '2.00']))
})
