import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { batch } from '../../src/database/batch.ts'
import { openService } from '../../src/service.ts'
import { refusal } from '../setup/expected.ts'
import { startTestService, type TestService, type TestStore } from '../setup/testService.ts'

const UNAVAILABLE = refusal(503, 'The service is not available right now. Try again shortly.')
const BUSY = refusal(503, 'The service is busy. Try again shortly.')
const NOT_READY = refusal(503, 'Not ready yet')

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService({}, { limitsWaits: true })
  shop = await t.createStore()
})
afterAll(() => t.close())

/** Opens another service with the same settings, except the database URL. */
function openAnotherService(databaseUrl: string) {
  const { config, secretKey, pepper, log } = t.service
  return openService(config, { databaseUrl, secretKey, pepper, log })
}
// Nothing listens on this port.
const UNREACHABLE = 'postgres://florin:x@127.0.0.1:1/florin'

describe('/health and /ready', () => {
  it('the process is healthy as soon as it responds, and ready when it is prepared', async () => {
    const service = openAnotherService(t.databaseUrl)
    const app = await buildApp(service)
    try {
      const health = await app.inject('/health')
      expect([health.statusCode, health.json()]).toEqual([200, { status: 200, message: 'Alive' }])
      const before = await app.inject('/ready')
      expect([before.statusCode, before.json()]).toEqual([503, NOT_READY])
      expect(before.headers['retry-after']).toBe('2')
      service.markPrepared()
      const ready = await app.inject('/ready')
      expect([ready.statusCode, ready.json()]).toEqual([200, { status: 200, message: 'Ready' }])
      service.beginStop()
      expect((await app.inject('/ready')).statusCode).toBe(503)
      expect((await app.inject('/health')).statusCode).toBe(200)
    } finally {
      await app.close()
      await service.database.close()
    }
  })

  it('the process is not ready on a database without its tables', async () => {
    const url = new URL(t.databaseUrl)
    url.pathname = '/postgres'
    const service = openAnotherService(url.href)
    service.markPrepared()
    const app = await buildApp(service)
    const response = await app.inject('/ready')
    await app.close()
    await service.database.close()
    expect([response.statusCode, response.json()]).toEqual([503, NOT_READY])
  })
})

