import { expect } from 'vitest'
import { type Case, create, newReference, ORDER, UNKNOWN } from './testContext.ts'

const UUID = /^[0-9a-f-]{36}$/

export const ERRORS: readonly Case[] = [
  [
    'ValidationError, with every problem',
    async ({ client, keys, proxy }) => {
      const params = { ...ORDER, expires_in: 5, webhook_url: 'ftp://x' }
      const error = await client.failure(keys, 'payments.create', [params])
      expect(error).toMatchObject({
        kind: 'ValidationError',
        status: 400,
        fields: ['webhook_url', 'expires_in'],
        requestId: expect.stringMatching(UUID),
        idempotencyKey: expect.stringMatching(UUID),
        message: expect.stringMatching(/^Validation error: webhook_url .*; expires_in /),
      })
      expect(proxy.requests()).toHaveLength(1)
    },
  ],
  [
    'ValidationError, for a missing amount and a missing currency',
    async ({ client, keys, proxy }) => {
      for (const name of ['payments.create', 'quote']) {
        proxy.next()
        const noAmount = await client.failure(keys, name, [{ currency: 'USD' }])
        expect(noAmount).toMatchObject({ kind: 'ValidationError', fields: ['amount'] })
        expect(proxy.requests()).toEqual([])
        const noCurrency = await client.failure(keys, name, [{ amount: '5' }])
        expect(noCurrency).toMatchObject({ kind: 'ValidationError', fields: ['currency'] })
      }
    },
  ],
  [
    'ValidationError for an id that would change the path, before anything is sent',
    async ({ client, keys, proxy }) => {
      for (const id of ['', '..', 'a/b', 'pay_1\n', 'pay_é', 'a?b']) {
        const error = await client.failure(keys, 'payments.retrieve', [id])
        expect(error, id).toMatchObject({
          kind: 'ValidationError',
          message: 'payment_id must be the id of a payment',
          fields: ['payment_id'],
        })
        const link = await client.failure(keys, 'links.retrieve', [id])
        expect(link.message).toBe('link_id must be the id of a link')
      }
      expect(proxy.requests()).toEqual([])
    },
  ],
  [
    'RefusedError, for a refused refund',
    async (context) => {
      const { client, keys } = context
      const id = await create(context)
      const pending = await client.failure(keys, 'payments.refund', [id])
      const message = 'Only completed payments can be refunded'
      expect(pending).toMatchObject({ kind: 'RefusedError', status: 400, message })
      await client.call(keys, 'sandbox.pay', [id])
      await client.call(keys, 'payments.refund', [id])
      const again = await client.failure(keys, 'payments.refund', [id])
      expect(again).toMatchObject({ message: 'Payment has already been refunded' })
    },
  ],
  [
    'AuthenticationError and PermissionError',
    async ({ client, keys, shop }) => {
      const wrongKeys = { ...keys, api_secret: 'wrong' }
      const error = await client.failure(wrongKeys, 'balance')
      expect(error).toMatchObject({ kind: 'AuthenticationError', status: 401 })
      const { 'api-key': api_key, 'api-secret': api_secret } = shop.live
      const live = { ...keys, api_key, api_secret }
      const denied = await client.failure(live, 'sandbox.pay', [UNKNOWN])
      expect(denied).toMatchObject({
        kind: 'PermissionError',
        status: 403,
        message: 'Only sandbox credentials can do that',
      })
    },
  ],
  [
    'NotFoundError, for error bodies with `status` and with `status_code`',
    async ({ client, keys }) => {
      for (const name of ['retrieve', 'status', 'refund', 'qr', 'waitUntilSettled']) {
        const error = await client.failure(keys, `payments.${name}`, [UNKNOWN])
        expect(error, name).toMatchObject({ kind: 'NotFoundError', status: 404 })
      }
    },
  ],
  [
    'ConflictError and IdempotencyError',
    async ({ client, keys }) => {
      const options = { idempotencyKey: newReference() }
      const first = await client.call(keys, 'payments.create', [ORDER], options)
      const second = await client.call(keys, 'payments.create', [ORDER], options)
      expect(second).toEqual(first)
      const other = { ...ORDER, amount: '6' }
      const reused = await client.failure(keys, 'payments.create', [other], options)
      expect(reused).toMatchObject({ kind: 'IdempotencyError', status: 422, ...options })
      await client.call(keys, 'payments.expire', [first.payment_id])
      const again = await client.failure(keys, 'payments.expire', [first.payment_id])
      const message = 'Payment is not pending'
      expect(again).toMatchObject({ kind: 'ConflictError', status: 409, message })
    },
  ],
  [
    'ConflictError that is not retried, for too many active links',
    async ({ client, keys, proxy }) => {
      const message = 'A store can have 10,000 active links per mode. Pause one first.'
      proxy.next({ status: 409, body: JSON.stringify({ status: 409, message }) })
      const full = await client.failure(keys, 'links.create', [{ title: 'Tea' }])
      expect(full).toMatchObject({ kind: 'ConflictError', status: 409, message })
      expect(proxy.requests()).toHaveLength(1)
    },
  ],
  [
    'FlorinError, for other statuses',
    async ({ client, keys }) => {
      const payload = { text: 'x'.repeat(300_000) }
      const error = await client.failure(keys, 'payments.create', [{ ...ORDER, payload }])
      expect(error).toMatchObject({ kind: 'FlorinError', status: 413 })
    },
  ],
  [
    'ConnectionError, for an error of a proxy',
    async ({ client, keys, proxy }) => {
      const bodies = [
        '',
        '<html>',
        '{"status":418,"retry_after":NaN}',
        '{"message":"no Route matched with those values"}',
        '{"errors":[1e99999999999999999999]}',
      ]
      for (const status of [400, 401, 403, 404, 409, 418, 422]) {
        for (const body of bodies) {
          proxy.next({ status, body })
          const error = await client.failure(keys, 'balance', [], { maxRetries: 0 })
          expect(error, `${status} ${body}`).toMatchObject({ kind: 'ConnectionError', status })
          expect(error.message).toContain(`The response ${status} is not from Florin.`)
        }
      }
    },
  ],
  [
    'RefusedError, for a 400 whose `errors` have another form',
    async ({ client, keys, proxy }) => {
      for (const errors of [['no'], [null], [{}], [{ field: 'amount' }], { amount: 'no' }]) {
        const body = { status: 400, message: 'Blocked', errors }
        proxy.next({ status: 400, body: JSON.stringify(body) })
        const error = await client.failure(keys, 'balance')
        expect(error, JSON.stringify(errors)).toMatchObject({
          kind: 'RefusedError',
          status: 400,
          message: 'Blocked',
        })
      }
    },
  ],
  [
    'invalid settings are refused without printing a secret',
    async ({ client, keys, proxy }) => {
      for (const [settings, message] of [
        [{ api_key: '' }, /^api_?key must be/i],
        [{ api_secret: 'secret\n' }, /^api_?secret must be a string of visible ASCII characters$/i],
        [{ base_url: 'pay.example.com' }, /^base_?url must be/i],
        [{ base_url: 'ftp://pay.example.com' }, /^base_?url must be/i],
        [{ timeoutMs: 0 }, /^timeout/],
        [{ maxRetries: -1 }, /^max_?retries/i],
      ] as const) {
        const error = await client.failure({ ...keys, ...settings }, 'balance')
        expect(error, JSON.stringify(settings)).toMatchObject({ kind: 'usage' })
        expect(error.message).toMatch(message)
      }
      expect(proxy.requests()).toEqual([])
    },
  ],
  [
    'a printed client does not show its secret',
    async ({ client, keys }) => {
      const printed = await client.call(keys, 'printed')
      expect(printed).toMatch(/Florin/)
      expect(printed).not.toContain(keys.api_secret)
    },
  ],
  [
    'a base URL can have a path',
    async ({ client, keys, proxy }) => {
      proxy.next({ status: 404 })
      await client.failure({ ...keys, base_url: `${keys.base_url}/pay/` }, 'balance')
      expect(proxy.requests()[0]!.path).toBe('/pay/merchant/balance')
    },
  ],
]
