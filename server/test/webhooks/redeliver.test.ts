import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { invalid, refusal } from '../setup/expected.ts'
import { statusAndBody } from '../setup/merchantCalls.ts'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import type { TestStore } from '../setup/testService.ts'
import { eventually, openShop, pause, type Shop } from './shop.ts'

let shop: Shop
let stranger: TestStore
let receiver: Receiver
beforeAll(async () => {
  shop = await openShop()
  stranger = await shop.t.createStore()
})
afterAll(() => shop.close())
beforeEach(async () => {
  receiver = await startReceiver()
  return () => receiver.close()
})
const respondWithStatus = (status: number) =>
  receiver.respondWith((_request, response) => void response.writeHead(status).end())

describe('GET /merchant/payment/{id}/webhooks', () => {
  it('returns the latest 100 attempts, however often the event was resent', async () => {
    const id = await shop.createPaid(receiver.url)
    await shop.untilAttempts(id, 1)
    await shop.sql(
      `insert into delivery_attempt (
         store_id, payment_id, sequence, mode, at, number, duration_ms, status_code, answer)
       select store_id, payment_id, sequence, mode, at + n * interval '1 second', n, n, 200, 'answer'
       from delivery_attempt
       cross join generate_series(1, 300) as n
       where payment_id = $1`,
      [id],
    )
    const [event] = await shop.readEvents(id)
    expect(event.attempts.map(({ duration_ms }: { duration_ms: number }) => duration_ms)).toEqual(
      Array.from({ length: 100 }, (_, index) => 201 + index),
    )
  })
})

