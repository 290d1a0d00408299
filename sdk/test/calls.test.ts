import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { operationsOf, readDocument } from '../../server/test/openapi/contract.ts'
import { Florin, TimeoutError, toDate } from '../src/index.ts'
import { openShop, type Shop } from './shop.ts'

let shop: Shop
let florin: Florin
/** All sent requests, with the path patterns of the OpenAPI document. */
const sent = new Set<string>()
beforeAll(async () => {
  shop = await openShop()
  florin = shop.withKeys({
    fetch: (input, init) => {
      const { pathname } = new URL(String(input))
      const path = pathname.replace(/pay_\w+/, '{paymentId}').replace(/lnk_\w+/, '{linkId}')
      sent.add(`${init?.method} ${path}`)
      return fetch(input, init)
    },
  })
})
afterAll(() => shop.close())

const create = async (fields = {}) =>
  (await florin.payments.create({ amount: '12.50', currency: 'USD', ...fields })).payment_id

describe('the calls', () => {
  it('create, read, pay and refund', async () => {
    const created = await florin.payments.create({
      amount: '12.50',
      currency: 'USD',
      client: { name: 'Bo', email: 'bo@example.com', phone: '1' },
      products: [
        { name: 'Tea', quantity: 2, price: 500n },
        { name: 'Bag', quantity: 1, price: 2.5 },
      ],
      payload: { at: new Date(0), list: [1, null] },
      reference_id: 'order-1',
      reference_note: undefined as never,
      expires_in: 600,
      locale: 'fr',
    })
    expect(created).toEqual({
      payment_id: expect.stringMatching(/^pay_/),
      qr_code: expect.stringMatching(/^\d{27}$/),
      instructions: expect.stringContaining('<'),
    })
    const id = created.payment_id
    expect(await florin.payments.status(id)).toEqual({ payment_id: id, status: 'pending' })
    expect(await florin.sandbox.pay(id, { donation_amount: '0.30' })).toMatchObject({
      status: 'completed',
    })
    const payment = await florin.payments.retrieve(id)
    expect(payment).toMatchObject({
      status: 'completed',
      amount: '12.37',
      transaction_fee: '0.13',
      donation_amount: '0.30',
      products: [{ price: '5.00' }, { price: '2.50' }],
      payload: { at: '1970-01-01T00:00:00.000Z', list: [1, null] },
      reference: { id: 'order-1', note: null },
    })
    expect(Math.abs(toDate(payment.created_at).getTime() - Date.now())).toBeLessThan(60_000)
    expect(await florin.payments.refund(id)).toMatchObject({ refund_amount: '12.00' })
  })

  it('fail and expire', async () => {
    expect(await florin.sandbox.fail(await create())).toMatchObject({ status: 'failed' })
    expect(await florin.sandbox.fail(await create(), 'error')).toMatchObject({ status: 'failed' })
    expect(await florin.sandbox.expire(await create())).toMatchObject({ status: 'expired' })
    expect(await florin.payments.expire(await create())).toMatchObject({ status: 'expired' })
  })

  it('return the QR code as text and as bytes', async () => {
    const id = await create()
    expect(await florin.payments.qr(id)).toMatch(/^<svg|^<\?xml/)
    const png = await florin.payments.qr(id, { format: 'png', size: 200 })
    expect(png.subarray(1, 4)).toEqual(new TextEncoder().encode('PNG'))
  })

  it('create, change and list links', async () => {
    const link = await florin.links.create({
      title: 'Breakfast',
      amount: 950n,
      currency: 'USD',
      products: [{ name: 'Breakfast', quantity: 1, price: '9.50' }],
      expires_at: new Date('2099-01-31T08:00:00Z'),
    })
    expect(link).toMatchObject({
      amount: '9.50',
      products: [{ price: '9.50' }],
      expires_at: '2099-01-31 08:00:00',
      state: 'active',
    })
    const open = await florin.links.create({ title: 'Counter', amount: null })
    expect(open.amount).toBeNull()
    const decimal = await florin.links.create({ title: 'Tea', amount: '3.50' })
    expect(decimal.amount).toBe('3.50')
    const unknown = florin.links.create({ title: 'Tea', amount: 350n })
    await expect(unknown).rejects.toThrow("the decimals of the store's currency are unknown")
    const pausedLink = await florin.links.update(link.link_id, {
      active: false,
      expires_at: null,
    })
    expect(pausedLink).toEqual({ ...link, active: false, expires_at: null, state: 'paused' })
    expect(await florin.links.retrieve(link.link_id)).toEqual(pausedLink)
    const active: string[] = []
    for await (const { link_id } of florin.links.list({ active: true, limit: 1 }))
      active.push(link_id)
    expect(active).toEqual([decimal.link_id, open.link_id])
    expect(await florin.links.qr(link.link_id)).toMatch(/^<svg/)
    await expect(florin.links.retrieve('..')).rejects.toThrow('link_id must be the id of a link')
  })

  it('return the store, its balance and a quote', async () => {
    expect(await florin.store()).toMatchObject({ mode: 'sandbox', fee_bps: 100 })
    expect(await florin.balance()).toMatchObject({ currency: 'USD' })
    expect(await florin.quote({ amount: 1250n, currency: 'USD' })).toMatchObject({
      gross: '12.50',
      amount: '12.37',
    })
  })

  it('list and resend events', async () => {
    const from = new Date(Date.now() - 60_000)
    const id = await create()
    await florin.sandbox.pay(id)
    const found = []
    for await (const event of florin.events.list({ from, limit: 3 })) found.push(event)
    expect(found.at(-1)).toMatchObject({ payment_id: id, type: 'payment.completed' })
    expect(await florin.payments.webhooks(id)).toMatchObject([{ state: 'not_wanted' }])
    const withoutUrl = florin.payments.redeliver(id)
    await expect(withoutUrl).rejects.toThrow('This payment has no webhook_url')
    const other = await create({ webhook_url: 'http://127.0.0.1:9/' })
    await florin.sandbox.pay(other)
    expect(await florin.payments.redeliver(other)).toMatchObject({ type: 'payment.completed' })
    const window = { created_from: from, created_to: new Date(Date.now() + 60_000) }
    expect((await florin.events.redeliver(window)).events).toBeGreaterThan(0)
  })
})

