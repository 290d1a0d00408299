import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintPaymentId } from '../../../src/core/ids.ts'
import { invalid } from '../../setup/expected.ts'
import {
  changeStore,
  create,
  pay,
  refusalOf,
  statusAndBody,
  statusOf,
} from '../../setup/merchantCalls.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
let other: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  other = await t.createStore()
})
afterAll(() => t.close())

type Method = 'GET' | 'POST' | 'DELETE' | 'PUT' | 'OPTIONS' | 'HEAD'
const UNAUTHORIZED = refusalOf(401, 'Invalid API credentials')

/** Endpoints, and the scope that each needs. */
const CALLS = [
  ['POST', '/merchant/payment/create', 'create'],
  ['GET', '/merchant/payment/{id}', 'read'],
  ['GET', '/merchant/payment/{id}/status', 'read'],
  ['POST', '/merchant/payment/{id}/refund', 'refund'],
  ['POST', '/merchant/payment/{id}/expire', 'create'],
  ['GET', '/merchant/payment/{id}/qr', 'read'],
  ['GET', '/merchant/payments', 'read'],
  ['GET', '/merchant/balance', 'read'],
  ['GET', '/merchant/quote?amount=1&currency=USD', 'read'],
  ['GET', '/merchant/store', 'read'],
] as const

const bodyOf = (path: string) =>
  path.endsWith('/create') ? { amount: 1, currency: 'USD' } : undefined

describe('credentials', () => {
  it.each(CALLS)('are required by %s %s', async (method, path) => {
    expect(statusAndBody(await t.call(method, path, {}, bodyOf(path)))).toEqual(UNAUTHORIZED)
  })

  it('are refused with the same response, whatever is wrong with them', async () => {
    const key = await t.issue(shop.store, 'live')
    const revoked = await t.issue(shop.store, 'live')
    await t.call('DELETE', `/operator/credentials/${revoked['api-key']}`, t.operator)
    const expired = await t.issue(shop.store, 'live')
    expect((await t.call('GET', '/merchant/store', expired)).status).toBe(200)
    await age('expires_at', expired)
    const wrong: Headers[] = [
      {},
      { 'api-key': key['api-key']! },
      { 'api-secret': key['api-secret']! },
      { ...key, 'api-secret': '' },
      { ...key, 'api-secret': `${key['api-secret']}x` },
      { ...key, 'api-secret': other.live['api-secret']! },
      { ...key, 'api-key': 'flk_live_unknown' },
      { ...key, 'api-key': 'x'.repeat(5000) },
      { 'api-key': key['api-secret']!, 'api-secret': key['api-key']! },
      revoked,
      expired,
    ]
    const responses = await Promise.all(wrong.map((keys) => t.call('GET', '/merchant/store', keys)))
    for (const response of responses) expect(statusAndBody(response)).toEqual(UNAUTHORIZED)
    expect(new Set(responses.map((response) => response.text)).size).toBe(1)
    for (const { headers } of responses)
      expect(headers['www-authenticate']).toBe('ApiKey headers="api-key api-secret"')
    expect((await t.call('GET', '/merchant/store', key)).status).toBe(200)
  })

  /** Moves a time of the credential into the past. */
  async function age(column: 'expires_at' | 'previous_until', keys: Headers): Promise<void> {
    const apiKey = keys['api-key']!
    const sql = `update credential set ${column} = now() - interval '1 second' where api_key = $1`
    await t.database.transaction((tx) => tx.execute(sql, [apiKey]))
    t.service.credentials.forget(apiKey)
  }

  it('include the old secret only during the overlap of a rotation', async () => {
    const old = await t.issue(shop.store, 'live')
    const path = `/operator/credentials/${old['api-key']}/rotate`
    const rotated = await t.call('POST', path, t.operator, { overlap_seconds: 60 })
    const renewed = { ...old, 'api-secret': rotated.body.data.api_secret }
    const statuses = async (...all: Headers[]) =>
      Promise.all(all.map(async (keys) => (await t.call('GET', '/merchant/store', keys)).status))
    expect(await statuses(old, renewed)).toEqual([200, 200])
    await age('previous_until', old)
    expect(await statuses(old, renewed)).toEqual([401, 200])
    const again = await t.call('POST', path, t.operator, { overlap_seconds: 0 })
    const last = { ...old, 'api-secret': again.body.data.api_secret }
    expect(await statuses(old, renewed, last)).toEqual([401, 401, 200])
  })

  it.each(CALLS)('need the scope of %s %s', async (method, path, scope) => {
    const url = path.replace('{id}', mintPaymentId(new Date(), shop.store.storeId))
    const all = ['read', 'create', 'refund'] as const
    const keyWithoutScope = await t.issue(
      shop.store,
      'live',
      all.filter((granted) => granted !== scope),
    )
    const refused = refusalOf(403, 'This API key is not allowed to do that')
    expect(statusAndBody(await t.call(method, url, keyWithoutScope, bodyOf(path)))).toEqual(refused)
    const keyWithScope = await t.issue(shop.store, 'live', [scope])
    expect([200, 404]).toContain((await t.call(method, url, keyWithScope, bodyOf(path))).status)
  })

  it('of a suspended store are refused, and its payments stay pending', async () => {
    const store = await t.createStore()
    const payer = await t.createWallet({ balance: '10.00' })
    const { payment_id, qr_code } = await t.createPayment(store.live)
    await changeStore(t, store, { suspended: true })
    const suspended = refusalOf(403, 'This store is suspended')
    for (const [method, path] of CALLS) {
      const url = path.replace('{id}', payment_id)
      expect(statusAndBody(await t.call(method, url, store.live, bodyOf(path)))).toEqual(suspended)
    }
    expect(statusAndBody(await pay(t, payer, qr_code))).toEqual(suspended)
    await changeStore(t, store, { suspended: false })
    expect(await statusOf(t, store.live, payment_id)).toBe('pending')
    expect((await pay(t, payer, qr_code)).status).toBe(200)
  })

  it('that are wrong more than 60 times a minute are throttled, per key and address', async () => {
    const guess = (apiKey: string, remoteAddress = '192.0.2.1') => {
      const headers = { 'api-key': apiKey, 'api-secret': 'guess' }
      return t.app.inject({ url: '/merchant/store', headers, remoteAddress })
    }
    const statuses: number[] = []
    // The limit recovers while this loop runs, so a few more attempts may pass.
    while (statuses.at(-1) !== 429 && statuses.length < 90) {
      statuses.push((await guess('flk_live_x')).statusCode)
    }
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(401))
    expect(statuses.at(-1)).toBe(429)
    const slowed = await guess('flk_live_x')
    expect(slowed.json()).toEqual({ status: 429, message: expect.any(String) })
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0)
    expect((await guess('flk_live_y')).statusCode).toBe(401)
    expect((await guess('flk_live_x', '192.0.2.2')).statusCode).toBe(401)
  })
})

