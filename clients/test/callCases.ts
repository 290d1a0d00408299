import { expect } from 'vitest'
import { operationsOf, readDocument } from '../../server/test/openapi/contract.ts'
import { type Case, create, newReference, type TestContext, UNKNOWN } from './testContext.ts'

/** The calls that each client made, with the path patterns of the OpenAPI document. */
const callsOfClients = new WeakMap<object, Set<string>>()

/** Records the calls that the proxy has seen, before its `next` forgets them. */
export function recordCalls({ client, proxy }: TestContext): void {
  const calls = callsOfClients.get(client) ?? new Set()
  callsOfClients.set(client, calls)
  for (const { method, path } of proxy.requests()) {
    const pattern = path.split('?')[0]!.replace(/pay_\w+/, '{paymentId}')
    calls.add(`${method} ${pattern.replace(/lnk_\w+/, '{linkId}')}`)
  }
}

export const CALLS: readonly Case[] = [
  [
    'creates, reads, pays and refunds',
    async ({ client, keys }) => {
      const created = await client.call(keys, 'payments.create', [
        {
          amount: '12.50',
          currency: 'USD',
          client: { name: 'Bo', email: 'bo@example.com', phone: '1' },
          products: [
            { name: 'Tea "green" ☕', quantity: 2, price: '5.00' },
            { name: 'Bag', quantity: 1, price: { $minor: '250', currency: 'USD' } },
          ],
          payload: { at: { $time: 0 }, list: [1, null, true, 'é'], big: 9007199254740991 },
          reference_id: 'order-1',
          reference_note: null,
          expires_in: 600,
          locale: 'fr',
        },
      ])
      expect(created).toEqual({
        payment_id: expect.stringMatching(/^pay_/),
        qr_code: expect.stringMatching(/^\d{27}$/),
        instructions: expect.stringContaining('<'),
      })
      const id = created.payment_id
      const status = await client.call(keys, 'payments.status', [id])
      expect(status).toEqual({ payment_id: id, status: 'pending' })
      const paid = await client.call(keys, 'sandbox.pay', [id, { donation_amount: '0.30' }])
      expect(paid).toEqual({ payment_id: id, status: 'completed' })
      const payment = await client.call(keys, 'payments.retrieve', [id])
      expect(payment).toMatchObject({
        status: 'completed',
        amount: '12.37',
        transaction_fee: '0.13',
        donation_amount: '0.30',
        client: { name: 'Bo', phone_dial_code: null },
        user: { wallet_id: expect.any(String) },
        products: [{ name: 'Tea "green" ☕', price: '5.00' }, { price: '2.50' }],
        payload: {
          at: '1970-01-01T00:00:00.000Z',
          list: [1, null, true, 'é'],
          big: 9007199254740991,
        },
        reference: { id: 'order-1', note: null },
        request_amount: { amount: '12.50', currency: 'USD', conversion_rate: '1.0000' },
        refund: null,
      })
      const refund = await client.call(keys, 'payments.refund', [id])
      expect(refund).toMatchObject({ refund_amount: '12.00', refund_fee: '0.50' })
    },
  ],
  [
    'returns what the SDK returns',
    async (context) => {
      const { client, keys, shop } = context
      const id = await create(context, { webhook_url: 'http://127.0.0.1:9/' })
      await client.call(keys, 'sandbox.pay', [id])
      await client.call(keys, 'payments.refund', [id])
      // Leave out `webhook`, which changes when the event is delivered.
      const { webhook: _, ...expected } = await shop.florin.payments.retrieve(id)
      const { webhook: __, ...found } = await client.call(keys, 'payments.retrieve', [id])
      expect(found).toEqual(expected)
      expect(await client.call(keys, 'store')).toEqual(await shop.florin.store())
      expect(await client.call(keys, 'balance')).toEqual(await shop.florin.balance())
    },
  ],
  [
    'fails and expires payments',
    async (context) => {
      const { client, keys } = context
      const outcome = async (name: string, ...args: unknown[]) => {
        const id = await create(context)
        return (await client.call(keys, name, [id, ...args])).status
      }
      expect(await outcome('sandbox.fail')).toBe('failed')
      expect(await outcome('sandbox.fail', 'error')).toBe('failed')
      expect(await outcome('sandbox.expire')).toBe('expired')
      expect(await outcome('payments.expire')).toBe('expired')
    },
  ],
  [
    'returns QR codes as text and as bytes',
    async (context) => {
      const { client, keys } = context
      const id = await create(context)
      expect(await client.call(keys, 'payments.qr', [id])).toMatch(/^<svg/)
      const png = await client.call(keys, 'payments.qr', [id, { format: 'png', size: 200 }])
      expect(Buffer.from(png, 'hex').subarray(1, 4).toString()).toBe('PNG')
    },
  ],
  [
    'creates, changes and lists links',
    async ({ client, keys }) => {
      const link = await client.call(keys, 'links.create', [
        {
          title: 'Breakfast',
          amount: { $minor: '950', currency: 'USD' },
          currency: 'USD',
          products: [{ name: 'Breakfast', quantity: 1, price: '9.50' }],
          expires_at: { $time: Date.UTC(2099, 0, 31, 8) },
        },
      ])
      expect(link).toMatchObject({
        amount: '9.50',
        products: [{ price: '9.50' }],
        expires_at: '2099-01-31 08:00:00',
        state: 'active',
        paid_count: 0,
      })
      const open = await client.call(keys, 'links.create', [{ title: 'Counter', amount: null }])
      expect(open.amount).toBeNull()
      const change = { active: false, expires_at: null, payload: {} }
      const pausedLink = await client.call(keys, 'links.update', [link.link_id, change])
      expect(pausedLink).toMatchObject({ active: false, expires_at: null, state: 'paused' })
      expect(await client.call(keys, 'links.retrieve', [link.link_id])).toEqual(pausedLink)
      const pages = await client.call(keys, 'links.list', [{ active: false, limit: 1 }])
      expect(pages.flat()).toEqual([pausedLink])
      const active = await client.call(keys, 'links.list', [{ active: true }])
      expect(active.flat()).toEqual([open])
      expect(await client.call(keys, 'links.qr', [link.link_id])).toMatch(/^<svg/)
    },
  ],
  [
    'quotes an amount',
    async ({ client, keys, shop }) => {
      const params = { amount: '12.50', currency: 'USD' }
      const quote = await client.call(keys, 'quote', [params])
      expect(quote).toMatchObject({ gross: '12.50', transaction_fee: '0.13', amount: '12.37' })
      expect(quote).toEqual(await shop.florin.quote(params))
    },
  ],
  [
    'lists and resends events',
    async (context) => {
      const { client, keys } = context
      const from = { $time: Date.now() - 60_000 }
      const id = await create(context, { webhook_url: 'http://127.0.0.1:9/' })
      await client.call(keys, 'sandbox.pay', [id])
      const pages = await client.call(keys, 'events.list', [{ from, limit: 100 }])
      const events = pages.flat()
      expect(events.at(-1)).toMatchObject({ payment_id: id, type: 'payment.completed' })
      const [webhook] = await client.call(keys, 'payments.webhooks', [id])
      expect(webhook).toMatchObject({ id: events.at(-1).id, sequence: 1 })
      const resent = await client.call(keys, 'payments.redeliver', [id])
      expect(resent).toEqual({ id: webhook.id, type: 'payment.completed' })
      const window = { created_from: from, created_to: { $time: Date.now() + 60_000 } }
      const all = await client.call(keys, 'events.redeliver', [window])
      expect(all.events).toBeGreaterThan(0)
    },
  ],
  [
    'iterates over all pages, each payment once, newest first',
    async (context) => {
      const { client, keys } = context
      const reference_id = newReference()
      const ids: string[] = []
      for (let i = 0; i < 5; i++) ids.push(await create(context, { reference_id }))
      const pages = await client.call(keys, 'payments.list', [{ reference_id, limit: 2 }])
      expect(pages.map((page: unknown[]) => page.length)).toEqual([2, 2, 1])
      const listed = pages.flat().map((payment: { payment_id: string }) => payment.payment_id)
      expect(listed).toEqual(ids.sort().reverse())
      const earlierPeriod = { reference_id, created_to: { $time: Date.now() - 3_600_000 } }
      expect((await client.call(keys, 'payments.list', [earlierPeriod])).flat()).toEqual([])
    },
  ],
  [
    'ignores a filter that is null',
    async (context) => {
      const { client, keys, proxy } = context
      await client.call(keys, 'payments.list', [{ reference_id: null, cursor: null }])
      await client.call(keys, 'links.list', [{ active: null }])
      const paths = proxy.requests().map(({ path }) => path)
      expect(paths).toEqual(['/merchant/payments?limit=100', '/merchant/links?limit=100'])
    },
  ],
  [
    'waits until a payment is settled',
    async (context) => {
      const { client, keys, proxy, shop } = context
      const id = await create(context)
      recordCalls(context)
      // Like a restart of the service: more failures than other calls retry.
      proxy.next(...Array(4).fill({ status: 503, headers: { 'retry-after': '0' } }))
      const waiting = client.call(keys, 'payments.waitUntilSettled', [id], { timeoutMs: 60_000 })
      await expect.poll(() => proxy.requests().length, { timeout: 10_000 }).toBe(5)
      expect(proxy.requests()[4]!.path).toMatch(/\/status\?wait=25$/)
      await shop.florin.sandbox.pay(id)
      expect(await waiting).toEqual({ payment_id: id, status: 'completed' })
      // The long poll ended with the payment.
      expect(proxy.requests()).toHaveLength(5)
    },
  ],
  [
    'stops waiting at any status except pending, also at one that only a newer service has',
    async ({ client, keys, proxy }) => {
      const data = { payment_id: UNKNOWN, status: 'held' }
      const body = JSON.stringify({ status: 200, message: 'Payment status', data })
      proxy.next({ status: 200, body })
      expect(await client.call(keys, 'payments.waitUntilSettled', [UNKNOWN])).toEqual(data)
    },
  ],
  [
    'stops waiting after the timeout',
    async (context) => {
      const { client, keys, proxy } = context
      const id = await create(context)
      const name = 'payments.waitUntilSettled'
      const unanswered = await client.failure(keys, name, [id], { timeoutMs: 300 })
      expect(unanswered.kind).toBe('TimeoutError')
      expect(unanswered.message).toMatch(
        /^No status received within (300 ms|0\.3 s)\. The payment may be pending or settled\.$/,
      )
      const data = { payment_id: id, status: 'pending' }
      const body = JSON.stringify({ status: 200, message: 'Payment status', data })
      proxy.next({ status: 200, body })
      // Long enough for the response to arrive on a busy machine.
      const pending = await client.failure(keys, name, [id], { timeoutMs: 900 })
      expect(pending.kind).toBe('TimeoutError')
      expect(pending.message).toMatch(/^Still pending after (900 ms|0\.9 s)$/)
    },
  ],
  [
    'made every merchant and sandbox call of the OpenAPI document',
    async (context) => {
      const operations = operationsOf(await readDocument(context.shop.t))
      const merchantOperations = operations.filter(({ path }) =>
        /^\/(merchant|sandbox)\//.test(path),
      )
      const expected = merchantOperations.map(({ method, path }) => `${method} ${path}`).sort()
      expect([...callsOfClients.get(context.client)!].sort()).toEqual(expected)
    },
  ],
]