describe('a list', () => {
  it('iterates over all pages, each payment once, newest first', async () => {
    const reference_id = 'many'
    const ids: string[] = []
    for (let i = 0; i < 250; i += 50) {
      ids.push(...(await Promise.all(Array.from({ length: 50 }, () => create({ reference_id })))))
    }
    const listed: string[] = []
    for await (const { payment_id } of florin.payments.list({ reference_id }))
      listed.push(payment_id)
    expect(listed).toEqual(ids.sort().reverse())

    const sizes: number[] = []
    for await (const { items } of florin.payments.list({ reference_id, limit: 60 }).pages()) {
      sizes.push(items.length)
    }
    expect(sizes).toEqual([60, 60, 60, 60, 10])
    const first = await florin.payments.list({ reference_id, limit: 1 }).page()
    const rest = florin.payments.list({ reference_id, cursor: first.next_cursor! })
    expect((await rest.page()).items[0]!.payment_id).toBe(listed[1])
  })

  it('stops when it is aborted', async () => {
    const controller = new AbortController()
    const list = florin.payments.list({ limit: 1 }, { signal: controller.signal })
    let seen = 0
    const reading = (async () => {
      for await (const _ of list) if (++seen === 2) controller.abort()
    })()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    expect(seen).toBe(2)
  })
})

describe('waiting until a payment is settled', () => {
  it('resolves when it is paid', async () => {
    const id = await create()
    const waiting = florin.payments.waitUntilSettled(id, { timeoutMs: 20_000 })
    await new Promise((resolve) => setTimeout(resolve, 300))
    await florin.sandbox.pay(id)
    expect(await waiting).toEqual({ payment_id: id, status: 'completed' })
  })

  it('works with the longest timeout, to which the wait is added', async () => {
    const id = await create()
    const status = florin.payments.status(id, { wait: 1, timeoutMs: 2 ** 31, maxRetries: 0 })
    expect(await status).toEqual({ payment_id: id, status: 'pending' })
  })

  it('stops after the timeout, and when it is aborted', async () => {
    const id = await create()
    const waiting = florin.payments.waitUntilSettled(id, { timeoutMs: 300 })
    await expect(waiting).rejects.toBeInstanceOf(TimeoutError)
    const reason = new Error('the customer left')
    const controller = new AbortController()
    const stopped = florin.payments.waitUntilSettled(id, { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 50)
    await expect(stopped).rejects.toBe(reason)
    const before = florin.payments.waitUntilSettled(id, { signal: AbortSignal.abort(reason) })
    await expect(before).rejects.toBe(reason)
  })
})

it('the SDK has every merchant and sandbox call of the OpenAPI document', async () => {
  const operations = operationsOf(await readDocument(shop.t))
  const merchantOperations = operations.filter(({ path }) => /^\/(merchant|sandbox)\//.test(path))
  expect([...sent].sort()).toEqual(
    merchantOperations.map(({ method, path }) => `${method} ${path}`).sort(),
  )
})

it('responses are not cached, and a runtime without that setting is not asked to', async () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  const settings: unknown[] = []
  const recording = shop.withKeys({
    fetch: (input, init) => {
      // The types of Node.js don't have this field.
      settings.push((init as { cache?: unknown }).cache)
      return fetch(input, init)
    },
  })
  await recording.balance()
  // As in Cloudflare Workers.
  class StrictRequest {
    constructor(_url: string, init: RequestInit) {
      if ('cache' in init) throw new Error("The 'cache' field is not implemented.")
    }
  }
  vi.stubGlobal('Request', StrictRequest)
  await recording.balance()
  expect(settings).toEqual(['no-store', undefined])
})

it('the client does not print its secret in logs', () => {
  const text = `${inspect(shop.florin, { depth: 9, showHidden: true })}${JSON.stringify(florin)}`
  expect(text).not.toContain(shop.keys.apiSecret)
})

it('the client refuses invalid settings without printing a secret', () => {
  const wrong = (options: object) => () => new Florin({ ...shop.keys, ...options })
  expect(wrong({ apiKey: '' })).toThrow(TypeError)
  expect(wrong({ apiSecret: 'secret\n' })).toThrow(
    /^apiSecret must be a string of visible ASCII characters$/,
  )
  expect(wrong({ baseUrl: 'pay.example.com' })).toThrow(/baseUrl/)
  expect(wrong({ baseUrl: 'ftp://pay.example.com' })).toThrow(/http/)
  expect(wrong({ timeoutMs: 0 })).toThrow(/timeoutMs/)
  expect(wrong({ maxRetries: 0.5 })).toThrow(/maxRetries/)
})
