import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KillableService, prepareKillableService } from '../../faults/killable.ts'
import { startLoad } from '../../faults/load.ts'
import { createParticipants, type Participants, send } from '../../faults/participants.ts'
import { randomOf, seedOfRun } from '../../faults/random.ts'
import { expectSound, keepRow, rowOf } from '../../faults/report.ts'
import { verifyWrites } from '../../faults/verify.ts'
import { type ClusterDatabase, createClusterDatabase, onNode } from './clusterDatabase.ts'

const KILLS = 3
const DOWN_MS = 5_000
/** Longer than `citus.recover_2pc_interval`, which `florin migrate --citus` limits to 10 s. */
const RECOVERY_MS = 12_000
const COMMAND = 'npm run test:citus -- kills'

let database: ClusterDatabase
let service: KillableService
let participants: Participants
beforeAll(async () => {
  database = await createClusterDatabase()
  service = await prepareKillableService({ env: { DATABASE_URL: database.url, FLORIN_DEMO: '1' } })
  await service.start()
  participants = await createParticipants(service.origin, await service.demo())
})
afterAll(async () => {
  await service.remove()
  await database.drop()
})

/** Shell commands that stop and start a node. They come from the environment of the tests. */
const commandOf = (name: string) => process.env[`FLORIN_CITUS_${name}`]
const shell = (command: string) => execFileSync('sh', ['-c', command], { stdio: 'ignore' })

describe.each([
  ['worker', commandOf('KILL_WORKER'), commandOf('START_WORKER')],
  ['coordinator', commandOf('KILL_COORDINATOR'), commandOf('START_COORDINATOR')],
])('a %s', (node, kill, start) => {
  it.skipIf(!kill || !start)(`that is killed ${KILLS} times under load loses nothing`, async () => {
    const random = randomOf(seedOfRun()).part(`citus-${node}`)
    const load = startLoad({ origins: [service.origin], participants, random })
    for (let times = 0; times < KILLS; times++) {
      await load.untilWrites(random.between(20, 100))
      shell(kill!)
      await sleep(random.between(500, 3_000))
      shell(start!)
    }
    await load.untilWrites(50)
    const result = await load.stop()
    await sleep(RECOVERY_MS)
    const verification = await verifyWrites(database.url, result)
    const faults = `${KILLS} × kill of the ${node}`
    await keepRow(
      rowOf({ part: `Citus ${node} killed`, command: COMMAND, faults }, result, verification),
    )
    expectSound(result, verification)
  })
})

it.skipIf(!commandOf('KILL_WORKER') || !commandOf('START_WORKER'))(
  'while a worker is down, stores of the other workers continue, and an operator can list stores',
  async () => {
    const operator = `Bearer ${(await service.demo()).operator.token}`
    const shops = await createShops()
    expect(new Set(shops.values()).size).toBeGreaterThan(1)
    const counts = new Map<string, { done: number; failed: number }>()
    shell(commandOf('KILL_WORKER')!)
    try {
      const endMs = performance.now() + DOWN_MS
      const createPayments = async (headers: Participants['shops'][number], worker: string) => {
        const count = counts.get(worker) ?? { done: 0, failed: 0 }
        counts.set(worker, count)
        while (performance.now() < endMs) {
          const body = { amount: 1, currency: 'USD' }
          const response = await send(service.origin, {
            path: '/merchant/payment/create',
            headers,
            body,
          })
          if (response?.status === 200) count.done += 1
          else {
            expect([503, undefined]).toContain(response?.status)
            count.failed += 1
            await sleep(20)
          }
        }
      }
      const listed = send(service.origin, {
        method: 'GET',
        path: '/operator/stores',
        headers: { authorization: operator },
      })
      await Promise.all([...shops].map(([shop, worker]) => createPayments(shop, worker)))
      expect((await listed)?.status).toBe(200)
    } finally {
      shell(commandOf('START_WORKER')!)
    }
    const byDone = [...counts.values()].sort((a, b) => b.done - a.done)
    const [alive, down] = [byDone[0], byDone.at(-1)]
    console.log('creates while a worker was down, by worker:', JSON.stringify([...counts]))
    expect(alive!.failed).toBe(0)
    expect(alive!.done).toBeGreaterThan(20)
    expect(down!.failed).toBeGreaterThan(0)
  },
)

/** Creates more shops, and returns each with the worker of its store. */
async function createShops(): Promise<Map<Participants['shops'][number], string>> {
  const operator = { authorization: `Bearer ${(await service.demo()).operator.token}` }
  const shops = new Map<Participants['shops'][number], string>()
  for (let number = 0; number < 8; number++) {
    const settings = { name: `Worker ${number}`, currency: 'USD' }
    const store = await send(service.origin, {
      path: '/operator/stores',
      headers: operator,
      body: settings,
    })
    const { id } = store!.body.data
    const path = `/operator/stores/${id}/credentials`
    const key = await send(service.origin, { path, headers: operator, body: { mode: 'live' } })
    const { api_key, api_secret } = key!.body.data
    const worker = await onNode(database.url, async (client) => {
      const { rows } = await client.query(
        `select p.groupid::text as worker
         from pg_dist_placement p
         where p.shardid = get_shard_id_for_distribution_column('payment', $1::int)`,
        [id],
      )
      return rows[0].worker as string
    })
    const headers = { 'api-key': api_key, 'api-secret': api_secret }
    // Caches the key and opens the connections before the worker is killed.
    await send(service.origin, {
      path: '/merchant/payment/create',
      headers,
      body: { amount: 1, currency: 'USD' },
    })
    shops.set(headers, worker)
  }
  return shops
}
