import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusal } from '../../setup/expected.ts'
import { createPerson, type TestPerson } from '../../setup/people.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
let owner: TestPerson
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  await t.fund(shop.store, 'live', '100')
  owner = await createPerson(t, shop.store)
})
afterAll(() => t.close())

const readAudit = async (id: string, mode = 'live') =>
  (await t.call('GET', `/store/${mode}/payments/${id}/audit`, owner.headers)).body
const auditWith = (id: string, created_by: unknown, refunded_by: unknown) => ({
  status: 200,
  message: 'Payment audit',
  data: { payment_id: id, created_by, refunded_by, cancelled_by: null },
})
const key = () => ({ kind: 'api_key', name: 'test', api_key: shop.live['api-key'] })
const person = () => ({
  kind: 'person',
  name: `${owner.email} (store ${shop.store.storeId})`,
  api_key: null,
})

async function createPaid(): Promise<string> {
  const payment = await t.createPayment(shop.live, { amount: 5 })
  const wallet = await t.createWallet({ balance: '10' })
  await t.call('POST', `/wallet/payment/${payment.qr_code}/pay`, wallet.headers, {})
  return payment.payment_id
}

it('names the API keys that created and refunded a payment', async () => {
  const id = await createPaid()
  expect(await readAudit(id)).toEqual(auditWith(id, key(), null))
  const other = await t.issue(shop.store, 'live', ['refund'])
  expect((await t.call('POST', `/merchant/payment/${id}/refund`, other)).status).toBe(200)
  const expected = auditWith(id, key(), { ...key(), api_key: other['api-key'] })
  expect(await readAudit(id)).toEqual(expected)
  const asOperator = await t.call('GET', `/operator/payments/${id}/audit`, t.operator)
  expect(asOperator.body).toEqual(expected)
  const details = (await t.call('GET', `/merchant/payment/${id}`, shop.live)).text
  expect(details).not.toContain(other['api-key'])
})

it('names the person who created and refunded a payment', async () => {
  const charge = await t.call('POST', '/store/live/payments', owner.headers, { amount: 5 })
  const { payment_id: id, qr_code } = charge.body.data
  expect(await readAudit(id)).toEqual(auditWith(id, person(), null))
  const wallet = await t.createWallet({ balance: '10' })
  await t.call('POST', `/wallet/payment/${qr_code}/pay`, wallet.headers, {})
  await t.call('POST', `/store/live/payments/${id}/refund`, owner.headers)
  expect(await readAudit(id)).toEqual(auditWith(id, person(), person()))
})

it('names the key of the refund that succeeded', async () => {
  const id = await createPaid()
  const keys = await Promise.all([1, 2, 3].map(() => t.issue(shop.store, 'live', ['refund'])))
  const refunds = await Promise.all(
    keys.map((headers) => t.call('POST', `/merchant/payment/${id}/refund`, headers)),
  )
  const successIndex = refunds.findIndex(({ status }) => status === 200)
  expect(await readAudit(id)).toEqual(
    auditWith(id, key(), { ...key(), api_key: keys[successIndex]!['api-key'] }),
  )
})

it('returns null for a payment that an earlier version created, and 404 for unknown ids', async () => {
  const id = await createPaid()
  await t.database.transaction((tx) =>
    tx.execute('update payment set created_by_key = null where payment_id = $1', [id]),
  )
  expect(await readAudit(id)).toEqual(auditWith(id, null, null))
  const unknown = refusal(404, 'Payment not found')
  expect(await readAudit(id, 'sandbox')).toEqual(unknown)
  expect(await readAudit('pay_x')).toEqual(unknown)
  const otherPayment = await t.createPayment((await t.createStore()).live, { amount: 1 })
  expect(await readAudit(otherPayment.payment_id)).toEqual(unknown)
  const unused = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
  for (const other of ['pay_x', unused]) {
    const response = await t.call('GET', `/operator/payments/${other}/audit`, t.operator)
    expect(response.body).toEqual(unknown)
  }
})
