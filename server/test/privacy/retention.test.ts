import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLoops } from '../../src/loops.ts'
import { applyRetention } from '../../src/ops/retention.ts'
import { lock } from '../../src/sql/locks.ts'
import { openNode } from '../setup/anotherNode.ts'
import { refusal } from '../setup/expected.ts'
import { restoreEventTimes } from '../setup/ledgerHistory.ts'
import { createPaidPayment } from '../setup/merchantCalls.ts'
import { createPerson } from '../setup/people.ts'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import { rethrow } from '../setup/rethrow.ts'
import { eventually, openShop, type Shop } from '../webhooks/shop.ts'
import { readLedger } from './searchTables.ts'

let shop: Shop
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver((_request, response, body) => response.end(body))
  shop = await openShop({ limitsWaits: true })
})
afterAll(async () => {
  await receiver.close()
  await shop.close()
})

const personalFields = {
  client: { name: 'Fern', email: 'fern@client.example', phone: '12345' },
  payload: { basket: 7 },
  reference_note: 'Blue',
  return_url: 'https://shop.example/?customer=fern',
}
const createSettled = async (url: string | null = receiver.url) => {
  const id = await shop.createPaid(url, personalFields)
  if (url === receiver.url) {
    await eventually(async () =>
      expect((await shop.readDetails(id)).webhook.called_at).not.toBeNull(),
    )
  }
  return id
}
/** Moves an event into the past, and the stored progress back, so that older rows are processed again. */
const age = async (id: string, days: number, sequence = 1) => {
  const [event] = await shop.t.database.query<{ at: Date }>(
    `select created_at - $2::int * interval '1 day' as at
     from event
     where payment_id = $1 and sequence = $3`,
    [id, days, sequence],
  )
  await shop.sql('update event set created_at = $2 where payment_id = $1 and sequence = $3', [
    id,
    event!.at,
    sequence,
  ])
  await shop.sql(`update retention set emptied_until = '2000-01-01'`)
}
type RunOptions = Partial<Parameters<typeof applyRetention>[1]>
const emptyOld = (keepDays = 30, options: RunOptions = {}) =>
  applyRetention(shop.t.database, {
    keepDays,
    isStopped: () => false,
    onFailure: rethrow,
    ...options,
  })
const bodyOf = async (id: string) => {
  const { body } = await shop.t.call('GET', '/merchant/events?limit=100', shop.store.sandbox)
  const events = body.data.events as { payment_id: string; body: string }[]
  return events.filter((event) => event.payment_id === id).map((event) => event.body)
}

it('deletes data older than the retention period, and nothing younger', async () => {
  const [oldId, newId] = [await createSettled(), await createSettled()]
  const { payment_id: pending } = await shop.t.createPayment(shop.store.sandbox, personalFields)
  await age(oldId, 31)
  await age(newId, 29)
  const [before, untouched] = [await shop.readDetails(oldId), await shop.readDetails(newId)]
  const money = await readLedger(shop.t.database)

  expect(await emptyOld()).toBe(1)
  const webhook = { ...before.webhook, response: { status_code: 200, body: null } }
  expect(await shop.readDetails(oldId)).toEqual({ ...before, client: null, payload: null, webhook })
  const checkout = async (id: string) => {
    const { status, text } = await shop.t.call('GET', `/pay/${id}`)
    expect(status).toBe(200)
    return text
  }
  expect(await checkout(oldId)).not.toContain('shop.example')
  expect(await checkout(newId)).toContain('https://shop.example/?customer=fern')
  expect(await bodyOf(oldId)).toEqual([''])
  expect((await shop.readEvents(oldId))[0]).toMatchObject({
    state: 'delivered',
    type: 'payment.completed',
  })
  expect(await shop.readDetails(newId)).toEqual(untouched)
  expect((await shop.readDetails(pending)).client).not.toBeNull()
  expect(await readLedger(shop.t.database)).toEqual(money)

  expect(await emptyOld()).toBe(0)
  expect(await emptyOld(28)).toBe(1)
  expect(await bodyOf(newId)).toEqual([''])
  await restoreEventTimes(shop.t)
  expect(await shop.t.auditFindings()).toEqual([])
})

