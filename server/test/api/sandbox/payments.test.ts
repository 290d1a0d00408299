import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CurrencyCode } from '../../../src/core/currencies.ts'
import { invalid, refusal } from '../../setup/expected.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../../setup/testService.ts'
import { zoneOfNoon } from '../../setup/timeZones.ts'

const UNKNOWN = refusal(404, 'Payment not found')
const NOT_PENDING = refusal(409, 'Payment is not pending')
const SANDBOX_ONLY = refusal(403, 'Only sandbox credentials can do that')

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore({ feeBps: 100 })
})
afterAll(async () => {
  const findings = await t.auditFindings()
  await t.close()
  expect(findings).toEqual([])
})

const pay = (id: string, body?: unknown, keys: Headers = shop.sandbox) =>
  t.call('POST', `/sandbox/payment/${id}/pay`, keys, body)
const expire = (id: string, keys: Headers = shop.sandbox) =>
  t.call('POST', `/sandbox/payment/${id}/expire`, keys)
const readDetails = async (id: string, keys: Headers = shop.sandbox) =>
  (await t.call('GET', `/merchant/payment/${id}`, keys)).body.data
const readBalance = async (keys: Headers) =>
  (await t.call('GET', '/merchant/balance', keys)).body.data.balance
const newPayment = async (body = {}) => (await t.createPayment(shop.sandbox, body)).payment_id

describe('a sandbox payment', () => {
  it.each([
    [undefined, 'completed', 'Payment completed'],
    [{}, 'completed', 'Payment completed'],
    ['', 'completed', 'Payment completed'],
    [{ outcome: null }, 'completed', 'Payment completed'],
    [{ outcome: 'completed' }, 'completed', 'Payment completed'],
    [{ outcome: 'insufficient_balance' }, 'failed', 'Payment failed'],
    [{ outcome: 'error' }, 'failed', 'Payment failed'],
    [{ outcome: 'error', donation_amount: 1 }, 'failed', 'Payment failed'],
  ])('paid with %j is %s', async (body, status, message) => {
    const id = await newPayment()
    const response = await pay(id, body)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ status: 200, message, data: { payment_id: id, status } })
    const shown = await readDetails(id)
    expect(shown).toMatchObject({ status, is_sandbox_transaction: true, donation_amount: '0.00' })
    if (status === 'failed') expect(shown.user).toBeNull()
    else expect(shown.user).toMatchObject({ name: 'Sandbox Payer', wallet_id: expect.any(String) })
  })

  it('can have donations up to the limit of a store, and no more', async () => {
    const kuwait = await t.createStore({ currency: 'KWD' as CurrencyCode })
    const create = async () =>
      (await t.createPayment(kuwait.sandbox, { currency: 'KWD' })).payment_id
    const donate = async (id: string) =>
      pay(id, { donation_amount: 999_999_999_999.999 }, kuwait.sandbox)
    const ids = await Promise.all(Array.from({ length: 105 }, create))
    const responses = await Promise.all(ids.map(donate))
    const refused = responses.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(5)
    expect(refused.map(({ body }) => body)).toEqual(
      refused.map(() =>
        invalid([
          'donation_amount',
          'donation_amount exceeds the balance that is left after the payment',
        ]),
      ),
    )
    expect((await pay(await create(), {}, kuwait.sandbox)).status).toBe(200)
  })

  it('can have a donation', async () => {
    const id = await newPayment()
    expect((await pay(id, { donation_amount: 1.5 })).status).toBe(200)
    expect(await readDetails(id)).toMatchObject({ status: 'completed', donation_amount: '1.50' })
    const { body } = await t.call('GET', `/operator/stores/${shop.store.storeId}`, t.operator)
    const row = (mode: string) =>
      body.data.balances.find((balances: { mode: string }) => balances.mode === mode)
    expect([row('live').gifts, row('sandbox').gifts]).toEqual(['0.00', '1.50'])
  })

  it('can have any amount', async () => {
    const before = await readBalance(shop.sandbox)
    for (const amount of [999_999_999_999.99, 999_999_999_999.99, 0.01]) {
      expect((await pay(await newPayment({ amount }))).body.data.status).toBe('completed')
    }
    expect(Number(await readBalance(shop.sandbox))).toBeGreaterThan(Number(before) + 1.9e12)
  })

  it('can fail as often as requested', async () => {
    for (let i = 0; i < 5; i++) {
      const response = await pay(await newPayment(), { outcome: 'insufficient_balance' })
      expect(response.body.data.status).toBe('failed')
    }
    expect((await pay(await newPayment())).body.data.status).toBe('completed')
  })

  it('can be refunded', async () => {
    const { store, sandbox } = await t.createStore()
    await t.fund(store, 'sandbox', '1.00')
    const { payment_id } = await t.createPayment(sandbox)
    await pay(payment_id, {}, sandbox)
    const refund = await t.call('POST', `/merchant/payment/${payment_id}/refund`, sandbox)
    expect(refund.body.data).toMatchObject({ status: 'refunded', refund_amount: '10.00' })
  })

  it('can be expired', async () => {
    const id = await newPayment()
    const response = await expire(id)
    expect(response.body).toEqual({
      status: 200,
      message: 'Payment expired',
      data: { payment_id: id, status: 'expired' },
    })
    expect((await readDetails(id)).status).toBe('expired')
  })
})

