import { expect } from 'vitest'
import type { Case } from './testContext.ts'

const CREATED = JSON.stringify({
  message: '',
  data: { payment_id: 'pay_1', qr_code: '1', instructions: '' },
})
const minor = ($minor: string, currency: string) => ({ $minor, currency })

/** The amount, its currency, and the number in the request. */
const SENT: readonly (readonly [unknown, string, string])[] = [
  ['12.50', 'USD', '12.50'],
  ['0.1', 'USD', '0.1'],
  ['0.30', 'USD', '0.30'],
  ['0.29', 'USD', '0.29'],
  ['1.10', 'USD', '1.10'],
  ['12.500', 'USD', '12.500'],
  ['500.00', 'JPY', '500.00'],
  ['1.234', 'KWD', '1.234'],
  ['999999999999.99', 'USD', '999999999999.99'],
  ['90071992547409.93', 'USD', '90071992547409.93'],
  [minor('1250', 'USD'), 'USD', '12.50'],
  [minor('5', 'USD'), 'USD', '0.05'],
  [minor('0', 'USD'), 'USD', '0.00'],
  [minor('500', 'JPY'), 'JPY', '500'],
  [minor('1', 'KWD'), 'KWD', '0.001'],
  [minor('99999999999999', 'USD'), 'USD', '999999999999.99'],
  ['7.25', 'XYZ', '7.25'],
]

const REFUSED: readonly (readonly [unknown, string])[] = [
  [{ $float: '0.30000000000000004' }, 'USD'],
  [{ $float: '1.005' }, 'USD'],
  [{ $float: 'NaN' }, 'USD'],
  ['10.5', 'JPY'],
  ['1.005', 'USD'],
  ['1.2345', 'KWD'],
  ['-1', 'USD'],
  ['1e3', 'USD'],
  ['1,50', 'USD'],
  ['$5', 'USD'],
  [' 5', 'USD'],
  ['5\n', 'USD'],
  ['٥', 'USD'],
  ['05', 'USD'],
  ['.5', 'USD'],
  ['5.', 'USD'],
  ['', 'USD'],
  [null, 'USD'],
  [true, 'USD'],
  [['5'], 'USD'],
]

export const AMOUNTS: readonly Case[] = [
  [
    'amounts keep every digit in the request',
    async ({ client, keys, proxy }) => {
      for (const [amount, currency, expected] of SENT) {
        proxy.next({ status: 200, body: CREATED })
        const products = [{ name: 'Tea', quantity: 1, price: amount }]
        await client.call(keys, 'payments.create', [{ amount, currency, products }])
        const { body } = proxy.requests()[0]!
        expect(body.match(/"(?:amount|price)": ?[^,}]+/g)).toEqual([
          `"amount":${expected}`,
          `"price":${expected}`,
        ])
      }
    },
  ],
  [
    'invalid amounts are refused before anything is sent',
    async ({ client, keys, proxy }) => {
      for (const [amount, currency] of REFUSED) {
        const name = `${JSON.stringify(amount)} ${currency}`
        const error = await client.failure(keys, 'payments.create', [{ amount, currency }])
        expect(error, name).toMatchObject({ kind: 'ValidationError', fields: ['amount'] })
        expect(error.status, name).toBeNull()
        const quoted = await client.failure(keys, 'quote', [{ amount, currency }])
        expect(quoted, name).toMatchObject({ kind: 'ValidationError', fields: ['amount'] })
      }
      // JavaScript has no decimal type, so its client accepts numbers with at most the decimals of the currency.
      const numbers = client.language === 'TypeScript' ? [] : [{ $float: '12.5' }, 1250]
      for (const amount of numbers) {
        const order = { amount, currency: 'USD' }
        const error = await client.failure(keys, 'payments.create', [order])
        expect(error).toMatchObject({ kind: 'ValidationError', fields: ['amount'] })
      }
      const products = [{ name: 'Tea', quantity: 1, price: '0.001' }]
      const params = { amount: '5', currency: 'USD', products }
      const error = await client.failure(keys, 'payments.create', [params])
      expect(error).toMatchObject({ kind: 'ValidationError', fields: ['products.0.price'] })
      for (const donation_amount of ['1e3', '']) {
        const donation = await client.failure(keys, 'sandbox.pay', ['pay_1', { donation_amount }])
        expect(donation).toMatchObject({ kind: 'ValidationError', fields: ['donation_amount'] })
      }
      expect(proxy.requests()).toEqual([])
    },
  ],
  [
    'a long number in the payload returns unchanged',
    async ({ client, keys, proxy }) => {
      const digits = '0.1000000000000000055511151231257827'
      const order = { amount: '5', currency: 'USD', payload: { rate: { $long: digits } } }
      const { payment_id: id } = await client.call(keys, 'payments.create', [order])
      // Only Python has a decimal type. The others send a string, as the documentation recommends.
      const written = client.language === 'Python' ? digits : `"${digits}"`
      expect(proxy.requests()[0]!.body).toContain(`"rate":${written}`)
      const payment = await client.call(keys, 'payments.retrieve', [id])
      expect(payment.payload).toEqual({ rate: digits })
    },
  ],
  [
    'amounts from the smallest to the largest return unchanged',
    async ({ client, keys }) => {
      for (const amount of ['0.01', '0.10', '0.30', '0.70', '999999999999.99']) {
        const { payment_id: id } = await client.call(keys, 'payments.create', [
          { amount, currency: 'USD' },
        ])
        const payment = await client.call(keys, 'payments.retrieve', [id])
        expect(payment.request_amount.amount).toBe(amount)
        // The sum of net amount and fee is exact, too.
        const cents = (text: string) => BigInt(text.replace('.', ''))
        expect(cents(payment.amount) + cents(payment.transaction_fee)).toBe(cents(amount))
      }
    },
  ],
]
