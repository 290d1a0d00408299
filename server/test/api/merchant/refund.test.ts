import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CurrencyCode } from '../../../src/core/currencies.ts'
import { formatMinor } from '../../../src/core/money.ts'
import { invalid, TIME } from '../../setup/expected.ts'
import {
  balanceOf,
  changeStore,
  countSplitBatches,
  createPaidPayment,
  pay,
  readDetails,
  readWalletBalance,
  refund,
  refusalOf,
  sandboxPay,
  statusAndBody,
  statusOf,
} from '../../setup/merchantCalls.ts'
import { createPerson } from '../../setup/people.ts'
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
  shop = await t.createStore({ feeBps: 100, refundFeeMinor: 50n })
  await t.fund(shop.store, 'live', '100.00')
})
afterAll(async () => {
  const findings = await t.auditFindings()
  const splitBatches = await countSplitBatches(t)
  await t.close()
  expect([findings, splitBatches]).toEqual([[], 0])
})

const ALREADY_REFUNDED = refusalOf(400, 'Payment has already been refunded')
const NOT_COMPLETED = refusalOf(400, 'Only completed payments can be refunded')
const INSUFFICIENT = refusalOf(400, 'Insufficient store balance for refund')

describe('a refund', () => {
  it('debits the store gross, credits the payer gross less the refund fee, and does not return the donation', async () => {
    const payer = await t.createWallet({ balance: '20.00' })
    const before = Number(await balanceOf(t, shop.live))
    const { payment_id } = await createPaidPayment(t, shop.live, payer, { amount: 12.5 }, 2)
    expect(await readWalletBalance(t, payer)).toBe('5.50')
    expect(await balanceOf(t, shop.live)).toBe((before + 12.37).toFixed(2))

    expect(statusAndBody(await refund(t, shop.live, payment_id))).toEqual({
      status: 200,
      body: {
        status: 200,
        message: 'Payment refunded',
        data: {
          payment_id,
          refund_amount: '12.00',
          refund_fee: '0.50',
          status: 'refunded',
          refunded_at: TIME,
        },
      },
    })
    expect(await readWalletBalance(t, payer)).toBe('17.50')
    expect(await balanceOf(t, shop.live)).toBe((before - 0.13).toFixed(2))
    const transfers = await t.database.query(
      'select kind, amount from transfer where reference = $1 order by kind',
      [payment_id],
    )
    expect(transfers).toEqual([
      { kind: 'donation', amount: 200n },
      { kind: 'fee', amount: 13n },
      { kind: 'payment', amount: 1250n },
      { kind: 'refund', amount: 1200n },
      { kind: 'refund_fee', amount: 50n },
    ])
    const data = await readDetails(t, shop.live, payment_id)
    expect(data).toMatchObject({
      amount: '12.37',
      transaction_fee: '0.13',
      donation_amount: '2.00',
    })
  })

  it.each([
    // The fee is waived if it would leave the payer nothing.
    ['USD', 50n, 0.5, '0.50', '0.00'],
    ['USD', 50n, 0.49, '0.49', '0.00'],
    ['USD', 50n, 0.51, '0.01', '0.50'],
    ['USD', 0n, 3, '3.00', '0.00'],
    ['JPY', 20n, 500, '480.00', '20.00'],
    ['KWD', 5n, 1.234, '1.229', '0.005'],
  ])(
    '%s, refund fee of %d minor units, payment of %d: %s refunded, fee of %s',
    async (currency, feeMinor, amount, refundAmount, refundFee) => {
      const code = currency as CurrencyCode
      const { sandbox } = await t.createStore({ currency: code, refundFeeMinor: feeMinor })
      const { payment_id } = await t.createPayment(sandbox, { amount, currency })
      await sandboxPay(t, sandbox, payment_id)
      const { data } = (await refund(t, sandbox, payment_id)).body
      expect([data.refund_amount, data.refund_fee]).toEqual([refundAmount, refundFee])
      expect(Number(await balanceOf(t, sandbox))).toBe(0)
      expect((await readDetails(t, sandbox, payment_id)).refund).toEqual({
        refund_amount: refundAmount,
        refund_fee: refundFee,
        refunded_at: data.refunded_at,
      })
    },
  )

  it.each([
    // The first sale of a store with fees: its balance is gross less the transaction fee, plus the funding.
    [100, '0.00', '9.50', '0.40', '0.00'],
    [500, '0.00', '9.50', null, '0.00'],
    [500, '0.01', '9.50', '0.01', '0.00'],
    [500, '0.49', '9.50', '0.49', '0.00'],
    [500, '0.50', '9.50', '0.50', '0.00'],
    [500, '0.51', '9.50', '0.50', '0.01'],
  ])(
    'with a transaction fee of %d basis points and funding of %s: %s refunded, refund fee of %s charged, %s left',
    async (feeBps, funds, refundAmount, charged, left) => {
      const store = await t.createStore({ feeBps, refundFeeMinor: 50n })
      if (funds !== '0.00') await t.fund(store.store, 'live', funds)
      const payer = await t.createWallet({ balance: '10.00' })
      const { payment_id } = await createPaidPayment(t, store.live, payer)
      const { data } = (await refund(t, store.live, payment_id)).body
      // The payer's terms don't depend on the store's balance.
      expect([data.refund_amount, data.refund_fee]).toEqual([refundAmount, '0.50'])
      expect(await readWalletBalance(t, payer)).toBe(refundAmount)
      expect(await balanceOf(t, store.live)).toBe(left)
      const fees = await t.database.query<{ amount: bigint }>(
        `select amount from transfer where reference = $1 and kind = 'refund_fee'`,
        [payment_id],
      )
      expect(fees.map(({ amount }) => formatMinor(amount, 'USD' as CurrencyCode))).toEqual(
        charged === null ? [] : [charged],
      )
      // A waived fee is never charged later.
      await t.fund(store.store, 'live', '5.00')
      expect(Number(await balanceOf(t, store.live))).toBeCloseTo(Number(left) + 5, 5)
    },
  )

  it('has the refund fee set at the time of the refund, not of the payment', async () => {
    const store = await t.createStore({ refundFeeMinor: 50n })
    const { payment_id } = await t.createPayment(store.sandbox)
    await sandboxPay(t, store.sandbox, payment_id)
    await changeStore(t, store, { refund_fee: '1.25' })
    const { data } = (await refund(t, store.sandbox, payment_id)).body
    expect([data.refund_amount, data.refund_fee]).toEqual(['8.75', '1.25'])
  })
})

