import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TIME } from '../../setup/expected.ts'
import {
  createPaidPayment,
  pay,
  refund,
  refusalOf,
  statusAndBody,
} from '../../setup/merchantCalls.ts'
import {
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../../setup/testService.ts'

const UNKNOWN = refusalOf(404, 'Payment not found')

let t: TestService
let shop: TestStore
let payer: TestWallet
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore({
    name: 'Corner',
    refundFeeMinor: 25n,
    domain: 'corner.example',
    email: 'shop@corner.example',
    phone: '+15550100',
  })
  await t.fund(shop.store, 'live', '50.00')
  payer = await t.createWallet({ balance: '100.00' })
})
afterAll(() => t.close())

const read = ({ headers }: TestWallet, id: string) =>
  t.call('GET', `/wallet/payments/${id}`, headers)

describe('a payment of the wallet', () => {
  it('has its order, its refund and the link back to the shop', async () => {
    const { payment_id } = await createPaidPayment(
      t,
      shop.live,
      payer,
      {
        amount: 20,
        products: [{ name: 'Tea', quantity: 2, price: 3.25 }],
        reference_id: 'order-1',
        reference_note: 'At the door',
        return_url: 'https://corner.example/thanks?a=1',
        client: { name: 'Bo', email: 'bo@example.com', phone: '1' },
        payload: { secret: 'of the merchant' },
        webhook_url: 'https://corner.example/hook',
      },
      1.5,
    )
    const { storeId } = shop.store
    const { publicUrl } = t.service.config
    const paid = {
      payment_id,
      status: 'completed',
      amount: '20.00',
      donation_amount: '1.50',
      total: '21.50',
      currency: 'USD',
      request_amount: { amount: '20.00', currency: 'USD', conversion_rate: '1.0000' },
      store_id: storeId,
      store: {
        name: 'Corner',
        logo: `${publicUrl}/stores/${storeId}/logo.svg`,
        domain: 'corner.example',
        email: 'shop@corner.example',
        phone: '+15550100',
      },
      reference_id: 'order-1',
      reference_note: 'At the door',
      products: [{ name: 'Tea', quantity: 2, price: '3.25' }],
      paid_at: TIME,
      refund: null,
      link_title: null,
      return_url: `https://corner.example/thanks?a=1&payment_id=${payment_id}&status=completed`,
    }
    expect(statusAndBody(await read(payer, payment_id))).toEqual({
      status: 200,
      body: { status: 200, message: 'Payment', data: paid },
    })
    await refund(t, shop.live, payment_id)
    expect((await read(payer, payment_id)).body.data).toEqual({
      ...paid,
      status: 'refunded',
      refund: { refund_amount: '19.75', refund_fee: '0.25', refunded_at: TIME },
      return_url: paid.return_url.replace('completed', 'refunded'),
    })
  })

  it('is not found by other wallets, before it is paid, and under a wrong id', async () => {
    const { payment_id, qr_code } = await t.createPayment(shop.live)
    expect(statusAndBody(await read(payer, payment_id))).toEqual(UNKNOWN)
    await pay(t, payer, qr_code)
    expect((await read(payer, payment_id)).status).toBe(200)
    expect(statusAndBody(await read(await t.createWallet(), payment_id))).toEqual(UNKNOWN)
    for (const id of [`${payment_id}x`, 'pay_1', '%00']) {
      expect(statusAndBody(await read(payer, id))).toEqual(UNKNOWN)
    }
    expect((await t.call('GET', `/wallet/payments/${payment_id}`)).status).toBe(401)
  })
})

describe('the link back to the shop', () => {
  it('is in the preview after the outcome, and in the response of the payment', async () => {
    const return_url = 'https://corner.example/thanks'
    const linkOf = (id: string, status: string) => `${return_url}?payment_id=${id}&status=${status}`
    const preview = async (qrCode: string) =>
      (await t.call('GET', `/wallet/payment/${qrCode}`, payer.headers)).body.data
    const paid = await t.createPayment(shop.live, { return_url })
    expect(await preview(paid.qr_code)).toMatchObject({
      return_url: null,
      store_id: shop.store.storeId,
    })
    const { body } = await pay(t, payer, paid.qr_code)
    expect(body.data.return_url).toBe(linkOf(paid.payment_id, 'completed'))
    expect((await preview(paid.qr_code)).return_url).toBe(linkOf(paid.payment_id, 'completed'))
    const overdue = await t.createPayment(shop.live, { return_url })
    await t.makeOverdue(overdue.payment_id)
    expect((await preview(overdue.qr_code)).return_url).toBe(linkOf(overdue.payment_id, 'expired'))
    const withoutUrl = await t.createPayment(shop.live)
    expect((await pay(t, payer, withoutUrl.qr_code)).body.data.return_url).toBeNull()
  })
})

describe('activity of one store', () => {
  it('lists only its transfers, page by page', async () => {
    const other = await t.createStore({ name: 'Other' })
    const wallet = await t.createWallet({ balance: '100.00' })
    const shopPayments: string[] = []
    for (const { live } of [shop, other, shop]) {
      const { payment_id } = await createPaidPayment(t, live, wallet)
      if (live === shop.live) shopPayments.unshift(payment_id)
    }
    const list = async (query: string) =>
      (
        await t.call(
          'GET',
          `/wallet/activity?store_id=${shop.store.storeId}${query}`,
          wallet.headers,
        )
      ).body.data
    const first = await list('&limit=1')
    const second = await list(`&limit=1&cursor=${encodeURIComponent(first.next_cursor)}`)
    const references = [first, second].map(({ activity }) => activity[0].reference)
    expect([references, second.next_cursor]).toEqual([shopPayments, null])
    const response = await t.call('GET', '/wallet/activity?store_id=0', wallet.headers)
    expect([response.status, response.body.errors[0].field]).toEqual([400, 'store_id'])
  })
})
