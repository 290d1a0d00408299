import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findPostmaster } from '../../src/embedded/cluster.ts'
import { type KillableService, prepareKillableService } from './killable.ts'
import { startLoad } from './load.ts'
import { createParticipants } from './participants.ts'
import { randomOf, seedOfRun } from './random.ts'
import { expectSound, keepRow, rowOf } from './report.ts'
import { verifyEmbedded } from './verify.ts'

const KILLS = 10

let service: KillableService
beforeAll(async () => {
  service = await prepareKillableService()
})
afterAll(() => service.remove())

const findServer = async () => (await findPostmaster(`${service.folder}/postgres`))!

/** The pid of a process that serves a connection. If it is killed, PostgreSQL ends all of them and recovers. */
async function findBackendPid(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    `select pid
     from pg_stat_activity
     where application_name = 'florin'
     order by query_start desc
     limit 1`,
  )
  await client.end()
  return rows[0]!.pid
}

it(`recovers automatically when PostgreSQL is killed ${KILLS} times under load`, async () => {
  const random = randomOf(seedOfRun()).part('postgres')
  await service.start()
  const participants = await createParticipants(service.origin, await service.demo())
  const { url, stop } = await service.openDatabase()
  await stop()
  const load = startLoad({ origins: [service.origin], participants, random })
  const killed = { server: 0, backend: 0 }
  for (let kill = 0; kill < KILLS; kill++) {
    await load.untilWrites(random.between(20, 150))
    await sleep(random.between(0, 500))
    const victim = random.chance(0.5) ? 'server' : 'backend'
    process.kill(
      victim === 'server' ? (await findServer()).pid : await findBackendPid(url),
      'SIGKILL',
    )
    killed[victim] += 1
  }
  await load.untilWrites(50)
  // The service is still the same process.
  expect(service.isRunning()).toBe(true)
  const result = await load.stop()
  await service.end('SIGTERM')

  const verification = await verifyEmbedded(service, result)
  const faults = `${killed.server} × SIGKILL of the server, ${killed.backend} of a backend`
  const part = { part: 'PostgreSQL killed', command: 'npm run test:faults -- postgres', faults }
  await keepRow(rowOf(part, result, verification))
  expectSound(result, verification)
  expect(result.unanswered + result.busy).toBeGreaterThan(0)
})
