import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type KillableService, prepareKillableService } from './killable.ts'
import { startLoad } from './load.ts'
import { createParticipants, send } from './participants.ts'
import { type Random, randomOf, seedOfRun } from './random.ts'
import { expectSound, keepRow, rowOf } from './report.ts'
import { verifyWrites } from './verify.ts'

const TIMES = 6
const POOL_SIZE = 2
const CUSTOMERS = 32

let service: KillableService
beforeAll(async () => {
  service = await prepareKillableService({ env: { FLORIN_POOL_SIZE: String(POOL_SIZE) } })
})
afterAll(() => service.remove())

/** Another transaction locks the table exclusively: every statement on it waits. */
async function holdTable(client: pg.Client, ms: number): Promise<void> {
  await client.query('begin; lock table payment in access exclusive mode')
  await client.query('select pg_sleep($1)', [ms / 1000])
  await client.query('rollback')
}

/** Pauses the PostgreSQL processes of the service's connections, which delays their statements. */
async function freeze(client: pg.Client, ms: number): Promise<void> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'florin'`,
  )
  const signal = (name: NodeJS.Signals) => {
    for (const { pid } of rows) process.kill(pid, name)
  }
  signal('SIGSTOP')
  try {
    await sleep(ms)
  } finally {
    signal('SIGCONT')
  }
}

const slowDown = (client: pg.Client, random: Random, isFrozen: boolean) =>
  isFrozen ? freeze(client, random.between(6_000, 9_000)) : holdTable(client, 4_000)

it(`responds while its ${POOL_SIZE} connections are stuck in slow queries, ${TIMES} times`, async () => {
  const random = randomOf(seedOfRun()).part('pool')
  await service.start()
  const participants = await createParticipants(service.origin, await service.demo())
  const embedded = await service.openDatabase()
  const client = new pg.Client({ connectionString: embedded.url })
  await client.connect()
  const origins = [service.origin]
  const load = startLoad({ origins, participants, random, customers: CUSTOMERS })
  let freezes = 0
  for (let time = 0; time < TIMES; time++) {
    await load.untilWrites(random.between(20, 100))
    // Each kind at least once, regardless of the random numbers.
    const isFrozen = time === 0 || (time > 1 && random.chance(0.5))
    if (isFrozen) freezes += 1
    const slowed = slowDown(client, random, isFrozen)
    await sleep(500)
    expect((await send(service.origin, { method: 'GET', path: '/health' }))?.status).toBe(200)
    // Each list takes a connection, and one of them finds none.
    const lists = await Promise.all(
      Array.from({ length: POOL_SIZE + 1 }, () =>
        send(service.origin, {
          method: 'GET',
          path: '/merchant/payments',
          headers: participants.shops[0]!,
        }),
      ),
    )
    const statuses = lists.map((list) => list?.status)
    if (isFrozen) expect(statuses).toContain(503)
    for (const status of statuses) expect([200, 503]).toContain(status)
    await slowed
  }
  await load.untilWrites(50)
  const result = await load.stop()
  await service.end('SIGTERM')
  await client.end()

  const verification = await verifyWrites(embedded.url, result)
  await embedded.stop()
  const faults = `${freezes} × all connections stuck, ${TIMES - freezes} × the table locked`
  const part = { part: 'pool exhausted', command: 'npm run test:faults -- pool', faults }
  await keepRow(rowOf(part, result, verification))
  expectSound(result, verification)
  // Requests that can't be served get an error.
  expect(result.unanswered).toBe(0)
})
