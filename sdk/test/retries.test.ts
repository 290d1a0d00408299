import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../../server/test/setup/receiver.ts'
import { retryWaitMs } from '../src/backoff.ts'
import { errorOf, parseRetryAfter } from '../src/errorOf.ts'
import * as sdk from '../src/index.ts'

describe('with a failing service', () => {
  let service: Receiver
  let florin: sdk.Florin
  beforeEach(async () => {
    service = await startReceiver()
    florin = new sdk.Florin({
      apiKey: 'k',
      apiSecret: 's',
      baseUrl: `http://127.0.0.1:${service.port}`,
    })
  })
  afterEach(() => service.close())

  type Reply = [status: number, headers?: Record<string, string>, body?: string]
  const created = JSON.stringify({ message: '', data: { payment_id: 'pay_1' } })
  /** Returns these responses in order, then a payment. */
  const respond = (...replies: Reply[]) =>
    service.respondWith((_request, response) => {
      const [status, headers = {}, body] = replies.shift() ?? [200, {}, created]
      response.writeHead(status, headers).end(body ?? JSON.stringify({ status, message: 'no' }))
    })
  const create = (options: sdk.WriteOptions = {}) =>
    florin.payments.create({ amount: '5', currency: 'USD' }, options)
  const keys = () => service.received.map(({ headers }) => headers['idempotency-key'])

  it.each<[string, Reply]>([
    ['500', [500]],
    ['502 from a proxy', [502, { 'content-type': 'text/html' }, '<html>']],
    ['503', [503]],
    ['429', [429, { 'retry-after': '0' }]],
    ['409 while the first request is running', [409, { 'retry-after': '0' }]],
    ['an incomplete 200', [200, {}, '{"data":']],
    ['404 from a proxy', [404, {}, '404 page not found']],
    ['408 from a proxy', [408, {}, '']],
  ])('%s: retried with the same key and the same bytes', async (_, reply) => {
    respond(reply)
    expect(await create()).toEqual({ payment_id: 'pay_1' })
    expect(service.received).toHaveLength(2)
    expect(new Set(keys()).size).toBe(1)
    expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(service.received.map(({ body }) => body))).toEqual(
      new Set(['{"amount":5,"currency":"USD"}']),
    )
  })

  it.each([400, 401, 403, 404, 409, 413, 422])('%d: not retried', async (status) => {
    respond([status])
    await expect(create()).rejects.toMatchObject({ status })
    expect(service.received).toHaveLength(1)
  })

  it('a permanent 4xx from a proxy: not retried', async () => {
    for (const status of [400, 401, 403, 405, 413]) {
      respond([status, {}, '<html>'])
      await expect(create()).rejects.toMatchObject({ name: 'ConnectionError', status })
    }
    expect(service.received).toHaveLength(5)
  })

  it('each create has its own key, or the given one', async () => {
    respond()
    await create()
    await create()
    await create({ idempotencyKey: 'mine' })
    expect(new Set(keys()).size).toBe(3)
    expect(keys()[2]).toBe('mine')
    await expect(create({ idempotencyKey: 'mi ne' })).rejects.toBeInstanceOf(sdk.ValidationError)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['expire', () => florin.payments.expire('pay_1')],
    ['redeliver', () => florin.payments.redeliver('pay_1')],
    ['redeliver a window', () => florin.events.redeliver({ created_from: 'a', created_to: 'b' })],
    ['sandbox pay', () => florin.sandbox.pay('pay_1')],
    ['sandbox expire', () => florin.sandbox.expire('pay_1')],
  ])('%s: retried only if the service did nothing', async (_, call) => {
    respond([503])
    await expect(call()).rejects.toBeInstanceOf(sdk.ServerError)
    expect(service.received).toHaveLength(1)
    respond([429, { 'retry-after': '0' }])
    await call()
    expect(service.received).toHaveLength(3)
  })

  it('honours Retry-After, and leaves a long one to the caller', async () => {
    respond([503, { 'retry-after': '1' }])
    await create()
    const [first, second] = service.received
    expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(990)
    respond([429, { 'retry-after': '60' }])
    await expect(create()).rejects.toMatchObject({ name: 'RateLimitError', retryAfterMs: 60_000 })
  })

  it('stops after the maximum number of retries', async () => {
    respond([503], [503], [503])
    await expect(create({ maxRetries: 1 })).rejects.toBeInstanceOf(sdk.ServerError)
    expect(service.received).toHaveLength(2)
  })

  it('throws a TimeoutError without a response, or with an incomplete one', async () => {
    const options = { timeoutMs: 400, maxRetries: 1 }
    service.respondWith(() => {})
    await expect(create(options)).rejects.toBeInstanceOf(sdk.TimeoutError)
    expect(new Set(keys()).size).toBe(1)
    service.respondWith((_request, response) => void response.writeHead(200).write('{"data":'))
    await expect(create(options)).rejects.toBeInstanceOf(sdk.TimeoutError)
    expect(service.received).toHaveLength(4)
  })

  it('an abort ends a request and a retry delay', async () => {
    const reason = new Error('enough')
    const requestAbort = new AbortController()
    service.respondWith(() => requestAbort.abort(reason))
    await expect(create({ signal: requestAbort.signal })).rejects.toBe(reason)
    const delayAbort = new AbortController()
    service.respondWith((_request, response) => {
      response.writeHead(503, { 'retry-after': '20' }).end()
      setTimeout(() => delayAbort.abort(reason), 200)
    })
    await expect(create({ signal: delayAbort.signal })).rejects.toBe(reason)
    await expect(create({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(service.received).toHaveLength(2)
  })

  it('does not follow a redirect, to protect the secret', async () => {
    const redirectTarget = await startReceiver()
    respond([307, { location: redirectTarget.url }])
    await expect(create()).rejects.toThrow(/baseUrl/)
    expect(redirectTarget.received).toEqual([])
    await redirectTarget.close()
  })

  it('throws a ConnectionError with its cause if nothing listens', async () => {
    await service.close()
    const error = await create({ maxRetries: 1 }).catch((e) => e)
    expect(error).toBeInstanceOf(sdk.ConnectionError)
    expect(error).toMatchObject({ status: null, cause: expect.any(Error) })
    expect(error.message).toContain('connect ECONNREFUSED')
    const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }))
    const client = new sdk.Florin({ apiKey: 'k', apiSecret: 's', baseUrl: 'http://x', fetch })
    await expect(client.balance({ maxRetries: 0 })).rejects.toThrow('balance: ECONNREFUSED')
    service = await startReceiver()
  })
})

