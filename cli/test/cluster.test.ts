import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../server/src/database/database.ts'
import { migrate } from '../../server/src/database/migrate.ts'
import { CITUS_STAND_IN } from '../../server/test/setup/citusStandIn.ts'
import { startCuttingProxy } from '../../server/test/setup/cuttingProxy.ts'
import {
  createDatabaseWithRole,
  type DatabaseWithRole,
} from '../../server/test/setup/databaseWithRole.ts'
import { createTestDatabase } from '../../server/test/setup/testDatabase.ts'
import { checkCluster } from '../src/doctor/cluster.ts'
import { run, runHere } from './run.ts'

let cluster: DatabaseWithRole
let client: DatabaseWithRole['client']
let folder: string
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-cluster-'))
  cluster = await createDatabaseWithRole()
  client = cluster.client
  url = cluster.url
})
afterAll(async () => {
  await cluster.drop()
  await rm(folder, { recursive: true, force: true })
})

async function findings(): Promise<string[]> {
  const database = openDatabase({ url, poolSize: 1, poolTimeoutMs: 5_000, isDistributed: true })
  try {
    const found = await checkCluster(database)
    return found.map(({ state, check, message }) => `${state} ${check}: ${message}`)
  } finally {
    await database.close()
  }
}
const report = (part: object) =>
  client.query('update worker_setting set failure = null, report = $1', [JSON.stringify(part)])

it('the doctor reports a worker that is not durable, has another version or is unreachable, and slow recovery', async () => {
  await client.query(CITUS_STAND_IN)
  await migrate(url, { distribute: true })
  expect(await findings()).toEqual([
    'ok worker: worker-1:5432 responds, and acknowledged writes are on its disk',
  ])
  await report({ off: ['fsync', 'synchronous_commit'] })
  expect(await findings()).toEqual([
    'problem durability: worker-1:5432 has fsync and synchronous_commit off: a power failure would lose acknowledged payments',
  ])
  await report({ citus: '12.1-1' })
  expect(await findings()).toEqual([
    expect.stringMatching(/^problem worker: worker-1:5432 has Citus 12\.1-1, but the coordinator/),
  ])
  await client.query(`update worker_setting set failure = 'failed to connect to worker-1:5432'`)
  await client.query(`alter role ${cluster.role} set citus.recover_2pc_interval = '1min'`)
  expect(await findings()).toEqual([
    'problem worker: The worker worker-1:5432 does not respond: failed to connect to worker-1:5432',
    expect.stringMatching(/^warning recovery: citus\.recover_2pc_interval is 1min/),
  ])
  const env = { DATABASE_URL: url, FLORIN_DATA: folder, PORT: '0' }
  const { stdout } = await runHere(env, 'doctor')
  expect(stdout).toContain('PROBLEM  worker: The worker worker-1:5432 does not respond')
  expect(stdout).not.toContain('Use the version of Florin')
})

it('the doctor counts both pools that each process has on a cluster', async () => {
  await client.query(`update worker_setting set failure = null, report = '{}'`)
  const pools = { FLORIN_PROCESSES: '2', FLORIN_POOL_SIZE: '10' }
  const env = { DATABASE_URL: url, FLORIN_DATA: folder, PORT: '0', ...pools }
  const { stdout } = await run(env, 'doctor')
  expect(stdout).toContain('Florin uses up to 47')
})

it('an audit ends with exit code 3 and a message of one line if the database goes away', async () => {
  const single = await createTestDatabase()
  const locker = new pg.Client({ connectionString: single.url })
  await locker.connect()
  const proxy = await startCuttingProxy(single.url)
  try {
    await locker.query('begin')
    await locker.query('lock table payment in access exclusive mode')
    const env = { DATABASE_URL: proxy.url, FLORIN_DATA: join(folder, 'single') }
    const audit = runHere(env, 'audit')
    const waiting = `select from pg_locks where not granted and relation = 'payment'::regclass`
    await expect.poll(async () => (await locker.query(waiting)).rowCount).toBeGreaterThan(0)
    await proxy.refuse()
    expect(await audit).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^The database is unavailable: [^\n]*\n$/),
    })
  } finally {
    await proxy.close().catch(() => {})
    await locker.end()
    await single.drop()
  }
})
