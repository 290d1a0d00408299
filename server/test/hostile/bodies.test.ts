import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../attacks/routes.ts'
import {
  expectNoLeak,
  expectRefusal,
  type ListeningService,
  startListeningService,
} from './rawService.ts'

let s: ListeningService
beforeAll(async () => {
  s = await startListeningService()
})
afterAll(() => s.t.close())

const JSON_TYPE = { 'content-type': 'application/json' }
const VALID = '"amount":10,"currency":"USD"'
const create = (body: string | Buffer, headers = {}) =>
  s.send('POST', '/merchant/payment/create', { ...s.live, ...JSON_TYPE, ...headers }, body)
const fieldsOf = (text: string) =>
  JSON.parse(text).errors.map((error: { field: string }) => error.field)

const nested = (open: string, close: string, levels: number) =>
  open.repeat(levels) + (open.endsWith(':') ? '1' : '') + close.repeat(levels)

/** Bodies that each of the calls below refuses, except that some accept an empty body. */
const BROKEN: [name: string, body: string | Buffer, status: number][] = [
  ['100,000 nested lists', nested('[', ']', 100_000), 400],
  ['40,000 nested objects', nested('{"a":', '}', 40_000), 400],
  ['deep nesting with a number that is not a double', `[1e400,${nested('[', ']', 100_000)}]`, 400],
  ['65 levels', `{${VALID},"payload":${nested('{"a":', '}', 64)}}`, 400],
  ['__proto__', '{"__proto__":{"isAdmin":true}}', 400],
  ['nested __proto__', `{${VALID},"payload":{"a":[{"__proto__":{}}]}}`, 400],
  ['escaped __proto__', '{"\\u005f_proto__":1}', 400],
  ['a duplicate key', '{"amount":1,"amount":2,"currency":"USD"}', 400],
  ['a duplicate key, once escaped', '{"amount":1,"\\u0061mount":2,"currency":"USD"}', 400],
  ['a nested duplicate key', `{${VALID},"payload":{"a":[{"b":1,"b":1}]}}`, 400],
  ['3,001 numbers that are not doubles', `{"a":[${'1e400,'.repeat(3_000)}1e400]}`, 400],
  ['more than 15,000 values', `{${VALID},"more":[${Array(15_000).fill('1').join()}]}`, 400],
  ['an empty body', '', 400],
  ['a space', ' ', 400],
  ['half an object', '{"amount":', 400],
  ['a trailing comma', `{${VALID},}`, 400],
  ['a comment', `{${VALID}} // hi`, 400],
  ['NaN', '{"amount":NaN}', 400],
  ['Infinity', '{"amount":Infinity}', 400],
  ['a number with a leading zero', '{"amount":010}', 400],
  ['two values', '{}{}', 400],
  ['a raw NUL', '{"a":"\0"}', 400],
  ['an invalid byte', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
  ['half a character', Buffer.from([0x22, 0xe2, 0x82, 0x22]), 400],
  ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 400],
  ['UTF-16', Buffer.from(`{${VALID}}`, 'utf16le'), 400],
  ['a byte order mark', `\ufeff{${VALID}}`, 400],
  ['one megabyte of a string', `{"reference_id":"${'x'.repeat(1_000_000)}"}`, 413],
  ['one megabyte of spaces', ' '.repeat(1_000_000), 413],
  ['one byte too many', ' '.repeat(256 * 1024 + 1), 413],
]
const NO_OBJECT = ['[]', '"text"', '1', 'true', '[{}]', '1e400', '10.000000000000000001']

describe('an invalid body', () => {
  const calls = (): [string, string, Record<string, string>][] => [
    ['POST', '/merchant/payment/create', s.live],
    ['POST', '/wallet/session', {}],
    ['POST', `/wallet/payment/${s.qrCode}/pay`, s.wallet.headers],
    ['POST', `/sandbox/payment/${s.paymentId}/pay`, s.sandbox],
    ['POST', '/operator/stores', s.t.operator],
    ['PATCH', `/operator/stores/${s.store.storeId}`, s.t.operator],
    ['POST', `/operator/stores/${s.store.storeId}/credentials`, s.t.operator],
    ['POST', `/operator/stores/${s.store.storeId}/fund`, s.t.operator],
    ['POST', `/operator/credentials/${s.live['api-key']}/rotate`, s.t.operator],
    ['POST', '/operator/tokens', s.t.operator],
    ['PUT', '/operator/rates/EUR/USD', s.t.operator],
    ['POST', '/operator/wallets', s.t.operator],
    ['POST', `/operator/wallets/${s.wallet.wallet.publicId}/top-up`, s.t.operator],
    ['POST', `/operator/wallets/${s.wallet.wallet.publicId}/pin`, s.t.operator],
  ]
  const isTooLargeWithoutCredentials = (path: string, body: string | Buffer) =>
    path === '/wallet/session' && Buffer.byteLength(body) > 32 * 1024
  // These calls accept an empty body.
  const mayBeEmpty = /\/(pay|rotate)$/

  it.each(BROKEN)('%s is refused, and nothing is stored', async (name, body, status) => {
    const before = await s.countRows()
    for (const [method, path, headers] of calls()) {
      if (name === 'an empty body' && mayBeEmpty.test(path)) continue
      const response = await s.send(method, path, { ...headers, ...JSON_TYPE }, body)
      const expected = isTooLargeWithoutCredentials(path, body) ? 413 : status
      expectRefusal(response, expected)
      if (expected === 400) expect(fieldsOf(response.text)).toEqual(['body'])
    }
    expect(await s.countRows()).toEqual(before)
  })

  it.each(NO_OBJECT)('%s is refused, because it is not an object', async (body) => {
    const before = await s.countRows()
    for (const [method, path, headers] of calls()) {
      const response = await s.send(method, path, { ...headers, ...JSON_TYPE }, body)
      expectRefusal(response, 400)
      expect(fieldsOf(response.text)).toContain('body')
    }
    expect(await s.countRows()).toEqual(before)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/xml',
    'json',
    '',
    'application/json-patch+json',
    'application/json, text/plain',
  ])('content-type %j is refused', async (type) => {
    const before = await s.countRows()
    for (const [method, path, headers] of calls()) {
      const response = await s.send(
        method,
        path,
        { ...headers, 'content-type': type },
        `{${VALID}}`,
      )
      expectRefusal(response, 415)
    }
    expect(await s.countRows()).toEqual(before)
  })

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;a="b;c"'])(
    'content-type %j is accepted',
    async (type) => {
      expect((await create(`{${VALID}}`, { 'content-type': type })).status).toBe(200)
    },
  )
})

