import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lock } from '../../../src/sql/locks.ts'
import { invalid } from '../../setup/expected.ts'
import {
  balanceOf,
  changeStore,
  create,
  createPaidPayment,
  invalidOf,
  pay,
  readWalletBalance,
  refund,
  refusalOf,
  sandboxPay,
  setRate,
  statusAndBody,
  statusOf,
} from '../../setup/merchantCalls.ts'
import {
  startTestService,
  type TestResponse,
  type TestService,
  type TestStore,
} from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService({}, { limitsWaits: true })
  shop = await t.createStore()
  await t.fund(shop.store, 'live', '1000.00')
})
afterAll(async () => {
  const findings = await t.auditFindings()
  await t.close()
  expect(findings).toEqual([])
})

let keyCount = 0
const newKey = () => ({ 'idempotency-key': `key-${++keyCount}` })
const REUSED = refusalOf(
  422,
  'This Idempotency-Key was used with a different request. For a new request, use a new key.',
)

function expectReplay(response: TestResponse, first: TestResponse): void {
  expect(first.headers['idempotent-replayed']).toBeUndefined()
  expect(response.headers['idempotent-replayed']).toBe('true')
  expect([response.status, response.text]).toEqual([first.status, first.text])
  expect(response.headers['content-type']).toBe(first.headers['content-type'])
}

function expectNew(response: TestResponse, first?: TestResponse): void {
  expect([response.status, response.headers['idempotent-replayed']]).toEqual([200, undefined])
  expect(response.text).not.toBe(first?.text)
}

const countPayments = async (reference: string) => {
  const sql = 'select count(*)::int as count from payment where reference_id = $1'
  return (await t.database.query<{ count: number }>(sql, [reference]))[0]!.count
}

describe('a repeated key when creating a payment', () => {
  it('returns the first response byte for byte, whatever the current status of the payment', async () => {
    const key = newKey()
    const body = { reference_id: 'once', locale: 'ar' }
    const first = await create(t, shop.sandbox, body, key)
    expectNew(first)
    expectReplay(await create(t, shop.sandbox, body, key), first)
    await sandboxPay(t, shop.sandbox, first.body.data.payment_id)
    const headers = {
      ...key,
      'accept-language': 'fr',
      'content-type': 'application/json; charset=utf-8',
    }
    expectReplay(await create(t, shop.sandbox, body, headers), first)
    expect(await countPayments('once')).toBe(1)
  })

  it.each([
    ['another amount', '{"amount":11,"currency":"USD"}'],
    ['another notation', '{"amount":10.0,"currency":"USD"}'],
    ['another order', '{"currency":"USD","amount":10}'],
    ['a blank', '{"amount":10, "currency":"USD"}'],
    ['a mistake', '{"amount":0,"currency":"USD"}'],
  ])('with %s is refused', async (_, body) => {
    const key = newKey()
    const first = await create(t, shop.live, '{"amount":10,"currency":"USD"}', key)
    expect(statusAndBody(await create(t, shop.live, body, key))).toEqual(REUSED)
    expectReplay(await create(t, shop.live, '{"amount":10,"currency":"USD"}', key), first)
  })

  it('belongs to one store and mode, and works with each of its API keys', async () => {
    const key = newKey()
    const first = await create(t, shop.live, {}, key)
    const other = await t.createStore()
    for (const stranger of [shop.sandbox, other.live, other.sandbox]) {
      expectNew(await create(t, stranger, {}, key), first)
    }
    expectReplay(await create(t, await t.issue(shop.store, 'live'), {}, key), first)
    // The same holds for concurrent requests.
    const owners = [shop.live, shop.sandbox, other.live, other.sandbox]
    const next = newKey()
    const responses = await Promise.all(owners.map((owner) => create(t, owner, {}, next)))
    for (const response of responses) expectNew(response, first)
  })

  it('is replayed even if the same request would now be refused', async () => {
    await setRate(t, 'EUR', 'USD', '1.1')
    const store = await t.createStore({ dailyLimitMinor: 1500n, uniqueReferences: true })
    const key = newKey()
    const body = { currency: 'EUR', reference_id: 'R' }
    const first = await create(t, store.live, body, key)
    expectReplay(await create(t, store.live, body, key), first)
    await changeStore(t, store, { max_amount: '5.00' })
    expectReplay(await create(t, store.live, body, key), first)
  })

  it('can be used again after an error', async () => {
    const store = await t.createStore({ dailyLimitMinor: 500n })
    const key = newKey()
    expect((await create(t, store.live, {}, key)).status).toBe(400)
    expect((await create(t, store.live, { amount: -1 }, key)).status).toBe(400)
    await changeStore(t, store, { daily_limit: '50.00' })
    const first = await create(t, store.live, {}, key)
    expectNew(first)
    expectReplay(await create(t, store.live, {}, key), first)
  })

  it.each([
    ['23:59:00', true],
    ['24:00:01', false],
  ])('that is %s old is replayed: %s', async (age, isReplayed) => {
    const key = newKey()
    const first = await create(t, shop.live, {}, key)
    await t.database.transaction((tx) =>
      tx.execute('update idempotency set created_at = created_at - $1::interval where key = $2', [
        age,
        key['idempotency-key'],
      ]),
    )
    if (isReplayed) return expectReplay(await create(t, shop.live, {}, key), first)
    const second = await create(t, shop.live, { amount: 11 }, key)
    expectNew(second, first)
    expectReplay(await create(t, shop.live, { amount: 11 }, key), second)
  })

  it('in twenty concurrent requests creates one payment and returns nineteen replays', async () => {
    const key = newKey()
    const body = { reference_id: 'twenty' }
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => create(t, shop.live, body, key)),
    )
    expect(new Set(responses.map((response) => response.text)).size).toBe(1)
    expect(responses.map((response) => response.status)).toEqual(Array(20).fill(200))
    const replays = responses.filter(
      (response) => response.headers['idempotent-replayed'] === 'true',
    )
    expect(replays).toHaveLength(19)
    expect(await countPayments('twenty')).toBe(1)
  })
})

