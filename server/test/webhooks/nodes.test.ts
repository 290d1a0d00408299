import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLoops } from '../../src/loops.ts'
import { openNode } from '../setup/anotherNode.ts'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import { startTestService, type TestService, type TestStore } from '../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())

/** Payments that are paid while no loop runs, so that their webhooks pile up. */
async function payMany(count: number, receiver: Receiver): Promise<void> {
  const made = await Promise.all(
    Array.from({ length: count }, () =>
      t.createPayment(shop.sandbox, { amount: 1, webhook_url: receiver.url }),
    ),
  )
  await Promise.all(
    made.map(({ payment_id }) =>
      t.call('POST', `/sandbox/payment/${payment_id}/pay`, shop.sandbox),
    ),
  )
}

const waiting = async () =>
  (await t.database.query<{ n: number }>('select count(*)::int as n from delivery'))[0]!.n

async function untilEmpty(): Promise<void> {
  for (let tries = 0; (await waiting()) > 0; tries++) {
    if (tries > 600) throw new Error(`${await waiting()} are left`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('two nodes on one database', () => {
  it('share a backlog, and send nothing twice', async () => {
    const receiver = await startReceiver()
    await payMany(300, receiver)
    expect(await waiting()).toBe(300)
    const nodes = await Promise.all([openNode(t), openNode(t)])
    const stops = nodes.map((node) => startLoops(node.service))
    await untilEmpty()
    const ids = receiver.received.map((call) => call.headers['webhook-id'])
    expect(new Set(ids).size).toBe(300)
    expect(ids).toHaveLength(300)
    for (const stop of stops) await stop()
    for (const node of nodes) await node.close()
    await receiver.close()
  })

  it('take over at once what a node that stops has not begun', async () => {
    const slow = await startReceiver((_request, response) => {
      setTimeout(() => response.end('ok'), 500)
    })
    const first = await openNode(t)
    const stopFirst = startLoops(first.service)
    await payMany(40, slow)
    await slow.until(1)
    const stopped = stopFirst()
    const second = await openNode(t)
    const stopSecond = startLoops(second.service)
    await stopped
    // Well before a lease could have run out.
    await untilEmpty()
    expect(new Set(slow.received.map((call) => call.headers['webhook-id'])).size).toBe(40)
    await stopSecond()
    await first.close()
    await second.close()
    await slow.close()
  })
})

describe('receivers that never answer', () => {
  it('delay neither the others nor, in the sandbox, what is live', async () => {
    const dead = await Promise.all(Array.from({ length: 20 }, () => startReceiver(() => {})))
    const healthy = await Promise.all(Array.from({ length: 5 }, () => startReceiver()))
    const live = await startReceiver()
    const node = await openNode(t)
    const stop = startLoops(node.service)
    const wallet = await t.createWallet({ balance: '100.00' })
    try {
      const pay = async (receiver: Receiver) => {
        const made = await node.call('POST', '/merchant/payment/create', shop.sandbox, {
          ...{ amount: 1, currency: 'USD', webhook_url: receiver.url },
        })
        const { payment_id } = made.body.data
        await node.call('POST', `/sandbox/payment/${payment_id}/pay`, shop.sandbox, {})
      }
      await Promise.all(dead.flatMap((receiver) => [1, 2, 3, 4, 5].map(() => pay(receiver))))
      await Promise.all(healthy.flatMap((receiver) => [1, 2, 3, 4, 5].map(() => pay(receiver))))
      const payment = await t.createPayment(shop.live, { amount: 1, webhook_url: live.url })
      await node.call('POST', `/wallet/payment/${payment.qr_code}/pay`, wallet.headers, {})
      // All of them long before the first of the dead is given up, which takes fifteen seconds.
      for (const receiver of healthy) await receiver.until(5, 8_000)
      await live.until(1, 8_000)
      expect(dead.every((receiver) => receiver.received.length >= 1)).toBe(true)
      const [given] = await t.database.query<{ n: number }>(
        `select count(*)::int as n from delivery_attempt where error is not null`,
      )
      expect(given!.n).toBe(0)
    } finally {
      await stop()
      await node.close()
      for (const receiver of [...dead, ...healthy, live]) await receiver.close()
    }
  })
})
