import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { TIME } from '../../setup/expected.ts'
import { expectNothingStored, newLink, payLink, previewLink } from '../../setup/links.ts'
import {
  balanceOf,
  readDetails,
  readWalletBalance,
  refund,
  setRate,
  statusAndBody,
} from '../../setup/merchantCalls.ts'
import { startReceiver } from '../../setup/receiver.ts'
import {
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
let wallet: TestWallet
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore({ name: 'Corner', feeBps: 100, refundFeeMinor: 50n })
  wallet = await t.createWallet({ balance: '10000.00' })
  await setRate(t, 'EUR', 'USD', '1.1')
})
afterEach(async () => expect(await t.auditFindings()).toEqual([]))
afterAll(() => t.close())

const pay = (id: string, body: object = {}, headers = {}, by = wallet) =>
  payLink(t, by, id, body, headers)
const preview = async (id: string, by = wallet) => (await previewLink(t, by, id)).body.data

describe('the preview', () => {
  it('shows a fixed amount at the current rate', async () => {
    const products = [{ name: 'Tea', quantity: 2, price: 5 }]
    const id = await newLink(t, shop.live, {
      amount: 10,
      currency: 'EUR',
      products,
      max_payments: 3,
      description: 'Hot',
      reference_note: 'Thanks',
    })
    const response = await previewLink(t, wallet, id)
    expect(statusAndBody(response)).toEqual({
      status: 200,
      body: {
        status: 200,
        message: 'Link preview',
        data: {
          link_id: id,
          state: 'active',
          title: 'Coffee',
          description: 'Hot',
          amount: '11.00',
          currency: 'USD',
          request_amount: { amount: '10.00', currency: 'EUR', conversion_rate: '1.1000' },
          min_amount: null,
          max_amount: null,
          store_id: shop.store.storeId,
          store: {
            name: 'Corner',
            logo: `https://pay.example.com/stores/${shop.store.storeId}/logo.svg`,
            domain: '',
            email: '',
            phone: '',
          },
          reference_note: 'Thanks',
          products: [{ name: 'Tea', quantity: 2, price: '5.00' }],
          payments_left: 3,
          expires_at: null,
          balance: '10000.00',
          pin_limit: null,
          can_pay: true,
          reason: null,
        },
      },
    })
  })

  it('shows the limits if the payer chooses the amount', async () => {
    const limited = await t.createStore({ minAmountMinor: 200n, maxAmountMinor: 5_000n })
    const id = await newLink(t, limited.live)
    expect(await preview(id)).toMatchObject({
      amount: null,
      request_amount: { amount: null, currency: 'USD', conversion_rate: '1.0000' },
      min_amount: '2.00',
      max_amount: '50.00',
      can_pay: true,
    })
    const poor = await t.createWallet({ balance: '1.99' })
    expect(await preview(id, poor)).toMatchObject({
      can_pay: false,
      reason: 'insufficient_balance',
    })
  })

  it('never writes a row', async () => {
    const id = await newLink(t, shop.live)
    await expectNothingStored(t, wallet, async () => {
      for (let n = 0; n < 3; n++) {
        const responses = Array.from({ length: 100 }, () => previewLink(t, wallet, id))
        expect(new Set((await Promise.all(responses)).map(({ status }) => status))).toEqual(
          new Set([200]),
        )
      }
    })
  })
})

