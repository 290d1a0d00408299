import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TIME } from '../setup/expected.ts'
import type { Headers, TestStore } from '../setup/testService.ts'
import { openShop, pause, type Shop } from './shop.ts'

type ListedEvent = {
  id: string
  type: string
  sequence: number
  payment_id: string
  created_at: string
  resent_at: string | null
  body: string
}

/** A URL where nothing listens. Only events with a URL can be resent. */
const CLOSED_URL = 'http://127.0.0.1:9/'

let shop: Shop
let stranger: TestStore
/** Eight events, in the order in which they happened. */
const expectedEvents: { payment: string; type: string }[] = []
beforeAll(async () => {
  shop = await openShop()
  stranger = await shop.t.createStore()
  const record = (payment: string, type: string) => expectedEvents.push({ payment, type })
  const ids: string[] = []
  for (let n = 0; n < 4; n++) {
    const id = await shop.createPaid(CLOSED_URL, { reference_id: `order-${n}` })
    ids.push(id)
    record(id, 'payment.completed')
    await pause(5)
  }
  for (const id of [ids[2]!, ids[0]!]) {
    expect((await shop.refund(id)).status).toBe(200)
    record(id, 'payment.refunded')
    await pause(5)
  }
  const failed = await shop.t.createPayment(shop.store.sandbox, { webhook_url: CLOSED_URL })
  await shop.pay(failed.payment_id, { outcome: 'insufficient_balance' })
  record(failed.payment_id, 'payment.failed')
  await pause(5)
  const expired = await shop.t.createPayment(shop.store.sandbox)
  await shop.t.call('POST', `/sandbox/payment/${expired.payment_id}/expire`, shop.store.sandbox)
  record(expired.payment_id, 'payment.expired')
  // Events of another store and of the other mode are never shown.
  const other = await shop.t.createPayment(stranger.sandbox)
  await shop.t.call('POST', `/sandbox/payment/${other.payment_id}/pay`, stranger.sandbox, {})
  const live = await shop.t.createPayment(shop.store.live)
  await shop.t.call('POST', `/merchant/payment/${live.payment_id}/expire`, shop.store.live)
})
afterAll(() => shop.close())

const get = (query: Record<string, string> = {}, keys: Headers = shop.store.sandbox) =>
  shop.t.call('GET', `/merchant/events?${new URLSearchParams(query)}`, keys)
async function list(query: Record<string, string> = {}, keys?: Headers) {
  const response = await get(query, keys)
  expect(response.status).toBe(200)
  return response.body.data as { events: ListedEvent[]; next_cursor: string | null }
}
const summarize = (events: readonly ListedEvent[]) =>
  events.map(({ payment_id, type }) => ({ payment: payment_id, type }))

async function listPages(query: Record<string, string>): Promise<ListedEvent[][]> {
  const pages: ListedEvent[][] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof list>> = await list({
      ...query,
      ...(cursor && { cursor }),
    })
    pages.push(page.events)
    expect(pages.length).toBeLessThan(100)
    cursor = page.next_cursor
  } while (cursor !== null)
  return pages
}

