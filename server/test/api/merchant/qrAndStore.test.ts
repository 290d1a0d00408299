import { PNG } from 'pngjs'
import { decodeQR } from 'qr/decode.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CurrencyCode } from '../../../src/core/currencies.ts'
import {
  createPaidPayment,
  invalidOf,
  refusalOf,
  setRate,
  statusAndBody,
  statusOf,
} from '../../setup/merchantCalls.ts'
import { watchPngs } from '../../setup/pngs.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())

describe('QR image', () => {
  it.each([
    ['?format=png', 290],
    ['?format=png&size=64', 64],
    ['?size=2048&format=png', 2048],
  ])('%s is a PNG of %d pixels that scans', async (query, size) => {
    const { payment_id, qr_code } = await t.createPayment(shop.live)
    const url = `/merchant/payment/${payment_id}/qr${query}`
    const response = await t.app.inject({ method: 'GET', url, headers: shop.live })
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/png'])
    const image = PNG.sync.read(response.rawPayload)
    expect([image.width, image.height]).toEqual([size, size])
    expect(decodeQR(image)).toBe(qr_code)
  })

  it('is drawn two at a time, or refused with 503, when many are requested at once', async () => {
    const readMaxRunning = watchPngs()
    const { payment_id } = await t.createPayment(shop.live)
    const url = `/merchant/payment/${payment_id}/qr?format=png&size=512`
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => t.app.inject({ method: 'GET', url, headers: shop.live })),
    )
    const statuses = new Set(responses.map(({ statusCode }) => statusCode))
    expect([readMaxRunning(), statuses]).toEqual([2, new Set([200, 503])])
  })

  it.each(['', '?format=svg', '?size=100'])('%j is an SVG', async (query) => {
    const { payment_id, qr_code } = await t.createPayment(shop.live)
    const response = await t.call('GET', `/merchant/payment/${payment_id}/qr${query}`, shop.live)
    expect([response.status, response.headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(response.text).toMatch(/^<svg [^>]*viewBox="0 0 29 29"/)
    expect(response.text).toContain(qr_code)
    // No dark module is in the quiet zone of four modules.
    const runs = [...response.text.matchAll(/M(\d+) (\d+)h(\d+)/g)].map((run) =>
      run.slice(1).map(Number),
    )
    expect(runs).not.toEqual([])
    for (const [x, y, length] of runs as [number, number, number][]) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(4)
      expect(Math.max(x + length, y + 1)).toBeLessThanOrEqual(25)
    }
  })

  const SIZE: [string, string] = ['size', 'size must be a whole number from 64 to 2048']
  const FORMAT: [string, string] = ['format', 'format must be one of svg, png']
  it.each([
    ['size=63', SIZE],
    ['size=2049', SIZE],
    ['size=x&format=gif', FORMAT, SIZE],
  ] as [string, ...[string, string][]][])('refuses %s', async (query, ...errors) => {
    const { payment_id } = await t.createPayment(shop.live)
    const response = await t.call('GET', `/merchant/payment/${payment_id}/qr?${query}`, shop.live)
    expect(statusAndBody(response)).toEqual(invalidOf(...errors))
  })
})

describe('expiring a payment', () => {
  it('expires a pending payment immediately, and only once', async () => {
    const { payment_id } = await t.createPayment(shop.live)
    const expire = () => t.call('POST', `/merchant/payment/${payment_id}/expire`, shop.live)
    const data = { payment_id, status: 'expired' }
    expect(statusAndBody(await expire())).toEqual({
      status: 200,
      body: { status: 200, message: 'Payment expired', data },
    })
    expect(await statusOf(t, shop.live, payment_id)).toBe('expired')
    expect(statusAndBody(await expire())).toEqual(refusalOf(409, 'Payment is not pending'))
  })

  it('does not change a paid payment', async () => {
    const payer = await t.createWallet({ balance: '10.00' })
    const { payment_id } = await createPaidPayment(t, shop.live, payer)
    const response = await t.call('POST', `/merchant/payment/${payment_id}/expire`, shop.live)
    expect(response.status).toBe(409)
    expect(await statusOf(t, shop.live, payment_id)).toBe('completed')
  })
})

