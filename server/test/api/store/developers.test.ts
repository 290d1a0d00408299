import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Role } from '../../../src/core/person.ts'
import { startLoops } from '../../../src/loops.ts'
import { invalid, refusal } from '../../setup/expected.ts'
import { sandboxPay } from '../../setup/merchantCalls.ts'
import {
  createPerson,
  createPersonOfEachRole,
  newSession,
  PASSWORD,
  type TestPerson,
} from '../../setup/people.ts'
import { type Receiver, startReceiver } from '../../setup/receiver.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
let other: TestStore
let people: Record<Role, TestPerson>
let receiver: Receiver
let stop: () => Promise<void>
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  other = await t.createStore()
  people = await createPersonOfEachRole(t, shop.store)
  receiver = await startReceiver()
  stop = startLoops(t.service)
})
afterAll(async () => {
  await stop()
  await receiver.close()
  await t.close()
})

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'
const call = (method: Method, path: string, body?: unknown, headers?: Headers) =>
  t.call(method, `/store/${path}`, headers ?? people.owner.headers, body)
const readKeys = async () => (await call('GET', 'live/keys')).body.data.keys
const statusWith = async (pair: { api_key: string; api_secret: string }) => {
  const headers = { 'api-key': pair.api_key, 'api-secret': pair.api_secret }
  return (await t.call('GET', '/merchant/balance', headers)).status
}
const auditOf = async (subject: string) =>
  (await t.call('GET', `/operator/audit-log?subject=${encodeURIComponent(subject)}`, t.operator))
    .body.data.entries

describe('API keys', () => {
  it('are created with label, scopes and expiry; the secret is shown once', async () => {
    const wanted = { label: 'Web shop', scopes: ['read'], expires_at: '2099-01-01 00:00:00' }
    const created = (await call('POST', 'live/keys', wanted)).body.data
    expect(created).toMatchObject({ ...wanted, mode: 'live', store_id: shop.store.storeId })
    expect(await statusWith(created)).toBe(200)
    const listed = (await readKeys()).find(
      (key: { api_key: string }) => key.api_key === created.api_key,
    )
    expect(listed).toMatchObject({ ...wanted, revoked_at: null })
    expect(JSON.stringify(listed)).not.toContain(created.api_secret)
    expect(await auditOf(`credential:${created.api_key}`)).toMatchObject([
      {
        actor: `${people.owner.email} (store ${shop.store.storeId})`,
        action: 'credential.issue',
        after: { label: 'Web shop' },
      },
    ])
  })

  it('have the time of their last use, which is written in the background', async () => {
    // The loop must not write the time before the test reads it.
    const flush = vi.spyOn(t.service.keyUses, 'flush').mockResolvedValue()
    const created = (await call('POST', 'live/keys', { label: 'Web shop' })).body.data
    const readLastUse = async () =>
      (await readKeys()).find((key: { api_key: string }) => key.api_key === created.api_key)
        .last_used_at
    await statusWith(created)
    expect(await readLastUse()).toBeNull()
    flush.mockRestore()
    await t.service.keyUses.flush()
    expect(await readLastUse()).toMatch(/^\d{4}-/)
  })

  it('are rotated with an overlap and revoked immediately, only within their store and mode', async () => {
    const created = (await call('POST', 'live/keys', { label: 'Web shop' })).body.data
    const path = `live/keys/${created.api_key}`
    const stranger = (await createPerson(t, other.store, 'owner')).headers
    const unknown = refusal(404, 'API key not found')
    expect((await call('POST', `${path}/rotate`, {}, stranger)).body).toEqual(unknown)
    expect((await call('DELETE', path, undefined, stranger)).body).toEqual(unknown)
    expect((await call('DELETE', path.replace('live', 'sandbox'))).body).toEqual(unknown)
    expect((await call('GET', 'live/keys', undefined, stranger)).text).not.toContain(
      created.api_key,
    )
    const renewed = (await call('POST', `${path}/rotate`, { overlap_seconds: 60 })).body.data
    expect([await statusWith(created), await statusWith(renewed)]).toEqual([200, 200])
    const again = (await call('POST', `${path}/rotate`, { overlap_seconds: 0 })).body.data
    expect([await statusWith(renewed), await statusWith(again)]).toEqual([401, 200])
    expect((await call('DELETE', path)).body.data.revoked_at).toMatch(/^\d{4}-/)
    expect(await statusWith(again)).toBe(401)
  })
})

