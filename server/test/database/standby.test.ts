import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { type EmbeddedDatabase, startEmbedded } from '../../src/embedded/server.ts'
import { commitOnce } from '../../src/ops/commitOnce.ts'
import { makeReadsDurable } from '../../src/sql/locks.ts'
import { type CuttingProxy, startCuttingProxy } from '../setup/cuttingProxy.ts'

// Uses its own server, because the settings apply to all databases.
let folder: string
let server: EmbeddedDatabase
let proxy: CuttingProxy
let database: Database
let admin: Database
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-standby-'))
  server = await startEmbedded({ folder, log: () => {} })
  proxy = await startCuttingProxy(server.url)
  const options = { poolSize: 5, poolTimeoutMs: 5_000 }
  database = openDatabase({ url: proxy.url, ...options })
  admin = openDatabase({ url: server.url, ...options })
  await admin.query('create table entry (id integer primary key)')
})
afterAll(async () => {
  await database.close()
  await admin.close()
  await proxy.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Sets the standbys that must have a COMMIT before the server acknowledges it. */
async function setSynchronousStandby(standby: string): Promise<void> {
  await admin.query(`alter system set synchronous_standby_names = '${standby}'`)
  await admin.query('select pg_reload_conf()')
}

const countWaiting = async () =>
  (await admin.query(`select 1 from pg_stat_activity where wait_event = 'SyncRep'`)).length

it('a transaction found after a lost COMMIT counts only after a synchronous standby has it', async () => {
  proxy.cutNext('reply')
  let outcome: string | undefined
  let releaseLookup = () => {}
  const lookupReleased = new Promise<void>((resolve) => {
    releaseLookup = resolve
  })
  const done = commitOnce(database, async (tx) => {
    await tx.execute('insert into entry (id) values (1)')
    const proof = {
      lock: () => lookupReleased,
      isCommitted: async (laterTx: typeof tx) =>
        (await laterTx.query('select 1 from entry')).length > 0,
    }
    return { result: 'committed', proof }
  }).then((result) => {
    outcome = result
  })
  await expect.poll(() => proxy.count().cut, { timeout: 10_000 }).toBe(1)
  await setSynchronousStandby('nobody')
  // The server applies the setting with a delay. Wait until a COMMIT hangs.
  const others: Promise<unknown>[] = []
  let isUnderWay = false
  const countWaitingAfterCommit = async () => {
    if (!isUnderWay) {
      isUnderWay = true
      others.push(
        admin.transaction(makeReadsDurable).finally(() => {
          isUnderWay = false
        }),
      )
    }
    return countWaiting()
  }
  await expect.poll(countWaitingAfterCommit, { timeout: 10_000 }).toBe(1)
  releaseLookup()
  await expect.poll(countWaiting, { timeout: 10_000 }).toBe(2)
  expect(outcome).toBeUndefined()
  await setSynchronousStandby('')
  await Promise.all([done, ...others])
  expect(outcome).toBe('committed')
})
