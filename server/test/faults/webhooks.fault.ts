import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { type Received, startReceiver } from '../setup/receiver.ts'
import { type Killable, prepareKillable } from './killable.ts'

const KILLS = 20
const PAYMENTS = 2_000
const BURST = PAYMENTS / KILLS
const AT_ONCE = 50
const REQUEST_MS = 10_000
/** Leases run out after 45 seconds, and what a kill cut off is due then. */
const FINISH_MS = 90_000

let service: Killable
beforeAll(async () => {
  service = await prepareKillable()
})
afterAll(() => service.remove())

type Reply = { status: number; body: { data: { payment_id: string } } }

/** Null where no answer came: nobody knows whether it was done. */
async function post(path: string, headers: Record<string, string>, body: unknown) {
  try {
    const response = await fetch(`${service.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_MS),
    })
    return { status: response.status, body: await response.json() } as Reply
  } catch {
    return null
  }
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < items.length) await work(items[next++]!)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** Every arrival, by the event it says it is. */
function byEvent(received: readonly Received[]): Map<string, Received[]> {
  const events = new Map<string, Received[]>()
  for (const call of received) {
    const id = call.headers['webhook-id']!
    events.set(id, [...(events.get(id) ?? []), call])
  }
  return events
}

it(`every one of ${PAYMENTS} events arrives though the service is killed ${KILLS} times`, async () => {
  const receiver = await startReceiver((_request, response) => {
    // Late enough that kills find some under way.
    setTimeout(() => response.end('ok'), Math.random() * 40)
  })
  await service.start()
  const { sandbox } = await service.demo()
  const keys = { 'api-key': sandbox.api_key, 'api-secret': sandbox.api_secret }
  const order = { amount: 5, currency: 'USD', webhook_url: receiver.url, expires_in: 3_600 }
  const ids: string[] = []
  const numbers = Array.from({ length: PAYMENTS }, (_, number) => number)
  await inTurns(numbers, async () => {
    const made = await post('/merchant/payment/create', keys, order)
    expect(made?.status).toBe(200)
    ids.push(made!.body.data.payment_id)
  })
  expect(new Set(ids).size).toBe(PAYMENTS)

  const unpaid = new Set(ids)
  const odd: number[] = []
  const pay = async (id: string) => {
    const paid = await post(`/sandbox/payment/${id}/pay`, keys, {})
    if (paid === null || paid.status === 503) return
    // 409: it was paid when the service was killed, and the answer was lost.
    if (paid.status !== 200 && paid.status !== 409) odd.push(paid.status)
    unpaid.delete(id)
  }
  let killedBeforeAll = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const burst = inTurns([...unpaid].slice(0, BURST), pay)
    await sleep(30 + Math.random() * 400)
    if (byEvent(receiver.received).size < PAYMENTS - unpaid.size) killedBeforeAll += 1
    await service.end('SIGKILL')
    await burst
    await service.start()
  }
  for (let tries = 0; unpaid.size > 0 && tries < 10; tries++) await inTurns([...unpaid], pay)
  expect(odd).toEqual([])
  expect(unpaid.size).toBe(0)

  // Beside the running service: finished is what nobody has to send any more.
  const embedded = await service.openDatabase()
  const database = openDatabase({ url: embedded.url, poolSize: 2, poolTimeoutMs: 5_000 })
  try {
    const waiting = async () =>
      (await database.query<{ n: number }>('select count(*)::int as n from delivery'))[0]!.n
    const deadline = Date.now() + FINISH_MS
    while ((await waiting()) > 0 && Date.now() < deadline) await sleep(200)
    expect(await waiting()).toBe(0)

    const events = byEvent(receiver.received)
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
    console.table({
      kills: KILLS,
      'kills with events under way': killedBeforeAll,
      events: events.size,
      arrivals: receiver.received.length,
      doubles: receiver.received.length - events.size,
      missing: missing.length,
      verified: verified.length,
    })
    expect(missing).toEqual([])
    expect(events.size).toBe(PAYMENTS)
    expect([...events.keys()].sort()).toEqual([...expected].sort())
    expect(verified).toHaveLength(receiver.received.length)
    const changed = [...events.values()].filter(
      (arrivals) => new Set(arrivals.map((call) => call.body)).size > 1,
    )
    expect(changed).toEqual([])
    // Otherwise the kills came when nothing was at stake.
    expect(killedBeforeAll).toBeGreaterThan(KILLS / 4)
  } finally {
    await database.close()
    await service.end('SIGTERM')
    await embedded.stop()
    await receiver.close()
  }
}, 235_000)