describe('a refund is refused', () => {
  it('for an unknown payment', async () => {
    expect(statusAndBody(await refund(t, shop.live, 'pay_nope'))).toEqual(
      refusalOf(404, 'Payment not found'),
    )
  })

  it('a second time, even if the balance would not cover it either', async () => {
    const store = await t.createStore({ feeBps: 100 })
    await t.fund(store.store, 'live', '0.10')
    const payer = await t.createWallet({ balance: '10.00' })
    const { payment_id } = await createPaidPayment(t, store.live, payer)
    expect((await refund(t, store.live, payment_id)).status).toBe(200)
    expect(await balanceOf(t, store.live)).toBe('0.00')
    expect(statusAndBody(await refund(t, store.live, payment_id))).toEqual(ALREADY_REFUNDED)
    expect(await readWalletBalance(t, payer)).toBe('10.00')
  })

  it.each(['pending', 'failed', 'expired', 'overdue'])(
    'if the payment is %s, even if the balance would not cover it either',
    async (state) => {
      const { live } = await t.createStore()
      const { payment_id, qr_code } = await t.createPayment(live)
      if (state === 'failed') await pay(t, await t.createWallet(), qr_code)
      if (state === 'expired') await t.call('POST', `/merchant/payment/${payment_id}/expire`, live)
      if (state === 'overdue') await t.makeOverdue(payment_id)
      expect(statusAndBody(await refund(t, live, payment_id))).toEqual(NOT_COMPLETED)
      expect(await statusOf(t, live, payment_id)).toBe(state === 'overdue' ? 'expired' : state)
    },
  )

  it('if the balance is one cent too low, and succeeds once the balance covers it', async () => {
    const store = await t.createStore({ feeBps: 1000, refundFeeMinor: 50n })
    const payer = await t.createWallet({ balance: '10.00' })
    const { payment_id } = await createPaidPayment(t, store.live, payer)
    await t.fund(store.store, 'live', '0.49')
    expect(statusAndBody(await refund(t, store.live, payment_id))).toEqual(INSUFFICIENT)
    expect(await balanceOf(t, store.live)).toBe('9.49')
    expect(await statusOf(t, store.live, payment_id)).toBe('completed')
    // The balance of the other mode does not count.
    await t.fund(store.store, 'sandbox', '50.00')
    expect(statusAndBody(await refund(t, store.live, payment_id))).toEqual(INSUFFICIENT)
    await t.fund(store.store, 'live', '0.01')
    expect((await refund(t, store.live, payment_id)).status).toBe(200)
    expect(await balanceOf(t, store.live)).toBe('0.00')
  })

  it('for all but one of many concurrent requests', async () => {
    const payer = await t.createWallet({ balance: '10.00' })
    const { payment_id } = await createPaidPayment(t, shop.live, payer)
    const before = Number(await balanceOf(t, shop.live))
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => refund(t, shop.live, payment_id)),
    )
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1)
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expect(statusAndBody(response)).toEqual(ALREADY_REFUNDED)
    }
    expect(await readWalletBalance(t, payer)).toBe('9.50')
    expect(await balanceOf(t, shop.live)).toBe((before - 10).toFixed(2))
  })

  it('for those of many concurrent requests that the balance does not cover', async () => {
    const { store, live } = await t.createStore({ feeBps: 5000 })
    const payer = await t.createWallet({ balance: '80.00' })
    const paid = await Promise.all(
      Array.from({ length: 8 }, () => createPaidPayment(t, live, payer)),
    )
    await t.fund(store, 'live', '3.00')
    const responses = await Promise.all(paid.map(({ payment_id }) => refund(t, live, payment_id)))
    expect(responses.filter((response) => response.status === 200)).toHaveLength(4)
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expect(statusAndBody(response)).toEqual(INSUFFICIENT)
    }
    expect(await balanceOf(t, live)).toBe('3.00')
  })
})

