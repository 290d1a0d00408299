import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { auditLedger } from '../../src/ops/auditLedger.ts'
import { type KillableService, prepareKillableService } from './killable.ts'
import {
  createParticipants,
  type Participants,
  type Payer,
  type Reply,
  send,
} from './participants.ts'
import { type Random, randomOf, seedOfRun } from './random.ts'
import { auditOf, keepRow, loadOf } from './report.ts'

const KILLS = 20
const CUSTOMERS = 16
const MAX_PAYMENTS = 200

let service: KillableService
beforeAll(async () => {
  service = await prepareKillableService()
})
afterAll(() => service.remove())

/** A tap on "Pay". Retries use the same key, so it makes at most one payment. */
type Tap = {
  readonly linkId: string
  readonly walletId: number
  paymentId: string | null
  isRefused: boolean
}

it(`loses no acknowledged payment of a link when the service is killed ${KILLS} times under load`, async () => {
  const random = randomOf(seedOfRun()).part('links')
  await service.start()
  const participants = await createParticipants(service.origin, await service.demo())
  const links = await createLinks(participants)
  const load = startTaps(participants, links, random)
  for (let kill = 0; kill < KILLS; kill++) {
    await load.untilPaid(random.between(1, 50))
    await sleep(random.between(0, 500))
    await service.end('SIGKILL')
    await service.start()
  }
  await load.untilPaid(20)
  const result = await load.stop()
  await service.end('SIGTERM')

  const embedded = await service.openDatabase()
  const { lost, duplicated, paid, findings } = await comparePayments(embedded.url, result.taps)
  await embedded.stop()
  await keepRow({
    part: 'links, service killed',
    command: 'npm run test:faults -- links',
    seed: seedOfRun(),
    load: loadOf(result.answered, result.seconds),
    faults: `${KILLS} × SIGKILL`,
    acknowledged: result.taps.filter(({ paymentId }) => paymentId !== null).length,
    unsuccessful: result.unanswered,
    lost: lost.length,
    audit: auditOf(findings),
    worstGap: '',
  })
  expect([lost, duplicated, findings, result.unexpected]).toEqual([[], [], 0, []])
  expect(paid.get(links.at(-1)!)).toBeLessThanOrEqual(MAX_PAYMENTS)
  expect(result.unanswered).toBeGreaterThan(0)
}, 600_000)

/** One link per shop, and one that can be used up. */
async function createLinks({ shops }: Participants): Promise<string[]> {
  const limited = { title: 'Limited', amount: 1, max_payments: MAX_PAYMENTS }
  const counters = shops.map((shop) => ({ shop, body: { title: 'Counter' } }))
  const all = [...counters, { shop: shops[0]!, body: limited }]
  return Promise.all(
    all.map(async ({ shop: headers, body }) => {
      const reply = await send(service.origin, { path: '/merchant/links', headers, body })
      return reply!.body.data.link_id as string
    }),
  )
}

function startTaps({ payers }: Participants, links: readonly string[], random: Random) {
  const taps: Tap[] = []
  const unexpected: string[] = []
  const count = { answered: 0, unanswered: 0, paid: 0 }
  const startedMs = performance.now()
  let isStopped = false

  async function tap(payer: Payer, key: string, customerRandom: Random): Promise<void> {
    const linkId = customerRandom.pick(links)
    const attempt: Tap = { linkId, walletId: payer.walletId, paymentId: null, isRefused: false }
    taps.push(attempt)
    const isLimited = linkId === links.at(-1)
    const request = {
      path: `/wallet/link/${linkId}/pay`,
      headers: { ...payer.headers, 'idempotency-key': key },
      body: isLimited ? {} : { amount: customerRandom.between(10, 500) / 100 },
    }
    while (!isStopped) {
      const reply = await send(service.origin, request)
      if (reply === null || reply.status === 503) {
        count.unanswered += 1
        await sleep(customerRandom.between(100, 400))
        continue
      }
      count.answered += 1
      if (isUsedUp(reply) && isLimited) {
        attempt.isRefused = true
        return
      }
      if (reply.status !== 200)
        return void unexpected.push(`${reply.status} ${reply.body?.message}`)
      attempt.paymentId = reply.body.data.payment_id
      count.paid += 1
      return
    }
  }

  async function runCustomer(number: number): Promise<void> {
    const customerRandom = random.part(`customer ${number}`)
    for (let turn = 0; !isStopped; turn++) {
      await tap(customerRandom.pick(payers), `${random.seed}/${number}.${turn}`, customerRandom)
    }
  }

  const running = Promise.all(Array.from({ length: CUSTOMERS }, (_, number) => runCustomer(number)))
  return {
    /** Waits until this many more payments have been acknowledged. */
    async untilPaid(payments: number): Promise<void> {
      const wanted = count.paid + payments
      const deadlineMs = performance.now() + 60_000
      while (count.paid < wanted) {
        if (performance.now() > deadlineMs) throw new Error('The payments were not made in time')
        await sleep(20)
      }
    },
    async stop() {
      isStopped = true
      const seconds = (performance.now() - startedMs) / 1000
      await running
      return { taps, unexpected: unexpected.slice(0, 10), seconds, ...count }
    },
  }
}

const isUsedUp = ({ status, body }: Reply) => status === 409 && /used up/.test(body?.message ?? '')

/** Compares every acknowledged payment with the rows, and audits the ledger. */
async function comparePayments(databaseUrl: string, taps: readonly Tap[]) {
  const database = openDatabase({ url: databaseUrl, poolSize: 2, poolTimeoutMs: 5_000 })
  try {
    const rows = await database.query<{ id: string; link: string; wallet: number; status: string }>(
      `select payment_id as id, link_id as link, wallet_id as wallet, status
       from payment
       where link_id is not null`,
    )
    const nameOf = (link: string, wallet: number) => `${link} ${wallet}`
    const byId = new Map(rows.map((row) => [row.id, row]))
    const lost = taps.filter(({ paymentId, linkId, walletId }) => {
      if (paymentId === null) return false
      const row = byId.get(paymentId)
      return row?.link !== linkId || row.wallet !== walletId || row.status !== 'completed'
    })
    const countNames = (names: readonly string[]) => {
      const counts = new Map<string, number>()
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
      return counts
    }
    const tapped = countNames(
      taps
        .filter(({ isRefused }) => !isRefused)
        .map(({ linkId, walletId }) => nameOf(linkId, walletId)),
    )
    const stored = countNames(rows.map(({ link, wallet }) => nameOf(link, wallet)))
    const duplicated = [...stored].filter(([name, count]) => count > (tapped.get(name) ?? 0))
    const { checks } = await auditLedger(database)
    const findings = checks.flatMap((check) => check.findings).length
    return { lost, duplicated, findings, paid: countNames(rows.map(({ link }) => link)) }
  } finally {
    await database.close()
  }
}