it('refuses to resend an emptied event, and resends the others', async () => {
  const [oldId, newId] = [await createSettled(), await createSettled()]
  await age(oldId, 31)
  await emptyOld()
  const emptiedRefusal = refusal(
    409,
    'The content of this event is no longer stored, so it cannot be resent',
  )
  expect((await shop.redeliver(oldId)).body).toEqual(emptiedRefusal)
  const owner = await createPerson(shop.t, shop.store.store)
  const resend = (body: object) =>
    shop.t.call('POST', '/store/sandbox/webhooks/resend', owner.headers, body)
  const idOf = async (id: string) => (await shop.readEvents(id))[0].id
  expect((await resend({ ids: [await idOf(oldId)] })).body).toEqual(emptiedRefusal)
  const resent = await resend({ ids: [await idOf(oldId), await idOf(newId)] })
  expect(resent.body.data.events).toBe(1)
  const window = { created_from: '2020-01-01', created_to: '2099-01-01' }
  const { body } = await shop.t.call(
    'POST',
    '/merchant/events/redeliver',
    shop.store.sandbox,
    window,
  )
  const [left] = await shop.sql<{ events: number }>(
    `select count(*)::int as events from event where body <> ''`,
  )
  expect(body.data.events).toBe(left!.events)
})

it('ends the delivery of an emptied event, even while an attempt is in flight', async () => {
  let respondLate = () => {}
  const lateReceiver = await startReceiver((_request, response) => {
    respondLate = () => void response.writeHead(500).end()
  })
  const id = await createSettled(lateReceiver.url)
  await lateReceiver.until(1)
  await age(id, 31)
  expect(await emptyOld()).toBe(1)
  respondLate()
  // The dispatcher gets its response, polls for due deliveries and finds none.
  shop.t.service.dispatcher.wake()
  await createSettled()
  expect((await shop.readEvents(id))[0].state).toBe('exhausted')
  expect((await shop.readEvents(id))[0].attempts).toEqual([])
  expect(lateReceiver.received).toHaveLength(1)
  await lateReceiver.close()
})

it('the event of a later refund contains what is still stored', async () => {
  const id = await createSettled()
  await age(id, 31)
  await emptyOld()
  expect((await shop.refund(id)).status).toBe(200)
  const [, refund] = await bodyOf(id)
  expect(JSON.parse(refund!).data).toMatchObject({
    client: null,
    payload: null,
    status: 'refunded',
  })
  await age(id, 31, 2)
  expect(await emptyOld()).toBeGreaterThanOrEqual(1)
  expect(await bodyOf(id)).toEqual(['', ''])
  await restoreEventTimes(shop.t)
  expect(await shop.t.auditFindings()).toEqual([])
})

it('processes a backlog in batches, during payments, and in two concurrent runs', async () => {
  const ids = await Promise.all(Array.from({ length: 30 }, () => createSettled(null)))
  await shop.sql(`update event set created_at = '2025-01-01' where payment_id = any($1)`, [ids])
  await shop.sql(`update retention set emptied_until = '2000-01-01'`)
  // Stopped after its second batch, it leaves the rest. It processes live before sandbox.
  let stopChecks = 0
  expect(await emptyOld(30, { batchSize: 7, isStopped: () => ++stopChecks > 3 })).toBe(14)
  const runInSmallBatches = () => emptyOld(30, { batchSize: 7 })
  const [first, second, paid] = await Promise.all([
    runInSmallBatches(),
    runInSmallBatches(),
    createSettled(null),
  ])
  expect(first + second + (await runInSmallBatches())).toBe(16)
  const [left] = await shop.sql<{ events: number }>(
    `select count(*)::int as events from event where payment_id = any($1) and body <> ''`,
    [ids],
  )
  expect(left!.events).toBe(0)
  expect((await shop.readDetails(paid)).client).not.toBeNull()
})

it('runs only if a retention period is configured', async () => {
  const id = await createSettled(null)
  await age(id, 31)
  const node = await openNode(shop.t, undefined, { retentionDays: 30 })
  expect(shop.t.service.config.retentionDays).toBeNull()
  expect(await bodyOf(id)).not.toEqual([''])
  const stop = startLoops(node.service)
  await eventually(async () => expect(await bodyOf(id)).toEqual(['']))
  await stop()
  await node.close()
})

it('deletes the data of other stores while the lock of a store is stuck', async () => {
  const { t } = shop
  const id = await createSettled(null)
  const other = await t.createStore()
  const payer = await t.createWallet({ balance: '10.00' })
  const { payment_id: otherId } = await createPaidPayment(t, other.live, payer, personalFields)
  for (const old of [id, otherId]) await age(old, 31)
  const failed: number[] = []
  await t.database.transaction(async (tx) => {
    await lock(tx, { stores: [shop.store.store.storeId] })
    const onFailure = (storeId: number) => void failed.push(storeId)
    expect(await emptyOld(30, { onFailure })).toBe(1)
  })
  expect(failed).toEqual([shop.store.store.storeId])
  const details = await t.call('GET', `/merchant/payment/${otherId}`, other.live)
  expect(details.body.data.client).toBeNull()
  expect(await emptyOld()).toBe(1)
})
