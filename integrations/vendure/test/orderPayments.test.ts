import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConflictError, type Florin, type Payment, webhooks } from '@florin/sdk'
import { expireAll, problemOf } from '../src/orderPayments.js'

const due = { orderCode: 'A1', channelToken: 'web', amount: '12.50', currency: 'USD' }
const payload = { vendure_order: 'A1', vendure_channel: 'web' }

async function createPayment(data: Partial<Payment>): Promise<Payment> {
  const secret = 'whsec_AAAA'
  const signed = await webhooks.signTestEvent({ type: 'payment.completed', secret, data })
  return (await webhooks.constructEvent(signed.body, signed.headers, secret)).data
}

test('a completed payment of the same order, amount and currency settles it', async () => {
  assert.equal(problemOf(await createPayment({ payload }), due), null)
})

test('a payment of another order, channel, status, amount or currency does not settle it', async () => {
  const amount = (text: string, currency = 'USD') => ({
    request_amount: { amount: text, currency, conversion_rate: '1.0000' },
  })
  const rows: [Partial<Payment>, RegExp][] = [
    [{ payload: null }, /does not belong to order A1/],
    [{ payload: { ...payload, vendure_order: 'A2' } }, /does not belong/],
    [{ payload: { ...payload, vendure_channel: 'app' } }, /does not belong/],
    [{ payload, status: 'refunded' }, /its status is refunded/],
    [{ payload, status: 'pending' }, /its status is pending/],
    [{ payload, ...amount('12.49') }, /12\.49 USD, but order A1 needs 12\.50 USD/],
    [{ payload, ...amount('12.50', 'EUR') }, /12\.50 EUR, but/],
  ]
  for (const [data, problem] of rows)
    assert.match(problemOf(await createPayment(data), due) ?? '', problem)
})

test('a payment that is no longer pending does not keep others from being expired', async () => {
  const expired: string[] = []
  const expire = async (id: string) => {
    if (id === 'pay_1') throw new ConflictError('Payment is not pending')
    expired.push(id)
  }
  const florin = { payments: { expire } } as unknown as Florin
  const ids = ['pay_1', 'pay_2']
  const payments = await Promise.all(ids.map((payment_id) => createPayment({ payment_id })))
  assert.equal(await expireAll(florin, payments), false)
  assert.deepEqual(expired, ['pay_2'])
})
