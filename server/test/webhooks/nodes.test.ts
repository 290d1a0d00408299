import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startLoops } from '../../src/loops.ts'
import type { Service } from '../../src/service.ts'
import { type Node, openNode } from '../setup/anotherNode.ts'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import { until } from '../setup/started.ts'
import { startTestService, type TestService, type TestStore } from '../setup/testService.ts'

let t: TestService
let node: Node
let shop: TestStore
let receivers: Receiver[]
let stops: (() => Promise<void>)[]
beforeEach(async () => {
  receivers = []
  stops = []
  t = await startTestService()
  node = await openNode(t)
  shop = await t.createStore()
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
    await Promise.all(receivers.map((receiver) => receiver.close()))
    await node.close()
    await t.close()
  }
})
afterEach(async () => expect(await t.auditFindings()).toEqual([]))

/** Starts a receiver that responds after a delay. With null, it never responds. */
async function startSlowReceiver(delayMs: number | null): Promise<Receiver> {
  const receiver = await startReceiver((_request, response) => {
    if (delayMs !== null) setTimeout(() => response.end('ok'), delayMs)
  })
  receivers.push(receiver)
  return receiver
}

function run(service: Service): () => Promise<void> {
  const stop = startLoops(service)
  let stopping: Promise<void> | undefined
  const stopOnce = () => {
    stopping ??= stop()
    return stopping
  }
  stops.push(stopOnce)
  return stopOnce
}

/** Creates due deliveries while no dispatcher runs. */
async function makeDue(count: number, url: string): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async () => {
      const { payment_id } = await t.createPayment(shop.sandbox, { webhook_url: url })
      const paid = await t.call('POST', `/sandbox/payment/${payment_id}/pay`, shop.sandbox, {})
      expect(paid.status).toBe(200)
    }),
  )
}

const count = async (from: string) => {
  const rows = await t.database.query<{ count: number }>(
    `select count(*)::int as count from ${from}`,
  )
  return rows[0]!.count
}

async function countSentBy(service: Service): Promise<number> {
  const { values } = await service.metrics.webhooks.get()
  return values.reduce((sum, { value }) => sum + value, 0)
}

const idsOf = (receiver: Receiver) => receiver.received.map((call) => call.headers['webhook-id'])

describe('two nodes on one database', () => {
  it('share the due deliveries: both send, and nothing is sent twice', async () => {
    const receiver = await startSlowReceiver(20)
    await makeDue(600, receiver.url)
    run(t.service)
    run(node.service)
    await receiver.until(600)
    await until(async () => (await count('delivery')) === 0)
    expect(idsOf(receiver)).toHaveLength(600)
    expect(new Set(idsOf(receiver)).size).toBe(600)
    expect(await count('delivery_attempt')).toBe(600)
    const sentHere = await countSentBy(t.service)
    const sentElsewhere = await countSentBy(node.service)
    expect(sentHere + sentElsewhere).toBe(600)
    expect(Math.min(sentHere, sentElsewhere)).toBeGreaterThan(0)
  })

  it('a stopping node releases unsent deliveries, and the other sends them immediately', async () => {
    const receiver = await startSlowReceiver(250)
    await makeDue(300, receiver.url)
    const stop = run(t.service)
    await receiver.until(12)
    // The node has claimed more than it has sent. Otherwise there would be nothing to release.
    await until(async () => (await count('delivery where lease is not null')) > 40)
    await stop()
    expect(await count('delivery where lease is not null')).toBe(0)
    const left = await count('delivery')
    expect(left).toBeGreaterThan(0)
    expect(left + receiver.received.length).toBe(300)

    run(node.service)
    // A lease would expire after 45 seconds.
    await receiver.until(300, 40_000)
    await until(async () => (await count('delivery')) === 0)
    expect(new Set(idsOf(receiver)).size).toBe(300)
    expect(receiver.received).toHaveLength(300)
  })
})

describe('sandbox and live', () => {
  const SILENT_RECEIVERS = 40
  const BACKLOG = 4_000
  /** Less than the 15 seconds after which the first attempt at a silent receiver ends. */
  const MAX_WAIT_MS = 10_000

  /** Creates thousands of sandbox deliveries for receivers that never respond, as copies of a real one. */
  async function makeSandboxBacklog(): Promise<Receiver[]> {
    const silent = await Promise.all(
      Array.from({ length: SILENT_RECEIVERS }, () => startSlowReceiver(null)),
    )
    await makeDue(1, silent[0]!.url)
    await t.database.transaction(async (tx) => {
      await tx.execute(
        `insert into event (store_id, payment_id, sequence, mode, type, body, url, created_at)
         select store_id, 'pay_' || lpad(n::text, 26, '0'), sequence, mode, type, body,
           ($1::text[])[1 + n % $2], created_at
         from event, generate_series(1, $3::int) n`,
        [silent.map((receiver) => receiver.url), SILENT_RECEIVERS, BACKLOG],
      )
      await tx.execute(
        `insert into delivery (store_id, payment_id, sequence, mode, url, host, created_at, due_at)
         select store_id, payment_id, sequence, mode, url, split_part(url, '/', 3), created_at, now()
         from event
         on conflict do nothing`,
      )
    })
    return silent
  }

  it('a live event does not wait for thousands of events for sandbox receivers that never respond', async () => {
    const silent = await makeSandboxBacklog()
    const live = await startSlowReceiver(0)
    const { headers } = await t.createWallet({ balance: '1000' })
    const order = { webhook_url: live.url }
    const payments = [
      await t.createPayment(shop.live, order),
      await t.createPayment(shop.live, order),
    ]
    run(t.service)
    await until(async () => silent.every((receiver) => receiver.received.length > 0))

    const first = await t.call('POST', `/wallet/payment/${payments[0]!.qr_code}/pay`, headers, {})
    expect(first.status).toBe(200)
    await live.until(1, MAX_WAIT_MS)

    // Committed by a node whose dispatcher doesn't run, so that the other node has to find it.
    const second = await node.call(
      'POST',
      `/wallet/payment/${payments[1]!.qr_code}/pay`,
      headers,
      {},
    )
    expect(second.status).toBe(200)
    await live.until(2, MAX_WAIT_MS)
    // The copies have no payments, which the audit would report.
    await t.database.transaction((tx) =>
      tx.execute(`delete from event where payment_id like 'pay_000000%'`),
    )
  })
})