describe('while the lock of the store is held', () => {
  /** Runs `work` while a transaction holds the lock of the store. */
  const whileHeld = (store: TestStore, work: () => Promise<void>) =>
    t.database.transaction(async (tx) => {
      await lock(tx, { stores: [store.store.storeId] })
      await work()
    })
  const countWaiting = async () =>
    (
      await t.database.query(
        `select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).length

  it('a second request with a key waits for the first', async () => {
    const store = await t.createStore()
    const key = newKey()
    const responses: Promise<TestResponse>[] = []
    await whileHeld(store, async () => {
      for (const waiting of [1, 2]) {
        responses.push(create(t, store.live, {}, key))
        await expect.poll(countWaiting).toBe(waiting)
      }
    })
    const [first, second] = await Promise.all(responses)
    expectReplay(second!, first!)
  })

  it('a second request with a key waits for the first, even if it would now be refused', async () => {
    const store = await t.createStore()
    const { storeId } = store.store
    const key = newKey()
    const responses: Promise<TestResponse>[] = []
    await whileHeld(store, async () => {
      responses.push(create(t, store.live, {}, key))
      await expect.poll(countWaiting).toBe(1)
      await t.database.query('update store set max_amount = 500 where store_id = $1', [storeId])
      t.service.stores.forget(storeId)
      responses.push(create(t, store.live, {}, key))
      await expect.poll(countWaiting).toBe(2)
    })
    const [first, second] = await Promise.all(responses)
    expectReplay(second!, first!)
    expect((await create(t, store.live, {})).status).toBe(400)
  })

  it('a request with a key times out with 409, and one without a key with 503', async () => {
    const store = await t.createStore()
    await whileHeld(store, async () => {
      const message = 'The first request with this Idempotency-Key is still running'
      const withKey = await create(t, store.live, {}, newKey())
      expect(statusAndBody(withKey)).toEqual(refusalOf(409, message))
      expect(withKey.headers['retry-after']).toBe('1')
      const withoutKey = await create(t, store.live, {})
      expect([withoutKey.status, withoutKey.headers['retry-after']]).toEqual([503, '1'])
    })
    expectNew(await create(t, store.live, {}))
  })
})

describe('a repeated key when refunding', () => {
  it('returns the first response, and money moves once', async () => {
    const payer = await t.createWallet({ balance: '20.00' })
    const { payment_id } = await createPaidPayment(t, shop.live, payer)
    const otherPayment = await createPaidPayment(t, shop.live, payer)
    const key = newKey()
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => refund(t, shop.live, payment_id, key)),
    )
    const first = responses.find((response) => !('idempotent-replayed' in response.headers))!
    expectNew(first)
    const replays = responses.filter((response) => response !== first)
    for (const replay of replays) expectReplay(replay, first)
    expect(await readWalletBalance(t, payer)).toBe('10.00')
    // Another payment, body or endpoint is another request.
    expect(statusAndBody(await refund(t, shop.live, otherPayment.payment_id, key))).toEqual(REUSED)
    const path = `/merchant/payment/${payment_id}/refund`
    expect(statusAndBody(await t.call('POST', path, { ...shop.live, ...key }, '{}'))).toEqual(
      REUSED,
    )
    expect(statusAndBody(await create(t, shop.live, {}, key))).toEqual(REUSED)
    expect(statusAndBody(await refund(t, shop.live, payment_id, newKey()))).toEqual(
      refusalOf(400, 'Payment has already been refunded'),
    )
  })

  it('can be used again after a refusal', async () => {
    const store = await t.createStore({ feeBps: 100 })
    const payer = await t.createWallet({ balance: '10.00' })
    const { payment_id } = await createPaidPayment(t, store.live, payer)
    const key = newKey()
    expect((await refund(t, store.live, payment_id, key)).status).toBe(400)
    await t.fund(store.store, 'live', '1.00')
    const first = await refund(t, store.live, payment_id, key)
    expectNew(first)
    expectReplay(await refund(t, store.live, payment_id, key), first)
    expect(await balanceOf(t, store.live)).toBe('0.90')
  })
})

describe('a repeated key when paying', () => {
  it('returns the first receipt, and belongs to the wallet', async () => {
    const payer = await t.createWallet({ balance: '50.00' })
    const other = await t.createWallet({ balance: '50.00' })
    const payment = await t.createPayment(shop.live)
    const otherPayment = await t.createPayment(shop.live)
    const key = newKey()
    const first = await pay(t, payer, payment.qr_code, { donation_amount: 1 }, key)
    expectNew(first)
    expectReplay(await pay(t, payer, payment.qr_code, { donation_amount: 1 }, key), first)
    await refund(t, shop.live, payment.payment_id)
    expectReplay(await pay(t, payer, payment.qr_code, { donation_amount: 1 }, key), first)
    expect(statusAndBody(await pay(t, payer, payment.qr_code, {}, key))).toEqual(REUSED)
    expect(
      statusAndBody(await pay(t, payer, otherPayment.qr_code, { donation_amount: 1 }, key)),
    ).toEqual(REUSED)
    expect(await statusOf(t, shop.live, otherPayment.payment_id)).toBe('pending')
    expectNew(await pay(t, other, otherPayment.qr_code, { donation_amount: 1 }, key), first)
    expect([await readWalletBalance(t, payer), await readWalletBalance(t, other)]).toEqual([
      '49.00',
      '39.00',
    ])
  })

  it('stores every success, including that of paying a payment again', async () => {
    const payer = await t.createWallet({ balance: '50.00' })
    const { payment_id, qr_code } = await createPaidPayment(t, shop.live, payer)
    const key = newKey()
    const first = await pay(t, payer, qr_code, {}, key)
    expectNew(first)
    await refund(t, shop.live, payment_id)
    expectReplay(await pay(t, payer, qr_code, {}, key), first)
  })

  it('can be used again after a failed payment', async () => {
    const payer = await t.createWallet({ balance: '5.00' })
    const key = newKey()
    const large = await t.createPayment(shop.live)
    expect((await pay(t, payer, large.qr_code, {}, key)).status).toBe(402)
    const small = await t.createPayment(shop.live, { amount: 5 })
    expectNew(await pay(t, payer, small.qr_code, {}, key))
  })
})

describe('format of a key', () => {
  const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters'
  const BAD = invalidOf(['Idempotency-Key', message])
  it.each(['', ' ', 'a b', 'é', 'x'.repeat(256)])('refuses %j', async (key) => {
    const headers = { 'idempotency-key': key }
    expect(statusAndBody(await create(t, shop.live, {}, headers))).toEqual(BAD)
    const payer = await t.createWallet({ balance: '10.00' })
    const open = await t.createPayment(shop.live)
    expect(statusAndBody(await pay(t, payer, open.qr_code, {}, headers))).toEqual(BAD)
    expect(await statusOf(t, shop.live, open.payment_id)).toBe('pending')
    const paid = await createPaidPayment(t, shop.live, payer)
    expect(statusAndBody(await refund(t, shop.live, paid.payment_id, headers))).toEqual(BAD)
  })

  it('is the last of several errors', async () => {
    const response = await create(t, shop.live, { amount: 0 }, { 'idempotency-key': '' })
    const amount = ['amount', 'amount must be greater than 0'] as const
    expect(response.body).toEqual(invalid(amount, ['Idempotency-Key', message]))
  })

  it.each(['!', '~', 'x'.repeat(255)])('accepts %j', async (key) => {
    const headers = { 'idempotency-key': key }
    const first = await create(t, shop.live, {}, headers)
    expectReplay(await create(t, shop.live, {}, headers), first)
  })
})