describe('sensitive requests', () => {
  it('need a recent confirmation', async () => {
    const headers = await newSession(t, people.owner.personId)
    await t.database.transaction((tx) =>
      tx.execute(`update person_session set confirmed_at = now() - interval '16 minutes'`),
    )
    t.service.personSessions.forgetAll()
    const createKey = () => call('POST', 'live/keys', { label: 'Web shop' }, headers)
    const confirm = (password: string) => call('POST', 'session/confirm', { password }, headers)
    const needed = refusal(428, 'Confirm that it is you to continue.')
    expect((await createKey()).body).toEqual(needed)
    expect((await confirm('wrong')).body).toEqual(invalid(['password', 'password is wrong']))
    expect((await createKey()).body).toEqual(needed)
    expect((await confirm(PASSWORD)).status).toBe(200)
    expect((await createKey()).status).toBe(200)
    // The confirmation applies only to this session. Requests without secrets need none.
    expect((await call('POST', 'live/keys', { label: 'Web shop' })).body).toEqual(needed)
    expect((await call('GET', 'live/keys')).status).toBe(200)
    people.owner = { ...people.owner, headers }
  })

  it('need a new confirmation after the clock was set back', async () => {
    const headers = await newSession(t, people.owner.personId)
    await t.database.transaction((tx) =>
      tx.execute(`update person_session set confirmed_at = now() + interval '1 day' where session_id = (
        select max(session_id) from person_session)`),
    )
    const created = await call('POST', 'live/keys', { label: 'Web shop' }, headers)
    expect(created.status).toBe(428)
  })
})

describe('webhook secret', () => {
  it('is shown to the owner and rotated; the response says that the old one is valid for a day', async () => {
    const read = async () => (await call('GET', 'sandbox/webhook-secret')).body.data
    const before = await read()
    expect(before).toMatchObject({ mode: 'sandbox', previous_secret_until: null })
    const renewed = (await call('POST', 'sandbox/webhook-secret/rotate')).body.data
    expect(renewed.webhook_secret).toMatch(/^whsec_/)
    expect(renewed.webhook_secret).not.toBe(before.webhook_secret)
    expect(await read()).toEqual(renewed)
    const overlapMs = Date.parse(`${renewed.previous_secret_until}Z`) - Date.now()
    expect(overlapMs / 3_600_000).toBeCloseTo(24, 1)
    const live = (await call('GET', 'live/webhook-secret')).body.data
    expect(live.webhook_secret).not.toBe(renewed.webhook_secret)
    const log = await t.call('GET', '/operator/audit-log?action=webhook_secret.read', t.operator)
    expect(log.text).not.toContain('whsec_')
    expect(log.body.data.entries).toMatchObject(
      ['live', 'sandbox', 'sandbox'].map((mode) => ({
        actor: `${people.owner.email} (store ${shop.store.storeId})`,
        subject: `store:${shop.store.storeId}`,
        after: { mode },
      })),
    )
  })
})