describe('checks of a request', () => {
  const LARGE = `{"payload":"${'x'.repeat(256 * 1024)}"}`
  const WRONG_TYPE = refusalOf(415, 'Content-Type must be application/json')
  const WRONG_METHOD = refusalOf(405, 'Method not allowed')
  const NOT_FOUND = refusalOf(404, 'Not found')
  const TOO_LARGE = refusalOf(413, 'The body must be at most 256 KiB')
  const CREATE = '/merchant/payment/create'
  const plain = { 'content-type': 'text/plain' }
  it.each([
    ['GET', '/merchant/nothing', undefined, undefined, NOT_FOUND],
    ['POST', '/merchant/payment', plain, LARGE, NOT_FOUND],
    ['GET', '/merchant/', undefined, undefined, NOT_FOUND],
    ['GET', '/merchant/payment/create/', undefined, undefined, NOT_FOUND],
    ['GET', CREATE, undefined, undefined, WRONG_METHOD, 'POST'],
    ['HEAD', CREATE, undefined, undefined, WRONG_METHOD, 'POST'],
    ['PUT', CREATE, plain, LARGE, WRONG_METHOD, 'POST'],
    ['OPTIONS', CREATE, undefined, undefined, WRONG_METHOD, 'POST'],
    ['DELETE', '/merchant/payment/{id}', undefined, undefined, WRONG_METHOD, 'GET, HEAD'],
    ['POST', '/merchant/payment/{id}/status', plain, 'x', WRONG_METHOD, 'GET, HEAD'],
    ['GET', '/merchant/payment/{id}/refund', undefined, undefined, WRONG_METHOD, 'POST'],
    ['GET', '/merchant/payment/{id}/expire', undefined, undefined, WRONG_METHOD, 'POST'],
    ['POST', '/merchant/payments', undefined, LARGE, WRONG_METHOD, 'GET, HEAD'],
    ['PUT', '/merchant/balance', undefined, undefined, WRONG_METHOD, 'GET, HEAD'],
    ['POST', CREATE, plain, LARGE, WRONG_TYPE],
    ['POST', CREATE, plain, '{', WRONG_TYPE],
    ['POST', CREATE, undefined, LARGE.slice(1), TOO_LARGE],
    ['POST', '/merchant/payment/pay_nope/refund', undefined, LARGE, TOO_LARGE],
  ] as [Method, string, Headers | undefined, string | undefined, object, string?][])(
    '%s %s (%j) is refused, but the credentials are checked first',
    async (method, path, headers = {}, body, expected, allow) => {
      const url = path.replace('{id}', (await t.createPayment(shop.live)).payment_id)
      const stranger = await t.call(method, url, headers, body)
      const merchant = await t.call(method, url, { ...shop.live, ...headers }, body)
      const isHead = method === 'HEAD'
      const shown = (response: typeof merchant) =>
        isHead ? { status: response.status } : statusAndBody(response)
      expect(shown(stranger)).toEqual(isHead ? { status: 401 } : UNAUTHORIZED)
      expect(shown(merchant)).toEqual(isHead ? { status: 405 } : expected)
      expect(merchant.headers.allow).toBe(allow)
    },
  )

  it.each([
    'text/plain',
    'application/jsonx',
    'application/json5',
    'application/vnd.api+json',
    'json',
    '',
    'application/x-www-form-urlencoded',
    'text/json',
    'multipart/form-data',
  ])('create refuses the content type %j', async (type) => {
    const response = await create(t, shop.live, {}, { 'content-type': type })
    expect(statusAndBody(response)).toEqual(WRONG_TYPE)
  })

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
    'application/json ; v=1',
  ])('create accepts the content type %j', async (type) => {
    expect((await create(t, shop.live, {}, { 'content-type': type })).status).toBe(200)
  })

  it('a body of 256 KiB is read and validated, and one byte more is refused', async () => {
    const fill = 256 * 1024 - '{"x":""}'.length
    const missing = invalid(['amount', 'amount is required'], ['currency', 'currency is required'])
    const full = await create(t, shop.live, `{"x":"${'y'.repeat(fill)}"}`)
    expect(statusAndBody(full)).toEqual({ status: 400, body: missing })
    const tooLarge = await create(t, shop.live, `{"x":"${'y'.repeat(fill + 1)}"}`)
    expect(statusAndBody(tooLarge)).toEqual(TOO_LARGE)
  })
})

