import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { mintPaymentId } from '../../../src/core/ids.ts'
import {
  createPaidPayment,
  readDetails,
  refusalOf,
  statusAndBody,
} from '../../setup/merchantCalls.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
let other: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  other = await t.createStore()
})
afterAll(() => t.close())

describe('a payment of another store or mode, or a malformed id', () => {
  it.each([
    ['GET', '', refusalOf(404, 'Payment request not found')],
    ['GET', '/status', { status: 404, body: { status_code: 404, message: 'Invalid payment id' } }],
    [
      'GET',
      '/status?wait=5',
      { status: 404, body: { status_code: 404, message: 'Invalid payment id' } },
    ],
    ['POST', '/refund', refusalOf(404, 'Payment not found')],
    ['POST', '/expire', refusalOf(404, 'Payment not found')],
    ['GET', '/qr', refusalOf(404, 'Payment not found')],
    ['GET', '/qr?format=png', refusalOf(404, 'Payment not found')],
  ] as const)(
    '%s %s: has the same response as an unknown payment',
    async (method, path, expected) => {
      await t.fund(shop.store, 'live', '10.00')
      const payer = await t.createWallet({ balance: '10.00' })
      const ownPayment = await createPaidPayment(t, shop.live, payer)
      const { payment_id: otherId } = await t.createPayment(other.live)
      const { payment_id: sandbox } = await t.createPayment(shop.sandbox)
      const unknown = mintPaymentId(new Date(), shop.store.storeId)
      const malformed = ['x', 'pay_', 'undefined', '%00', '%zz', '%F0%9F%98%80', '..%2F..', 'a%20b']
      const similar = [
        ownPayment.payment_id.toUpperCase(),
        `${ownPayment.payment_id}0`,
        ownPayment.payment_id.slice(0, -1),
      ]
      const texts = new Set<string>()
      for (const id of [unknown, otherId, sandbox, ...malformed, ...similar, 'y'.repeat(4000)]) {
        const response = await t.call(method, `/merchant/payment/${id}${path}`, shop.live)
        expect(statusAndBody(response), id).toEqual(expected)
        texts.add(response.text)
      }
      expect(texts.size).toBe(1)
      expect((await readDetails(t, other.live, otherId)).status).toBe('pending')
      expect((await readDetails(t, shop.sandbox, sandbox)).status).toBe('pending')
      expect(
        (await t.call(method, `/merchant/payment/${ownPayment.payment_id}${path}`, shop.live))
          .status,
      ).not.toBe(404)
    },
  )
})

describe('too many requests', () => {
  it('of one key are throttled with Retry-After, and another key is not', async () => {
    const limited = await startTestService({ FLORIN_RATE_LIMIT: '5' })
    try {
      const { live, sandbox } = await limited.createStore()
      for (let i = 0; i < 5; i++) {
        expect((await limited.call('GET', '/merchant/store', live)).status).toBe(200)
      }
      const throttled = await limited.call('GET', '/merchant/store', live)
      expect(statusAndBody(throttled)).toEqual(refusalOf(429, 'Too many requests'))
      expect(Number(throttled.headers['retry-after'])).toBeGreaterThan(0)
      expect((await limited.call('GET', '/merchant/store', sandbox)).status).toBe(200)
    } finally {
      await limited.close()
    }
  })
})

describe('every response', () => {
  it.each([
    ['200', 'GET', '/merchant/store', true],
    ['401', 'GET', '/merchant/store', false],
    ['404', 'GET', '/merchant/nothing', true],
    ['405', 'POST', '/merchant/store', true],
    ['415', 'POST', '/merchant/payment/create', true],
  ] as const)(
    '%s has a unique request id and the security headers',
    async (status, method, path, hasKeys) => {
      const headers = { ...(hasKeys ? shop.live : {}), 'x-request-id': 'mine' }
      const first = await t.call(method, path, headers)
      const second = await t.call(method, path, headers)
      expect(String(first.status)).toBe(status)
      expect(first.headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
        'strict-transport-security': expect.stringContaining('max-age='),
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
      expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id'])
    },
  )

  it('to an internal error reveals only the request id', async () => {
    const broken = await startTestService()
    try {
      const { live } = await broken.createStore()
      const { payment_id } = await broken.createPayment(live)
      Object.assign(broken.service, {
        readPayment: () => Promise.reject(new Error('secret detail')),
      })
      const response = await broken.call('GET', `/merchant/payment/${payment_id}`, live)
      expect(statusAndBody(response)).toEqual(refusalOf(500, 'Internal error'))
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    } finally {
      await broken.close()
    }
  })

  it('without a database has Retry-After', async () => {
    const offline = await startTestService()
    try {
      const { live } = await offline.createStore()
      const { payment_id } = await offline.createPayment(live)
      await cutOff(offline)
      for (const [method, path, body] of [
        ['GET', `/merchant/payment/${payment_id}`, undefined],
        ['POST', '/merchant/payment/create', { amount: 1, currency: 'USD' }],
      ] as const) {
        const response = await offline.call(method, path, live, body)
        expect(statusAndBody(response)).toEqual(refusalOf(503, expect.any(String)))
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      }
    } finally {
      await offline.close()
    }
  })
})

/** Ends the connections of a service to its database, and prevents new ones. */
async function cutOff({ database, databaseUrl }: TestService): Promise<void> {
  const closedUrl = new URL(databaseUrl)
  closedUrl.host = '127.0.0.1:1'
  closedUrl.search = ''
  Object.assign(database.pool.options, { connectionString: closedUrl.href })
  const admin = new pg.Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  const name = new URL(databaseUrl).pathname.slice(1)
  await admin.query(
    'select pg_terminate_backend(pid, 20000) from pg_stat_activity where datname = $1',
    [name],
  )
  await admin.end()
}