describe('webhook log', () => {
  const readLog = async (query: string, headers?: Headers) =>
    (await call('GET', `sandbox/webhooks?${query}`, undefined, headers)).body.data
  const listIds = async (query: string) =>
    (await readLog(query)).events.map(({ id }: { id: string }) => id)
  const until = (state: string, count: number) =>
    expect.poll(async () => (await listIds(`state=${state}`)).length).toBe(count)
  async function createSettled(webhook_url: string | undefined, outcome = 'completed') {
    const body = webhook_url === undefined ? {} : { webhook_url }
    const { payment_id } = await t.createPayment(shop.sandbox, body)
    await sandboxPay(t, shop.sandbox, payment_id, outcome)
    return payment_id
  }

  it('filters by state, type, payment and time, and is paged', async () => {
    receiver.respondWith((request, response) => {
      response.statusCode = request.url!.includes('bad') ? 500 : 200
      response.end('x')
    })
    const good = await createSettled(receiver.url)
    await createSettled(undefined)
    const bad = await createSettled(`${receiver.url}/bad`)
    await createSettled(`${receiver.url}/bad`, 'error')
    await until('delivered', 1)
    await until('failing', 2)
    // Otherwise the first retry, after five seconds, could deliver these events during the tests.
    await t.database.transaction((tx) =>
      tx.execute(`update delivery set due_at = now() + interval '1 hour'`),
    )
    expect(await listIds('state=delivered')).toEqual([`evt_${good.slice(4)}_1`])
    expect(await listIds('state=not_wanted')).toHaveLength(1)
    const wanted = await readLog('state=wanted&limit=3')
    expect([wanted.events.length, wanted.next_cursor]).toEqual([3, null])
    expect(await listIds('type=payment.failed')).toHaveLength(1)
    expect(await listIds(`payment_id=${bad}`)).toEqual([`evt_${bad.slice(4)}_1`])
    expect(await listIds('from=2099-01-01')).toEqual([])
    const first = await readLog('limit=3')
    const rest = await readLog(`limit=3&cursor=${encodeURIComponent(first.next_cursor)}`)
    expect([first.events.length, rest.events.length, rest.next_cursor]).toEqual([3, 1, null])
    expect((await readLog(`payment_id=${bad}`)).events[0]).toMatchObject({
      state: 'failing',
      attempts: 1,
      url: `${receiver.url}/bad`,
      payment_id: bad,
      last_attempt: { status_code: 500, error: null },
    })
    const stranger = (await createPerson(t, other.store, 'owner')).headers
    expect((await readLog('', stranger)).events).toEqual([])
    expect((await readLog(`payment_id=${bad}`, stranger)).events).toEqual([])
  })

  it('resends many events, but none of another store', async () => {
    const failing = await listIds('state=failing')
    const stranger = (await createPerson(t, other.store, 'owner')).headers
    const byStranger = await call('POST', 'sandbox/webhooks/resend', { ids: failing }, stranger)
    expect(byStranger.body.data).toEqual({ events: 0, next_cursor: null })
    const wrongMode = await call('POST', 'live/webhooks/resend', { ids: failing })
    expect(wrongMode.body.data.events).toBe(0)
    expect((await call('POST', 'sandbox/webhooks/resend', { ids: ['x'] })).body).toEqual(
      invalid(['ids', 'ids must be event ids']),
    )
    for (const filter of [{ state: 'delivered' }, { from: 'x' }, { cursor: 'x' }]) {
      const both = await call('POST', 'sandbox/webhooks/resend', { ids: failing, ...filter })
      expect(both.body).toEqual(invalid(['ids', 'Send either ids or filters, not both']))
    }
    expect(await listIds('state=failing')).toEqual(failing)
    receiver.respondWith((_request, response) => response.end('ok'))
    const withoutUrl = await t.createPayment(shop.sandbox)
    await sandboxPay(t, shop.sandbox, withoutUrl.payment_id)
    const dryRun = { payment_id: withoutUrl.payment_id, dry_run: true }
    const nothing = await call('POST', 'sandbox/webhooks/resend', dryRun)
    expect(nothing.body.data).toEqual({ events: 0, next_cursor: null })
    const notSent = await call('POST', 'sandbox/webhooks/resend', {
      payment_id: withoutUrl.payment_id,
    })
    expect(notSent.body.data).toEqual({ events: 0, next_cursor: null })
    const counted = await call('POST', 'sandbox/webhooks/resend', { dry_run: true })
    expect(counted.body).toEqual({
      status: 200,
      message: 'Events would be resent',
      data: { events: 3, next_cursor: null },
    })
    expect(await listIds('state=failing')).toEqual(failing)
    const sent = await call('POST', 'sandbox/webhooks/resend', { state: 'failing' })
    expect(sent.body.data).toEqual({ events: 2, next_cursor: null })
    const [entry] = await auditOf(`store:${shop.store.storeId}`)
    expect(entry).toMatchObject({
      action: 'webhook.redeliver',
      after: { mode: 'sandbox', events: 2 },
      actor: `${people.owner.email} (store ${shop.store.storeId})`,
    })
    await until('failing', 0)
    await until('delivered', 3)
    const single = await call('POST', 'sandbox/webhooks/resend', {
      ids: failing.slice(0, 1),
      cursor: null,
    })
    expect(single.body.data.events).toBe(1)
    await until('delivered', 3)
  })

  it('counts and resends an event once if its id is repeated', async () => {
    const [id] = await listIds('state=delivered')
    const twice = { ids: [id, id] }
    const counted = await call('POST', 'sandbox/webhooks/resend', { ...twice, dry_run: true })
    expect(counted.body.data).toEqual({ events: 1, next_cursor: null })
    const sent = await call('POST', 'sandbox/webhooks/resend', twice)
    expect(sent.body.data).toEqual({ events: 1, next_cursor: null })
    await until('delivered', 3)
  })
})

describe('API console', () => {
  it('creates a sandbox payment and simulates the payer', async () => {
    const body = { amount: 4.5, currency: 'USD', webhook_url: receiver.url, payload: { a: 1 } }
    const created = (await call('POST', 'sandbox/console/payments', body)).body
    expect(Object.keys(created)).toEqual(['message', 'data'])
    const id = created.data.payment_id
    const paid = await call('POST', `sandbox/console/payments/${id}/pay`, { outcome: 'completed' })
    expect(paid.body.data).toEqual({ payment_id: id, status: 'completed' })
    await vi.waitFor(
      () => expect(receiver.received.some((request) => request.body.includes(id))).toBe(true),
      20_000,
    )
    expect((await call('POST', 'live/console/payments', body)).status).toBe(403)
    expect((await call('POST', 'sandbox/console/payments', { amount: -1 })).status).toBe(400)
  })
})
