import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CurrencyCode } from '../../../src/core/currencies.ts'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import {
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../../setup/testService.ts'

const NOT_PAYABLE = refusal(409, 'This payment can no longer be paid')
const EXPIRED = refusal(410, 'This payment has expired. Ask the shop for a new code.')
const LOCKED = refusal(403, 'This wallet is locked. Try again later or ask for help.')
const INSUFFICIENT_BALANCE = refusal(
  402,
  'Insufficient balance. Top up and ask the shop for a new code.',
)
const MALFORMED = 'donation_amount must be an amount in the currency of the payment'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore({ name: 'Corner', feeBps: 100 })
  await t.fund(shop.store, 'live', '1000.00')
})
afterAll(async () => {
  const findings = await t.auditFindings()
  await t.close()
  expect(findings).toEqual([])
})

const pay = (qrCode: string, wallet: TestWallet, body: unknown = {}, headers = {}) =>
  t.call('POST', `/wallet/payment/${qrCode}/pay`, { ...wallet.headers, ...headers }, body)
const statusOf = async (paymentId: string, keys = shop.live) =>
  (await t.call('GET', `/merchant/payment/${paymentId}/status`, keys)).body.data.status
const readBalance = async (wallet: TestWallet) =>
  (await t.call('GET', '/wallet/me', wallet.headers)).body.data.balances[0]?.balance
const readStoreBalances = async () => {
  const url = `/operator/stores/${shop.store.storeId}`
  const { body } = await t.call('GET', url, t.operator)
  return body.data.balances.find((row: { mode: string }) => row.mode === 'live')
}

type WalletAndPayment = { wallet: TestWallet; paymentId: string; qrCode: string }
async function createWalletAndPayment(balance = '50.00'): Promise<WalletAndPayment> {
  const wallet = await t.createWallet({ balance })
  const { payment_id, qr_code } = await t.createPayment(shop.live)
  return { wallet, paymentId: payment_id, qrCode: qr_code }
}

describe('paying', () => {
  it('transfers gross, fee and donation, and returns a receipt', async () => {
    const { wallet, qrCode, paymentId } = await createWalletAndPayment()
    const before = await readStoreBalances()
    const { status, body } = await pay(qrCode, wallet, { donation_amount: 0.25 })
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 200,
      message: 'Payment completed',
      data: {
        payment_id: paymentId,
        status: 'completed',
        amount: '10.00',
        donation_amount: '0.25',
        total: '10.25',
        currency: 'USD',
        store: {
          name: 'Corner',
          logo: `https://pay.example.com/stores/${shop.store.storeId}/logo.svg`,
          domain: '',
          email: '',
          phone: '',
        },
        paid_at: TIME,
        return_url: null,
      },
    })
    const after = await readStoreBalances()
    const grown = (name: string) => (Number(after[name]) - Number(before[name])).toFixed(2)
    expect([grown('balance'), grown('fees'), grown('gifts')]).toEqual(['9.90', '0.10', '0.25'])
    expect(await readBalance(wallet)).toBe('39.75')
    expect(await statusOf(paymentId)).toBe('completed')
  })

  it.each([
    ['no body at all', undefined, {}],
    ['an empty object', '{}', {}],
    ['an empty body with a JSON content type', '', { 'content-type': 'application/json' }],
    ['null, which some clients send for no body', 'null', {}],
    ['a donation of null', '{"donation_amount":null}', {}],
    ['a donation of zero', '{"donation_amount":0}', {}],
    ['unknown fields', '{"amount":1,"wallet":"x"}', {}],
  ])('accepts %s', async (_, body, headers) => {
    const { wallet, qrCode } = await createWalletAndPayment()
    const url = `/wallet/payment/${qrCode}/pay`
    const response = await t.call('POST', url, { ...wallet.headers, ...headers }, body)
    expect(response).toMatchObject({ status: 200, body: { data: { donation_amount: '0.00' } } })
    expect(await readBalance(wallet)).toBe('40.00')
  })

  it('spends the last cent', async () => {
    const { wallet, qrCode } = await createWalletAndPayment('10.50')
    expect((await pay(qrCode, wallet, { donation_amount: 0.5 })).status).toBe(200)
    expect(await readBalance(wallet)).toBe('0.00')
  })

  it('uses the decimals of the currency', async () => {
    const KWD = 'KWD' as CurrencyCode
    const store = await t.createStore({ currency: KWD })
    const wallet = await t.createWallet({ balance: '5', currency: KWD })
    const { qr_code } = await t.createPayment(store.live, { amount: 1.234, currency: 'KWD' })
    expect((await pay(qr_code, wallet, { donation_amount: 0.001 })).body.data).toMatchObject({
      amount: '1.234',
      donation_amount: '0.001',
      total: '1.235',
    })
    expect(await readBalance(wallet)).toBe('3.765')
  })
})