describe('paying', () => {
  it('creates a completed payment with fee and donation, and returns a receipt', async () => {
    const id = await newLink(t, shop.live, {
      amount: 20,
      reference_id: 'menu-7',
      reference_note: 'Table 4',
      payload: { table: 4 },
      return_url: 'https://shop.example/thanks',
    })
    const [before, store] = [await readWalletBalance(t, wallet), await balanceOf(t, shop.live)]
    const { status, body } = await pay(id, { donation_amount: 1.5 })
    const { payment_id } = body.data
    expect([status, body]).toEqual([
      200,
      {
        status: 200,
        message: 'Payment completed',
        data: {
          payment_id: expect.stringMatching(/^pay_/),
          status: 'completed',
          amount: '20.00',
          donation_amount: '1.50',
          total: '21.50',
          currency: 'USD',
          store: expect.objectContaining({ name: 'Corner' }),
          paid_at: TIME,
          return_url: `https://shop.example/thanks?payment_id=${payment_id}&status=completed`,
        },
      },
    ])
    expect(Number(before) - Number(await readWalletBalance(t, wallet))).toBeCloseTo(21.5, 5)
    expect(Number(await balanceOf(t, shop.live)) - Number(store)).toBeCloseTo(19.8, 5)
    expect(await readDetails(t, shop.live, payment_id)).toMatchObject({
      status: 'completed',
      link_id: id,
      amount: '19.80',
      transaction_fee: '0.20',
      donation_amount: '1.50',
      reference: { id: 'menu-7', note: 'Table 4' },
      payload: { table: 4 },
      client: null,
      user: { wallet_id: wallet.wallet.publicId },
    })
  })

  it('takes the amount that the payer chooses, and converts at the rate of that moment', async () => {
    const id = await newLink(t, shop.live, { currency: 'EUR' })
    await setRate(t, 'EUR', 'USD', '1.25')
    const { payment_id } = (await pay(id, { amount: 4.4 })).body.data
    await setRate(t, 'EUR', 'USD', '1.1')
    expect(await readDetails(t, shop.live, payment_id)).toMatchObject({
      request_amount: { amount: '4.40', currency: 'EUR', conversion_rate: '1.2500' },
      amount: '5.44',
      transaction_fee: '0.06',
    })
  })

  it('is refused at another rate than the payer saw, and charges nothing', async () => {
    const id = await newLink(t, shop.live, { amount: 4, currency: 'EUR' })
    await setRate(t, 'EUR', 'USD', '1.2')
    expect((await pay(id, { conversion_rate: '1.1000' })).body).toMatchObject({
      status: 400,
      errors: [
        {
          field: 'conversion_rate',
          message: 'conversion_rate is now 1.2000. Preview the link again.',
        },
      ],
    })
    expect((await t.call('GET', `/merchant/links/${id}`, shop.live)).body.data.paid_count).toBe(0)
    const { payment_id } = (await pay(id, { conversion_rate: '1.2000' })).body.data
    expect(await readDetails(t, shop.live, payment_id)).toMatchObject({ amount: '4.75' })
    await setRate(t, 'EUR', 'USD', '1.1')
  })

  it('in the sandbox works with a sandbox wallet', async () => {
    const id = await newLink(t, shop.sandbox, { amount: 3 })
    const tester = await t.createWallet({ mode: 'sandbox', balance: '5.00' })
    const { payment_id } = (await pay(id, {}, {}, tester)).body.data
    expect(await readDetails(t, shop.sandbox, payment_id)).toMatchObject({
      is_sandbox_transaction: true,
      link_id: id,
    })
  })

  it('posts an event with the link, and can be refunded', async () => {
    const receiver = await startReceiver()
    t.service.dispatcher.start()
    const { store, live } = shop
    await t.fund(store, 'live', '5.00')
    const id = await newLink(t, live, { amount: 10, webhook_url: receiver.url })
    const { payment_id } = (await pay(id)).body.data
    const [completed] = await receiver.until(1)
    expect(JSON.parse(completed!.body)).toMatchObject({
      type: 'payment.completed',
      data: { payment_id, link_id: id, status: 'completed' },
    })
    const before = await readWalletBalance(t, wallet)
    expect((await refund(t, live, payment_id)).status).toBe(200)
    expect(Number(await readWalletBalance(t, wallet)) - Number(before)).toBeCloseTo(9.5, 5)
    const [, refunded] = await receiver.until(2)
    expect(JSON.parse(refunded!.body)).toMatchObject({
      type: 'payment.refunded',
      data: { link_id: id, status: 'refunded' },
    })
    const link = await t.call('GET', `/merchant/links/${id}`, live)
    expect(link.body.data).toMatchObject({ paid_count: 1, paid_total: '10.00' })
    await t.service.dispatcher.stop()
    await receiver.close()
  })

  it('with an Idempotency-Key pays once, even if the requests are concurrent', async () => {
    const id = await newLink(t, shop.live, { amount: 1 })
    const before = await readWalletBalance(t, wallet)
    const key = { 'idempotency-key': 'tap' }
    const responses = await Promise.all(Array.from({ length: 20 }, () => pay(id, {}, key)))
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(Number(before) - Number(await readWalletBalance(t, wallet))).toBeCloseTo(1, 5)
    expect((await pay(id, { donation_amount: 1 }, key)).status).toBe(422)
    // Without a key, each call is a payment.
    await pay(id)
    const link = await t.call('GET', `/merchant/links/${id}`, shop.live)
    expect(link.body.data.paid_count).toBe(2)
  })
})
