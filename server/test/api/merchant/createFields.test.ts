import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { create, invalidOf, readDetails, statusAndBody } from '../../setup/merchantCalls.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())

const client = { name: 'Ann', email: 'ann@example.com', phone: '5550100' }
const product = { name: 'Tea', quantity: 2, price: 1.5 }

async function createAndRead(body: Record<string, unknown> | string) {
  const response = await create(t, shop.live, body)
  expect(response.status, response.text).toBe(200)
  return readDetails(t, shop.live, response.body.data.payment_id)
}

describe('client', () => {
  const BLANK = 'must not be empty and must not contain characters that cannot be stored'
  const EMAIL = 'email must be an email address'
  const DIAL = 'phone_dial_code must be 1 to 4 digits, with or without a plus sign'
  it.each([
    ['Ann', ['client', 'client must be an object']],
    [[], ['client', 'client must be an object']],
    [
      {},
      ['client.name', 'name is required'],
      ['client.email', 'email is required'],
      ['client.phone', 'phone is required'],
    ],
    [{ ...client, name: '' }, ['client.name', 'name must not be empty']],
    [{ ...client, name: ' \t' }, ['client.name', `name ${BLANK}`]],
    [{ ...client, name: null }, ['client.name', 'name must be a string']],
    [{ ...client, phone: '' }, ['client.phone', 'phone must not be empty']],
    [{ ...client, phone: 5550100 }, ['client.phone', 'phone must be a string']],
    ...[
      '',
      'ann',
      'ann@',
      '@example.com',
      'a nn@example.com',
      'ann@example',
      'a@b@example.com',
    ].map((email) => [{ ...client, email }, ['client.email', EMAIL]]),
    ...['', '+', '12345', '+12345', '1a', '++1', ' 1'].map((phone_dial_code) => [
      { ...client, phone_dial_code },
      ['client.phone_dial_code', DIAL],
    ]),
    [
      { ...client, phone_dial_code: 1 },
      ['client.phone_dial_code', 'phone_dial_code must be a string'],
    ],
  ] as [unknown, ...[string, string][]][])('%j is refused', async (sent, ...errors) => {
    expect(statusAndBody(await create(t, shop.live, { client: sent }))).toEqual(
      invalidOf(...errors),
    )
  })

  it.each(['1', '+1', '4400', '+4400'])(
    'dial code %s is stored unchanged',
    async (phone_dial_code) => {
      const data = await createAndRead({ client: { ...client, phone_dial_code } })
      expect(data.client).toEqual({ ...client, phone_dial_code })
    },
  )
})

describe('products', () => {
  it.each([
    ['Tea', ['products', 'products must be an array']],
    [{}, ['products', 'products must be an array']],
    [Array(101).fill(product), ['products', 'products must have at most 100 items']],
    [[null], ['products.0', 'products.0 must be an object']],
    [
      [{}],
      ['products.0.name', 'name is required'],
      ['products.0.quantity', 'quantity is required'],
      ['products.0.price', 'price is required'],
    ],
    [
      [product, { ...product, name: '' }],
      ['products.1.name', 'name must not be empty'],
    ],
    ...[0, -1].map((quantity) => [
      [{ ...product, quantity }],
      ['products.0.quantity', 'quantity must be at least 1'],
    ]),
    ...[1.5, '1', true].map((quantity) => [
      [{ ...product, quantity }],
      ['products.0.quantity', 'quantity must be an integer'],
    ]),
    [[{ ...product, price: -0.01 }], ['products.0.price', 'price must be at least 0']],
    [[{ ...product, price: '1' }], ['products.0.price', 'price must be a number']],
    [[{ ...product, price: 0.001 }], ['products.0.price', 'price has more decimals than USD has']],
    [
      [{ ...product, price: 1e12 }],
      ['products.0.price', 'price must have at most 12 digits before the decimal point'],
    ],
  ] as [unknown, ...[string, string][]][])('%j is refused', async (products, ...errors) => {
    expect(statusAndBody(await create(t, shop.live, { products }))).toEqual(invalidOf(...errors))
  })

  it.each([
    ['1e400', 'price must have at most 12 digits before the decimal point'],
    ['-0', 'price must not be negative'],
    ['1.000000000000000001', 'price has too many decimals'],
  ])('a price of %s is refused', async (price, message) => {
    const body = `{"amount":1,"currency":"USD","products":[{"name":"x","quantity":1,"price":${price}}]}`
    expect(statusAndBody(await create(t, shop.live, body))).toEqual(
      invalidOf(['products.0.price', message]),
    )
  })

  it('can be 100, can be free, and need not add up to the amount', async () => {
    const products = Array(100).fill({ ...product, price: 0 })
    const data = await createAndRead({ amount: 3, products })
    expect(data.products).toEqual(Array(100).fill({ ...product, price: '0.00' }))
    expect((await createAndRead({ products: [] })).products).toEqual([])
  })
})

