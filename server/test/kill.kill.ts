import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
import { auditLedger } from '../src/ops/auditLedger.ts'
import { type Killable, prepareKillable } from './setup/killable.ts'

const KILLS = 10
const WORKERS = 16
const MAX_PAYMENTS = 40_000
const REQUEST_MS = 20_000

/** What the service acknowledged, and so must never lose. */
type Acknowledged = { id: string; status: 'pending' | 'completed' | 'refunded' }

let service: Killable
beforeAll(async () => {
  service = await prepareKillable()
})
afterAll(() => service.remove())

type Reply = { status: number; body: { data: Record<string, string> } }

/** Null where no answer came: nobody knows whether it was done. */
async function post(
  path: string,
  headers: Record<string, string>,
  body: unknown = {},
): Promise<Reply | null> {
  try {
    const response = await fetch(`${service.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_MS),
    })
    return { status: response.status, body: (await response.json()) as Reply['body'] }
  } catch {
    return null
  }
}

async function signIn(wallet: { phone: string; pin: string }): Promise<Record<string, string>> {
  const { phone, pin } = wallet
  const reply = await post('/wallet/session', {}, { phone, pin })
  return { authorization: `Bearer ${reply!.body.data.token}` }
}

it(`loses nothing that it acknowledged when it is killed ${KILLS} times under load`, async () => {
  await service.start()
  const demo = await service.demo()
  const keys = { 'api-key': demo.live.api_key, 'api-secret': demo.live.api_secret }
  const live = demo.wallets.filter((wallet: { mode: string }) => wallet.mode === 'live')
  const payers = await Promise.all(live.map(signIn))

  const all: Acknowledged[] = []
  const acknowledged = { creates: 0, pays: 0, refunds: 0, unanswered: 0 }
  const odd: string[] = []
  let stopped = false

  /** Asks until it is answered, as a good client does; a refusal for want of service is no answer. */
  async function insist(path: string, headers: Record<string, string>, body?: unknown) {
    while (!stopped) {
      const reply = await post(path, headers, body)
      if (reply !== null && reply.status !== 503) return reply
      acknowledged.unanswered += 1
      await sleep(50)
    }
    return null
  }

  async function customer(number: number): Promise<void> {
    for (let turn = 0; !stopped && all.length < MAX_PAYMENTS; turn++) {
      // A key that is repeated must give the payment that was made, if it was.
      const keyed = turn % 2 === 0 ? { 'idempotency-key': `kill-${number}-${turn}` } : {}
      const order = { amount: 1 + (turn % 5), currency: 'USD' }
      const made = await insist('/merchant/payment/create', { ...keys, ...keyed }, order)
      if (made === null) return
      if (made.status !== 200) return void odd.push(`create ${made.status}`)
      const { payment_id: id, qr_code } = made.body.data as { payment_id: string; qr_code: string }
      const record: Acknowledged = { id, status: 'pending' }
      all.push(record)
      acknowledged.creates += 1
      if (turn % 4 === 3) continue

      const payer = payers[(number + turn) % payers.length] as Record<string, string>
      const paid = await insist(`/wallet/payment/${qr_code}/pay`, payer)
      if (paid === null) return
      if (paid.status !== 200) return void odd.push(`pay ${paid.status}`)
      record.status = 'completed'
      acknowledged.pays += 1
      if (turn % 4 !== 1) continue

      const refunded = await insist(`/merchant/payment/${id}/refund`, keys)
      if (refunded === null) return
      // It was done when the service was killed, and the answer was lost: 400, already refunded.
      if (![200, 400].includes(refunded.status)) return void odd.push(`refund ${refunded.status}`)
      record.status = 'refunded'
      acknowledged.refunds += 1
    }
  }

  const customers = Array.from({ length: WORKERS }, (_, number) => customer(number))
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(500 + Math.random() * 1_500)
    await service.end('SIGKILL')
    await service.start()
  }
  await sleep(500)
  stopped = true
  await Promise.all(customers)
  await service.end('SIGTERM')
  expect(odd).toEqual([])

  const embedded = await service.openDatabase()
  const database = openDatabase({ url: embedded.url, poolSize: 2, poolTimeoutMs: 5_000 })
  try {
    const rows = await database.query<{ id: string; status: string }>(
      'select payment_id as id, status from payment',
    )
    const stored = new Map(rows.map((row) => [row.id, row.status]))
    const after = { pending: ['completed', 'refunded'], completed: ['refunded'], refunded: [] }
    // What was under way at the end may be one step further than what was answered.
    const missing = all.filter(({ id, status }) => {
      const found = stored.get(id) ?? 'nothing'
      return found !== status && !(after[status] as string[]).includes(found)
    })
    const audit = await auditLedger(database)
    const findings = audit.checks.flatMap((check) => check.findings)
    console.table({ kills: KILLS, ...acknowledged, missing: missing.length, ...audit.totals })
    expect(missing).toEqual([])
    expect(findings).toEqual([])
    expect(acknowledged.refunds).toBeGreaterThan(KILLS)
    // Only what was under way may be further, and each customer has one thing under way.
    const further = all.filter(({ id, status }) => stored.get(id) !== status)
    expect(further.length).toBeLessThanOrEqual(WORKERS)
  } finally {
    await database.close()
    await embedded.stop()
  }
}, 120_000)