describe('balance, quote and store', () => {
  it('the balance contains funding and the net of paid payments; the pending amount is separate and excludes overdue payments', async () => {
    const { store, live, sandbox } = await t.createStore({ feeBps: 1000 })
    await t.fund(store, 'live', '1.00')
    await createPaidPayment(t, live, await t.createWallet({ balance: '10.00' }))
    const overdue = await t.createPayment(live, { amount: 4 })
    await t.makeOverdue(overdue.payment_id)
    await t.createPayment(live, { amount: 7 })
    await t.createPayment(live, { amount: 0.5 })
    const body = (data: object) => ({
      status: 200,
      body: { status: 200, message: 'Store balance', data },
    })
    const currency = 'USD'
    const readBalance = async (keys: Headers) =>
      statusAndBody(await t.call('GET', '/merchant/balance', keys))
    expect(await readBalance(live)).toEqual(
      body({ balance: '10.00', currency, pending_amount: '7.50' }),
    )
    expect(await readBalance(sandbox)).toEqual(
      body({ balance: '0.00', currency, pending_amount: '0.00' }),
    )
  })

  it('a quote returns the terms of a payment and the rest of each limit', async () => {
    await setRate(t, 'EUR', 'USD', '1.0850')
    const { live } = await t.createStore({
      feeBps: 150,
      feeFixedMinor: 10n,
      minAmountMinor: 100n,
      maxAmountMinor: 5000n,
      dailyLimitMinor: 6000n,
    })
    await t.createPayment(live, { amount: 20 })
    const quote = async (query: string) => t.call('GET', `/merchant/quote?${query}`, live)
    expect(statusAndBody(await quote('amount=12.50&currency=EUR'))).toEqual({
      status: 200,
      body: {
        status: 200,
        message: 'Quote',
        data: {
          request_amount: { amount: '12.50', currency: 'EUR', conversion_rate: '1.0850' },
          gross: '13.56',
          transaction_fee: '0.30',
          amount: '13.26',
          currency: 'USD',
          limits: {
            min_amount: '1.00',
            max_amount: '50.00',
            daily: { limit: '60.00', left: '40.00' },
            monthly: { limit: null, left: null },
          },
          within_limits: true,
        },
      },
    })
    for (const [amount, within] of [
      ['0.99', false],
      ['1', true],
      ['40.00', true],
      ['40.01', false],
      ['50.01', false],
    ]) {
      const response = await quote(`amount=${amount}&currency=USD`)
      expect([amount, response.body.data.within_limits]).toEqual([amount, within])
    }
  })

  it.each([
    ['', ['amount', 'amount is required'], ['currency', 'currency is required']],
    ['amount=0&currency=USD', ['amount', 'amount must be greater than 0']],
    ['amount=-1&currency=USD', ['amount', 'amount must not be negative']],
    ['amount=1e3&currency=USD', ['amount', 'amount must be a number']],
    ['amount=0.001&currency=USD', ['amount', 'amount has more decimals than USD has']],
    [
      'amount=1&currency=usd',
      ['currency', 'currency must be an ISO 4217 code in upper case, such as USD'],
    ],
    ['amount=1&currency=SEK', ['currency', 'currency SEK cannot be converted to USD']],
    [
      'amount=x&currency=SEK',
      ['amount', 'amount must be a number'],
      ['currency', 'currency SEK cannot be converted to USD'],
    ],
    [
      'amount=1234567890123&currency=ZZZ',
      ['amount', 'amount must have at most 12 digits before the decimal point'],
      ['currency', 'currency ZZZ is not known: use an ISO 4217 code, such as USD'],
    ],
    [
      'currency=ZZZ',
      ['amount', 'amount is required'],
      ['currency', 'currency ZZZ is not known: use an ISO 4217 code, such as USD'],
    ],
  ] as [string, ...[string, string][]][])('a quote for %j is refused', async (query, ...errors) => {
    const response = await t.call('GET', `/merchant/quote?${query}`, shop.live)
    expect(statusAndBody(response)).toEqual(invalidOf(...errors))
  })

  it('the store is returned with its profile and settings, and the mode and scopes of the key', async () => {
    const profile = {
      name: 'Tokyo',
      domain: 'tokyo.example',
      email: 'a@tokyo.example',
      phone: '+81',
    }
    const { store, sandbox } = await t.createStore({
      ...profile,
      currency: 'JPY' as CurrencyCode,
      timeZone: 'Asia/Tokyo',
      feeBps: 25,
      feeFixedMinor: 3n,
      refundFeeMinor: 5n,
      minAmountMinor: 10n,
      monthlyLimitMinor: 900n,
    })
    expect(statusAndBody(await t.call('GET', '/merchant/store', sandbox))).toEqual({
      status: 200,
      body: {
        status: 200,
        message: 'Store',
        data: {
          id: store.storeId,
          ...profile,
          logo: `https://pay.example.com/stores/${store.storeId}/logo.svg`,
          currency: 'JPY',
          time_zone: 'Asia/Tokyo',
          fee_bps: 25,
          fee_fixed: '3.00',
          refund_fee: '5.00',
          min_amount: '10.00',
          max_amount: null,
          daily_limit: null,
          monthly_limit: '900.00',
          expires_after_seconds: 900,
          unique_references: false,
          refund_cap_manager: null,
          refund_cap_cashier: '0.00',
          embed_origins: [],
          mode: 'sandbox',
          scopes: ['read', 'create', 'refund'],
        },
      },
    })
  })
})
