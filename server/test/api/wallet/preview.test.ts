import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CurrencyCode } from '../../../src/core/currencies.ts'
import { formatQrCode } from '../../../src/core/qr.ts'
import { parseQrCode } from '../../../src/core/qrCode.ts'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import {
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../../setup/testService.ts'

const UNKNOWN = refusal(404, 'Payment not found')

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore({ name: 'Corner', domain: 'corner.example', refundFeeMinor: 10n })
  await t.fund(shop.store, 'live', '1000.00')
})
afterAll(() => t.close())

const preview = (qrCode: string, wallet: TestWallet) =>
  t.call('GET', `/wallet/payment/${encodeURIComponent(qrCode)}`, wallet.headers)
const pay = (qrCode: string, wallet: TestWallet) =>
  t.call('POST', `/wallet/payment/${qrCode}/pay`, wallet.headers, {})

type WalletsAndPayment = {
  wallet: TestWallet
  other: TestWallet
  paymentId: string
  qrCode: string
}

async function createWalletsAndPayment(amount = 10): Promise<WalletsAndPayment> {
  const wallet = await t.createWallet({ balance: '50.00' })
  const other = await t.createWallet({ balance: '50.00' })
  const { payment_id, qr_code } = await t.createPayment(shop.live, { amount })
  return { wallet, other, paymentId: payment_id, qrCode: qr_code }
}

it('shows the amount, the store and the expiry', async () => {
  const wallet = await t.createWallet({ balance: '50.00' })
  const { payment_id, qr_code } = await t.createPayment(shop.live, {
    amount: 12.5,
    expires_in: 600,
    reference_note: 'Table 4',
    products: [{ name: 'Tea', quantity: 2, price: 6.25 }],
  })
  const { status, body } = await preview(qr_code, wallet)
  expect(status).toBe(200)
  expect(body).toEqual({
    status: 200,
    message: 'Payment preview',
    data: {
      payment_id,
      qr_code,
      status: 'pending',
      amount: '12.50',
      currency: 'USD',
      request_amount: { amount: '12.50', currency: 'USD', conversion_rate: '1.0000' },
      store_id: shop.store.storeId,
      store: {
        name: 'Corner',
        logo: `https://pay.example.com/stores/${shop.store.storeId}/logo.svg`,
        domain: 'corner.example',
        email: '',
        phone: '',
      },
      reference_note: 'Table 4',
      products: [{ name: 'Tea', quantity: 2, price: '6.25' }],
      expires_at: TIME,
      seconds_left: expect.any(Number),
      balance: '50.00',
      pin_needed: false,
      can_pay: true,
      reason: null,
      return_url: null,
    },
  })
  expect(body.data.seconds_left).toBeGreaterThan(590)
  expect(body.data.seconds_left).toBeLessThanOrEqual(600)
})

it('waits for the database at most twice', async () => {
  const { qrCode, wallet } = await createWalletsAndPayment()
  // Fills the caches of sessions and stores.
  await preview(qrCode, wallet)
  const queries = vi.spyOn(pg.Client.prototype, 'query')
  try {
    expect((await preview(qrCode, wallet)).status).toBe(200)
    // Each call is one round trip: pipelined statements are sent by a single call.
    expect(queries.mock.calls.length).toBeGreaterThan(0)
    expect(queries.mock.calls.length).toBeLessThanOrEqual(2)
  } finally {
    queries.mockRestore()
  }
})

it('shows a converted amount in both currencies', async () => {
  await t.call('PUT', '/operator/rates/EUR/USD', t.operator, { rate: '1.1' })
  const wallet = await t.createWallet({ balance: '50.00' })
  const { qr_code } = await t.createPayment(shop.live, { amount: 10, currency: 'EUR' })
  expect((await preview(qr_code, wallet)).body.data).toMatchObject({
    amount: '11.00',
    currency: 'USD',
    request_amount: { amount: '10.00', currency: 'EUR', conversion_rate: '1.1000' },
  })
})

