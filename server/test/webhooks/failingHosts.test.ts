import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLoops } from '../../src/loops.ts'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import { startTestService, type TestService, type TestStore } from '../setup/testService.ts'

const DEAD = 50
const HEALTHY = 10
const EACH = 6
/** The bench measures the percentile; this only has to hold on a busy machine. */
const ARRIVES_WITHIN_MS = 8_000

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

/** Takes every request and never answers. */
const silence = (receivers: readonly Receiver[]) => {
  for (const receiver of receivers) receiver.answerWith(() => {})
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
  for (let turn = 0; turn < EACH; turn++) await payEach(shop, urls)
}

async function expectHealthyServed(healthy: readonly Receiver[], each: number): Promise<void> {
  await Promise.all(healthy.map((receiver) => receiver.until(each, ARRIVES_WITHIN_MS)))
  for (const receiver of healthy) {
    const ids = receiver.received.map((call) => call.headers['webhook-id'])
    expect(new Set(ids).size).toBe(each)
  }
}

/** Attempts that ended without an answer: none, as long as all the dead are still being waited for. */
async function unanswered(storeId: number): Promise<number> {
  const rows = await t.database.query<{ count: number }>(
    `select count(*)::int as count from delivery_attempt where store_id = $1 and error is not null`,
    [storeId],
  )
  return rows[0]!.count
}

it(`${DEAD} receivers that never answer do not keep ${HEALTHY} new ones waiting`, async () => {
  const shop = await t.createStore()
  const dead = await startMany(DEAD)
  const healthy = await startMany(HEALTHY)
  silence(dead)
  try {
    // The dead hold all they can get before anybody has heard of the others.
    await payAll(shop, dead)
    await payAll(shop, healthy)
    await expectHealthyServed(healthy, EACH)
    expect(await unanswered(shop.store.storeId)).toBe(0)
    expect(dead.every((receiver) => receiver.received.length > 0)).toBe(true)
  } finally {
    await Promise.all([...dead, ...healthy].map((receiver) => receiver.close()))
  }
})

it(`${DEAD} that answered until now and fall silent do not keep the others waiting`, async () => {
  const shop = await t.createStore()
  const dying = await startMany(DEAD)
  const healthy = await startMany(HEALTHY)
  try {
    await payAll(shop, [...dying, ...healthy])
    await expectHealthyServed([...dying, ...healthy], EACH)
    silence(dying)
    await payAll(shop, [...dying, ...healthy])
    await expectHealthyServed(healthy, 2 * EACH)
    expect(await unanswered(shop.store.storeId)).toBe(0)
  } finally {
    await Promise.all([...dying, ...healthy].map((receiver) => receiver.close()))
  }
})