describe('GET /merchant/events', () => {
  it('shows every outcome in chronological order, with its body', async () => {
    const { events, next_cursor } = await list()
    expect(summarize(events)).toEqual(expectedEvents)
    expect(next_cursor).toBeNull()
    for (const event of events) {
      const sequence = event.type === 'payment.refunded' ? 2 : 1
      expect(event).toEqual({
        id: `evt_${event.payment_id.slice(4)}_${sequence}`,
        sequence,
        type: event.type,
        payment_id: event.payment_id,
        resent_at: null,
        body: expect.any(String),
        created_at: TIME,
      })
      const body = JSON.parse(event.body)
      expect(body).toMatchObject({ type: event.type, sequence })
      expect(body.data).toMatchObject({
        payment_id: event.payment_id,
        status: event.type.slice('payment.'.length),
      })
    }
  })

  it('builds the body of an event that has no URL from its payment, as it was at the time of the event', async () => {
    const { sandbox } = await shop.t.createStore()
    for (const url of [{ webhook_url: CLOSED_URL }, {}]) {
      const { payment_id } = await shop.t.createPayment(sandbox, { ...url, amount: 12.5 })
      await shop.t.call('POST', `/sandbox/payment/${payment_id}/pay`, sandbox, {
        donation_amount: 1,
      })
      await shop.t.call('POST', `/merchant/payment/${payment_id}/refund`, sandbox)
    }
    const { events } = await list({}, sandbox)
    const stored = await shop.t.database.query<{ body: string | null }>(
      'select body from event where payment_id = any($1) order by created_at, sequence',
      [events.map((event) => event.payment_id)],
    )
    expect(stored.map(({ body }) => body)).toEqual([events[0]!.body, events[1]!.body, null, null])
    const varyingKeys = /^(timestamp|(created|expires|refunded)_at|payment_id|qr_code|webhook)$/
    const bodies = events.map(({ body }) =>
      JSON.parse(body, (key, value) => (varyingKeys.test(key) ? null : value)),
    )
    const [sent, rebuilt] = [bodies.slice(0, 2), bodies.slice(2)]
    expect(rebuilt).toEqual(sent)
    expect(rebuilt!.map(({ data }) => data.status)).toEqual(['completed', 'refunded'])
  })

  it.each([1, 2, 3, 7, 8, 100])(
    'in pages of %i shows each event once, in the same order',
    async (limit) => {
      const pages = await listPages({ limit: String(limit) })
      expect(summarize(pages.flat())).toEqual(expectedEvents)
      expect(pages).toHaveLength(Math.ceil(expectedEvents.length / limit))
      for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit)
    },
  )

  it('paging misses nothing if many events have the same time', async () => {
    const { store } = await shop.t.createStore()
    const keys = await shop.t.issue(store, 'sandbox')
    await shop.sql(
      `insert into event (store_id, payment_id, sequence, mode, type, body, created_at)
       select $1, 'pay_' || lpad(g::text, 26, '0'), s, 'sandbox',
         case s when 1 then 'payment.completed' else 'payment.refunded' end, '{}', '2026-01-01 00:00:00.123Z'
       from generate_series(1, 25) g, generate_series(1, 2) s`,
      [store.storeId],
    )
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list({ limit: '7', ...(cursor && { cursor }) }, keys)
      ids.push(...page.events.map((event) => event.id))
      expect(ids.length).toBeLessThan(100)
      cursor = page.next_cursor
    }
    expect(ids).toHaveLength(50)
    expect(new Set(ids).size).toBe(50)
  })

  it('from is inclusive, to is exclusive', async () => {
    const times = await shop.sql<{ at: Date }>(
      `select created_at as at from event where store_id = $1 and mode = 'sandbox' order by 1`,
      [shop.store.store.storeId],
    )
    const iso = times.map(({ at }) => at.toISOString())
    expect(summarize((await list({ from: iso[2]! })).events)).toEqual(expectedEvents.slice(2))
    expect(summarize((await list({ to: iso[2]! })).events)).toEqual(expectedEvents.slice(0, 2))
    expect(summarize((await list({ from: iso[2]!, to: iso[5]! })).events)).toEqual(
      expectedEvents.slice(2, 5),
    )
    expect((await list({ from: '2099-01-01 00:00:00' })).events).toEqual([])
    expect((await list({ from: iso[5]!, to: iso[2]! })).events).toEqual([])
    const pages = await listPages({ from: iso[1]!, to: iso[7]!, limit: '2' })
    expect(summarize(pages.flat())).toEqual(expectedEvents.slice(1, 7))
  })

  it('shows nothing of another store or of the other mode', async () => {
    const ownPayments = new Set(expectedEvents.map(({ payment }) => payment))
    for (const keys of [stranger.sandbox, shop.store.live]) {
      const { events } = await list({}, keys)
      expect(events).toHaveLength(1)
      expect(ownPayments.has(events[0]!.payment_id)).toBe(false)
    }
    expect((await list({}, stranger.live)).events).toEqual([])
  })

  it("another store's cursor shows nothing of that store", async () => {
    const { next_cursor } = await list({ limit: '1' })
    const { events } = await list({ cursor: next_cursor! }, stranger.sandbox)
    expect(events).toHaveLength(1)
    for (const event of events)
      expect(expectedEvents.map((outcome) => outcome.payment)).not.toContain(event.payment_id)
  })

  it('by=resent_at shows resent events in the order of the resends', async () => {
    expect((await list({ by: 'resent_at' })).events).toEqual([])
    const resent = [3, 1, 6].map((index) => expectedEvents[index]!)
    for (const { payment } of resent) {
      expect((await shop.redeliver(payment)).status).toBe(200)
      await pause(5)
    }
    const { events } = await list({ by: 'resent_at' })
    expect(summarize(events)).toEqual(resent)
    for (const event of events) expect(event.resent_at).not.toBeNull()
    expect(summarize((await listPages({ by: 'resent_at', limit: '1' })).flat())).toEqual(resent)
    // An event that is resent again moves to the end. The list by created_at doesn't change.
    await shop.redeliver(resent[0]!.payment)
    const again = await list({ by: 'resent_at' })
    expect(summarize(again.events)).toEqual([resent[1], resent[2], resent[0]])
    expect(summarize((await list({ by: 'created_at' })).events)).toEqual(expectedEvents)
    expect((await list({ by: 'resent_at', from: '2099-01-01 00:00:00' })).events).toEqual([])
    expect((await list({ by: 'resent_at' }, stranger.sandbox)).events).toEqual([])
  })

  it.each<[Record<string, string>, string]>([
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2026-02-30 00:00:00' }, 'to'],
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ limit: '1.5' }, 'limit'],
    [{ limit: '' }, 'limit'],
    [{ cursor: 'x' }, 'cursor'],
    [{ cursor: '' }, 'cursor'],
    [{ cursor: `2026-02-30T00:00:00.000Z~pay_${'0'.repeat(26)}~1` }, 'cursor'],
    [{ cursor: `2026-01-01T00:00:00.000Z~pay_${'0'.repeat(26)}~3` }, 'cursor'],
    [{ by: 'url' }, 'by'],
    [{ by: 'body; drop table event' }, 'by'],
  ])('%j is a validation error', async (query, field) => {
    const response = await get(query)
    expect(response).toMatchObject({ status: 400, body: { message: 'Validation error' } })
    expect(response.body.errors.map((error: { field: string }) => error.field)).toEqual([field])
  })

  it('needs the scope read', async () => {
    const keys = await shop.t.issue(shop.store.store, 'sandbox', ['create'])
    expect((await get({}, keys)).status).toBe(403)
  })
})