describe('status and reason', () => {
  it.each<[string, (created: WalletsAndPayment) => Promise<unknown>, string, string | null]>([
    ['pending', async () => {}, 'pending', null],
    [
      'paid by this wallet',
      ({ qrCode, wallet }) => pay(qrCode, wallet),
      'completed',
      'paid_already',
    ],
    [
      'paid by another wallet',
      ({ qrCode, other }) => pay(qrCode, other),
      'completed',
      'payment_not_pending',
    ],
    [
      'failed',
      async ({ qrCode }) => pay(qrCode, await t.createWallet()),
      'failed',
      'payment_not_pending',
    ],
    [
      'refunded',
      async ({ qrCode, paymentId, wallet }) => {
        await pay(qrCode, wallet)
        await t.call('POST', `/merchant/payment/${paymentId}/refund`, shop.live)
      },
      'refunded',
      'payment_not_pending',
    ],
    ['overdue', ({ paymentId }) => t.makeOverdue(paymentId), 'expired', 'payment_expired'],
    [
      'expired by the merchant',
      ({ paymentId }) => t.call('POST', `/merchant/payment/${paymentId}/expire`, shop.live),
      'expired',
      'payment_expired',
    ],
    [
      'wallet locked by an operator',
      ({ wallet }) =>
        t.database.transaction((tx) =>
          tx.execute('update wallet set locked_by_operator = true where wallet_id = $1', [
            wallet.wallet.walletId,
          ]),
        ),
      'pending',
      'wallet_locked',
    ],
    [
      'wallet locked for new devices after wrong PINs',
      ({ wallet }) =>
        t.database.transaction((tx) =>
          tx.execute(
            `update wallet set locked_until = now() + interval '1 hour' where wallet_id = $1`,
            [wallet.wallet.walletId],
          ),
        ),
      'pending',
      null,
    ],
  ])('%s', async (_, prepare, status, reason) => {
    const created = await createWalletsAndPayment()
    await prepare(created)
    const { data } = (await preview(created.qrCode, created.wallet)).body
    expect(data).toMatchObject({ status, can_pay: reason === null, reason })
    expect(data.seconds_left > 0).toBe(status === 'pending')
  })

  it('insufficient and just sufficient balance', async () => {
    const { qrCode, wallet } = await createWalletsAndPayment(50)
    expect((await preview(qrCode, wallet)).body.data).toMatchObject({ can_pay: true, reason: null })
    const { qr_code } = await t.createPayment(shop.live, { amount: 50.01 })
    expect((await preview(qr_code, wallet)).body.data).toMatchObject({
      status: 'pending',
      balance: '50.00',
      can_pay: false,
      reason: 'insufficient_balance',
    })
  })

  it('a balance in another currency does not count', async () => {
    const wallet = await t.createWallet({ balance: '50', currency: 'EUR' as CurrencyCode })
    const { qr_code } = await t.createPayment(shop.live)
    expect((await preview(qr_code, wallet)).body.data).toMatchObject({
      balance: '0.00',
      reason: 'insufficient_balance',
    })
  })

  it('a suspended store', async () => {
    const suspended = await t.createStore()
    const wallet = await t.createWallet({ balance: '50.00' })
    const { qr_code } = await t.createPayment(suspended.live)
    await t.call('PATCH', `/operator/stores/${suspended.store.storeId}`, t.operator, {
      suspended: true,
    })
    expect((await preview(qr_code, wallet)).body.data).toMatchObject({
      status: 'pending',
      can_pay: false,
      reason: 'store_suspended',
    })
  })
})

describe('payment code', () => {
  const MISTYPED = 'qr_code has a mistyped digit. Check the number and try again.'
  const MALFORMED = 'qr_code must be the 27 digits of a payment code'

  it('is refused if a digit is wrong or swapped with the next one, at each position', async () => {
    const { qrCode, wallet } = await createWalletsAndPayment()
    const mistyped = [...qrCode].flatMap((digit, i) => {
      const [before, next, after] = [qrCode.slice(0, i), qrCode[i + 1], qrCode.slice(i + 1)]
      const wrong = before + String((Number(digit) + 3) % 10) + after
      const isSwappable = next !== undefined && next !== digit
      return isSwappable ? [wrong, before + next + digit + after.slice(1)] : [wrong]
    })
    for (const code of mistyped) {
      expect(await preview(code, wallet)).toMatchObject({
        status: 400,
        body: invalid(['qr_code', MISTYPED]),
      })
    }
  })

  it('may contain spaces and dashes', async () => {
    const { qrCode, wallet } = await createWalletsAndPayment()
    const typed = qrCode.replace(/(\d{4})(?=\d)/g, '$1 ')
    expect((await preview(typed, wallet)).status).toBe(200)
    expect((await preview(qrCode.replace(/(\d{9})(?=\d)/g, '$1-'), wallet)).status).toBe(200)
  })

  it.each([
    '1',
    '1'.repeat(26),
    '1'.repeat(28),
    'x'.repeat(27),
    `${'0'.repeat(26)}٣`,
    ' ',
    '\0',
    '-',
  ])('cannot be %j', async (text) => {
    const wallet = await t.createWallet()
    for (const response of [
      await preview(text, wallet),
      await t.call('POST', `/wallet/payment/${encodeURIComponent(text)}/pay`, wallet.headers, {}),
    ]) {
      expect(response).toMatchObject({ status: 400, body: invalid(['qr_code', MALFORMED]) })
    }
  })

  it('is not found if it is unused, of an unknown store or of the other mode', async () => {
    const { qrCode, wallet } = await createWalletsAndPayment()
    const parsed = parseQrCode(qrCode) as Exclude<ReturnType<typeof parseQrCode>, string>
    const sandboxWallet = await t.createWallet({ mode: 'sandbox', balance: '50.00' })
    const sandboxCode = (await t.createPayment(shop.sandbox)).qr_code
    const unknownStore = 9_999_999 as typeof parsed.storeId
    for (const [code, payer] of [
      [formatQrCode('live', parsed.storeId, (parsed.number + 1n) % 10n ** 18n), wallet],
      [formatQrCode('live', unknownStore, parsed.number), wallet],
      [formatQrCode('sandbox', parsed.storeId, parsed.number), wallet],
      [formatQrCode('sandbox', parsed.storeId, parsed.number), sandboxWallet],
      [sandboxCode, wallet],
      [qrCode, sandboxWallet],
    ] as const) {
      expect(await preview(code, payer)).toMatchObject({ status: 404, body: UNKNOWN })
      expect(await pay(code, payer)).toMatchObject({ status: 404, body: UNKNOWN })
    }
    expect((await preview(qrCode, wallet)).body.data).toMatchObject({ status: 'pending' })
  })
})