describe('refusals', () => {
  it.each<[unknown, [string, string]]>([
    [
      { outcome: 'paid' },
      ['outcome', 'outcome must be one of completed, insufficient_balance, error'],
    ],
    [{ outcome: 1 }, ['outcome', 'outcome must be one of completed, insufficient_balance, error']],
    [{ donation_amount: '1' }, ['donation_amount', 'donation_amount must be a number']],
    [{ donation_amount: -1 }, ['donation_amount', 'donation_amount must be at least 0']],
    [
      { donation_amount: 0.001 },
      ['donation_amount', 'donation_amount must be an amount in the currency of the payment'],
    ],
    ['[]', ['body', 'body must be an object']],
    ['{', ['body', 'body must be JSON']],
  ])('400: the body %j', async (body, problem) => {
    const id = await newPayment()
    const response = await pay(id, body)
    expect(response.status).toBe(400)
    expect(response.body).toEqual(invalid(problem))
    expect((await readDetails(id)).status).toBe('pending')
  })

  it('415: another content type', async () => {
    const id = await newPayment()
    const response = await pay(id, 'outcome=completed', {
      ...shop.sandbox,
      'content-type': 'text/plain',
    })
    expect(response.body).toEqual(refusal(415, 'Content-Type must be application/json'))
    expect((await readDetails(id)).status).toBe('pending')
  })

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['completed', (id) => pay(id)],
    ['failed', (id) => pay(id, { outcome: 'error' })],
    ['expired', (id) => expire(id)],
    ['overdue', (id) => t.makeOverdue(id)],
    [
      'refunded',
      async (id) => {
        await t.fund(shop.store, 'sandbox', '100.00')
        await pay(id)
        await t.call('POST', `/merchant/payment/${id}/refund`, shop.sandbox)
      },
    ],
  ])('409: a payment that is %s', async (_, settle) => {
    const id = await newPayment()
    await settle(id)
    const before = await readDetails(id)
    for (const response of [await pay(id), await pay(id, { outcome: 'error' }), await expire(id)]) {
      expect(response).toMatchObject({ status: 409, body: NOT_PENDING })
    }
    expect(await readDetails(id)).toEqual(before)
  })

  it('403: live credentials, for every request', async () => {
    const { payment_id } = await t.createPayment(shop.live)
    for (const response of [
      await pay(payment_id, {}, shop.live),
      await expire(payment_id, shop.live),
      await pay('nothing', '{', shop.live),
    ]) {
      expect(response).toMatchObject({ status: 403, body: SANDBOX_ONLY })
    }
    expect((await readDetails(payment_id, shop.live)).status).toBe('pending')
  })

  it('401 without credentials, 403 without the scope', async () => {
    const id = await newPayment()
    const readOnly = await t.issue(shop.store, 'sandbox', ['read'])
    const NOT_ALLOWED = refusal(403, 'This API key is not allowed to do that')
    for (const call of [
      (keys: Headers) => pay(id, {}, keys),
      (keys: Headers) => expire(id, keys),
    ]) {
      expect((await call({})).body).toEqual(refusal(401, 'Invalid API credentials'))
      expect((await call(readOnly)).body).toEqual(NOT_ALLOWED)
    }
  })

  it('404: unknown, malformed, of another store or of the other mode, with the same body', async () => {
    const other = await t.createStore()
    const ids = [
      'pay_00000000000000000000000000',
      'x',
      (await t.createPayment(shop.live)).payment_id,
      (await t.createPayment(other.sandbox)).payment_id,
    ]
    for (const id of ids) {
      for (const response of [await pay(id), await expire(id)]) {
        expect(response.status).toBe(404)
        expect(response.text).toBe(JSON.stringify(UNKNOWN))
      }
    }
  })
})

