import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOperator } from '../setup/operators.ts'
import {
  expectNoLeak,
  expectRefusal,
  type ListeningService,
  type RawResponse,
  startListeningService,
} from './rawService.ts'

let s: ListeningService
let operations: { method: string; path: string; queries: string[] }[]
let operator: Record<string, string>
beforeAll(async () => {
  s = await startListeningService()
  operator = (await createOperator(s.t)).headers
  type Operation = { parameters?: { in: string; name: string }[] }
  const { body } = await s.t.call('GET', '/openapi.json')
  const paths: Record<string, Record<string, Operation>> = body.paths
  operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [] }]) => ({
      method: method.toUpperCase(),
      path,
      queries: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    })),
  )
})
afterAll(() => s.t.close())

// A separate key for each, because failures are counted per key.
let strangers = 0
const stranger = () => ({ 'api-key': `flk_live_${++strangers}`, 'api-secret': 'x' })
const headersFor = (path: string) => {
  if (path.startsWith('/sandbox')) return s.sandbox
  if (path.startsWith('/merchant')) return s.live
  if (path.startsWith('/store/')) return s.person.headers
  // Tokens have no account of their own.
  if (/^\/operator\/(account|session|password)/.test(path)) return operator
  return path.startsWith('/wallet') ? s.wallet.headers : s.t.operator
}
const fillPath = (path: string) =>
  path
    .replace('{mode}', 'live')
    .replace('{paymentId}', s.paymentId)
    .replace('{qrCode}', s.qrCode)
    .replace('{storeId}', String(s.store.storeId))
    .replace('{walletId}', s.wallet.wallet.publicId)
    .replace('{from}/{to}', 'EUR/USD')
    .replace(/\{.*\}/, 'x')

function expectDocumented(response: RawResponse): void {
  expectNoLeak(response.text)
  if (response.status >= 400) expectRefusal(response, 400, 401, 403, 404, 405, 409, 413, 415)
}

const ODD_IDS = [
  'x',
  'a%2Fb',
  '%2F',
  '%2f..%2f..%2fetc%2fpasswd',
  '%00',
  'x%00',
  '%ZZ',
  '%',
  '%%%',
  '%C3%28',
  '%ED%A0%80',
  '%FF',
  '%E2%80%AE',
  '%0d%0aset-cookie:%20a=b',
  '%2e%2e',
  '..',
  '.',
  '*',
  ':paymentId',
  '{paymentId}',
  '__proto__',
  'constructor',
  "1'%20or%20'1'='1",
  '1;drop%20table%20payment',
  '%3Cscript%3E',
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  'x'.repeat(10_000),
  'pay_%30',
  '%20',
]

describe('ids', () => {
  it.each(ODD_IDS)('%s is refused by every route with an id, and nothing is stored', async (id) => {
    const before = await s.countRows()
    for (const { method, path } of operations.filter((operation) => operation.path.includes('{'))) {
      const url = path.replace(/\{\w+\}/, () => id).replace(/\{\w+\}/, 'x')
      const body = method === 'GET' || method === 'DELETE' ? undefined : '{}'
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const response = await s.send(method, url, { ...headersFor(path), ...type }, body)
      // Codes and rates are validated by their format, and the bodies of rotations and decisions before their ids.
      expectRefusal(response, 400, 404)
      if (!/qrCode|rates|rotate|approvals/.test(path)) expect(response.status).toBe(404)
    }
    expect(await s.countRows()).toEqual(before)
  })

  it('every odd payment id gets the same bytes as an unknown one', async () => {
    const unknown = `pay_${'0'.repeat(26)}`
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', '/status'],
      ['GET', '/qr'],
      ['POST', '/refund'],
      ['POST', '/expire'],
    ] as const) {
      const send = (id: string) => s.send(method, `/merchant/payment/${id}${rest}`, s.live)
      const expected = (await send(unknown)).text
      for (const id of ODD_IDS) expect((await send(id)).text).toBe(expected)
    }
  })

  it("an id of 20 kB exceeds the limit of Node's parser: 431", async () => {
    for (const path of ['/merchant/payment/', '/wallet/payment/', '/stores/']) {
      const response = await s.send('GET', path + 'x'.repeat(20_000), s.live)
      expectRefusal(response, 431)
    }
    expect((await s.send('GET', '/health')).status).toBe(200)
  })
})

describe('other spellings of a path', () => {
  it.each([
    '/%6derchant/store',
    '/merchant/%73tore',
    '/%6Derchant/payments',
    '/%73andbox/payment/x/pay',
    '/merchant%2Fstore',
    '//merchant/store',
    '/merchant//store',
    '/merchant/./store',
    '/x/../merchant/store',
    '/MERCHANT/store',
    '/merchant/store/',
    '/merchant/store;x=1',
    '/merchant/store%3Fx',
    '/merchant/',
    '/merchant',
    '/operator/../merchant/store',
    '/%6fperator/stores',
    '/operator//stores',
    'http://elsewhere.example/merchant/store',
    'https://elsewhere.example/operator/stores',
    '*',
  ])('%s is refused with wrong credentials, and is an ordinary path otherwise', async (path) => {
    for (const method of ['GET', 'POST']) {
      expectRefusal(await s.send(method, path, stranger()), 401, 404, 405)
      for (const headers of [s.live, s.sandbox, s.wallet.headers, s.t.operator]) {
        const response = await s.send(method, path, headers)
        expectDocumented(response)
      }
    }
  })

  it('an absolute URL without a path is the start page', async () => {
    const response = await s.send('GET', 'http://elsewhere.example', stranger())
    expect(response.status).toBe(200)
    expect(response.text).toContain('<title>Florin payments</title>')
    expectRefusal(await s.send('POST', 'http://elsewhere.example', stranger()), 404)
  })

  it.each(['/merchant/nothing', '/merchant/', '/merchant/payment/x/y/z', '/sandbox/x'])(
    '%s gets 401 with wrong credentials, and 404 with valid ones',
    async (path) => {
      expectRefusal(await s.send('GET', path, stranger()), 401)
      expectRefusal(await s.send('GET', path, s.sandbox), 404)
    },
  )
})