describe('POST /merchant/payment/{id}/webhooks/redeliver', () => {
  it('resends a delivered event immediately, with the same id and the same bytes', async () => {
    const id = await shop.createPaid(receiver.url)
    await shop.untilAttempts(id, 1)
    const eventId = receiver.received[0]!.headers['webhook-id']
    const wake = vi.spyOn(shop.t.service.dispatcher, 'wake')
    expect(statusAndBody(await shop.redeliver(id))).toEqual({
      status: 200,
      body: {
        status: 200,
        message: 'Webhook is being resent',
        data: { id: eventId, type: 'payment.completed' },
      },
    })
    // The dispatcher does not wait for its next poll.
    expect(wake).toHaveBeenCalledOnce()
    const [first, second] = await receiver.until(2)
    expect(second!.headers['webhook-id']).toBe(eventId)
    expect(second!.body).toBe(first!.body)
    const event = await shop.untilAttempts(id, 2)
    expect(event).toMatchObject({ state: 'delivered', resent_at: expect.any(String) })
  })

  it('resends only the latest of several events', async () => {
    const id = await shop.createPaid(receiver.url)
    await shop.untilAttempts(id, 1)
    await shop.refund(id)
    await shop.untilAttempts(id, 1, 2)
    expect((await shop.redeliver(id)).body.data.type).toBe('payment.refunded')
    await shop.untilAttempts(id, 2, 2)
    await pause(300)
    const types = receiver.received.map((call) => JSON.parse(call.body).type)
    expect(types).toEqual(['payment.completed', 'payment.refunded', 'payment.refunded'])
  })

  it('makes a waiting event due now, and keeps its place in the retry schedule', async () => {
    respondWithStatus(500)
    const id = await shop.createPaid(receiver.url)
    await shop.untilAttempts(id, 1)
    await shop.skipRetryDelay(id)
    await shop.untilAttempts(id, 2)
    expect((await shop.redeliver(id)).status).toBe(200)
    await shop.untilAttempts(id, 3)
    const { attempts, dueAt } = (await shop.readDelivery(id))!
    expect(attempts).toBe(3)
    expect(dueAt!.getTime() - Date.now()).toBeGreaterThan(26 * 60_000)
  })

  it('starts a new retry schedule for an exhausted event', async () => {
    respondWithStatus(410)
    const id = await shop.createPaid(receiver.url)
    expect(await shop.untilAttempts(id, 1)).toMatchObject({ state: 'exhausted' })
    await shop.sql('update delivery set attempts = 10 where payment_id = $1', [id])
    respondWithStatus(500)
    expect((await shop.redeliver(id)).status).toBe(200)
    expect(await shop.untilAttempts(id, 2)).toMatchObject({ state: 'waiting' })
    const { attempts, dueAt } = (await shop.readDelivery(id))!
    expect(attempts).toBe(1)
    expect(dueAt!.getTime() - Date.now()).toBeLessThan(6_000)
    respondWithStatus(200)
    await shop.skipRetryDelay(id)
    expect(await shop.untilAttempts(id, 3)).toMatchObject({ state: 'delivered' })
    expect(new Set(receiver.received.map((call) => call.headers['webhook-id'])).size).toBe(1)
  })

  it('sends an event again that is resent during an attempt that fails', async () => {
    const responses: ServerResponse[] = []
    receiver.respondWith((_request, response) => void responses.push(response))
    const id = await shop.createPaid(receiver.url)
    await receiver.until(1)
    // The service's clock may be a little ahead of the database.
    const startedBefore = shop.t.service.clock.now()
    await eventually(async () =>
      expect(await shop.sql('select now() > $1 as past', [startedBefore])).toEqual([
        { past: true },
      ]),
    )
    expect((await shop.redeliver(id)).status).toBe(200)
    respondWithStatus(200)
    responses[0]!.writeHead(500, { 'retry-after': '3600' }).end()
    expect(await shop.untilAttempts(id, 2)).toMatchObject({ state: 'delivered' })
  })

  it('is 409 for a payment without a webhook URL', async () => {
    const id = await shop.createPaid(null)
    expect(statusAndBody(await shop.redeliver(id))).toEqual({
      status: 409,
      body: refusal(
        409,
        'This payment has no webhook_url, so its events cannot be resent. Set webhook_url when you create a payment.',
      ),
    })
    expect(await shop.readEvents(id)).toMatchObject([
      { state: 'not_wanted', resent_at: null, attempts: [] },
    ])
  })

  it('ten concurrent resends send at least once and leave nothing behind', async () => {
    const id = await shop.createPaid(receiver.url)
    await shop.untilAttempts(id, 1)
    const responses = await Promise.all(Array.from({ length: 10 }, () => shop.redeliver(id)))
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
    await receiver.until(2)
    await eventually(async () => expect(await shop.readDelivery(id)).toBeUndefined())
    expect((await shop.readEvents(id))[0].attempts).toHaveLength(receiver.received.length)
  })

  it('is 409 for a payment without an event', async () => {
    const { payment_id } = await shop.t.createPayment(shop.store.sandbox)
    expect(statusAndBody(await shop.redeliver(payment_id))).toEqual({
      status: 409,
      body: refusal(409, 'This payment has no events yet'),
    })
  })

  it("is 404 for an unknown or malformed id, another store's payment and the other mode", async () => {
    const id = await shop.createPaid(receiver.url)
    await shop.untilAttempts(id, 1)
    const unknown = await shop.redeliver(`pay_${'0'.repeat(26)}`)
    expect(statusAndBody(unknown)).toEqual({ status: 404, body: refusal(404, 'Payment not found') })
    for (const other of [
      await shop.redeliver('nonsense'),
      await shop.redeliver(id, stranger.sandbox),
      await shop.redeliver(id, shop.store.live),
    ]) {
      expect(statusAndBody(other)).toEqual(statusAndBody(unknown))
    }
    for (const keys of [stranger.sandbox, shop.store.live]) {
      const listed = await shop.t.call('GET', `/merchant/payment/${id}/webhooks`, keys)
      expect(statusAndBody(listed)).toEqual(statusAndBody(unknown))
    }
    expect(receiver.received).toHaveLength(1)
    expect(await shop.readDelivery(id)).toBeUndefined()
    expect((await shop.readEvents(id))[0].resent_at).toBeNull()
  })

  it('is refused to a key that can only read', async () => {
    const id = await shop.createPaid(null)
    const reader = await shop.t.issue(shop.store.store, 'sandbox', ['read'])
    expect((await shop.redeliver(id, reader)).status).toBe(403)
  })
})