describe('requests exactly as written', () => {
  /** Sends a request exactly as written; `inject` would normalize it. */
  async function send(lines: string[]): Promise<string> {
    const address = t.app.server.address()
    if (address === null) await t.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = t.app.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.write(`${[...lines, 'Host: x', 'Connection: close'].join('\r\n')}\r\n\r\n`)
    await once(socket, 'close')
    return text
  }
  const keyLines = (keys: Headers) => Object.entries(keys).map((pair) => pair.join(': '))

  it.each(['/%6Derchant/balance', '/merchant/b%61lance', 'http://x/merchant/balance'])(
    '%s requires credentials, and returns the balance with them',
    async (path) => {
      expect(await send([`GET ${path} HTTP/1.1`])).toMatch(/^HTTP\/1.1 401 /)
      const response = await send([`GET ${path} HTTP/1.1`, ...keyLines(shop.live)])
      expect(response).toMatch(/^HTTP\/1.1 200 /)
      expect(response).toContain('"message":"Store balance"')
    },
  )

  it('/merchant/payment/%63reate is the path for creating payments, not a payment id', async () => {
    const lines = ['GET /merchant/payment/%63reate HTTP/1.1', ...keyLines(shop.live)]
    const response = await send(lines)
    expect(response).toMatch(/^HTTP\/1.1 405 /)
    expect(response).toMatch(/\r\nallow: POST\r\n/i)
  })

  it.each(['/%6Derchant/nothing', '/merchant/nothin%67', '/%73andbox/nothing', '/%73tore/nothing'])(
    'the unknown path %s requires credentials',
    async (path) => {
      expect(await send([`GET ${path} HTTP/1.1`])).toMatch(/^HTTP\/1.1 401 /)
    },
  )

  it.each(['/merchant/nothing', '/sandbox/nothing', '/merchant', '/payment/create'])(
    'the unknown path %s with an API key is refused in JSON, even if the client accepts HTML',
    async (path) => {
      const headers = { ...shop.sandbox, accept: 'text/html, */*; q=.2' }
      const response = await t.call('GET', path, headers)
      expect(statusAndBody(response)).toEqual(refusalOf(404, 'Not found'))
    },
  )

  it('an absent body with a JSON content type is an invalid body (400), not a wrong type (415)', async () => {
    const type = 'Content-Type: application/json'
    const lines = ['POST /merchant/payment/create HTTP/1.1', type, ...keyLines(shop.live)]
    const response = await send(lines)
    expect(response).toMatch(/^HTTP\/1.1 400 /)
    expect(response).toContain(JSON.stringify(invalid(['body', 'body must be JSON'])))
  })
})
