import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Mode } from '../../src/core/ids.ts'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import { eventually, openShop, type Shop } from './shop.ts'

let shop: Shop
let receiver: Receiver
const callOperator = (method: 'GET' | 'POST', path: string, body?: unknown) =>
  shop.t.call(method, path, shop.t.operator, body)
const storePath = () => `/operator/stores/${shop.store.store.storeId}`
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  receiver = await startReceiver()
  return () => receiver.close()
})
const respondWithStatus = (status: number) =>
  receiver.respondWith((_request, response) => void response.writeHead(status).end())
const untilAttempted = (id: string) =>
  eventually(async () => expect((await shop.readEvents(id))[0].attempts).not.toHaveLength(0))

describe('GET /operator/webhooks', () => {
  const readView = async () => (await callOperator('GET', '/operator/webhooks')).body.data

  it('is empty if everything was delivered', async () => {
    const id = await shop.createPaid(receiver.url)
    await untilAttempted(id)
    expect(await readView()).toEqual({ queue: [], failing_hosts: [] })
  })

  it('counts waiting, failing and exhausted events, and shows the earliest due time and the failing receivers', async () => {
    const other = await startReceiver((_request, response) => void response.writeHead(410).end())
    const [failingHost, exhaustedHost] = [`127.0.0.1:${receiver.port}`, `127.0.0.1:${other.port}`]
    respondWithStatus(503)
    const waiting = [await shop.createPaid(receiver.url), await shop.createPaid(receiver.url)]
    const exhausted = await shop.createPaid(other.url)
    for (const id of [...waiting, exhausted]) await untilAttempted(id)
    // Without a lease, the result of a retry in flight is ignored.
    await shop.sql(
      `update delivery set lease = null, due_at = now() + interval '1 hour' where payment_id = any($1)`,
      [waiting],
    )
    await shop.sql(`update delivery set due_at = '2099-01-02 03:04:05Z' where payment_id = $1`, [
      waiting[0],
    ])
    // This delivery has not been attempted yet: it waits, but has not failed.
    const fresh = await shop.createPaid(null)
    await shop.sql(
      `insert into delivery (store_id, payment_id, sequence, mode, url, host, created_at, due_at)
       values ($1, $2, 1, 'sandbox', 'http://127.0.0.1:1/', 'fresh.example', now(), '2098-01-02 03:04:05Z')`,
      [shop.store.store.storeId, fresh],
    )
    await shop.sql(`update delivery set due_at = '2097-01-02 03:04:05Z' where payment_id = $1`, [
      waiting[1],
    ])
    expect(await readView()).toEqual({
      queue: [
        {
          mode: 'sandbox',
          waiting: 3,
          failing: 2,
          exhausted: 1,
          oldest_due_at: '2097-01-02 03:04:05',
        },
      ],
      failing_hosts: [
        { host: failingHost, waiting: 2, exhausted: 0, stores: 1, last_error: 'status 503' },
        { host: exhaustedHost, waiting: 0, exhausted: 1, stores: 1, last_error: 'status 410' },
      ],
    })
    await shop.sql('delete from delivery')
    await other.close()
  })

  it('requires an operator', async () => {
    for (const keys of [{}, shop.store.sandbox]) {
      expect((await shop.t.call('GET', '/operator/webhooks', keys)).status).toBe(401)
    }
  })
})

