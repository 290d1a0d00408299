import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PaymentId } from '../../src/core/ids.ts'
import { startLoops } from '../../src/loops.ts'
import { recordResults } from '../../src/ops/deliveries.ts'
import type { Attempt } from '../../src/sql/deliveries.ts'
import { openNode } from '../setup/anotherNode.ts'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import { eventually, openShop, type Shop } from './shop.ts'

let shop: Shop
let secret: string
let receiver: Receiver
beforeAll(async () => {
  shop = await openShop()
  const path = `/operator/stores/${shop.store.store.storeId}/credentials`
  const issued = await shop.t.call('POST', path, shop.t.operator, { mode: 'sandbox' })
  secret = issued.body.data.webhook_secret
})
afterAll(() => shop.close())
beforeEach(async () => {
  receiver = await startReceiver()
  return () => receiver.close()
})
const respond = (status: number, body = '', headers: Record<string, string> = {}) =>
  receiver.respondWith((_request, response) => void response.writeHead(status, headers).end(body))

describe('a failed attempt', () => {
  it('is retried with the same id and bytes, and with a new time and signature', async () => {
    respond(500, 'broken')
    const id = await shop.createPaid(receiver.url, { reference_note: 'Zoë €😀' })
    const first = await shop.untilAttempts(id, 1)
    expect(first).toMatchObject({ state: 'waiting', next_attempt_at: expect.any(String) })
    const { dueAt } = (await shop.readDelivery(id))!
    const waitMs = dueAt!.getTime() - receiver.received[0]!.atMs
    expect(waitMs).toBeGreaterThan(4_400)
    expect(dueAt!.getTime() - Date.now()).toBeLessThan(5_600)

    // The signed time is in whole seconds.
    const timestamp = Number(receiver.received[0]!.headers['webhook-timestamp'])
    await eventually(() => expect(Date.now()).toBeGreaterThanOrEqual((timestamp + 1) * 1000))
    respond(204)
    await shop.skipRetryDelay(id)
    const [call, retry] = await receiver.until(2)
    expect(retry!.headers['webhook-id']).toBe(call!.headers['webhook-id'])
    expect(retry!.body).toBe(call!.body)
    const times = [call!, retry!].map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(1)
    expect(Math.abs(times[1]! * 1000 - retry!.atMs)).toBeLessThan(20_000)
    expect(retry!.headers['webhook-signature']).not.toBe(call!.headers['webhook-signature'])
    for (const { body, headers } of [call!, retry!]) new Webhook(secret).verify(body, headers)

    const delivered = await shop.untilAttempts(id, 2)
    expect(delivered).toMatchObject({ state: 'delivered', next_attempt_at: null })
    expect(delivered.attempts).toMatchObject([
      { status_code: 500, error: null, body: 'broken' },
      { status_code: 204, error: null, body: '' },
    ])
    expect(await shop.readDelivery(id)).toBeUndefined()
    expect(receiver.received).toHaveLength(2)
  })

  it.each<[string, () => void, Record<string, unknown>]>([
    ['a response', () => respond(503, 'busy'), { status_code: 503, body: 'busy' }],
    [
      'the reason for a missing response',
      () => receiver.respondWith((request) => request.socket.destroy()),
      { error: 'the connection was closed before the response was complete' },
    ],
  ])('shows %s in the details, until the next attempt', async (_what, fail, response) => {
    fail()
    const id = await shop.createPaid(receiver.url)
    await shop.untilAttempts(id, 1)
    const before = (await shop.readDetails(id)).webhook
    expect(before).toEqual({ url: receiver.url, called_at: expect.any(String), response })
    respond(200, 'thanks')
    await shop.skipRetryDelay(id)
    await shop.untilAttempts(id, 2)
    const after = (await shop.readDetails(id)).webhook
    expect(after.response).toEqual({ status_code: 200, body: 'thanks' })
  })

  it('waits as long as Retry-After says', async () => {
    respond(429, '', { 'retry-after': '7200' })
    const id = await shop.createPaid(receiver.url)
    await shop.untilAttempts(id, 1)
    const { dueAt } = (await shop.readDelivery(id))!
    expect(Math.abs(dueAt!.getTime() - Date.now() - 7_200_000)).toBeLessThan(10_000)
  })

  it("compares a date in Retry-After with the database's clock", async () => {
    const until = new Date(shop.t.service.clock.now().getTime() + 7_200_000)
    receiver.respondWith((_request, response) => {
      // The clock of the machine is half a day behind.
      vi.setSystemTime(Date.now() - 43_200_000)
      response.writeHead(503, { 'retry-after': until.toUTCString() }).end()
    })
    try {
      const id = await shop.createPaid(receiver.url)
      await shop.untilAttempts(id, 1)
      const { dueAt } = (await shop.readDelivery(id))!
      expect(Math.abs(dueAt!.getTime() - until.getTime())).toBeLessThan(10_000)
    } finally {
      vi.useRealTimers()
    }
  })

  it('with status 410 ends the retries', async () => {
    respond(410, 'gone')
    const id = await shop.createPaid(receiver.url)
    expect(await shop.untilAttempts(id, 1)).toMatchObject({
      state: 'exhausted',
      next_attempt_at: null,
    })
    expect(await shop.readDelivery(id)).toMatchObject({ attempts: 1, dueAt: null })
    expect(receiver.received).toHaveLength(1)
  })

  it('after the tenth attempt the event is exhausted, and each attempt is recorded once', async () => {
    respond(500)
    const id = await shop.createPaid(receiver.url)
    for (let attempt = 1; attempt <= 10; attempt++) {
      const event = await shop.untilAttempts(id, attempt)
      expect(event.state).toBe(attempt < 10 ? 'waiting' : 'exhausted')
      expect((await shop.readDelivery(id))!.attempts).toBe(attempt)
      if (attempt < 10) await shop.skipRetryDelay(id)
    }
    expect(receiver.received).toHaveLength(10)
    expect(new Set(receiver.received.map((call) => call.headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map((call) => call.body)).size).toBe(1)
    const numbers = await shop.sql<{ number: number }>(
      'select number from delivery_attempt where payment_id = $1 order by at',
      [id],
    )
    expect(numbers.map((row) => row.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect((await shop.readEvents(id))[0]).toMatchObject({
      state: 'exhausted',
      next_attempt_at: null,
    })
  })
})

describe('a lease', () => {
  const lease = (id: string, token: string, duration: string) =>
    shop.sql(
      `update delivery set lease = $2, leased_until = now() + $3::interval, due_at = now()
       where payment_id = $1`,
      [id, token, duration],
    )

  async function countAttempts(): Promise<number> {
    const { values } = await shop.t.service.metrics.webhooks.get()
    return values.reduce((sum, { value }) => sum + value, 0)
  }

  it('of a dead process is taken over when it expires, not before, and is not counted as an attempt', async () => {
    respond(500)
    const id = await shop.createPaid(receiver.url)
    const other = await shop.createPaid(receiver.url)
    for (const payment of [id, other]) await shop.untilAttempts(payment, 1)
    await lease(id, randomUUID(), '1 minute')
    // The delivery without a lease became due later, so the dispatcher has passed over the leased one.
    await shop.skipRetryDelay(other)
    await shop.untilAttempts(other, 2)
    expect((await shop.readEvents(id))[0].attempts).toHaveLength(1)

    respond(200)
    await lease(id, randomUUID(), '-1 second')
    expect(await shop.untilAttempts(id, 2)).toMatchObject({ state: 'delivered' })
    const calls = receiver.received.filter((call) => JSON.parse(call.body).data.payment_id === id)
    expect(calls).toHaveLength(2)
    expect(calls[1]!.headers['webhook-id']).toBe(calls[0]!.headers['webhook-id'])
  })

  it('that ends more than twice its length ahead is over, because the clock was set back', async () => {
    respond(500)
    const id = await shop.createPaid(receiver.url)
    await shop.untilAttempts(id, 1)
    respond(200)
    await lease(id, randomUUID(), '1 hour')
    shop.t.service.dispatcher.wake()
    expect(await shop.untilAttempts(id, 2)).toMatchObject({ state: 'delivered' })
  })

  it.each([200, 500, 410])(
    'that was lost makes a response of %i change nothing',
    async (status) => {
      let finish = () => {}
      receiver.respondWith((_request, response) => {
        finish = () => void response.writeHead(status).end()
      })
      const id = await shop.createPaid(receiver.url)
      await receiver.until(1)
      const other = randomUUID()
      await lease(id, other, '1 minute')
      const before = await shop.readDelivery(id)
      const attemptCount = await countAttempts()
      finish()
      // The dispatcher counts an attempt after it has written its result.
      await eventually(async () => expect(await countAttempts()).toBe(attemptCount + 1))
      expect(await shop.readDelivery(id)).toEqual(before)
      expect(before).toMatchObject({ lease: other, attempts: 0 })
      expect((await shop.readEvents(id))[0]).toMatchObject({ state: 'waiting', attempts: [] })
    },
  )

  it('that was lost and claimed again by the same process: only the second result counts', async () => {
    const id = (await shop.createPaid(null)) as PaymentId
    const [current, lost] = [randomUUID(), randomUUID()]
    const { storeId } = shop.store.store
    await shop.sql(
      `insert into delivery (store_id, payment_id, sequence, mode, url, host, created_at, due_at, lease, leased_until)
       values ($1, $2, 1, 'sandbox', 'http://127.0.0.1:1/', '127.0.0.1:1', now(), now(), $3, now() + interval '1 minute')`,
      [storeId, id, current],
    )
    const result = (token: string, startedAt: Date): Attempt => ({
      storeId,
      paymentId: id,
      sequence: 1,
      lease: token,
      startedAt,
      durationMs: 5,
      statusCode: 500,
      error: null,
      responseBody: token,
      retry: { waitMs: 3_600_000 },
    })
    const [earlyTime, lateTime] = [new Date(Date.now() - 60_000), new Date()]
    await recordResults(shop.t.database, [result(lost, earlyTime), result(current, lateTime)])
    const [event] = await shop.readEvents(id)
    expect(event.attempts).toMatchObject([{ body: current }])
    expect(await shop.readDelivery(id)).toMatchObject({ attempts: 1, lease: null })
  })
})

describe('a restart', () => {
  it('keeps the schedule: another node sends the event when it is due, and not before', async () => {
    const old = await openShop()
    respond(500)
    const id = await old.createPaid(receiver.url)
    await eventually(async () => expect((await old.readDelivery(id))!.attempts).toBe(1))
    await old.stop()
    // Not as late as the schedule says, to save time.
    await old.sql(`update delivery set due_at = now() + interval '1500 ms' where payment_id = $1`, [
      id,
    ])
    const before = (await old.readDelivery(id))!
    expect(before).toMatchObject({ lease: null, attempts: 1 })

    const node = await openNode(old.t)
    const stop = startLoops(node.service)
    respond(200)
    const [first, second] = await receiver.until(2)
    expect(second!.atMs).toBeGreaterThanOrEqual(before.dueAt!.getTime())
    expect(second!.body).toBe(first!.body)
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    await eventually(async () => expect(await old.readDelivery(id)).toBeUndefined())
    await stop()
    await node.close()
    await old.close()
  })

  it('during an attempt releases the event immediately, without counting the attempt', async () => {
    const old = await openShop()
    receiver.respondWith(() => {})
    const id = await old.createPaid(receiver.url)
    await receiver.until(1)
    const startedMs = Date.now()
    await old.stop()
    expect(Date.now() - startedMs).toBeLessThan(12_000)
    expect(await old.readDelivery(id)).toMatchObject({
      lease: null,
      leasedUntil: '-infinity',
      attempts: 0,
    })

    respond(200)
    const node = await openNode(old.t)
    const stop = startLoops(node.service)
    await receiver.until(2)
    await eventually(async () => expect(await old.readDelivery(id)).toBeUndefined())
    await stop()
    await node.close()
    await old.close()
  })
})

it('two nodes on one database share the work and send nothing twice', async () => {
  const old = await openShop()
  await old.stop()
  const waiting: (() => void)[] = []
  receiver.respondWith((_request, response) => {
    waiting.push(() => response.end('ok'))
    // A node without a response sends at most four requests, so the fifth comes from the other one.
    if (receiver.received.length > 4) for (const finish of waiting.splice(0)) finish()
  })
  const ids = await Promise.all(Array.from({ length: 100 }, () => old.createPaid(receiver.url)))
  expect(receiver.received).toHaveLength(0)
  const nodes = await Promise.all([openNode(old.t), openNode(old.t)])
  const stops = nodes.map((node) => startLoops(node.service))
  await receiver.until(ids.length)
  await eventually(async () => {
    const rows = await old.sql('select 1 from delivery')
    expect(rows).toHaveLength(0)
  })
  const sent = receiver.received.map((call) => JSON.parse(call.body).data.payment_id)
  expect(sent.sort()).toEqual(ids.sort())
  for (const node of nodes) {
    const { values } = await node.service.metrics.webhooks.get()
    expect(values.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThan(0)
  }
  await Promise.all(stops.map((stop) => stop()))
  await Promise.all(nodes.map((node) => node.close()))
  await old.close()
})