describe('methods', () => {
  const METHODS = [
    'GET',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'LOCK',
    'PURGE',
  ]

  it('a path refuses other methods with 405 and an Allow header', async () => {
    const before = await s.countRows()
    for (const path of new Set(operations.map((operation) => operation.path))) {
      const methods = operations
        .filter((operation) => operation.path === path)
        .map((operation) => operation.method)
      const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ')
      for (const method of METHODS.filter((other) => !methods.includes(other))) {
        const response = await s.send(method, fillPath(path), headersFor(path))
        expectRefusal(response, 405)
        expect(response.headers.allow, path).toBe(allowed)
        if (/^\/(merchant|sandbox)/.test(path))
          expectRefusal(await s.send(method, fillPath(path), stranger()), 401)
      }
    }
    expect(await s.countRows()).toEqual(before)
  })

  it('HEAD returns the status and content type of GET without a body', async () => {
    for (const { path } of operations.filter(({ method }) => method === 'GET')) {
      const [head, get] = [
        await s.send('HEAD', fillPath(path), headersFor(path)),
        await s.send('GET', fillPath(path), headersFor(path)),
      ]
      expect(head.status, path).toBe(get.status)
      expect(head.text).toBe('')
      expect(head.headers['content-type']).toBe(get.headers['content-type'])
    }
    expect((await s.send('HEAD', '/merchant/store', stranger())).status).toBe(401)
  })

  it('HEAD of a path without GET is 405', async () => {
    for (const { path, method } of operations) {
      if (operations.some((other) => other.path === path && other.method === 'GET')) continue
      const response = await s.send('HEAD', fillPath(path), headersFor(path))
      expect([response.status, response.headers.allow?.includes(method)]).toEqual([405, true])
    }
  })

  it('a GET with a body is treated like one without', async () => {
    const response = await s.send(
      'GET',
      '/merchant/store',
      { ...s.live, 'content-length': '5' },
      '{"a":',
    )
    expect(response.status).toBe(200)
  })
})

describe('queries', () => {
  it('an invalid value in any parameter of any GET is refused as the contract defines, or ignored', async () => {
    const before = await s.countRows()
    const withQuery = operations.filter(
      ({ method, queries }) => method === 'GET' && queries.length > 0,
    )
    expect(withQuery.length).toBeGreaterThanOrEqual(7)
    for (const { path, queries } of withQuery) {
      const url = fillPath(path)
      const send = (query: string) => s.send('GET', `${url}?${query}`, headersFor(path))
      for (const name of queries) {
        const repeatedParameter = await send(`${name}=1&${name}=2`)
        expectRefusal(repeatedParameter, 400)
        const { errors } = JSON.parse(repeatedParameter.text) as { errors: { field: string }[] }
        // Other errors are about required parameters, which are missing.
        expect(errors.map(({ field }) => field)).toContain(name)
        for (const value of [
          '',
          '%00',
          '%ZZ',
          '%',
          '%ED%A0%80',
          '%F0%9F%9B%92',
          '-1',
          '1e9',
          '99999999999999999999',
          '0x10',
          '1.5',
          'null',
          "'%20or%201=1--",
          '__proto__',
          '0001-01-01T00:00:00%2B23:59',
          '9999-12-31T23:59:59-23:59',
          '2026-01-01T00:00:00.999999999Z',
          'x'.repeat(5000),
        ]) {
          expectDocumented(await send(`${name}=${value}`))
        }
        expectDocumented(await send(`${name}[]=x`))
        expectDocumented(await send(`${name}[a]=x&${name}[b]=y`))
      }
      for (const query of [
        '&&&',
        '?',
        '=',
        '=x',
        '__proto__=1&__proto__=2',
        'constructor=1&toString=2&hasOwnProperty=3',
        'a=1&'.repeat(1500),
        '#x',
        '%',
        '%00=%00',
      ]) {
        expectDocumented(await send(query))
      }
    }
    expect(await s.countRows()).toEqual(before)
  })

  it('lists accept the earliest and the latest time', async () => {
    for (const query of [
      'created_from=0001-01-01T00:00:00%2B23:59',
      'created_to=9999-12-31T23:59:59-23:59',
    ]) {
      const response = await s.send('GET', `/merchant/payments?${query}`, s.live)
      expect(response.status).toBe(200)
      expect(JSON.parse(response.text).data.payments.length).toBeGreaterThan(0)
    }
    for (const query of ['from=0001-01-01T00:00:00%2B23:59', 'to=9999-12-31T23:59:59-23:59']) {
      const response = await s.send('GET', `/operator/audit-log?${query}`, s.t.operator)
      expect(response.status).toBe(200)
      expect(JSON.parse(response.text).data.entries.length).toBeGreaterThan(0)
    }
  })
})