describe('rotating a webhook secret', () => {
  const readSecret = async (mode: Mode = 'sandbox') =>
    (await callOperator('POST', `${storePath()}/credentials`, { mode })).body.data
      .webhook_secret as string
  const rotate = (body: unknown) =>
    callOperator('POST', `${storePath()}/webhook-secret/rotate`, body)
  async function nextCall() {
    const before = receiver.received.length
    await shop.createPaid(receiver.url)
    return (await receiver.until(before + 1))[before]!
  }
  const verifies = (call: { body: string; headers: Record<string, string> }, secret: string) => {
    try {
      new Webhook(secret).verify(call.body, call.headers)
      return true
    } catch {
      return false
    }
  }

  it('old and new secret verify for a day, then only the new one. The other mode keeps its secret', async () => {
    const [old, live] = [await readSecret(), await readSecret('live')]
    const startedMs = Date.now()
    const rotated = await rotate({ mode: 'sandbox' })
    expect(rotated).toMatchObject({ status: 200, body: { data: { mode: 'sandbox' } } })
    const { webhook_secret: fresh, previous_secret_until: until } = rotated.body.data
    expect(fresh).toMatch(/^whsec_/)
    expect(fresh).not.toBe(old)
    const overlapMs = Date.parse(`${until.replace(' ', 'T')}Z`) - startedMs
    expect(Math.abs(overlapMs - 86_400_000)).toBeLessThan(20_000)
    expect(await readSecret()).toBe(fresh)
    expect(await readSecret('live')).toBe(live)

    const both = await nextCall()
    expect(both.headers['webhook-signature']!.split(' ')).toHaveLength(2)
    expect([old, fresh, live].map((secret) => verifies(both, secret))).toEqual([true, true, false])

    await shop.sql(
      `update webhook_secret set previous_until = now() - interval '1 second' where previous_until is not null`,
    )
    shop.t.service.webhookSecrets.forgetAll()
    const single = await nextCall()
    expect(single.headers['webhook-signature']!.split(' ')).toHaveLength(1)
    expect([old, fresh].map((secret) => verifies(single, secret))).toEqual([false, true])
  })

  it('is in the audit log, without any secret', async () => {
    const old = await readSecret()
    const { webhook_secret: fresh, previous_secret_until } = (await rotate({ mode: 'sandbox' }))
      .body.data
    const log = await callOperator(
      'GET',
      '/operator/audit-log?limit=1&action=webhook_secret.rotate',
    )
    expect(log.body.data.entries[0]).toMatchObject({
      action: 'webhook_secret.rotate',
      subject: `store:${shop.store.store.storeId}`,
      after: { mode: 'sandbox', previous_secret_until },
    })
    for (const secret of [old, fresh]) expect(log.text).not.toContain(secret)
  })

  it('no secret is in plain text in the database', async () => {
    const secrets = [await readSecret(), await readSecret('live')]
    secrets.push((await rotate({ mode: 'sandbox' })).body.data.webhook_secret)
    await nextCall()
    const tables = await shop.sql<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    expect(tables.map((table) => table.name)).toContain('webhook_secret')
    for (const secret of secrets) {
      const bare = secret.slice('whsec_'.length)
      const bytes = Buffer.from(bare, 'base64').toString('hex')
      const spellings = [
        bare,
        bytes,
        Buffer.from(secret).toString('hex'),
        Buffer.from(bare).toString('hex'),
      ]
      for (const { name } of tables) {
        const found = await shop.sql(
          `select 1 from "${name}" t where exists (
             select 1 from unnest($1::text[]) s where position(s in t::text) > 0)`,
          [spellings],
        )
        expect([name, found.length]).toEqual([name, 0])
      }
    }
  })

  it.each([
    [{}, ['mode']],
    [{ mode: 'test' }, ['mode']],
    [{ mode: null }, ['mode']],
  ])('refuses %j', async (body, fields) => {
    const before = await readSecret()
    const response = await rotate(body)
    expect(response.status).toBe(400)
    expect(response.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
    expect(await readSecret()).toBe(before)
  })

  it('is 404 for an unknown store, and requires an operator', async () => {
    const path = '/operator/stores/999999/webhook-secret/rotate'
    expect((await callOperator('POST', path, { mode: 'live' })).status).toBe(404)
    const ownPath = `${storePath()}/webhook-secret/rotate`
    expect((await shop.t.call('POST', ownPath, shop.store.live, { mode: 'live' })).status).toBe(401)
  })
})

describe('metrics', () => {
  it('count attempts by outcome, and show delay, queue depth and age', async () => {
    const before = await read()
    const statuses = { delivered: 200, retry: 500, exhausted: 410 }
    for (const status of Object.values(statuses)) {
      respondWithStatus(status)
      await untilAttempted(await shop.createPaid(receiver.url))
    }
    await shop.sql(
      `update delivery set lease = null, due_at = now() - interval '90 s', leased_until = now() + interval '1 minute' where due_at is not null`,
    )
    // The dispatcher counts an attempt after it has written its result.
    const after = await eventually(async () => {
      const now = await read()
      for (const outcome of Object.keys(statuses)) {
        const series = `florin_webhooks_total{outcome="${outcome}",mode="sandbox"}`
        expect([series, (now(series) ?? 0) - (before(series) ?? 0)]).toEqual([series, 1])
      }
      return now
    })
    const delays = 'florin_webhook_first_attempt_seconds'
    expect(after(`${delays}_count`)! - before(`${delays}_count`)!).toBe(3)
    expect(after(`${delays}_sum`)! - before(`${delays}_sum`)!).toBeLessThan(30)
    expect(after('florin_webhook_queue{state="waiting",mode="sandbox"}')).toBe(1)
    expect(after('florin_webhook_queue{state="exhausted",mode="sandbox"}')).toBe(1)
    const age = after('florin_webhook_oldest_due_seconds{mode="sandbox"}')!
    expect(age).toBeGreaterThan(85)
    expect(age).toBeLessThan(120)
    await shop.sql('delete from delivery')
    const empty = await read()
    for (const mode of ['live', 'sandbox']) {
      expect(empty(`florin_webhook_queue{state="waiting",mode="${mode}"}`)).toBe(0)
      expect(empty(`florin_webhook_queue{state="exhausted",mode="${mode}"}`)).toBe(0)
      expect(empty(`florin_webhook_oldest_due_seconds{mode="${mode}"}`)).toBe(0)
    }
  })

  async function read() {
    const text = await shop.t.service.metrics.registry.metrics()
    const lines = text.split('\n')
    return (series: string): number | undefined => {
      const line = lines.find((candidate) => candidate.startsWith(`${series} `))
      return line === undefined ? undefined : Number(line.slice(series.length + 1))
    }
  }
})