describe('the body of a refund', () => {
  const PARTIAL = {
    status: 400,
    body: invalid(['amount', 'Partial refunds are not supported. Send no body to refund in full.']),
  }
  const JSON_TYPE = { 'content-type': 'application/json' }
  const refundWith = (id: string, body: unknown, headers: Headers = JSON_TYPE) =>
    t.call('POST', `/merchant/payment/${id}/refund`, { ...shop.live, ...headers }, body)

  it.each([
    ['a part', '{"amount":5}', JSON_TYPE],
    ['all of it', '{"amount":10}', JSON_TYPE],
    ['null', '{"amount":null}', JSON_TYPE],
    ['an escaped key', '{"\\u0061mount":5}', JSON_TYPE],
    ['a key twice', '{"amount":5,"amount":6}', JSON_TYPE],
    ['among others', '{"reason":"late","amount":5}', JSON_TYPE],
    ['another content type', '{"amount":5}', { 'content-type': 'text/plain' }],
    ['a byte order mark', '\ufeff{"amount":5}', JSON_TYPE],
  ])('must not contain an amount: %s', async (_, body, headers) => {
    const payer = await t.createWallet({ balance: '10.00' })
    const { payment_id } = await createPaidPayment(t, shop.live, payer)
    const before = await balanceOf(t, shop.live)
    const keyed = { ...headers, 'idempotency-key': payment_id }
    expect(statusAndBody(await refundWith(payment_id, body, keyed))).toEqual(PARTIAL)
    expect(await statusOf(t, shop.live, payment_id)).toBe('completed')
    expect([await balanceOf(t, shop.live), await readWalletBalance(t, payer)]).toEqual([
      before,
      '0.00',
    ])
    // The key can be used for the next request.
    expect((await refund(t, shop.live, payment_id, { 'idempotency-key': payment_id })).status).toBe(
      200,
    )
  })

  it('is validated before the payment is looked up, together with the Idempotency-Key', async () => {
    expect(statusAndBody(await refundWith(`pay_${'0'.repeat(26)}`, '{"amount":5}'))).toEqual(
      PARTIAL,
    )
    const { errors } = (await refundWith('x', '{"amount":5}', { 'idempotency-key': 'a b' })).body
    expect(errors.map(({ field }: { field: string }) => field)).toEqual([
      'amount',
      'Idempotency-Key',
    ])
  })

  it.each([
    ['none', undefined, {}],
    ['empty', '', JSON_TYPE],
    ['an empty object', '{}', JSON_TYPE],
    ['malformed', '{"amount":', JSON_TYPE],
    ['a list', '[{"amount":5}]', JSON_TYPE],
    ['a string', '"amount"', JSON_TYPE],
    ['null', 'null', JSON_TYPE],
    ['other keys', '{"reason":"late","refund":{"amount":5}}', JSON_TYPE],
    ['deeply nested', '['.repeat(100_000), JSON_TYPE],
    ['text', 'please', { 'content-type': 'text/plain' }],
    ['a form', 'amount=5', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a file', Buffer.from([0, 255]), { 'content-type': 'application/octet-stream' }],
    ['text with an invalid content type', 'x', { 'content-type': 'whatever' }],
    ['text with an empty content type', 'x', { 'content-type': '' }],
  ])('can be anything else, and is ignored: %s', async (_, body, headers) => {
    const payer = await t.createWallet({ balance: '10.00' })
    const { payment_id } = await createPaidPayment(t, shop.live, payer)
    const refunded = await refundWith(payment_id, body, headers)
    expect(refunded.body).toMatchObject({ status: 200, data: { refund_amount: '9.50' } })
  })

  it('is validated the same way in the API of the dashboard and the till', async () => {
    const payer = await t.createWallet({ balance: '10.00' })
    const { payment_id } = await createPaidPayment(t, shop.live, payer)
    const owner = await createPerson(t, shop.store)
    const path = `/store/live/payments/${payment_id}/refund`
    const headers = { ...owner.headers, ...JSON_TYPE }
    expect(statusAndBody(await t.call('POST', path, headers, '{"amount":5}'))).toEqual(PARTIAL)
    expect((await t.call('POST', path, headers, '{"reason":"late"}')).status).toBe(200)
  })
})
