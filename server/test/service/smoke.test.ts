import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

it('a payment is created, previewed, paid, read and refunded, and the ledger is sound', async () => {
  const { store, live } = await t.createStore({ feeBps: 100, refundFeeMinor: 50n })
  await t.fund(store, 'live', '5.00')
  const wallet = await t.createWallet({ balance: '100.00' })
  const { payment_id, qr_code } = await t.createPayment(live, { amount: 12.5 })
  const preview = await t.call('GET', `/wallet/payment/${qr_code}`, wallet.headers)
  expect(preview.body.data).toMatchObject({ amount: '12.50', can_pay: true, reason: null })
  const paid = await t.call('POST', `/wallet/payment/${qr_code}/pay`, wallet.headers, {
    donation_amount: 0.5,
  })
  expect(paid.body).toMatchObject({ status: 200, data: { status: 'completed', total: '13.00' } })
  const status = await t.call('GET', `/merchant/payment/${payment_id}/status`, live)
  expect(status.body).toEqual({
    status: 200,
    message: 'Payment status',
    data: { payment_id, status: 'completed' },
  })
  const refund = await t.call('POST', `/merchant/payment/${payment_id}/refund`, live)
  expect(refund.body.data).toMatchObject({
    refund_amount: '12.00',
    refund_fee: '0.50',
    status: 'refunded',
  })
  const details = await t.call('GET', `/merchant/payment/${payment_id}`, live)
  expect(details.body.data).toMatchObject({
    amount: '12.37',
    transaction_fee: '0.13',
    donation_amount: '0.50',
  })
  expect(await t.auditFindings()).toEqual([])
})
