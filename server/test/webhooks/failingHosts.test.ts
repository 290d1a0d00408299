import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLoops } from '../../src/loops.ts'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import { startTestService, type TestService, type TestStore } from '../setup/testService.ts'

const HANGING = 50
const HEALTHY = 10
const EVENTS_PER_RECEIVER = 6
/** Less than the 15 seconds after which an attempt without a response ends. The benchmark measures the delays. */
const DELIVERY_TIMEOUT_MS = 14_000

let t: TestService
let stop: () => Promise<void>
beforeAll(async () => {
  t = await startTestService()
  stop = startLoops(t.service)
})
afterAll(async () => {
  await stop()
  await t.close()
})

const startMany = (count: number) =>
  Promise.all(Array.from({ length: count }, () => startReceiver()))

/** From now on, these receivers accept every request and never respond. */
const silence = (receivers: readonly Receiver[]) => {
  for (const receiver of receivers) receiver.respondWith(() => {})
}

async function payEach(shop: TestStore, urls: readonly string[]): Promise<void> {
  await Promise.all(
    urls.map(async (webhook_url) => {
      const { payment_id } = await t.createPayment(shop.sandbox, { webhook_url })
      const paid = await t.call('POST', `/sandbox/payment/${payment_id}/pay`, shop.sandbox, {})
      expect(paid.status).toBe(200)
    }),
  )
}

async function payAll(shop: TestStore, receivers: readonly Receiver[]): Promise<void> {
  const urls = receivers.map((receiver) => receiver.url)
  for (let turn = 0; turn < EVENTS_PER_RECEIVER; turn++) await payEach(shop, urls)
}

async function expectHealthyServed(healthy: readonly Receiver[], each: number): Promise<void> {
  await Promise.all(healthy.map((receiver) => receiver.until(each, DELIVERY_TIMEOUT_MS)))
  for (const receiver of healthy) {
    const ids = receiver.received.map((call) => call.headers['webhook-id'])
    expect(new Set(ids).size).toBe(each)
  }
}

/** Counts the attempts that ended without a response: none while all attempts at hanging receivers are in flight. */
async function countUnanswered(storeId: number): Promise<number> {
  const rows = await t.database.query<{ count: number }>(
    `select count(*)::int as count from delivery_attempt where store_id = $1 and error is not null`,
    [storeId],
  )
  return rows[0]!.count
}

it(`${HANGING} receivers that never respond don't delay ${HEALTHY} new ones`, async () => {
  const shop = await t.createStore()
  const hanging = await startMany(HANGING)
  const healthy = await startMany(HEALTHY)
  silence(hanging)
  try {
    // The hanging receivers use all the connections that they can get before the others start.
    await payAll(shop, hanging)
    await payAll(shop, healthy)
    await expectHealthyServed(healthy, EVENTS_PER_RECEIVER)
    expect(await countUnanswered(shop.store.storeId)).toBe(0)
    expect(hanging.every((receiver) => receiver.received.length > 0)).toBe(true)
  } finally {
    await Promise.all([...hanging, ...healthy].map((receiver) => receiver.close()))
  }
})

it(`${HANGING} receivers that stop responding don't delay the others`, async () => {
  const shop = await t.createStore()
  const failing = await startMany(HANGING)
  const healthy = await startMany(HEALTHY)
  try {
    await payAll(shop, [...failing, ...healthy])
    await expectHealthyServed([...failing, ...healthy], EVENTS_PER_RECEIVER)
    silence(failing)
    await payAll(shop, [...failing, ...healthy])
    await expectHealthyServed(healthy, 2 * EVENTS_PER_RECEIVER)
    expect(await countUnanswered(shop.store.storeId)).toBe(0)
  } finally {
    await Promise.all([...failing, ...healthy].map((receiver) => receiver.close()))
  }
})

it("a store with thousands of hosts that never respond doesn't delay another store", async () => {
  const [attacker, shop] = [await t.createStore(), await t.createStore()]
  const hanging = await startReceiver(() => {}, '0.0.0.0')
  const healthy = await startReceiver()
  try {
    await payEach(attacker, [hanging.url])
    await hanging.until(1)
    // Every address of 127.0.0.0/8 is this machine, and each is another host.
    await t.database.transaction((tx) =>
      tx.execute(
        `with cloned as (
           select 'pay_' || lpad(n::text, 26, '0') as payment_id,
             '127.9.' || n / 256 || '.' || n % 256 || ':' || $2::int as host, e.*
           from generate_series(1, 4000) as n
           cross join (select store_id, sequence, mode, type, body, created_at from event where store_id = $1) e
         ), events as (
           insert into event (store_id, payment_id, sequence, mode, type, body, url, created_at)
           select store_id, payment_id, sequence, mode, type, body, 'http://' || host || '/', created_at
           from cloned
         )
         insert into delivery (store_id, payment_id, sequence, mode, url, host, created_at, due_at)
         select store_id, payment_id, sequence, mode, 'http://' || host || '/', host, created_at, created_at
         from cloned`,
        [attacker.store.storeId, hanging.port],
      ),
    )
    t.service.dispatcher.wake()
    await hanging.until(50)
    await payAll(shop, [healthy])
    await expectHealthyServed([healthy], EVENTS_PER_RECEIVER)
    expect(await countUnanswered(attacker.store.storeId)).toBe(0)
  } finally {
    await Promise.all([hanging, healthy].map((receiver) => receiver.close()))
  }
})
