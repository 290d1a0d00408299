import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { auditLedger } from '../../src/ops/auditLedger.ts'
import { type ReceivedRequest, startReceiver } from '../setup/receiver.ts'
import { type KillableService, prepareKillableService } from './killable.ts'
import { send } from './participants.ts'
import { randomOf, seedOfRun } from './random.ts'
import { auditOf, keepRow, loadOf } from './report.ts'

const KILLS = 20
const PAYMENTS = 2_000
const BURST = PAYMENTS / KILLS
const CONCURRENCY = 50
/** Leases expire after 45 seconds. Events interrupted by a kill are due then. */
const DELIVERY_TIMEOUT_MS = 90_000

let service: KillableService
beforeAll(async () => {
  service = await prepareKillableService()
})
afterAll(() => service.remove())

async function runConcurrently<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < items.length) await work(items[next++]!)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

/** Every arrival, by its event id. */
function groupByEvent(received: readonly ReceivedRequest[]): Map<string, ReceivedRequest[]> {
  const events = new Map<string, ReceivedRequest[]>()
  for (const call of received) {
    const id = call.headers['webhook-id']!
    events.set(id, [...(events.get(id) ?? []), call])
  }
  return events
}

it(`all ${PAYMENTS} events arrive although the service is killed ${KILLS} times`, async () => {
  const random = randomOf(seedOfRun()).part('webhooks')
  const receiver = await startReceiver((_request, response) => {
    // Slow enough that kills interrupt some deliveries.
    setTimeout(() => response.end('ok'), random.between(0, 40))
  })
  await service.start()
  const { sandbox } = await service.demo()
  const keys = { 'api-key': sandbox.api_key, 'api-secret': sandbox.api_secret }
  const order = { amount: 5, currency: 'USD', webhook_url: receiver.url, expires_in: 3_600 }
  const ids: string[] = []
  const count = { answered: 0, unanswered: 0 }
  const post = async (path: string, body: unknown) => {
    const reply = await send(service.origin, { path, headers: keys, body })
    count[reply === null || reply.status === 503 ? 'unanswered' : 'answered'] += 1
    return reply
  }
  const startedMs = performance.now()
  const numbers = Array.from({ length: PAYMENTS }, (_, number) => number)
  await runConcurrently(numbers, async () => {
    const created = await post('/merchant/payment/create', order)
    expect(created?.status).toBe(200)
    ids.push(created!.body.data.payment_id)
  })
  expect(new Set(ids).size).toBe(PAYMENTS)

  const unpaid = new Set(ids)
  const unexpected: number[] = []
  const pay = async (id: string) => {
    const paid = await post(`/sandbox/payment/${id}/pay`, {})
    if (paid === null || paid.status === 503) return
    // 409: the payment was paid, but the kill lost the response.
    if (paid.status !== 200 && paid.status !== 409) unexpected.push(paid.status)
    unpaid.delete(id)
  }
  let killsDuringDelivery = 0
  const pauses = random.part('kills')
  for (let kill = 0; kill < KILLS; kill++) {
    const burst = runConcurrently([...unpaid].slice(0, BURST), pay)
    await sleep(pauses.between(30, 430))
    if (groupByEvent(receiver.received).size < PAYMENTS - unpaid.size) killsDuringDelivery += 1
    await service.end('SIGKILL')
    await burst
    await service.start()
  }
  for (let tries = 0; unpaid.size > 0 && tries < 10; tries++)
    await runConcurrently([...unpaid], pay)
  const seconds = (performance.now() - startedMs) / 1000
  expect(unexpected).toEqual([])
  expect(unpaid.size).toBe(0)

  // Reads the database of the running service: an event is finished if no delivery is left.
  const embedded = await service.openDatabase()
  const database = openDatabase({ url: embedded.url, poolSize: 2, poolTimeoutMs: 5_000 })
  try {
    const countWaiting = async () =>
      (await database.query<{ n: number }>('select count(*)::int as n from delivery'))[0]!.n
    const deadlineMs = Date.now() + DELIVERY_TIMEOUT_MS
    while ((await countWaiting()) > 0 && Date.now() < deadlineMs) await sleep(200)
    expect(await countWaiting()).toBe(0)

    const events = groupByEvent(receiver.received)
    const webhook = new Webhook(sandbox.webhook_secret)
    const verified = receiver.received.filter(({ body, headers }) => {
      try {
        return webhook.verify(body, headers) !== undefined
      } catch {
        return false
      }
    })
    const expected = ids.map((id) => `evt_${id.replace(/^pay_/, '')}_1`)
    const missing = expected.filter((id) => !events.has(id))
    const findings = (await auditLedger(database)).checks.flatMap((check) => check.findings)
    const repeated = receiver.received.length - events.size
    await keepRow({
      part: 'webhooks, service killed',
      command: 'npm run test:faults -- webhooks',
      seed: seedOfRun(),
      load: loadOf(count.answered, seconds),
      faults: `${KILLS} × SIGKILL, ${killsDuringDelivery} of them during deliveries; ${events.size} events arrived, ${repeated} twice`,
      acknowledged: 2 * PAYMENTS,
      unsuccessful: count.unanswered,
      lost: missing.length,
      audit: auditOf(findings.length),
      worstGap: '',
    })
    expect(findings).toEqual([])
    expect(missing).toEqual([])
    expect(events.size).toBe(PAYMENTS)
    expect([...events.keys()].sort()).toEqual([...expected].sort())
    expect(verified).toHaveLength(receiver.received.length)
    const changed = [...events.values()].filter(
      (arrivals) => new Set(arrivals.map((call) => call.body)).size > 1,
    )
    expect(changed).toEqual([])
    // Otherwise the kills interrupted no delivery.
    expect(killsDuringDelivery).toBeGreaterThan(KILLS / 4)
  } finally {
    await database.close()
    await service.end('SIGTERM')
    await embedded.stop()
    await receiver.close()
  }
}, 235_000)