describe('live and sandbox are separate', () => {
  it('every endpoint of a payment refuses the other mode', async () => {
    for (const [ownKeys, otherKeys] of [
      [shop.live, shop.sandbox],
      [shop.sandbox, shop.live],
    ] as const) {
      const { payment_id } = await t.createPayment(ownKeys)
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/status'],
        ['GET', '/qr'],
        ['POST', '/refund'],
        ['POST', '/expire'],
        ['GET', '/webhooks'],
        ['POST', '/webhooks/redeliver'],
      ] as const) {
        const send = (id: string) => t.call(method, `/merchant/payment/${id}${path}`, otherKeys)
        const response = await send(payment_id)
        expect(response.status).toBe(404)
        expect(response.text).toBe((await send('pay_00000000000000000000000000')).text)
      }
      expect((await readDetails(payment_id, ownKeys)).status).toBe('pending')
    }
  })

  it('a wallet cannot pay a QR code of the other mode', async () => {
    const wallets = {
      live: await t.createWallet({ mode: 'live', balance: '50.00' }),
      sandbox: await t.createWallet({ mode: 'sandbox', balance: '50.00' }),
    }
    const codes = {
      live: (await t.createPayment(shop.live)).qr_code,
      sandbox: (await t.createPayment(shop.sandbox)).qr_code,
    }
    for (const [mode, other] of [
      ['live', 'sandbox'],
      ['sandbox', 'live'],
    ] as const) {
      const url = `/wallet/payment/${codes[other]}`
      const { headers } = wallets[mode]
      expect(await t.call('GET', url, headers)).toMatchObject({ status: 404, body: UNKNOWN })
      expect(await t.call('POST', `${url}/pay`, headers, {})).toMatchObject({
        status: 404,
        body: UNKNOWN,
      })
      expect((await t.call('POST', `/wallet/payment/${codes[mode]}/pay`, headers, {})).status).toBe(
        200,
      )
    }
  })

  it('lists, balances, pending amounts and limits are separate', async () => {
    const { store, live, sandbox } = await t.createStore({
      dailyLimitMinor: 1000n,
      monthlyLimitMinor: 2000n,
      uniqueReferences: true,
      timeZone: zoneOfNoon(),
    })
    await t.fund(store, 'live', '7.00')
    const body = { amount: 10, reference_id: 'order-1' }
    const ids = [
      (await t.createPayment(live, body)).payment_id,
      // The daily limit and the reference are used up in live mode only.
      (await t.createPayment(sandbox, body)).payment_id,
    ]
    const readState = async (keys: Headers) => {
      const list = await t.call('GET', '/merchant/payments', keys)
      const found = await t.call('GET', '/merchant/payments?reference_id=order-1', keys)
      const money = await t.call('GET', '/merchant/balance', keys)
      const quote = await t.call('GET', '/merchant/quote?amount=1&currency=USD', keys)
      expect(found.body).toEqual(list.body)
      return {
        ids: list.body.data.payments.map(({ payment_id }: { payment_id: string }) => payment_id),
        money: money.body.data,
        left: [quote.body.data.limits.daily.left, quote.body.data.limits.monthly.left],
      }
    }
    const currency = 'USD'
    expect(await readState(live)).toEqual({
      ids: [ids[0]],
      money: { balance: '7.00', currency, pending_amount: '10.00' },
      left: ['0.00', '10.00'],
    })
    await pay(ids[1]!, { outcome: 'error' }, sandbox)
    expect(await readState(sandbox)).toEqual({
      ids: [ids[1]],
      money: { balance: '0.00', currency, pending_amount: '0.00' },
      left: ['10.00', '20.00'],
    })
  })

  it('an Idempotency-Key is separate per mode', async () => {
    const key = { 'idempotency-key': 'same' }
    const create = (keys: Headers, amount: number) =>
      t.call('POST', '/merchant/payment/create', { ...keys, ...key }, { amount, currency: 'USD' })
    const first = await create(shop.live, 1)
    const second = await create(shop.sandbox, 2)
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.headers['idempotent-replayed']).toBeUndefined()
    expect((await create(shop.live, 1)).text).toBe(first.text)
    expect((await create(shop.sandbox, 2)).text).toBe(second.text)
  })

  it('each mode has its own API keys, QR codes and webhook secret', async () => {
    const issue = async (mode: string) => {
      const url = `/operator/stores/${shop.store.storeId}/credentials`
      return (await t.call('POST', url, t.operator, { mode })).body.data
    }
    const [live, sandbox] = [await issue('live'), await issue('sandbox')]
    expect(live.webhook_secret).toMatch(/^whsec_/)
    expect(live.webhook_secret).not.toBe(sandbox.webhook_secret)
    const mixed = { 'api-key': live.api_key, 'api-secret': sandbox.api_secret }
    expect((await t.call('GET', '/merchant/store', mixed)).status).toBe(401)
    expect((await t.createPayment(shop.live)).qr_code[0]).toBe('1')
    expect((await t.createPayment(shop.sandbox)).qr_code[0]).toBe('2')
  })
})
