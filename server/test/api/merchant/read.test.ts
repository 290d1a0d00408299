import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CurrencyCode } from '../../../src/core/currencies.ts'
import { invalid, TIME } from '../../setup/expected.ts'
import {
  changeStore,
  createPaidPayment,
  pay,
  readDetails,
  refund,
  sandboxPay,
  setRate,
  statusAndBody,
} from '../../setup/merchantCalls.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())

describe('details', () => {
  it('have every key, with null for absent values', async () => {
    const created = await t.createPayment(shop.live)
    expect(await readDetails(t, shop.live, created.payment_id)).toEqual({
      payment_id: created.payment_id,
      qr_code: created.qr_code,
      amount: '10.00',
      transaction_fee: '0.00',
      donation_amount: '0.00',
      currency: 'USD',
      status: 'pending',
      created_at: TIME,
      is_sandbox_transaction: false,
      client: null,
      user: null,
      store: {
        name: 'Test Store',
        logo: `https://pay.example.com/stores/${shop.store.storeId}/logo.svg`,
        domain: '',
        email: '',
        phone: '',
      },
      webhook: null,
      reference: { id: null, note: null },
      request_amount: { amount: '10.00', currency: 'USD', conversion_rate: '1.0000' },
      payload: null,
      products: [],
      expires_at: TIME,
      refund: null,
      link_id: null,
    })
  })

  it('have all fields of the request, the payer and the refund', async () => {
    await setRate(t, 'EUR', 'USD', '1.0850')
    const store = { name: 'Café', domain: 'cafe.example', email: 'hi@cafe.example', phone: '+331' }
    const logo = 'https://cafe.example/logo.png'
    const { live, ...cafe } = await t.createStore({
      ...store,
      logo,
      feeBps: 100,
      feeFixedMinor: 30n,
      refundFeeMinor: 50n,
    })
    await t.fund(cafe.store, 'live', '5.00')
    const client = {
      name: 'Ann',
      email: 'ann@example.com',
      phone_dial_code: '+44',
      phone: '5550100',
    }
    const payer = await t.createWallet({ balance: '50.00' })
    const sent = {
      amount: 20,
      currency: 'EUR',
      client,
      payload: { table: 7 },
      products: [{ name: 'Tea', quantity: 2, price: 10 }],
      reference_id: 'A-1',
      reference_note: 'Window seat',
      webhook_url: 'https://cafe.example/h',
    }
    const created = await createPaidPayment(t, live, payer, sent, 0.25)
    const { walletId, publicId, name, email, phone } = payer.wallet
    const paid = {
      payment_id: created.payment_id,
      qr_code: created.qr_code,
      amount: '21.18',
      transaction_fee: '0.52',
      donation_amount: '0.25',
      currency: 'USD',
      status: 'completed',
      created_at: TIME,
      is_sandbox_transaction: false,
      client,
      user: { id: walletId, name, email, phone, wallet_id: publicId },
      store: { ...store, logo },
      webhook: { url: 'https://cafe.example/h', called_at: null, response: null },
      reference: { id: 'A-1', note: 'Window seat' },
      request_amount: { amount: '20.00', currency: 'EUR', conversion_rate: '1.0850' },
      payload: { table: 7 },
      products: [{ name: 'Tea', quantity: 2, price: '10.00' }],
      expires_at: TIME,
      refund: null,
      link_id: null,
    }
    expect(await readDetails(t, live, created.payment_id)).toEqual(paid)
    const { refunded_at } = (await refund(t, live, created.payment_id)).body.data
    expect(await readDetails(t, live, created.payment_id)).toEqual({
      ...paid,
      status: 'refunded',
      refund: { refund_amount: '21.20', refund_fee: '0.50', refunded_at },
    })
  })

  it('mark a sandbox payment, and have the sandbox payer', async () => {
    const { payment_id } = await t.createPayment(shop.sandbox)
    await sandboxPay(t, shop.sandbox, payment_id)
    expect(await readDetails(t, shop.sandbox, payment_id)).toMatchObject({
      is_sandbox_transaction: true,
      status: 'completed',
      user: {
        id: shop.store.sandboxWalletId,
        name: 'Sandbox Payer',
        wallet_id: expect.any(String),
      },
    })
  })

  it('have times in UTC, whatever the time zone of the store', async () => {
    const { live } = await t.createStore({ timeZone: 'Pacific/Kiritimati' })
    const { payment_id } = await t.createPayment(live)
    const data = await readDetails(t, live, payment_id)
    const [row] = await t.database.query<{ created_at: Date; expires_at: Date }>(
      'select created_at, expires_at from payment where payment_id = $1',
      [payment_id],
    )
    const utc = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ')
    expect(Math.abs(Date.now() - row!.created_at.getTime())).toBeLessThan(60_000)
    expect(data.created_at).toBe(utc(row!.created_at))
    expect(data.expires_at).toBe(utc(row!.expires_at))
  })

  it.each([
    // Percentage and fixed part are added, then rounded once, half up. The fee is never above the gross.
    ['USD', 100, 0n, 10.5, '10.39', '0.11'],
    ['USD', 100, 0n, 10.49, '10.39', '0.10'],
    ['USD', 250, 30n, 10, '9.45', '0.55'],
    ['USD', 0, 500n, 3, '0.00', '3.00'],
    ['JPY', 150, 0n, 500, '492.00', '8.00'],
    ['KWD', 100, 5n, 1.25, '1.232', '0.018'],
  ])(
    '%s: %d basis points plus %d, of %d: net %s, fee %s',
    async (currency, feeBps, feeFixedMinor, amount, net, fee) => {
      const code = currency as CurrencyCode
      const { live } = await t.createStore({ currency: code, feeBps, feeFixedMinor })
      const products = [{ name: 'x', quantity: 1, price: amount }]
      const { payment_id } = await t.createPayment(live, { amount, currency, products })
      const shown = currency === 'KWD' ? amount.toFixed(3) : amount.toFixed(2)
      expect(await readDetails(t, live, payment_id)).toMatchObject({
        amount: net,
        transaction_fee: fee,
        currency,
        donation_amount: currency === 'KWD' ? '0.000' : '0.00',
        request_amount: { amount: shown, currency, conversion_rate: '1.0000' },
        products: [{ price: shown }],
      })
    },
  )

  it('keep the fee that applied at creation', async () => {
    const store = await t.createStore({ feeBps: 100 })
    const { payment_id } = await t.createPayment(store.live)
    await changeStore(t, store, { fee_bps: 900, fee_fixed: '1.00' })
    expect((await readDetails(t, store.live, payment_id)).transaction_fee).toBe('0.10')
  })

  it('have the URL of an existing logo', async () => {
    const { payment_id } = await t.createPayment(shop.live)
    const { logo } = (await readDetails(t, shop.live, payment_id)).store
    const response = await t.call('GET', new URL(logo).pathname)
    expect([response.status, response.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  })
})

describe('status', () => {
  it('has each of the five values', async () => {
    const poor = await t.createWallet()
    const rich = await t.createWallet({ balance: '100.00' })
    await t.fund(shop.store, 'live', '100.00')
    const pending = await t.createPayment(shop.live)
    const failed = await t.createPayment(shop.live)
    expect((await pay(t, poor, failed.qr_code)).status).toBe(402)
    const completed = await createPaidPayment(t, shop.live, rich)
    const refunded = await createPaidPayment(t, shop.live, rich)
    await refund(t, shop.live, refunded.payment_id)
    const expired = await t.createPayment(shop.live)
    await t.makeOverdue(expired.payment_id)
    for (const [status, { payment_id }] of Object.entries({
      pending,
      failed,
      completed,
      refunded,
      expired,
    })) {
      const response = await t.call('GET', `/merchant/payment/${payment_id}/status`, shop.live)
      const body = { status: 200, message: 'Payment status', data: { payment_id, status } }
      expect(statusAndBody(response)).toEqual({ status: 200, body })
      const data = await readDetails(t, shop.live, payment_id)
      expect(data.status).toBe(status)
      expect(data.user !== null).toBe(status === 'completed' || status === 'refunded')
    }
  })

  it('of an overdue payment is expired immediately, and it cannot be paid', async () => {
    const rich = await t.createWallet({ balance: '100.00' })
    const { payment_id, qr_code } = await t.createPayment(shop.live)
    await t.makeOverdue(payment_id)
    expect((await readDetails(t, shop.live, payment_id)).status).toBe('expired')
    expect((await pay(t, rich, qr_code)).status).toBe(410)
  })

  it('of an unknown id is a 404 with status_code', async () => {
    const response = await t.call('GET', '/merchant/payment/pay_nope/status', shop.live)
    const body = { status_code: 404, message: 'Invalid payment id' }
    expect(statusAndBody(response)).toEqual({ status: 404, body })
  })
})

describe('status with wait', () => {
  async function measureStatusRequest(paymentId: string, wait: string) {
    const startedMs = performance.now()
    const path = `/merchant/payment/${paymentId}/status?wait=${wait}`
    const response = await t.call('GET', path, shop.live)
    return { response, seconds: (performance.now() - startedMs) / 1000 }
  }

  it.each(['61', '-1', '1.5', 'x', '', '1e1', '9999999999'])('%j is refused', async (wait) => {
    const { payment_id } = await t.createPayment(shop.live)
    const message = 'wait must be a whole number of seconds from 0 to 60'
    expect(statusAndBody((await measureStatusRequest(payment_id, wait)).response)).toEqual({
      status: 400,
      body: invalid(['wait', message]),
    })
  })

  it('responds immediately if the payment is settled or unknown, or the wait is 0', async () => {
    const settled = await t.createPayment(shop.live)
    await t.call('POST', `/merchant/payment/${settled.payment_id}/expire`, shop.live)
    const { payment_id } = await t.createPayment(shop.live)
    for (const [id, wait, status] of [
      [settled.payment_id, '60', 200],
      ['pay_nope', '60', 404],
      [payment_id, '0', 200],
    ] as const) {
      const { response, seconds } = await measureStatusRequest(id, wait)
      expect(response.status).toBe(status)
      expect(seconds).toBeLessThan(10)
    }
  })

  it('holds at most 100 requests for one payment, and refuses more with 503 and Retry-After', async () => {
    const { payment_id } = await t.createPayment(shop.live)
    const path = `/merchant/payment/${payment_id}/status`
    const url = `${path}?wait=60`
    const waiting = Array.from({ length: 101 }, () => t.call('GET', url, shop.live))
    const refused = await Promise.race(waiting)
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([503, 1])
    // A request without a wait still succeeds.
    expect((await t.call('GET', `${path}?wait=0`, shop.live)).status).toBe(200)
    await t.call('POST', `/merchant/payment/${payment_id}/expire`, shop.live)
    const responses = await Promise.all(waiting)
    expect(responses.filter(({ body }) => body.data?.status === 'expired')).toHaveLength(100)
    expect((await t.call('GET', url, shop.live)).status).toBe(200)
  })

  it('responds with pending after the wait', async () => {
    const { payment_id } = await t.createPayment(shop.live)
    const { response, seconds } = await measureStatusRequest(payment_id, '1')
    expect(response.body.data).toEqual({ payment_id, status: 'pending' })
    expect(seconds).toBeGreaterThan(0.95)
    expect(seconds).toBeLessThan(10)
  })

  it.each(['completed', 'failed', 'expired'])(
    'ends for all waiting requests when the payment is %s',
    async (status) => {
      const wallet = await t.createWallet({ balance: status === 'completed' ? '10.00' : '0' })
      const { payment_id, qr_code } = await t.createPayment(shop.live)
      // The wait must end by notification, so a poll must not end it before.
      vi.spyOn(t.service.changes, 'pollMs').mockReturnValue(60_000)
      const waits = vi.spyOn(t.service.changes, 'next')
      const waiting = [
        measureStatusRequest(payment_id, '60'),
        measureStatusRequest(payment_id, '30'),
      ]
      await expect.poll(() => waits.mock.calls.length).toBe(2)
      if (status === 'expired') {
        await t.call('POST', `/merchant/payment/${payment_id}/expire`, shop.live)
      } else {
        await pay(t, wallet, qr_code)
      }
      for (const { response, seconds } of await Promise.all(waiting)) {
        expect(response.body.data).toEqual({ payment_id, status })
        expect(seconds).toBeLessThan(20)
      }
    },
  )

  it('ends when the payment expires during the wait', async () => {
    const { payment_id } = await t.createPayment(shop.live)
    await t.database.transaction((tx) =>
      tx.execute(
        `update payment set expires_at = now() + interval '1 second' where payment_id = $1`,
        [payment_id],
      ),
    )
    const { response, seconds } = await measureStatusRequest(payment_id, '60')
    expect(response.body.data.status).toBe('expired')
    expect(seconds).toBeLessThan(30)
  })
})
