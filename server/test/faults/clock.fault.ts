import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { wireTime } from '../../src/core/calendar.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import type { EmbeddedDatabase } from '../../src/embedded/server.ts'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import type { Headers } from '../setup/testService.ts'
import { type KillableService, prepareKillableService } from './killable.ts'
import { startLoad } from './load.ts'
import { createParticipants, send } from './participants.ts'
import { randomOf, seedOfRun } from './random.ts'
import { expectSound, keepRow, rowOf } from './report.ts'
import { verifyWrites } from './verify.ts'

const HOUR_MS = 3_600_000
const WRONG_BY_MS = [HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS]
/** The tolerance for times on a very busy machine. */
const TOLERANCE_MS = 60_000
const PRELOAD = fileURLToPath(new URL('./wrongClock.mjs', import.meta.url))

let service: KillableService
let receiver: Receiver
let embedded: EmbeddedDatabase
let database: Database
beforeAll(async () => {
  receiver = await startReceiver()
  service = await prepareKillableService({ nodeArgs: ['--import', PRELOAD] })
})
afterAll(async () => {
  await database?.close()
  await embedded?.stop()
  await service.remove()
  await receiver.close()
})

async function setClock(wrongByMs: number): Promise<Record<string, string>> {
  const file = join(service.folder, 'wrong-by')
  await writeFile(file, String(wrongByMs))
  return { FLORIN_WRONG_BY: file }
}

/** Creates keys and a session. Returns checks of what must follow the database's time, whatever the service's clock says. */
async function prepareChecks() {
  const { operator, store, merchant, live } = await service.demo()
  const call = async (path: string, headers: Headers, body?: unknown, method?: 'DELETE' | 'GET') =>
    (await send(service.origin, { path, headers, body, ...(method && { method }) }))!
  const issue = async (endsInMs: number): Promise<Headers> => {
    const headers = { authorization: `Bearer ${operator.token}` }
    const body = { mode: 'live', expires_at: wireTime(new Date(Date.now() + endsInMs)) }
    const { data } = (await call(`/operator/stores/${store.id}/credentials`, headers, body)).body
    return { 'api-key': data.api_key, 'api-secret': data.api_secret }
  }
  const expiringKey = await issue(5_000)
  const lastingKey = await issue(30 * 60_000)
  const signedIn = await call('/store/session', {}, merchant)
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  const owner = { cookie, origin: `http://localhost:${new URL(service.origin).port}` }
  const keys = { 'api-key': live.api_key, 'api-secret': live.api_secret }
  const statusWith = async (key: Headers) =>
    (await call('/merchant/balance', key, undefined, 'GET')).status

  return async () => {
    expect(await statusWith(lastingKey)).toBe(200)
    await vi.waitFor(async () => expect(await statusWith(expiringKey)).toBe(401), {
      timeout: 15_000,
    })
    // Creating a key requires a recent sign-in.
    const created = await call('/store/live/keys', owner, { label: 'Clock' })
    expect(created.status, JSON.stringify(created.body)).toBe(200)
    const { api_key, api_secret } = created.body.data
    const fresh = { 'api-key': api_key, 'api-secret': api_secret }
    expect(await statusWith(fresh)).toBe(200)
    expect((await call(`/store/live/keys/${api_key}`, owner, {}, 'DELETE')).status).toBe(200)
    await vi.waitFor(async () => expect(await statusWith(fresh)).toBe(401), { timeout: 15_000 })

    const order = { amount: 1, currency: 'USD', expires_in: 60 }
    const { payment_id } = (await call('/merchant/payment/create', keys, order)).body.data
    const status = async () =>
      (await call(`/merchant/payment/${payment_id}/status`, keys, undefined, 'GET')).body.data
        .status
    expect(await status()).toBe('pending')
    const overdue = 'update payment set expires_at = clock_timestamp() where payment_id = $1'
    await database.transaction((tx) => tx.execute(overdue, [payment_id]))
    expect(await status()).toBe('expired')
  }
}

/** Rows with a time outside of this run. */
async function findWrongTimes(sinceMs: number): Promise<unknown[]> {
  const from = new Date(sinceMs - TOLERANCE_MS)
  const to = new Date(Date.now() + TOLERANCE_MS)
  return database.query(
    `select 'payment' as of, created_at as at from payment where created_at not between $1 and $2
     union all
     select 'attempt', at from delivery_attempt where at not between $1 and $2
     union all
     select 'key', last_used_at from credential where last_used_at not between $1 and $2
     limit 10`,
    [from, to],
  )
}

it("uses the database's time while its own clock is wrong by an hour and by a day", async () => {
  const random = randomOf(seedOfRun()).part('clock')
  const startedMs = Date.now()
  await service.start({ env: await setClock(random.pick(WRONG_BY_MS)) })
  embedded = await service.openDatabase()
  database = openDatabase({ url: embedded.url, poolSize: 2, poolTimeoutMs: 5_000 })
  const check = await prepareChecks()
  const participants = await createParticipants(service.origin, await service.demo())
  const origins = [service.origin]
  const load = startLoad({ origins, participants, random, webhookUrls: [receiver.url] })
  await load.untilWrites(50)
  await check()
  const left = [...WRONG_BY_MS]
  while (left.length > 0) {
    const [wrongByMs] = left.splice(random.between(0, left.length - 1), 1)
    await setClock(wrongByMs!)
    service.signal('SIGUSR2')
    await load.untilWrites(random.between(20, 60))
    await check()
  }
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(50), { timeout: 60_000 })
  const result = await load.stop()
  await service.end('SIGTERM')

  const verification = await verifyWrites(embedded.url, result)
  const faults = 'wrong at the start, then wrong by +1 h, −1 h, +24 h, −24 h'
  const part = { part: 'wrong clock', command: 'npm run test:faults -- clock', faults }
  await keepRow(rowOf(part, result, verification))
  expectSound(result, verification)
  expect(await findWrongTimes(startedMs)).toEqual([])
  const wronglySigned = receiver.received.filter(
    ({ atMs, headers }) =>
      Math.abs(Number(headers['webhook-timestamp']) * 1000 - atMs) > TOLERANCE_MS,
  )
  expect(wronglySigned).toEqual([])
  expect([result.unanswered, result.busy]).toEqual([0, 0])
})
