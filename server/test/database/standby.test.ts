import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NEW_STORE_SETTINGS } from '../../src/core/storeSettings.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { type EmbeddedDatabase, startEmbedded } from '../../src/embedded/server.ts'
import { commitOnce } from '../../src/ops/commitOnce.ts'
import { createPayments } from '../../src/ops/createPayments.ts'
import { createMailQueue } from '../../src/ops/mail.ts'
import { moveMoney } from '../../src/ops/moveMoney.ts'
import { payPayments } from '../../src/ops/payPayments.ts'
import { createStore } from '../../src/ops/stores.ts'
import { makeReadsDurable } from '../../src/sql/locks.ts'
import { type CuttingProxy, startCuttingProxy } from '../setup/cuttingProxy.ts'
import { newPayment } from '../setup/newPayment.ts'
import { USD } from '../setup/testService.ts'

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
  await migrate(server.url)
})
afterAll(async () => {
  await database.close()
  await admin.close()
  await proxy.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Sets the standby that must have a COMMIT before the server acknowledges it. An empty name means none. */
async function setSynchronousStandby(standby: string): Promise<void> {
  await admin.query(`alter system set synchronous_standby_names = '${standby}'`)
  await admin.query('select pg_reload_conf()')
}

const listWaiting = async () =>
  admin.query<{ pid: number }>(`select pid from pg_stat_activity where wait_event = 'SyncRep'`)
const countWaiting = async () => (await listWaiting()).length

/**
 * Makes every COMMIT wait for a standby that doesn't exist. The server applies the setting with a delay, so this waits until a
 * COMMIT hangs, and returns those that it has sent.
 */
async function requireMissingStandby(): Promise<Promise<unknown>[]> {
  await setSynchronousStandby('nobody')
  const commits: Promise<unknown>[] = []
  let isUnderWay = false
  const countWaitingAfterCommit = async () => {
    if (!isUnderWay) {
      isUnderWay = true
      commits.push(
        admin.transaction(makeReadsDurable).finally(() => {
          isUnderWay = false
        }),
      )
    }
    return countWaiting()
  }
  await expect.poll(countWaitingAfterCommit).toBe(1)
  return commits
}

it('a transaction whose COMMIT response was lost is acknowledged only after a synchronous standby has it', async () => {
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
  await expect.poll(() => proxy.count().cut).toBe(1)
  const others = await requireMissingStandby()
  releaseLookup()
  await expect.poll(countWaiting).toBe(2)
  expect(outcome).toBeUndefined()
  await setSynchronousStandby('')
  await Promise.all([done, ...others])
  expect(outcome).toBe('committed')
})

it('a COMMIT whose wait for a synchronous standby was cancelled is not acknowledged before the standby has it', async () => {
  const others = await requireMissingStandby()
  const [other] = await listWaiting()
  let outcome: string | undefined
  const done = commitOnce(database, async (tx) => {
    await tx.execute('insert into entry (id) values (2)')
    const proof = {
      lock: async () => {},
      isCommitted: async (laterTx: typeof tx) =>
        (await laterTx.query('select 1 from entry where id = 2')).length > 0,
    }
    return { result: 'committed', proof }
  }).then((result) => {
    outcome = result
  })
  await expect.poll(countWaiting).toBe(2)
  // An operator cancels a statement that hangs. Then the server acknowledges the COMMIT, with a warning.
  const [hanging] = (await listWaiting()).filter(({ pid }) => pid !== other!.pid)
  await admin.query('select pg_cancel_backend($1)', [hanging!.pid])
  const isLookedUp = async () =>
    (await listWaiting()).some(({ pid }) => pid !== other!.pid && pid !== hanging!.pid)
  await expect.poll(isLookedUp).toBe(true)
  expect(outcome).toBeUndefined()
  await setSynchronousStandby('')
  await Promise.all([done, ...others])
  expect(outcome).toBe('committed')
})

it('a repeated request is not acknowledged before a synchronous standby has the first one', async () => {
  const mail = createMailQueue({ isEnabled: false, secretKey: randomBytes(32), onCommit: () => {} })
  const outbox = { mail, bodyOf: () => '', choose: () => [], onCommit: () => {} }
  const actor = { name: 'test', requestId: null }
  const settings = { ...NEW_STORE_SETTINGS, name: 'Test Store', currency: USD }
  const store = await createStore(database, actor, settings, randomBytes(32))
  const create = async () => {
    const idempotencyKey = { key: 'once', fingerprint: Buffer.alloc(32), serialize: () => '{}' }
    const request = {
      store,
      payment: newPayment(100n),
      idempotencyKey,
      mode: 'sandbox',
      by: null,
      apiKey: null,
    } as const
    const [result] = await createPayments(database, outbox, [request])
    if (result instanceof Error) throw result
    return result!
  }
  const created = await create()
  if (created.kind !== 'created') throw new Error(created.kind)
  const pay = async () => {
    const [result] = await payPayments(database, outbox, [
      {
        store,
        mode: 'sandbox',
        walletId: store.sandboxWalletId,
        qrNumber: created.payment.qrNumber,
        donation: undefined,
        idempotencyKey: null,
        pinLimits: new Map(),
        isPinVerified: true,
        sandbox: { outcome: 'completed' },
      },
    ])
    return result!
  }
  const move = {
    kind: 'funding',
    store,
    mode: 'live',
    amount: 100n,
    note: null,
    key: 'once',
  } as const
  const fund = () => moveMoney(database, actor, move, mail)
  expect([(await pay()).kind, (await fund()).kind]).toEqual(['paid', 'moved'])

  const repeats = { replayed: create, paid_already: pay, moved_before: fund }
  // One after the other, because each locks the store.
  for (const [expected, repeat] of Object.entries(repeats)) {
    const others = await requireMissingStandby()
    let kind: string | null = null
    const repeated = repeat().then((result) => {
      kind = result.kind
    })
    await expect.poll(countWaiting).toBeGreaterThan(1)
    expect(kind).toBeNull()
    await setSynchronousStandby('')
    await Promise.all([repeated, ...others])
    expect(kind).toBe(expected)
  }
})
