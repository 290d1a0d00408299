import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sweepOverdue } from '../../src/ops/expirePayments.ts'
import { type Node, openNode } from '../setup/anotherNode.ts'
import { countStatuses, readWalletBalance } from '../setup/merchantCalls.ts'
import { expectNoRetries } from '../setup/retries.ts'
import {
  type Headers,
  startTestService,
  type TestResponse,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../setup/testService.ts'
import { zoneOfNoon } from '../setup/timeZones.ts'

const ALREADY_REFUNDED = { status: 400, message: 'Payment has already been refunded' }
const NOT_COMPLETED = { status: 400, message: 'Only completed payments can be refunded' }
const NOT_COVERED = { status: 400, message: 'Insufficient store balance for refund' }

describe.each([
  ['one node', 1],
  ['two nodes on one database', 2],
])('concurrent requests, on %s', (_, nodeCount) => {
  let t: TestService
  let other: Node
  let wallets: TestWallet[]

  beforeAll(async () => {
    t = await startTestService()
    other = await openNode(t)
    wallets = []
    for (let i = 0; i < 100; i++) wallets.push(await t.createWallet({ balance: '100000.00' }))
  })
  afterAll(async () => {
    await other.close()
    await t.close()
  })

  // After every test the ledger is sound, no transaction was retried, and there was no deadlock.
  afterEach(async () => {
    expect(await t.auditFindings()).toEqual([])
    await expectNoRetries([t.service, other.service])
    const deadlocks = await t.database.query<{ deadlocks: bigint }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    expect(deadlocks).toEqual([{ deadlocks: 0n }])
  })

  let turn = 0
  const post = (url: string, headers: Headers, body?: unknown): Promise<TestResponse> =>
    (turn++ % nodeCount === 0 ? t : other).call('POST', url, headers, body)
  const read = (url: string, headers: Headers): Promise<TestResponse> =>
    (turn++ % nodeCount === 0 ? t : other).call('GET', url, headers)
  const pay = (qr: string, wallet: TestWallet) => post(`/wallet/payment/${qr}/pay`, wallet.headers)
  const refund = (id: string, keys: Headers) => post(`/merchant/payment/${id}/refund`, keys)
  const expire = (id: string, keys: Headers) => post(`/merchant/payment/${id}/expire`, keys)
  const create = (keys: Headers) =>
    post('/merchant/payment/create', keys, { amount: 10, currency: 'USD' })
  const times = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => act(index)))
  const createMany = (count: number, { live }: TestStore) =>
    times(count, () => t.createPayment(live))

  async function statusOf(id: string, keys: Headers): Promise<string> {
    return (await read(`/merchant/payment/${id}/status`, keys)).body.data.status
  }
  const readBalance = (wallet: TestWallet) => readWalletBalance(t, wallet)
  async function countDebits(id: string): Promise<number> {
    const rows = await t.database.query(
      `select 1 from wallet_transfer where reference = $1 and kind = 'payment'`,
      [id],
    )
    return rows.length
  }

  it('100 wallets pay one code: one succeeds, 99 get 409', async () => {
    const { live } = await t.createStore()
    const { payment_id, qr_code } = await t.createPayment(live)
    const before = await Promise.all(wallets.map(readBalance))
    const responses = await Promise.all(wallets.map((wallet) => pay(qr_code, wallet)))
    expect(countStatuses(responses)).toEqual({ 200: 1, 409: 99 })
    const winner = responses.findIndex((response) => response.status === 200)
    const after = await Promise.all(wallets.map(readBalance))
    const paid = before.map((text, index) => Number(text) - Number(after[index]))
    expect(paid).toEqual(wallets.map((_, index) => (index === winner ? 10 : 0)))
    expect(await countDebits(payment_id)).toBe(1)
  })

  it('50 refunds of one payment: one succeeds', async () => {
    const shop = await t.createStore({ feeBps: 100, refundFeeMinor: 50n })
    await t.fund(shop.store, 'live', '1000.00')
    const { payment_id, qr_code } = await t.createPayment(shop.live)
    const before = await readBalance(wallets[0]!)
    await pay(qr_code, wallets[0]!)
    const responses = await times(50, () => refund(payment_id, shop.live))
    expect(countStatuses(responses)).toEqual({ 200: 1, 400: 49 })
    for (const { status, body } of responses) {
      if (status === 400) expect(body).toEqual(ALREADY_REFUNDED)
    }
    expect(Number(before) - Number(await readBalance(wallets[0]!))).toBeCloseTo(0.5, 5)
  })

  it('100 refunds with funds for 37: exactly 37 succeed', async () => {
    const shop = await t.createStore({ feeBps: 100, refundFeeMinor: 50n })
    const payments = await createMany(100, shop)
    await Promise.all(payments.map((payment, index) => pay(payment.qr_code, wallets[index]!)))
    // The balance is 100 times 9.90. A refund takes 10.00 from it, the last one 9.75, because its fee is
    // limited by the balance.
    const payout = { mode: 'live', amount: '620.25' }
    const url = `/operator/stores/${shop.store.storeId}/payout`
    expect((await t.call('POST', url, t.operator, payout)).body.data.balance).toBe('369.75')
    const responses = await Promise.all(
      payments.map(({ payment_id }) => refund(payment_id, shop.live)),
    )
    expect(countStatuses(responses)).toEqual({ 200: 37, 400: 63 })
    for (const { status, body } of responses) {
      if (status === 400) expect(body).toEqual(NOT_COVERED)
    }
    const balance = await t.call('GET', '/merchant/balance', shop.live)
    expect(balance.body.data.balance).toBe('0.00')
  })

  it.each(['dailyLimitMinor', 'monthlyLimitMinor'] as const)(
    '200 creates with room for 50 in the %s: exactly 50 succeed',
    async (limit) => {
      const { live } = await t.createStore({ [limit]: 50_000n, timeZone: zoneOfNoon() })
      const responses = await times(200, () => create(live))
      expect(countStatuses(responses)).toEqual({ 200: 50, 400: 150 })
      const period = limit === 'dailyLimitMinor' ? 'daily' : 'monthly'
      const message = `amount is above the ${period} limit of the store: 0.00 USD left`
      for (const { status, body } of responses) {
        if (status === 400) expect(body.errors).toEqual([{ field: 'amount', message }])
      }
    },
  )

  it('200 creates while overdue payments use up the limit: exactly 50 succeed', async () => {
    const shop = await t.createStore({ dailyLimitMinor: 50_000n, timeZone: zoneOfNoon() })
    const overdue = await createMany(50, shop)
    await Promise.all(overdue.map(({ payment_id }) => t.makeOverdue(payment_id)))
    expect(countStatuses(await times(200, () => create(shop.live)))).toEqual({ 200: 50, 400: 150 })
  })

  it('a create is not refused if another one has just expired the payments that used up the limit', async () => {
    const shop = await t.createStore({ dailyLimitMinor: 50_000n, timeZone: zoneOfNoon() })
    for (let round = 0; round < 3; round++) {
      const overdue = await createMany(50, shop)
      await Promise.all(overdue.map(({ payment_id }) => t.makeOverdue(payment_id)))
      const created = await times(8, () => create(shop.live))
      expect(countStatuses(created)).toEqual({ 200: 8 })
      const ids = created.map(({ body }) => body.data.payment_id)
      await Promise.all(ids.map((id) => expire(id, shop.live)))
    }
  })

  it("pay against the merchant's expire: one of the two, never both", async () => {
    const shop = await t.createStore({ feeBps: 250, dailyLimitMinor: 10_000_000n })
    const before = Number(await readBalance(wallets[0]!))
    let paidCount = 0
    for (let round = 0; round < 5; round++) {
      const payments = await createMany(20, shop)
      const results = await Promise.all(
        payments.map(async ({ payment_id, qr_code }, index) => {
          const isPayFirst = index % 2 === 0
          await sleep(index % 5)
          const first = isPayFirst ? pay(qr_code, wallets[0]!) : expire(payment_id, shop.live)
          const second = isPayFirst ? expire(payment_id, shop.live) : pay(qr_code, wallets[0]!)
          const statuses = (await Promise.all([first, second])).map(({ status }) => status)
          const codes = isPayFirst ? statuses : statuses.toReversed()
          return `${codes} ${await statusOf(payment_id, shop.live)}`
        }),
      )
      for (const result of results)
        expect(['200,409 completed', '410,200 expired']).toContain(result)
      paidCount += results.filter((result) => result.endsWith('completed')).length
    }
    expect(before - Number(await readBalance(wallets[0]!))).toBeCloseTo(10 * paidCount, 5)
  })

  it('pay against expiry: a payment read as expired never becomes completed', async () => {
    const shop = await t.createStore({ dailyLimitMinor: 10_000_000n })
    const before = Number(await readBalance(wallets[1]!))
    let paidCount = 0
    for (let round = 0; round < 5; round++) {
      const payments = await createMany(20, shop)
      const sweeps = times(5, () => sweepOverdue(t.database, t.service.outbox, () => {}))
      await Promise.all(
        payments.map(async ({ payment_id, qr_code }, index) => {
          const [response, , ...seen] = await Promise.all([
            pay(qr_code, wallets[1]!),
            sleep(2 * index).then(() => t.makeOverdue(payment_id)),
            ...Array.from({ length: 3 }, () => statusOf(payment_id, shop.live)),
          ])
          const last = await statusOf(payment_id, shop.live)
          expect(['200 completed', '410 expired']).toContain(`${response.status} ${last}`)
          for (const status of seen) expect(['pending', last]).toContain(status)
          if (last === 'completed') paidCount += 1
        }),
      )
      await sweeps
    }
    expect(before - Number(await readBalance(wallets[1]!))).toBeCloseTo(10 * paidCount, 5)
  })

  it('pay against refund: a refund comes after the payment or is refused', async () => {
    const shop = await t.createStore({ refundFeeMinor: 25n })
    const before = Number(await readBalance(wallets[2]!))
    let spent = 0
    for (let round = 0; round < 5; round++) {
      const payments = await createMany(20, shop)
      await Promise.all(
        payments.map(async ({ payment_id, qr_code }, index) => {
          const [paid, refunded] = await Promise.all([
            pay(qr_code, wallets[2]!),
            sleep(2 * index).then(() => refund(payment_id, shop.live)),
          ])
          expect(paid.status).toBe(200)
          if (refunded.status !== 200) expect(refunded.body).toEqual(NOT_COMPLETED)
          const status = await statusOf(payment_id, shop.live)
          expect(status).toBe(refunded.status === 200 ? 'refunded' : 'completed')
          spent += refunded.status === 200 ? 0.25 : 10
        }),
      )
    }
    expect(before - Number(await readBalance(wallets[2]!))).toBeCloseTo(spent, 5)
  })

  it.each([
    ['without a key', {}],
    ['with one Idempotency-Key', { 'idempotency-key': 'tap' }],
  ])('20 pays by one wallet %s: one debit, and the same receipt for all', async (_name, key) => {
    const { live } = await t.createStore()
    const wallet = await t.createWallet({ balance: '15.00' })
    const { payment_id, qr_code } = await t.createPayment(live)
    const headers = { ...wallet.headers, ...key }
    const responses = await times(20, () =>
      post(`/wallet/payment/${qr_code}/pay`, headers, { donation_amount: 1 }),
    )
    expect(countStatuses(responses)).toEqual({ 200: 20 })
    expect(new Set(responses.map((response) => response.text)).size).toBe(1)
    expect(await readBalance(wallet)).toBe('4.00')
    expect(await countDebits(payment_id)).toBe(1)
  })

  it('100 payments by a wallet with money for 20: 20 paid, 3 failed, the others unchanged', async () => {
    const shop = await t.createStore()
    const wallet = await t.createWallet({ balance: '205.00' })
    const payments = await createMany(100, shop)
    const responses = await Promise.all(payments.map(({ qr_code }) => pay(qr_code, wallet)))
    expect(countStatuses(responses)).toEqual({ 200: 20, 402: 3, 429: 77 })
    expect(await readBalance(wallet)).toBe('5.00')
    const states = await Promise.all(
      payments.map(({ payment_id }) => statusOf(payment_id, shop.live)),
    )
    const count = (status: string) => states.filter((candidate) => candidate === status).length
    expect([count('completed'), count('failed'), count('pending')]).toEqual([20, 3, 77])
  })

  it('one wallet pays in 20 shops during withdrawals: never below zero', async () => {
    const shops = await times(20, () => t.createStore())
    const wallet = await t.createWallet({ balance: '405.00' })
    const payments = await Promise.all(shops.map((shop) => createMany(3, shop)))
    const url = `/operator/wallets/${wallet.wallet.publicId}/withdraw`
    const withdrawal = { currency: 'USD', amount: '10.00' }
    const [paid, withdrawn] = await Promise.all([
      Promise.all(payments.flat().map(({ qr_code }) => pay(qr_code, wallet))),
      times(20, () => t.call('POST', url, t.operator, withdrawal)),
    ])
    const spent = [...paid, ...withdrawn].filter(({ status }) => status === 200)
    expect(spent).toHaveLength(40)
    expect(await readBalance(wallet)).toBe('5.00')
  })

  it('pays and refunds among 10 wallets and 10 shops: no deadlock', async () => {
    const shops = await times(10, () => t.createStore({ feeBps: 100 }))
    const funds = { mode: 'live', amount: '1000.00' }
    for (const { store } of shops) {
      await t.call('POST', `/operator/stores/${store.storeId}/fund`, t.operator, funds)
    }
    const before = await Promise.all(wallets.slice(0, 10).map(readBalance))
    const responses = await times(200, async (index) => {
      const { live } = shops[index % 10]!
      const { payment_id, qr_code } = await t.createPayment(live)
      const paid = await pay(qr_code, wallets[Math.floor(index / 10) % 10]!)
      return [paid, await refund(payment_id, live)]
    })
    expect(countStatuses(responses.flat())).toEqual({ 200: 400 })
    expect(await Promise.all(wallets.slice(0, 10).map(readBalance))).toEqual(before)
  })

  it('100 creates with one Idempotency-Key: one payment, one response', async () => {
    const { live } = await t.createStore()
    const headers = { ...live, 'idempotency-key': 'order-1' }
    const responses = await times(100, () => create(headers))
    expect(countStatuses(responses)).toEqual({ 200: 100 })
    expect(new Set(responses.map((response) => response.text)).size).toBe(1)
    const list = await read('/merchant/payments?limit=100', live)
    expect(list.body.data.payments).toHaveLength(1)
  })
})