it('delays grow with jitter up to eight seconds', () => {
  const error = new sdk.ServerError('', null)
  const wait = (retries: number, random: number) =>
    retryWaitMs(error, { isIdempotent: true, retries }, () => random)
  expect([0, 1, 2, 3, 9].map((n) => wait(n, 1))).toEqual([250, 500, 1000, 2000, 8000])
  expect([0, 1, 2].map((n) => wait(n, 0))).toEqual([125, 250, 500])
})

it('Retry-After is a number of seconds or a date', () => {
  const now = Date.parse('2026-11-15T10:00:00Z')
  expect(parseRetryAfter('3', now)).toBe(3000)
  expect(parseRetryAfter('Sun, 15 Nov 2026 10:00:05 GMT', now)).toBe(5000)
  expect(parseRetryAfter('Sun, 15 Nov 2026 09:00:00 GMT', now)).toBe(0)
  for (const invalid of [null, '', '-1', '1.5', 'soon', '2026-11-15'])
    expect(parseRetryAfter(invalid, now)).toBeNull()
})

it('a response without a message becomes an error with its status', () => {
  const rest = { headers: new Headers(), idempotencyKey: null }
  const error = errorOf({ ...rest, status: 502, text: '<html>' })
  expect(error).toMatchObject({ name: 'ServerError', status: 502, body: '<html>' })
  expect(error.message).toBe('The service responded with 502')
  expect(errorOf({ ...rest, status: 418, text: 'null' })).toMatchObject({
    name: 'ConnectionError',
    status: 418,
  })
})