describe('while the database is unavailable', () => {
  let service: ReturnType<typeof openAnotherService>
  let app: Awaited<ReturnType<typeof buildApp>>
  beforeAll(async () => {
    service = openAnotherService(UNREACHABLE)
    service.markPrepared()
    app = await buildApp(service, { localOperator: { token: 'flo_x', name: 'x' } })
  })
  afterAll(async () => {
    await app.close()
    await service.database.close()
  })

  it.each([
    ['GET', '/merchant/store', 'merchant'],
    ['POST', '/merchant/payment/create', 'merchant'],
    ['GET', `/merchant/payment/pay_${'0'.repeat(26)}/status`, 'merchant'],
    ['POST', '/sandbox/payment/x/pay', 'merchant'],
    ['POST', '/wallet/session', 'wallet'],
    ['GET', '/wallet/me', 'wallet'],
    ['GET', '/operator/stores', 'operator'],
    ['POST', '/operator/stores', 'operator'],
    ['GET', '/stores/1/logo.svg', 'public'],
  ] as const)('%s %s is 503 with Retry-After', async (method, url, audience) => {
    const headers = {
      merchant: { 'api-key': `flk_live_${'x'.repeat(20)}`, 'api-secret': 'x' },
      wallet: { authorization: `Bearer flw_1_${'a'.repeat(43)}` },
      operator: { authorization: 'Bearer flo_x' },
      public: {},
    }[audience]
    const payload = { phone: '+15550001111', pin: '1234', name: 'x', currency: 'USD' }
    const response = await app.inject({
      method,
      url,
      headers,
      ...(method === 'POST' ? { payload } : {}),
    })
    expect([response.statusCode, response.json()]).toEqual([503, UNAVAILABLE])
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('a request over a real connection, whose body has already been read, is 503', async () => {
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const body = '{"phone": "+15550001111", "pin": "1234"}'
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${origin}/wallet/session`, { method: 'POST', headers, body })
    expect([response.status, await response.json()]).toEqual([503, UNAVAILABLE])
  })

  it('the service is healthy, not ready, and still has metrics', async () => {
    expect((await app.inject('/health')).statusCode).toBe(200)
    expect((await app.inject('/ready')).json()).toEqual(NOT_READY)
    const metrics = await app.inject({
      url: '/metrics',
      headers: { authorization: 'Bearer flo_x' },
    })
    expect(metrics.statusCode).toBe(200)
  })

  it('a request is 503 with a closed pool', async () => {
    const closed = openAnotherService(t.databaseUrl)
    closed.markPrepared()
    await closed.database.close()
    const other = await buildApp(closed)
    const ready = await other.inject('/ready')
    const response = await other.inject({ url: '/merchant/store', headers: shop.live })
    await other.close()
    expect(ready.statusCode).toBe(503)
    expect([response.statusCode, response.json()]).toEqual([503, UNAVAILABLE])
  })
})

describe('under overload', () => {
  it('more requests than can wait get 503 with Retry-After, and the waiting ones are still served', async () => {
    let finish: () => void = () => {}
    const gate = new Promise<void>((resolve) => {
      finish = resolve
    })
    let startedCount = 0
    // The real queue and the real app. Only the work is replaced, and ends when the test ends it.
    const readStatus = batch(
      async (requests: Parameters<typeof t.service.readStatus>[0][]) => {
        startedCount += 1
        await gate
        return requests.map(() => 'pending' as const)
      },
      { maxItems: 1, maxWaiting: 2, concurrency: 1 },
    )
    const app = await buildApp({ ...t.service, readStatus })
    const { payment_id } = await t.createPayment(shop.live)
    let refusedCount = 0
    const send = async () => {
      const url = `/merchant/payment/${payment_id}/status`
      const response = await app.inject({ url, headers: shop.live })
      if (response.statusCode === 503) refusedCount += 1
      return response
    }
    const first = send()
    await expect.poll(() => startedCount).toBe(1)
    const rest = Array.from({ length: 10 }, send)
    await expect.poll(() => refusedCount).toBe(8)
    finish()
    const responses = await Promise.all([first, ...rest])
    await app.close()
    const refused = responses.filter((response) => response.statusCode === 503)
    expect(refused).toHaveLength(8)
    expect(responses.filter((response) => response.statusCode === 200)).toHaveLength(3)
    for (const response of refused) {
      expect(response.json()).toEqual(BUSY)
      expect(response.headers['retry-after']).toBe('1')
    }
  })

  it('a store whose lock is stuck is busy, and the others are served', async () => {
    const other = await t.createStore()
    const create = (keys: typeof shop.live) =>
      t.call('POST', '/merchant/payment/create', keys, { amount: 1, currency: 'USD' })
    await t.database.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock(2, $1)', [shop.store.storeId])
      const [stuck, free] = await Promise.all([create(shop.live), create(other.live)])
      expect([stuck.status, stuck.body]).toEqual([503, BUSY])
      expect(stuck.headers['retry-after']).toBe('1')
      expect(free.status).toBe(200)
    })
    expect((await create(shop.live)).status).toBe(200)
  })

  it('a key over its rate limit gets 429 with Retry-After', async () => {
    const app = await buildApp({
      ...t.service,
      config: { ...t.service.config, requestsPerMinute: 3 },
    })
    const send = (headers: typeof shop.live) => app.inject({ url: '/merchant/store', headers })
    const responses = []
    for (let i = 0; i < 5; i++) responses.push(await send(shop.live))
    expect(responses.map((response) => response.statusCode)).toEqual([200, 200, 200, 429, 429])
    expect(responses[4]!.json()).toEqual(refusal(429, 'Too many requests'))
    expect(responses[4]!.headers['retry-after']).toBe('1')
    expect((await send(shop.sandbox)).statusCode).toBe(200)
    await app.close()
  })
})

describe('the metrics', () => {
  it('require an operator', async () => {
    for (const headers of [{}, { authorization: 'Bearer x' }, shop.live]) {
      const response = await t.call('GET', '/metrics', headers)
      expect([response.status, response.body]).toEqual([
        401,
        refusal(401, 'Invalid operator token'),
      ])
    }
  })

  it('count requests, batches, connections and payments, with names but no ids as labels', async () => {
    const wallet = await t.createWallet({ balance: '5.00' })
    const { payment_id, qr_code } = await t.createPayment(shop.live, { amount: 1 })
    await t.call('POST', `/wallet/payment/${qr_code}/pay`, wallet.headers)
    await t.call('GET', `/merchant/payment/${payment_id}`, shop.live)
    await t.call('GET', '/no/such/path/9f3b')
    const { text, headers } = await t.call('GET', '/metrics', t.operator)
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    for (const series of [
      /^florin_http_requests_total\{method="POST",route="\/merchant\/payment\/create",status="200"\} \d+/m,
      /^florin_http_requests_total\{method="GET",route="\/merchant\/payment\/:paymentId",status="200"\} \d+/m,
      /^florin_http_requests_total\{method="GET",route="unknown",status="404"\} \d+/m,
      /^florin_http_request_seconds_bucket\{le="0\.005",route="\/merchant\/payment\/create"\} \d+/m,
      /^florin_batch_items_count\{op="create"\} \d+/m,
      /^florin_batch_items_count\{op="pay"\} \d+/m,
      /^florin_pool_connections\{state="(busy|idle|waiting)"\} \d+/m,
      /^florin_payments_total\{outcome="created",mode="live"\} \d+/m,
      /^florin_payments_total\{outcome="completed",mode="live"\} \d+/m,
      /^# TYPE florin_transaction_retries_total counter/m,
      /^process_cpu_seconds_total/m,
    ]) {
      expect(text.match(series), String(series)).not.toBeNull()
    }
    for (const id of [payment_id, qr_code, wallet.wallet.publicId, shop.live['api-key']!, '9f3b']) {
      expect(text.includes(id), id).toBe(false)
    }
  })
})

describe('the placeholder of a store without a logo', () => {
  it('is an image, and the first character of the name is escaped in it', async () => {
    const name = `<script>alert("1")</script>&'`
    const { store, live } = await t.createStore({ name })
    const { body } = await t.call('GET', '/merchant/store', live)
    expect(body.data.logo).toBe(`https://pay.example.com/stores/${store.storeId}/logo.svg`)
    const response = await t.call('GET', `/stores/${store.storeId}/logo.svg`)
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('image/svg+xml')
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    expect(response.headers['cross-origin-resource-policy']).toBe('cross-origin')
    expect(response.text).toContain('aria-label="&lt;"')
    expect(response.text).toContain('>&lt;</text>')
    expect(response.text.match(/<[a-z]+/g)).toEqual(['<svg', '<rect', '<text'])
  })

  it.each([
    ['🛒 Shop', '>🛒<'],
    ['  ünïcode', '>Ü<'],
    ['ßtraße', '>SS<'],
  ])('shows the first character of %s in upper case', async (name, character) => {
    const { store } = await t.createStore({ name })
    expect((await t.call('GET', `/stores/${store.storeId}/logo.svg`)).text).toContain(character)
  })

  it.each(['0', 'x', '99999', '1.5', '%00'])('is 404 for %s', async (id) => {
    const response = await t.call('GET', `/stores/${id}/logo.svg`)
    expect([response.status, response.body]).toEqual([404, refusal(404, 'Store not found')])
  })
})