describe('payload', () => {
  const SIZE = 'payload must be at most 16 KiB as JSON'
  // {"a":"…"} is eight bytes plus its text.
  it.each([
    ['an array', [1], 'payload must be an object'],
    ['text', 'x', 'payload must be an object'],
    ['16 KiB and a byte', { a: 'x'.repeat(16_377) }, SIZE],
    ['16 KiB and two bytes of two-byte letters', { a: 'é'.repeat(8_189) }, SIZE],
  ])('%s is refused', async (_, payload, message) => {
    expect(statusAndBody(await create(t, shop.live, { payload }))).toEqual(
      invalidOf(['payload', message]),
    )
  })

  it.each([
    ['empty', {}],
    ['16 KiB', { a: 'x'.repeat(16_376) }],
    ['16 KiB of two-byte letters', { a: 'é'.repeat(8_188) }],
    ['deep, in its own order', { z: [{ y: null }, [true, 1.5, '😀']], b: { '': 'x' }, a: 0 }],
  ])('%s is returned unchanged', async (_, payload) => {
    const data = await createAndRead({ payload })
    expect(JSON.stringify(data.payload)).toBe(JSON.stringify(payload))
  })

  it('can have the key toJSON, which JSON.stringify calls', async () => {
    const body = '{"amount":1,"currency":"USD","payload":{"toJSON":10.000000000000000001,"a":1}}'
    expect((await createAndRead(body)).payload).toEqual({ toJSON: 10, a: 1 })
  })
})

describe('text', () => {
  const UNSTORABLE = 'contains characters that cannot be stored'
  const BLANK = 'must not be empty and must not contain characters that cannot be stored'
  const places = (bad: string) => [
    ['reference_id', { reference_id: `a${bad}` }, `reference_id ${UNSTORABLE}`],
    ['reference_note', { reference_note: `${bad}a` }, `reference_note ${UNSTORABLE}`],
    ['client.name', { client: { ...client, name: `a${bad}b` } }, `name ${BLANK}`],
    [
      'client.email',
      { client: { ...client, email: `a${bad}@example.com` } },
      'email must be an email address',
    ],
    ['client.phone', { client: { ...client, phone: `1${bad}` } }, `phone ${BLANK}`],
    ['products.0.name', { products: [{ ...product, name: `x${bad}` }] }, `name ${BLANK}`],
    ['webhook_url', { webhook_url: `https://shop.example/${bad}` }, `webhook_url ${UNSTORABLE}`],
    ['payload', { payload: { a: ['x', { b: bad }] } }, `payload ${UNSTORABLE}`],
    ['payload', { payload: { a: [{ [`k${bad}`]: 1 }] } }, `payload ${UNSTORABLE}`],
  ]
  it.each(
    ['\0', '\ud83d', '\ude00', '\ude00\ud83d'].flatMap((bad) => places(bad)) as [
      string,
      Record<string, unknown>,
      string,
    ][],
  )('%s: %j is refused', async (field, body, message) => {
    expect(statusAndBody(await create(t, shop.live, body))).toEqual(invalidOf([field, message]))
  })

  const long = (length: number) => '😀'.repeat(length)
  it.each([
    ['reference_id', 255, (n: number) => ({ reference_id: long(n) })],
    ['reference_note', 1000, (n: number) => ({ reference_note: long(n) })],
    ['client.name', 255, (n: number) => ({ client: { ...client, name: long(n) } })],
    ['client.email', 254, (n: number) => ({ client: { ...client, email: `${long(n - 5)}@a.io` } })],
    ['client.phone', 32, (n: number) => ({ client: { ...client, phone: long(n) } })],
    ['products.0.name', 255, (n: number) => ({ products: [{ ...product, name: long(n) }] })],
    ['webhook_url', 2048, (n: number) => ({ webhook_url: `https://a.io/${long(n - 13)}` })],
  ])('%s has at most %d characters, counted by code point', async (field, max, body) => {
    const { reference, ...data } = await createAndRead(body(max))
    const shown = { ...data, reference_id: reference.id, reference_note: reference.note }
    const sent = JSON.stringify(body(max)).match(/[^"]*😀[^"]*/)![0]
    expect(JSON.stringify(shown)).toContain(`"${sent}"`)
    const message = `${field.split('.').at(-1)} must have at most ${max} characters`
    expect(statusAndBody(await create(t, shop.live, body(max + 1)))).toEqual(
      invalidOf([field, message]),
    )
  })
})