describe('POST /merchant/events/redeliver', () => {
  const resendWindow = (body: unknown, keys = shop.store.sandbox) =>
    shop.t.call('POST', '/merchant/events/redeliver', keys, body)

  it('resends all events of a time window that have a URL, and counts only those', async () => {
    respondWithStatus(410)
    const exhausted = await shop.createPaid(receiver.url)
    await shop.untilAttempts(exhausted, 1)
    respondWithStatus(500)
    const waiting = await shop.createPaid(receiver.url)
    await shop.untilAttempts(waiting, 1)
    respondWithStatus(200)
    const delivered = await shop.createPaid(receiver.url)
    const withoutUrl = await shop.createPaid(null)
    await shop.untilAttempts(delivered, 1)
    const ids = [exhausted, waiting, delivered, withoutUrl]
    // Its first retry would be after 5 seconds, which a busy machine may need for this test.
    await shop.sql(`update delivery set due_at = now() + interval '1 hour' where payment_id = $1`, [
      waiting,
    ])
    // On another day, so that the window excludes the events of other tests.
    await shop.sql(
      `update event set created_at = '2020-02-02 12:00:00Z' where payment_id = any($1)`,
      [ids],
    )
    const earlyId = await shop.createPaid(receiver.url)
    const lateId = await shop.createPaid(receiver.url)
    for (const id of [earlyId, lateId]) await shop.untilAttempts(id, 1)
    await shop.sql(
      `update event set created_at = case payment_id when $1 then timestamptz '2020-02-02 11:59:59.999Z' else '2020-02-02 13:00:00Z' end
       where payment_id = any($2)`,
      [earlyId, [earlyId, lateId]],
    )
    const body = { created_from: '2020-02-02 12:00:00', created_to: '2020-02-02T13:00:00Z' }
    for (const keys of [stranger.sandbox, shop.store.live]) {
      expect((await resendWindow(body, keys)).body.data).toEqual({ events: 0 })
    }
    expect(statusAndBody(await resendWindow(body))).toEqual({
      status: 200,
      body: { status: 200, message: 'Events are being resent', data: { events: 3 } },
    })
    await receiver.until(8)
    for (const id of [exhausted, waiting, delivered]) {
      expect(await shop.untilAttempts(id, 2)).toMatchObject({
        state: 'delivered',
        resent_at: expect.any(String),
      })
    }
    for (const id of [withoutUrl, earlyId, lateId])
      expect((await shop.readEvents(id))[0].resent_at).toBeNull()
    await pause(300)
    expect(receiver.received).toHaveLength(8)
  })

  it('resends more events than fit in one step', async () => {
    const count = 1_201
    await shop.sql(
      `insert into event (store_id, payment_id, sequence, mode, type, body, url, created_at)
       select $1, 'pay_' || lpad(g::text, 26, '0'), 1, 'sandbox', 'payment.expired', '{}', $2, '2019-01-01 00:00:00Z'
       from generate_series(1, $3::int) g`,
      [shop.store.store.storeId, receiver.url, count],
    )
    const response = await resendWindow({
      created_from: '2019-01-01 00:00:00',
      created_to: '2019-01-01 00:00:01',
    })
    expect(response.body.data).toEqual({ events: count })
    const [left] = await shop.sql<{ n: number }>(
      `select count(*)::int as n from event where created_at < '2019-01-02' and resent_at is null`,
    )
    expect(left!.n).toBe(0)
  })

  const [from, to] = ['2026-01-01 00:00:00', '2026-01-02 00:00:00']
  it.each<[string, unknown, [string, string][]]>([
    [
      'reversed',
      { created_from: to, created_to: from },
      [['created_to', 'created_to must be after created_from']],
    ],
    [
      'empty',
      { created_from: from, created_to: from },
      [['created_to', 'created_to must be after created_from']],
    ],
    [
      'not made of times',
      { created_from: 'yesterday', created_to: '2026-02-30 00:00:00' },
      [
        ['created_from', 'created_from must be a time such as 2026-01-31 08:00:00'],
        ['created_to', 'created_to must be a time such as 2026-01-31 08:00:00'],
      ],
    ],
    [
      'invalid in two ways',
      { created_from: 1, created_to: 'tomorrow' },
      [
        ['created_from', 'created_from must be a string'],
        ['created_to', 'created_to must be a time such as 2026-01-31 08:00:00'],
      ],
    ],
    [
      'incomplete and invalid',
      { created_to: 'tomorrow' },
      [
        ['created_from', 'created_from is required'],
        ['created_to', 'created_to must be a time such as 2026-01-31 08:00:00'],
      ],
    ],
  ])('refuses a window that is %s', async (_what, body, problems) => {
    expect(statusAndBody(await resendWindow(body))).toEqual({
      status: 400,
      body: invalid(...problems),
    })
  })

  it.each<[string, unknown, string[]]>([
    ['an empty object', {}, ['created_from', 'created_to']],
    ['a window without an end', { created_from: from }, ['created_to']],
    ['numbers as times', { created_from: 1, created_to: 2 }, ['created_from', 'created_to']],
    ['null as times', { created_from: null, created_to: null }, ['created_from', 'created_to']],
    ['an array', [], ['body']],
    ['invalid JSON', '{', ['body']],
  ])('refuses %s', async (_what, body, fields) => {
    const response = await resendWindow(body)
    expect(response).toMatchObject({ status: 400, body: { message: 'Validation error' } })
    expect(response.body.errors.map((error: { field: string }) => error.field)).toEqual(fields)
  })

  it('refuses another content type', async () => {
    const headers = { ...shop.store.sandbox, 'content-type': 'text/plain' }
    expect((await resendWindow('from=1', headers)).status).toBe(415)
  })
})