describe('refusals that leave the payment pending', () => {
  it.each<[string, unknown, string]>([
    ['more decimals than the currency has', 0.001, MALFORMED],
    ['too many digits', 1e12, MALFORMED],
    ['minus zero', '{"donation_amount":-0}', MALFORMED],
    ['minus one', -1, 'donation_amount must be at least 0'],
    ['a string', '1', 'donation_amount must be a number'],
    ['a list', [1], 'donation_amount must be a number'],
    ['true', true, 'donation_amount must be a number'],
    [
      '1e400',
      '{"donation_amount":1e400}',
      'donation_amount must have at most 12 digits before the decimal point',
    ],
    [
      'more digits than a double has',
      '{"donation_amount":1.000000000000000001}',
      'donation_amount has too many decimals',
    ],
    [
      'one cent too much',
      40.01,
      'donation_amount exceeds the balance that is left after the payment',
    ],
  ])('400: a donation of %s', async (_, value, message) => {
    const { wallet, qrCode, paymentId } = await createWalletAndPayment()
    const body =
      typeof value === 'string' && value.startsWith('{') ? value : { donation_amount: value }
    const response = await pay(qrCode, wallet, body)
    expect(response.status).toBe(400)
    expect(response.body).toEqual(invalid(['donation_amount', message]))
    expect(await statusOf(paymentId)).toBe('pending')
    expect(await readBalance(wallet)).toBe('50.00')
  })

  it.each([
    ['[]', 'body must be an object'],
    ['"pay"', 'body must be an object'],
    ['{"donation_amount":}', 'body must be JSON'],
  ])('400: the body %s', async (body, message) => {
    const { wallet, qrCode, paymentId } = await createWalletAndPayment()
    expect((await pay(qrCode, wallet, body)).body).toEqual(invalid(['body', message]))
    expect(await statusOf(paymentId)).toBe('pending')
  })

  it('415: a body of another type', async () => {
    const { wallet, qrCode, paymentId } = await createWalletAndPayment()
    const response = await pay(qrCode, wallet, 'donation_amount=1', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(response.body).toEqual(refusal(415, 'Content-Type must be application/json'))
    expect(await statusOf(paymentId)).toBe('pending')
  })

  it('403: the wallet is locked by an operator', async () => {
    const { wallet, qrCode, paymentId } = await createWalletAndPayment()
    await t.database.transaction((tx) =>
      tx.execute('update wallet set locked_by_operator = true where wallet_id = $1', [
        wallet.wallet.walletId,
      ]),
    )
    expect(await pay(qrCode, wallet)).toMatchObject({ status: 403, body: LOCKED })
    expect(await statusOf(paymentId)).toBe('pending')
    await t.call('POST', `/operator/wallets/${wallet.wallet.publicId}/unlock`, t.operator)
    expect((await pay(qrCode, wallet)).status).toBe(200)
  })

  it('403: the store is suspended', async () => {
    const { store, live } = await t.createStore()
    const wallet = await t.createWallet({ balance: '50.00' })
    const { payment_id, qr_code } = await t.createPayment(live)
    const suspend = (suspended: boolean) =>
      t.call('PATCH', `/operator/stores/${store.storeId}`, t.operator, { suspended })
    await suspend(true)
    expect(await pay(qr_code, wallet)).toMatchObject({
      status: 403,
      body: refusal(403, 'This store is suspended'),
    })
    await suspend(false)
    expect(await statusOf(payment_id, live)).toBe('pending')
    expect((await pay(qr_code, wallet)).status).toBe(200)
  })

  it('429: after three failures within an hour, a fourth payment stays pending', async () => {
    const wallet = await t.createWallet({ balance: '5.00' })
    for (let i = 0; i < 3; i++) {
      const { qr_code } = await t.createPayment(shop.live)
      expect(await pay(qr_code, wallet)).toMatchObject({ status: 402, body: INSUFFICIENT_BALANCE })
    }
    const { payment_id, qr_code } = await t.createPayment(shop.live)
    const refused = await pay(qr_code, wallet)
    expect(refused.body).toEqual(
      refusal(429, 'Too many failed payments. Top up or try again in an hour.'),
    )
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('3600')
    expect(await statusOf(payment_id)).toBe('pending')

    const small = await t.createPayment(shop.live, { amount: 5 })
    expect((await pay(small.qr_code, wallet)).status).toBe(200)
    await t.database.transaction((tx) =>
      tx.execute(`update wallet_failure set at = at - interval '61 minutes' where wallet_id = $1`, [
        wallet.wallet.walletId,
      ]),
    )
    expect((await pay(qr_code, wallet)).status).toBe(402)
    expect(await statusOf(payment_id)).toBe('failed')
  })
})

describe('payments that fail or are not pending', () => {
  it('402: an insufficient balance fails the payment', async () => {
    const { wallet, qrCode, paymentId } = await createWalletAndPayment('9.99')
    expect(await pay(qrCode, wallet)).toMatchObject({ status: 402, body: INSUFFICIENT_BALANCE })
    expect(await statusOf(paymentId)).toBe('failed')
    expect(await readBalance(wallet)).toBe('9.99')
    const rich = await t.createWallet({ balance: '50.00' })
    expect(await pay(qrCode, rich)).toMatchObject({ status: 409, body: NOT_PAYABLE })
    expect(await pay(qrCode, wallet)).toMatchObject({ status: 409, body: NOT_PAYABLE })
  })

  it('200: the same wallet gets the same receipt again, without a transfer', async () => {
    const { wallet, qrCode } = await createWalletAndPayment()
    const first = await pay(qrCode, wallet, { donation_amount: 1 })
    const again = await pay(qrCode, wallet, { donation_amount: 5 })
    expect(again.status).toBe(200)
    expect(again.text).toBe(first.text)
    expect(await readBalance(wallet)).toBe('39.00')
  })

  it('200: concurrent requests of one wallet pay once', async () => {
    const { wallet, qrCode } = await createWalletAndPayment()
    const responses = await Promise.all(Array.from({ length: 10 }, () => pay(qrCode, wallet)))
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(responses[0]!.status).toBe(200)
    expect(await readBalance(wallet)).toBe('40.00')
  })

  it('409: another wallet', async () => {
    const { wallet, qrCode } = await createWalletAndPayment()
    const other = await t.createWallet({ balance: '50.00' })
    await pay(qrCode, wallet)
    expect(await pay(qrCode, other)).toMatchObject({ status: 409, body: NOT_PAYABLE })
    expect(await readBalance(other)).toBe('50.00')
  })

  it('409: refunded, even for the payer', async () => {
    const { wallet, qrCode, paymentId } = await createWalletAndPayment()
    await pay(qrCode, wallet)
    await t.call('POST', `/merchant/payment/${paymentId}/refund`, shop.live)
    expect(await pay(qrCode, wallet)).toMatchObject({ status: 409, body: NOT_PAYABLE })
    expect(await statusOf(paymentId)).toBe('refunded')
    expect(await readBalance(wallet)).toBe('50.00')
  })

  it.each<[string, (paymentId: string) => Promise<unknown>]>([
    ['by time', (paymentId) => t.makeOverdue(paymentId)],
    ['by the merchant', (id) => t.call('POST', `/merchant/payment/${id}/expire`, shop.live)],
  ])('410: expired %s', async (_, expire) => {
    const { wallet, qrCode, paymentId } = await createWalletAndPayment()
    await expire(paymentId)
    expect(await pay(qrCode, wallet)).toMatchObject({ status: 410, body: EXPIRED })
    expect(await statusOf(paymentId)).toBe('expired')
    expect(await readBalance(wallet)).toBe('50.00')
  })
})