it('a call without credentials takes at most 32 KiB, so that connections of strangers hold little memory', async () => {
  const open = (await routesOf(s.t)).filter(
    ({ kind, requestBody }) => kind === 'open' && requestBody !== undefined,
  )
  expect(open.length).toBeGreaterThan(12)
  const message = 'Without credentials, the body must be at most 32 KiB'
  for (const { method, path } of open) {
    const send = (bytes: number) => s.send(method, path, JSON_TYPE, ' '.repeat(bytes))
    expect((await send(32 * 1024)).status, path).toBe(400)
    const refused = await send(32 * 1024 + 1)
    expect(JSON.parse(refused.text), path).toEqual({ status: 413, message })
  }
})

describe('create with unusual values', () => {
  it.each([
    '0.001',
    '1e400',
    '-1e400',
    '12345678901234567890',
    '1000000000000',
    '-1',
    '0',
    '0.00',
    '-0',
    '-0.0',
    '0e5',
    '"10"',
    'null',
    'true',
    '[]',
    '[10]',
    '{}',
    '0.30000000000000004',
    '10.000000000000000001',
    '9007199254740993',
    '1e-400',
    '5e-324',
    '1e21',
  ])(
    'amount %s is refused, and so is the price unless it is a zero without a sign',
    async (amount) => {
      const before = await s.countRows()
      const response = await create(`{"amount":${amount},"currency":"USD"}`)
      expectRefusal(response, 400)
      expect(fieldsOf(response.text)).toEqual(['amount'])
      const price = `{${VALID},"products":[{"name":"x","quantity":1,"price":${amount}}]}`
      const priced = await create(price)
      const isFree = ['0', '0.00', '0e5'].includes(amount)
      if (!isFree) {
        expectRefusal(priced, 400)
        expect(fieldsOf(priced.text)).toEqual(['products.0.price'])
      }
      const after = await s.countRows()
      expect(after.payment! - before.payment!).toBe(isFree ? 1 : 0)
    },
  )

  it.each(['10', '10.0', '10.00', '1e1', '0.1e2', '1000E-2', '10.000000000000000000'])(
    'amount %s equals ten',
    async (amount) => {
      const response = await create(`{"amount":${amount},"currency":"USD"}`)
      expect(response.status).toBe(200)
      const { payment_id } = JSON.parse(response.text).data
      const details = await s.send('GET', `/merchant/payment/${payment_id}`, s.live)
      expect(JSON.parse(details.text).data.amount).toBe('10.00')
    },
  )

  it.each<[string, string, string[]]>([
    ['NUL in a string', '"reference_id":"a\\u0000b"', ['reference_id']],
    ['a lone high surrogate', '"reference_note":"\\ud800"', ['reference_note']],
    ['a lone low surrogate', '"reference_note":"\\udc00x"', ['reference_note']],
    ['NUL in the payload', '"payload":{"a":["\\u0000"]}', ['payload']],
    ['NUL in a key of the payload', '"payload":{"\\u0000":1}', ['payload']],
    ['a lone surrogate in the payload', '"payload":{"a":{"b":"\\udfff"}}', ['payload']],
    ['a lone surrogate in a URL', '"webhook_url":"https://x.example/\\ud800"', ['webhook_url']],
    ['200,000 characters', `"reference_id":"${'x'.repeat(200_000)}"`, ['reference_id']],
    [
      'a URL of 200,000 characters',
      `"webhook_url":"https://${'x'.repeat(200_000)}"`,
      ['webhook_url'],
    ],
    ['a payload of 20 kB', `"payload":{"a":"${'x'.repeat(20_000)}"}`, ['payload']],
    [
      'a payload of many keys',
      `"payload":{${Array.from({ length: 9000 }, (_, i) => `"k${i}":1`).join()}}`,
      ['payload'],
    ],
    ['a payload that is a list', '"payload":[1]', ['payload']],
    ['10,000 empty products', `"products":[${Array(10_000).fill('{}').join()}]`, ['products']],
    ['10,000 numbers as products', `"products":[${Array(10_000).fill('1').join()}]`, ['products']],
    ['a client that is a list', '"client":[]', ['client']],
  ])('%s is refused', async (_, field, fields) => {
    const before = await s.countRows()
    const response = await create(`{${VALID},${field}}`)
    expectRefusal(response, 400)
    expect(fieldsOf(response.text)).toEqual(expect.arrayContaining(fields))
    // The size of a refusal is limited, however many values are wrong.
    expect(response.text.length).toBeLessThan(60_000)
    expect(await s.countRows()).toEqual(before)
  })

  it('names of JavaScript properties are ordinary keys', async () => {
    const payload =
      '{"constructor":{"prototype":{"x":1}},"toString":"x","hasOwnProperty":null,"then":1}'
    const response = await create(
      `{${VALID},"constructor":{"prototype":{}},"toString":1,"valueOf":1,"toJSON":1,"payload":${payload}}`,
    )
    expect(response.status).toBe(200)
    const { payment_id } = JSON.parse(response.text).data
    const details = await s.send('GET', `/merchant/payment/${payment_id}`, s.live)
    expect(JSON.parse(details.text).data.payload).toEqual(JSON.parse(payload))
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it('inputs that are slow to validate are refused after less than a second of CPU time', async () => {
    const slow = [
      `"client":{"name":"x","email":"${'a@'.repeat(100)}","phone":"1"}`,
      `"client":{"name":"x","email":"a@${'a.'.repeat(120)}","phone":"1"}`,
      `"client":{"name":"${' '.repeat(100_000)}","email":"a@b.cd","phone":"1"}`,
      `"client":{"name":"x","email":"${'!'.repeat(200_000)}","phone":"1"}`,
      `"reference_id":"${' '.repeat(200_000)}"`,
    ]
    for (const field of slow) {
      const before = process.cpuUsage()
      const response = await create(`{${VALID},${field}}`)
      expectRefusal(response, 400)
      const { user, system } = process.cpuUsage(before)
      expect(user + system).toBeLessThan(1_000_000)
    }
  })
})

describe('Content-Encoding', () => {
  const REFUSED = {
    status: 415,
    message: 'Content-Encoding is not supported. Send the body uncompressed.',
  }

  it.each(['gzip', 'br', 'identity, gzip', 'x', ''])('%j is refused', async (encoding) => {
    const headers = { 'content-encoding': encoding }
    const before = await s.countRows()
    for (const [method, path, keys] of [
      ['POST', '/merchant/payment/create', s.live],
      ['POST', `/merchant/payment/${s.paymentId}/refund`, s.live],
      ['GET', `/merchant/payment/${s.paymentId}`, s.live],
      ['POST', '/wallet/session', {}],
      ['PATCH', `/operator/stores/${s.store.storeId}`, s.t.operator],
      ['GET', '/health', {}],
      ['GET', `/pay/${s.paymentId}`, {}],
    ] as const) {
      const body = method === 'GET' ? undefined : `{${VALID}}`
      const response = await s.send(method, path, { ...keys, ...JSON_TYPE, ...headers }, body)
      expectRefusal(response, 415)
      expect(JSON.parse(response.text)).toEqual(REFUSED)
    }
    expect(await s.countRows()).toEqual(before)
  })

  it('is checked after credentials, path and method', async () => {
    const headers = { 'content-encoding': 'gzip' }
    expectRefusal(await s.send('POST', '/merchant/payment/create', headers, '{}'), 401)
    expectRefusal(await s.send('POST', '/merchant/nowhere', { ...s.live, ...headers }, '{}'), 404)
    expectRefusal(await s.send('DELETE', '/merchant/balance', { ...s.live, ...headers }), 405)
  })

  it.each(['identity', 'Identity'])('%s is accepted', async (encoding) => {
    expect((await create(`{${VALID}}`, { 'content-encoding': encoding })).status).toBe(200)
  })
})

it('a payload may have as many values as fit into its 16 KiB', async () => {
  const payload = `{"a":[${Array(8000).fill('1').join()}]}`
  expect((await create(`{${VALID},"payload":${payload}}`)).status).toBe(200)
})

it('a refund ignores a body that is not JSON, unless it is too large', async () => {
  for (const body of ['{', Buffer.from([0xff]), '\0', 'x'.repeat(200_000)]) {
    const response = await s.send('POST', '/merchant/payment/x/refund', s.live, body)
    expectRefusal(response, 404)
  }
  const large = await s.send('POST', '/merchant/payment/x/refund', s.live, ' '.repeat(300_000))
  expectRefusal(large, 413)
  expectNoLeak(large.text)
})
