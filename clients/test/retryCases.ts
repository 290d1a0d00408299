import { expect } from 'vitest'
import { startReceiver } from '../../server/test/setup/receiver.ts'
import type { Fault } from './faultyProxy.ts'
import {
  type Case,
  create,
  listPayments,
  newReference,
  ORDER,
  type TestContext,
} from './testContext.ts'

const UUID = /^[0-9a-f-]{36}$/

/** Every attempt had the same key and the same bytes. */
function expectSameRequests({ proxy }: TestContext, count: number): void {
  const requests = proxy.requests()
  expect(requests).toHaveLength(count)
  expect(new Set(requests.map(({ key, body }) => `${key} ${body}`)).size).toBe(1)
  expect(requests[0]!.key).toMatch(UUID)
}

const RETRIED: readonly (readonly [name: string, fault: Fault])[] = [
  ['a connection that breaks after the payment is created', 'cut'],
  ['half a response', 'half'],
  ['500', { status: 500 }],
  ['502 of a proxy', { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>' }],
  ['503 with Retry-After', { status: 503, headers: { 'retry-after': '0' } }],
  ['429', { status: 429, headers: { 'retry-after': '0' } }],
  ['409 while the first request is running', { status: 409, headers: { 'retry-after': '0' } }],
  ['an incomplete 200', { status: 200, body: '{"data":' }],
  ['a 200 without data', { status: 200, body: '{}' }],
  ['404 of a proxy', { status: 404, body: '404 page not found' }],
  ['408 of a proxy', { status: 408, body: '<html>' }],
]

const retried = RETRIED.map(
  ([name, fault]): Case => [
    `${name}: retried, one payment`,
    async (context) => {
      const reference_id = newReference()
      context.proxy.next(fault)
      const payment_id = await create(context, { reference_id })
      expectSameRequests(context, 2)
      expect(await listPayments(context, reference_id)).toMatchObject([{ payment_id }])
    },
  ],
)

export const RETRIES: readonly Case[] = [
  ...retried,
  [
    'three broken connections: one payment',
    async (context) => {
      const reference_id = newReference()
      context.proxy.next('cut', 'cut', 'cut')
      const payment_id = await create(context, { reference_id })
      expectSameRequests(context, 4)
      expect(await listPayments(context, reference_id)).toMatchObject([{ payment_id }])
    },
  ],
  [
    'a broken connection: refunds once, and returns the first response',
    async (context) => {
      const { client, keys, proxy, shop } = context
      const id = await create(context)
      await shop.florin.sandbox.pay(id)
      const before = await shop.florin.balance()
      proxy.next('cut')
      const refund = await client.call(keys, 'payments.refund', [id])
      expect(refund).toMatchObject({ status: 'refunded', refund_amount: '4.50' })
      expectSameRequests(context, 2)
      const after = await shop.florin.balance()
      expect(Number(before.balance) - Number(after.balance)).toBeCloseTo(5)
    },
  ],
  [
    'a broken connection: one link',
    async (context) => {
      const { client, keys, proxy, shop } = context
      const title = newReference()
      proxy.next('cut')
      await client.call(keys, 'links.create', [{ title }])
      expectSameRequests(context, 2)
      const links = await shop.florin.links.list().page()
      expect(links.items.filter((link) => link.title === title)).toHaveLength(1)
    },
  ],
  [
    'a timeout: the later call with the key of the error finds the payment',
    async (context) => {
      const { client, keys, proxy } = context
      const reference_id = newReference()
      const order = { ...ORDER, reference_id }
      proxy.next('hang', 'hang')
      // Long enough for the request to arrive on a busy machine.
      const options = { timeoutMs: 1000, maxRetries: 1 }
      const error = await client.failure(keys, 'payments.create', [order], options)
      expect(error).toMatchObject({ kind: 'TimeoutError', status: null })
      expectSameRequests(context, 2)
      const { idempotencyKey } = error
      expect(idempotencyKey).toBe(proxy.requests()[0]!.key)
      const sameKey = { idempotencyKey }
      const { payment_id } = await client.call(keys, 'payments.create', [order], sameKey)
      expect(await listPayments(context, reference_id)).toMatchObject([{ payment_id }])
    },
  ],
  [
    'honours Retry-After',
    async (context) => {
      const { proxy } = context
      proxy.next({ status: 503, headers: { 'retry-after': '1' } })
      await create(context)
      const [first, second] = proxy.requests()
      expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(990)
    },
  ],
  [
    'leaves a long Retry-After to the caller, in seconds or as a date',
    async ({ client, keys, proxy }) => {
      const order = [ORDER]
      proxy.next({ status: 429, headers: { 'retry-after': '60' } })
      const limited = await client.failure(keys, 'payments.create', order)
      expect(limited).toMatchObject({ kind: 'RateLimitError', retryAfterMs: 60_000, status: 429 })
      expect(proxy.requests()).toHaveLength(1)
      const date = new Date(Date.now() + 100_000).toUTCString()
      proxy.next({ status: 503, headers: { 'retry-after': date } })
      const down = await client.failure(keys, 'payments.create', order)
      expect(down).toMatchObject({ kind: 'ServerError', status: 503 })
      expect(down.retryAfterMs).toBeGreaterThan(80_000)
      expect(down.retryAfterMs).toBeLessThanOrEqual(100_000)
      expect(proxy.requests()).toHaveLength(1)
    },
  ],
  [
    'ignores a Retry-After that is neither whole seconds nor an HTTP date',
    async ({ client, keys, proxy }) => {
      for (const invalid of ['-1', '1.5', 'soon', '2026-11-15']) {
        proxy.next({ status: 503, headers: { 'retry-after': invalid } })
        const options = { maxRetries: 0 }
        const error = await client.failure(keys, 'payments.create', [ORDER], options)
        expect(error, invalid).toMatchObject({ kind: 'ServerError', retryAfterMs: null })
      }
    },
  ],
  [
    'does not retry a refused request',
    async ({ client, keys, proxy }) => {
      for (const status of [400, 401, 403, 404, 413, 422]) {
        proxy.next({ status })
        const error = await client.failure(keys, 'payments.create', [ORDER])
        expect(error).toMatchObject({ status, message: 'no' })
        expect(proxy.requests()).toHaveLength(1)
      }
    },
  ],
  [
    'does not retry a permanent 4xx of a proxy',
    async ({ client, keys, proxy }) => {
      for (const status of [400, 401, 403, 405, 413]) {
        proxy.next({ status, body: '<html>' })
        const error = await client.failure(keys, 'payments.create', [ORDER])
        expect(error).toMatchObject({ kind: 'ConnectionError', status })
        expect(proxy.requests()).toHaveLength(1)
      }
    },
  ],
  [
    'stops after the maximum number of retries',
    async ({ client, keys, proxy }) => {
      proxy.next({ status: 503 }, { status: 503 }, { status: 503 })
      const error = await client.failure(keys, 'payments.create', [ORDER], { maxRetries: 1 })
      expect(error.kind).toBe('ServerError')
      expect(proxy.requests()).toHaveLength(2)
    },
  ],
  [
    'each create has its own key, or the given one',
    async (context) => {
      const { client, keys, proxy } = context
      await create(context)
      await create(context)
      const options = { idempotencyKey: newReference() }
      await client.call(keys, 'payments.create', [ORDER], options)
      const used = proxy.requests().map((request) => request.key)
      expect(new Set(used).size).toBe(3)
      expect(used[2]).toBe(options.idempotencyKey)
      const invalid = { idempotencyKey: 'mi ne' }
      const error = await client.failure(keys, 'payments.create', [ORDER], invalid)
      expect(error).toMatchObject({ kind: 'ValidationError', status: null })
      expect(proxy.requests()).toHaveLength(3)
    },
  ],
  [
    'retries a call without a key only if the service did nothing',
    async (context) => {
      const { client, keys, proxy, shop } = context
      const { link_id } = await shop.florin.links.create({ title: 'Tea' })
      const id = await create(context)
      for (const [name, args] of [
        ['links.update', [link_id, { title: 'Chai' }]],
        ['payments.expire', [id]],
      ] as const) {
        proxy.next({ status: 503 })
        const failed = await client.failure(keys, name, [...args])
        expect(failed, name).toMatchObject({ kind: 'ServerError', idempotencyKey: null })
        expect(proxy.requests(), name).toHaveLength(1)
        proxy.next({ status: 429, headers: { 'retry-after': '0' } })
        await client.call(keys, name, [...args])
        expect(proxy.requests(), name).toHaveLength(2)
        expect(proxy.requests()[0]!.key).toBeUndefined()
      }
    },
  ],
  [
    'does not retry a call without a key after a broken connection',
    async (context) => {
      const { client, keys, proxy } = context
      const id = await create(context)
      proxy.next('cut')
      const error = await client.failure(keys, 'payments.expire', [id])
      expect(error).toMatchObject({ kind: 'ConnectionError', status: null })
      expect(proxy.requests()).toHaveLength(1)
      const status = await client.call(keys, 'payments.status', [id])
      expect(status).toMatchObject({ status: 'expired' })
    },
  ],
  [
    'retries a read after a broken connection',
    async ({ client, keys, proxy }) => {
      proxy.next('cut', { status: 503 })
      expect(await client.call(keys, 'balance')).toMatchObject({ currency: 'USD' })
      expect(proxy.requests()).toHaveLength(3)
    },
  ],
  [
    'retries a QR code if a proxy responds with a page of its own',
    async (context) => {
      const { client, keys, proxy } = context
      const id = await create(context)
      const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }
      for (const options of [{}, { format: 'png' }]) {
        proxy.next(page)
        const image = await client.call(keys, 'payments.qr', [id, options])
        expect(image).not.toMatch(/^<html|^3c68/)
        expect(proxy.requests()).toHaveLength(2)
      }
    },
  ],
  [
    'does not follow a redirect, to protect the secret',
    async ({ client, keys, proxy }) => {
      const redirectTarget = await startReceiver()
      try {
        proxy.next({ status: 307, headers: { location: redirectTarget.url } })
        const error = await client.failure(keys, 'balance')
        expect(error).toMatchObject({ kind: 'FlorinError' })
        expect(error.message).toMatch(/redirect/)
        expect(redirectTarget.received).toEqual([])
      } finally {
        await redirectTarget.close()
      }
    },
  ],
  [
    'reports a 200 response that is not from Florin',
    async ({ client, keys, proxy }) => {
      for (const body of ['<html>', '{}', 'null', '{"data":null}', '{"data":"x"}']) {
        proxy.next({ status: 200, body })
        const error = await client.failure(keys, 'balance', [], { maxRetries: 0 })
        expect(error, body).toMatchObject({ kind: 'ConnectionError', status: null })
        expect(error.message).toMatch(
          /^The response to GET \/merchant\/balance is incomplete or not from Florin\. Check base(Url|_url)\.$/,
        )
      }
    },
  ],
  [
    'reports that nothing listens, or that the host is not a name',
    async ({ client, keys }) => {
      for (const base_url of ['http://127.0.0.1:9', 'http://a..b']) {
        const unreachable = { ...keys, base_url }
        const error = await client.failure(unreachable, 'balance', [], { maxRetries: 1 })
        expect(error, base_url).toMatchObject({ kind: 'ConnectionError', status: null })
      }
    },
  ],
  [
    'a timeout limits the whole response, even if bytes keep arriving',
    async ({ client, keys }) => {
      const timers: NodeJS.Timeout[] = []
      const slow = await startReceiver((_request, response) => {
        response.writeHead(200, { 'content-length': '1000' })
        timers.push(setInterval(() => response.write(' '), 50))
      })
      try {
        const target = { ...keys, base_url: `http://127.0.0.1:${slow.port}` }
        const options = { timeoutMs: 400, maxRetries: 0 }
        const sentMs = Date.now()
        const error = await client.failure(target, 'balance', [], options)
        expect(error.kind).toBe('TimeoutError')
        expect(Date.now() - sentMs).toBeLessThan(10_000)
      } finally {
        for (const timer of timers) clearInterval(timer)
        await slow.close()
      }
    },
  ],
  [
    'the ledger audit finds no errors after all cases above',
    async ({ shop }) => {
      expect(await shop.t.auditFindings()).toEqual([])
    },
  ],
]
