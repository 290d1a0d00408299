import { afterAll, beforeAll, expect, it } from 'vitest'
import { pay, readDetails } from '../../setup/merchantCalls.ts'
import { createPerson, type TestPerson } from '../../setup/people.ts'
import {
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
let wallet: TestWallet
let cashier: TestPerson
let viewer: TestPerson
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  wallet = await t.createWallet({ balance: '100.00' })
  cashier = await createPerson(t, shop.store, 'cashier')
  viewer = await createPerson(t, shop.store, 'viewer')
})
afterAll(async () => {
  const findings = await t.auditFindings()
  await t.close()
  expect(findings).toEqual([])
})

it('stores and operators see paid_at, even after a refund, but the merchant API does not have it', async () => {
  const { headers } = viewer
  const created = await t.createPayment(shop.live, { amount: 1 })
  const id = created.payment_id
  await t.database.transaction((tx) =>
    tx.execute(
      "update payment set created_at = created_at - interval '3 hours' where payment_id = $1",
      [id],
    ),
  )
  const receipt = (await pay(t, wallet, created.qr_code)).body.data
  const read = async (url: string) => (await t.call('GET', url, headers)).body.data
  const details = await read(`/store/live/payments/${id}`)
  expect(details.paid_at).toBe(receipt.paid_at)
  expect(details.paid_at).not.toBe(details.created_at)
  await t.call('POST', `/merchant/payment/${id}/refund`, shop.live)
  const listed = await read(`/store/live/payments?search=${id}`)
  expect(listed.payments[0]).toMatchObject({ status: 'refunded', paid_at: receipt.paid_at })
  const ofOperator = await t.call('GET', `/operator/payments/${id}`, t.operator)
  expect(ofOperator.body.data.paid_at).toBe(receipt.paid_at)
  expect(await readDetails(t, shop.live, id)).not.toHaveProperty('paid_at')
  const merchantList = await t.call('GET', '/merchant/payments?limit=1', shop.live)
  expect(merchantList.body.data.payments).toMatchObject([{ payment_id: id }])
  expect(merchantList.body.data.payments[0]).not.toHaveProperty('paid_at')
})

it('paid_at is null for a payment that is pending, expired or failed', async () => {
  const ids = await Promise.all(
    [1, 2, 3].map(async (amount) => (await t.createPayment(shop.live, { amount })).payment_id),
  )
  const [, cancelled, failed] = ids
  const { headers } = cashier
  await t.call('POST', `/store/live/payments/${cancelled}/expire`, headers)
  const { qr_code } = await readDetails(t, shop.live, failed!)
  await pay(t, await t.createWallet({ balance: '0.01' }), qr_code)
  for (const [n, status] of ['pending', 'expired', 'failed'].entries()) {
    const { body } = await t.call('GET', `/store/live/payments/${ids[n]}`, headers)
    expect(body.data).toMatchObject({ status, paid_at: null })
  }
})
