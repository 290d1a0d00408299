import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { PaymentId } from '../../src/core/ids.ts'
import { createChannel } from '../../src/database/channel.ts'
import { type Node, openNode } from '../setup/anotherNode.ts'
import { startCuttingProxy } from '../setup/cuttingProxy.ts'
import { startTestService, type TestService, type TestStore } from '../setup/testService.ts'

let t: TestService
let node: Node
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  node = await openNode(t)
  shop = await t.createStore()
})
afterAll(async () => {
  await node.close()
  await t.close()
})
beforeEach(async () => {
  const { channel } = node.service
  channel.start()
  await expect.poll(channel.isOpen, { interval: 5 }).toBe(true)
  return () => channel.stop()
})

const createPending = async () => (await t.createPayment(shop.live)).payment_id as PaymentId
const expire = (id: PaymentId) => t.call('POST', `/merchant/payment/${id}/expire`, shop.live)

/** Whether the other node gets a message within 15 seconds, before its wait times out. */
async function isNotified(id: PaymentId, change: () => Promise<unknown>): Promise<boolean> {
  const notified = node.service.changes.next(id, 20_000).then(() => true)
  await change()
  return Promise.race([notified, sleep(15_000, false, { ref: false })])
}

it('notifies a waiter on another node of a change', async () => {
  const id = await createPending()
  expect(await isNotified(id, () => expire(id))).toBe(true)
})

it('ends a long poll on another node as soon as the payment is settled', async () => {
  const id = await createPending()
  // Only a notification ends the wait: a poll would find the change as well.
  const { next } = node.service.changes
  const waits = vi.spyOn(node.service.changes, 'next')
  waits.mockImplementation((paymentId) => next(paymentId, 120_000))
  const response = node.call('GET', `/merchant/payment/${id}/status?wait=30`, shop.live)
  await expect.poll(() => waits.mock.calls.length).toBe(1)
  await expire(id)
  expect((await response).body.data.status).toBe('expired')
})

it('sends no message about payments that did not change', async () => {
  const [id, changedId] = [await createPending(), await createPending()]
  let hasMessage = false
  void node.service.changes.next(id, 20_000).then(() => {
    hasMessage = true
  })
  expect(await isNotified(changedId, () => expire(changedId))).toBe(true)
  expect(hasMessage).toBe(false)
})

it('wakes a waiter after it has reconnected, and then works again', async () => {
  const id = await createPending()
  const cut = () =>
    t.database.query(
      `select pg_terminate_backend(pid)
       from pg_stat_activity
       where application_name = 'florin_payment' and datname = current_database()`,
    )
  expect(await isNotified(id, cut)).toBe(true)
  expect(await isNotified(id, () => expire(id))).toBe(true)
})

it('reconnects if the server accepts the connection and never replies', async () => {
  const proxy = await startCuttingProxy(t.databaseUrl)
  const channel = createChannel({
    url: proxy.url,
    name: 'florin_test',
    onMessage: () => {},
    onConnect: () => {},
    heartbeatMs: 300,
  })
  try {
    proxy.mute(true)
    channel.start()
    await expect.poll(proxy.connections).toBeGreaterThan(1)
    proxy.mute(false)
    await expect.poll(channel.isOpen).toBe(true)
    // A connection that stops replying is detected as well.
    proxy.mute(true)
    await expect.poll(channel.isOpen).toBe(false)
  } finally {
    await channel.stop()
    await proxy.close()
  }
})

it('stops immediately, even while it connects', async () => {
  await node.service.channel.stop()
  node.service.channel.start()
  const startedMs = performance.now()
  await node.service.channel.stop()
  expect(performance.now() - startedMs).toBeLessThan(2_000)
})

it('stops immediately, even while the database is unavailable', async () => {
  await node.service.channel.stop()
  const offline = await openNode(t, 'postgres://nobody@127.0.0.1:1/nothing')
  offline.service.channel.start()
  const startedMs = performance.now()
  await offline.service.channel.stop()
  expect(performance.now() - startedMs).toBeLessThan(2_000)
  expect(offline.service.channel.isOpen()).toBe(false)
  await offline.close()
})
