import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CurrencyCode } from '../../../src/core/currencies.ts'
import {
  create,
  invalidOf,
  readDetails,
  setRate,
  statusAndBody,
} from '../../setup/merchantCalls.ts'
import { nextMillisecond } from '../../setup/nextMillisecond.ts'
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

/** A request body with the amount exactly as written. */
const bodyWith = (amount: string) => `{"amount":${amount},"currency":"USD"}`

async function createAndRead(body: Record<string, unknown> | string, keys = shop.live) {
  const response = await create(t, keys, body)
  expect(response.status, response.text).toBe(200)
  return readDetails(t, keys, response.body.data.payment_id)
}

describe('response', () => {
  it('has a message and three fields, and no status', async () => {
    const response = await create(t, shop.live, {})
    expect(statusAndBody(response)).toEqual({
      status: 200,
      body: {
        message: 'Payment created',
        data: {
          payment_id: expect.stringMatching(/^pay_[0-9a-z]{26}$/),
          qr_code: expect.stringMatching(/^[0-9]{27}$/),
          instructions: expect.stringContaining('Pay 10.00 USD to Test Store'),
        },
      },
    })
    expect(Object.keys(response.body)).toEqual(['message', 'data'])
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('has ids in order of time, and a code whose first digit is the mode', async () => {
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      ids.push((await t.createPayment(shop.live)).payment_id)
      await nextMillisecond()
    }
    expect([...ids].sort()).toEqual(ids)
    const live = await t.createPayment(shop.live)
    const sandbox = await t.createPayment(shop.sandbox)
    expect([live.qr_code[0], sandbox.qr_code[0]]).toEqual(['1', '2'])
  })
})

describe('request body', () => {
  it.each([
    ['empty', '', 'body must be JSON'],
    ['incomplete', '{"amount":', 'body must be JSON'],
    ['an array', '[]', 'body must be an object'],
    ['a string', '"x"', 'body must be an object'],
    ['null', 'null', 'body must be an object'],
    ['a number', '5', 'body must be an object'],
    ['an inexact number', '1e400', 'body must be an object'],
    ['not UTF-8', Buffer.from('7b2261223a22ff227d', 'hex'), 'body must be UTF-8'],
    [
      '65 levels deep',
      `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`,
      'body must have at most 64 levels',
    ],
    [
      'an object with the key __proto__',
      '{"__proto__":{}}',
      'body must not contain the key __proto__',
    ],
  ])('is refused if it is %s', async (_, body, message) => {
    const headers = { ...shop.live, 'content-type': 'application/json' }
    const response = await t.call('POST', '/merchant/payment/create', headers, body)
    expect(statusAndBody(response)).toEqual(invalidOf(['body', message]))
  })

  it('can have unknown fields, which are not stored', async () => {
    const body = { extra: 1, client: { ...client, extra: 2 }, products: [{ ...product, extra: 3 }] }
    const data = await createAndRead(body)
    expect(data.client).toEqual({ ...client, phone_dial_code: null })
    expect(data.products).toEqual([{ name: 'Tea', quantity: 2, price: '1.50' }])
    const [row] = await t.database.query<Record<string, unknown>>(
      'select client, products from payment where payment_id = $1',
      [data.payment_id],
    )
    expect(JSON.stringify(row)).not.toContain('extra')
  })

  it('can have null instead of an absent field', async () => {
    const names = ['client', 'products', 'payload', 'reference_id', 'reference_note', 'webhook_url']
    const nulls = Object.fromEntries([...names, 'expires_in', 'locale'].map((name) => [name, null]))
    const data = await createAndRead({ ...nulls, client: { ...client, phone_dial_code: null } })
    expect(data).toMatchObject({ products: [], payload: null, reference: { id: null, note: null } })
    expect(await createAndRead(nulls)).toMatchObject({ client: null, webhook: null })
  })

  it('is refused with all its errors, in the order of the fields', async () => {
    const body = {
      amount: 'x',
      locale: 'xx',
      expires_in: 1,
      webhook_url: 'nowhere',
      reference_note: 7,
      reference_id: '\0',
      payload: [],
      products: [product, { price: -1, quantity: 0 }, 5, ...Array(8).fill(product), {}],
      client: { phone_dial_code: 'x', email: 'no' },
      currency: 'GBP',
    }
    expect(statusAndBody(await create(t, shop.live, body))).toEqual(
      invalidOf(
        ['amount', 'amount must be a number'],
        ['currency', 'currency GBP cannot be converted to USD'],
        ['client.name', 'name is required'],
        ['client.email', 'email must be an email address'],
        ['client.phone', 'phone is required'],
        [
          'client.phone_dial_code',
          'phone_dial_code must be 1 to 4 digits, with or without a plus sign',
        ],
        ['products.1.name', 'name is required'],
        ['products.1.quantity', 'quantity must be at least 1'],
        ['products.1.price', 'price must be at least 0'],
        ['products.2', 'products.2 must be an object'],
        ['products.11.name', 'name is required'],
        ['products.11.quantity', 'quantity is required'],
        ['products.11.price', 'price is required'],
        ['payload', 'payload must be an object'],
        ['reference_id', 'reference_id contains characters that cannot be stored'],
        ['reference_note', 'reference_note must be a string'],
        ['webhook_url', 'webhook_url must be an absolute URL'],
        ['expires_in', 'expires_in must be at least 60'],
        ['locale', 'locale must be one of en, es, fr, ar, zh'],
      ),
    )
    expect(statusAndBody(await create(t, shop.live, '{}'))).toEqual(
      invalidOf(['amount', 'amount is required'], ['currency', 'currency is required']),
    )
  })

  it.each(['"usd"', '"ZZZ"', 'null'])(
    'in the invalid currency %s is also refused for amounts that no currency allows',
    async (currency) => {
      const prices = ['0.0001', '1e12', '-0', '1.125'].map(
        (price) => `{"name":"Tea","quantity":1,"price":${price}}`,
      )
      const body = `{"amount":1000000000000,"currency":${currency},"products":[${prices.join()}]}`
      const { errors } = (await create(t, shop.live, body)).body as {
        errors: { field: string; message: string }[]
      }
      expect(errors.map(({ field, message }) => [field, message])).toEqual([
        ['amount', 'amount must have at most 12 digits before the decimal point'],
        ['currency', expect.stringContaining('currency')],
        ['products.0.price', 'price has too many decimals'],
        ['products.1.price', 'price must have at most 12 digits before the decimal point'],
        ['products.2.price', 'price must not be negative'],
      ])
    },
  )
})

describe('amount and currency', () => {
  const NUMBER = 'amount must be a number'
  const POSITIVE = 'amount must be greater than 0'
  const DECIMALS = 'amount has more decimals than USD has'
  const DIGITS = 'amount must have at most 12 digits before the decimal point'
  it.each([
    ...['"5"', '[5]', 'true', 'null', '{}'].map((x) => [x, NUMBER]),
    ...['0', '-0', '-5', '-0.01', '0e5'].map((x) => [x, POSITIVE]),
    ...['0.001', '1e-7', '0.30000000000000004', '9.999'].map((x) => [x, DECIMALS]),
    ...['1000000000000', '1e12', '1e21', '1e300', '1e400', '9007199254740993'].map((x) => [
      x,
      DIGITS,
    ]),
    ...['10.000000000000000001', '1e-400', '999999999999.9999999999'].map((x) => [
      x,
      'amount has too many decimals',
    ]),
  ])('%s is refused', async (amount, message) => {
    expect(statusAndBody(await create(t, shop.live, bodyWith(amount!)))).toEqual(
      invalidOf(['amount', message!]),
    )
  })

  it.each([
    ['10.0', '10.00'],
    ['1e1', '10.00'],
    ['1000E-2', '10.00'],
    ['10.00000000000000000000', '10.00'],
    ['0.01', '0.01'],
    ['1.1', '1.10'],
    ['999999999999.99', '999999999999.99'],
  ])('%s is shown as %s', async (amount, shown) => {
    expect((await createAndRead(bodyWith(amount))).request_amount.amount).toBe(shown)
  })

  const CODE = 'currency must be an ISO 4217 code in upper case, such as USD'
  it.each([
    [undefined, 'currency is required'],
    [null, 'currency must be a string'],
    [840, 'currency must be a string'],
    ...['usd', '', 'US', ' USD', 'constructor'].map((code) => [code, CODE]),
    ...['ABC', 'XTS', 'ZZZ'].map((code) => [
      code,
      `currency ${code} is not known: use an ISO 4217 code, such as USD`,
    ]),
    ['GBP', 'currency GBP cannot be converted to USD'],
  ] as [unknown, string][])('currency %j is refused', async (currency, message) => {
    const response = await create(t, shop.live, { currency })
    expect(statusAndBody(response)).toEqual(invalidOf(['currency', message]))
  })

  it.each([
    // Rounds half up. JPY has no decimals, KWD has three.
    ['EUR', 'USD', '1.0050', 1, '1.01', '1.00'],
    ['EUR', 'USD', '1.0049', 1, '1.00', '1.00'],
    ['JPY', 'USD', '0.0050', 1, '0.01', '1.00'],
    ['KWD', 'USD', '3.2505', 1.001, '3.25', '1.001'],
    ['USD', 'JPY', '150.5', 1, '151.00', '1.00'],
    ['USD', 'KWD', '0.3075', 1, '0.308', '1.00'],
    ['KWD', 'JPY', '0.5', 999.999, '500.00', '999.999'],
  ])('%s to %s at %s: %d is %s', async (from, to, rate, amount, gross, requested) => {
    await setRate(t, from, to, rate)
    const { live } = await t.createStore({ currency: to as CurrencyCode })
    expect(await createAndRead({ amount, currency: from }, live)).toMatchObject({
      amount: gross,
      currency: to,
      request_amount: {
        amount: requested,
        currency: from,
        conversion_rate: Number(rate).toFixed(4),
      },
    })
  })

  it.each([
    ['JPY', '0.0049', 1, 'amount is too small to convert to USD'],
    ['BHD', '2.6500', 999_999_999_999, 'amount is too large to convert to USD'],
    ['JPY', '0.0050', 1.5, 'amount has more decimals than JPY has'],
    ['KWD', '3.2500', 1.0001, 'amount has more decimals than KWD has'],
  ])('%s at %s: %d is refused', async (currency, rate, amount, message) => {
    await setRate(t, currency, 'USD', rate)
    const response = await create(t, shop.live, { amount, currency })
    expect(statusAndBody(response)).toEqual(invalidOf(['amount', message]))
  })

  it('a payment keeps the rate of its creation', async () => {
    await setRate(t, 'CHF', 'USD', '1.2')
    const before = await createAndRead({ currency: 'CHF' })
    await setRate(t, 'CHF', 'USD', '1.5')
    expect(await readDetails(t, shop.live, before.payment_id)).toEqual(before)
    expect(before.request_amount.conversion_rate).toBe('1.2000')
    expect((await createAndRead({ currency: 'CHF' })).amount).toBe('15.00')
  })
})
