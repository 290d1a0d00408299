import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SecurityEventKind } from '../../../src/core/securityEvent.ts'
import type { Actor } from '../../../src/ops/auditLog.ts'
import { recordSecurityEvent, type SecurityEvent } from '../../../src/ops/securityEvents.ts'
import { refusal, TIME } from '../../setup/expected.ts'
import { WITH_MAIL } from '../../setup/mails.ts'
import { createOperator, type TestOperator } from '../../setup/operators.ts'
import { createPerson, type TestPerson } from '../../setup/people.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../../setup/testService.ts'

const CHROME =
  'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36'
let t: TestService
let shop: TestStore
let owner: TestPerson
let cashier: TestPerson
let operator: TestOperator
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
  shop = await t.createStore()
  owner = await createPerson(t, shop.store)
  cashier = await createPerson(t, shop.store, 'cashier')
  operator = await createOperator(t)
  await t.database.transaction((tx) => tx.execute('delete from security_event'))
})
afterAll(() => t.close())

const list = async (path: string, headers: Headers = t.operator) => {
  const response = await t.call('GET', path, headers)
  expect(response.status, response.text).toBe(200)
  return response.body.data.events
}
const listKinds = async (path: string, headers?: Headers) =>
  (await list(path, headers)).map(({ kind }: { kind: string }) => kind)
const record = (actor: Actor, ...events: SecurityEvent[]) =>
  t.database.transaction(async (tx) => {
    const at = new Date()
    for (const event of events) await recordSecurityEvent(tx, actor, event, at)
  })
const actorFrom = (name: string, address: string): Actor => ({
  name,
  requestId: null,
  source: { address, device: CHROME },
})

describe('API keys and webhook secrets', () => {
  it('record the actor and the address of a change', async () => {
    const headers = { ...owner.headers, 'user-agent': CHROME }
    const created = await t.call('POST', '/store/live/keys', headers, { label: 'Web shop' })
    const key = created.body.data.api_key
    await t.call('POST', `/store/live/keys/${key}/rotate`, headers, {})
    await t.call('POST', '/store/sandbox/webhook-secret/rotate', headers)
    await t.call('DELETE', `/operator/credentials/${key}`, operator.headers)
    // A second revocation changes nothing, and neither does an unknown key.
    await t.call('DELETE', `/operator/credentials/${key}`, operator.headers)
    await t.call('DELETE', '/operator/credentials/flk_live_unknown', operator.headers)
    const byOwner = {
      id: expect.any(String),
      at: TIME,
      account_id: owner.personId,
      account_email: owner.email,
      store_id: shop.store.storeId,
      actor: `${owner.email} (store ${shop.store.storeId})`,
      address: '127.0.0.1',
      device: 'Chrome on Android',
      user_agent: CHROME,
    }
    const details = { api_key: key, label: 'Web shop', mode: 'live' }
    const revoked = {
      ...byOwner,
      kind: 'api_key_revoked',
      account_id: operator.operatorId,
      account_email: operator.email,
      actor: `${operator.email} (operator)`,
      device: expect.any(String),
      user_agent: expect.any(String),
      details,
    }
    const events = [
      { ...byOwner, kind: 'webhook_secret_rotated', details: { mode: 'sandbox' } },
      { ...byOwner, kind: 'api_key_rotated', details },
      { ...byOwner, kind: 'api_key_created', details },
    ]
    expect(await list('/operator/security-events')).toEqual([revoked, ...events])
    expect(await list('/store/account/security-events', owner.headers)).toEqual(events)
    // The store doesn't see where the operator is.
    const hidden = { ...revoked, address: '', device: '', user_agent: '' }
    expect(await list('/store/security-events', owner.headers)).toEqual([hidden, ...events])
    expect(await listKinds('/operator/account/security-events', operator.headers)).toEqual([
      'api_key_revoked',
    ])
  })

  it('notify the owner of a new key, and not the cashier', async () => {
    const body = { mode: 'live', label: '' }
    const url = `/operator/stores/${shop.store.storeId}/credentials`
    await t.database.transaction((tx) => tx.execute('delete from mail'))
    expect((await t.call('POST', url, operator.headers, body)).status).toBe(200)
    const rows = await t.database.query('select recipient, template from mail')
    expect(rows).toEqual([{ recipient: owner.email, template: 'new_credential' }])
  })

  it("notify an owner in the owner's language, or in that of the store if the owner has none", async () => {
    const { store } = await t.createStore({ locale: 'fr' })
    const body = { mode: 'live', label: '' }
    const url = `/operator/stores/${store.storeId}/credentials`
    await createPerson(t, store, 'owner')
    const readLocales = async () => {
      await t.database.transaction((tx) => tx.execute('delete from mail'))
      expect((await t.call('POST', url, operator.headers, body)).status).toBe(200)
      return t.database.query('select locale from mail')
    }
    expect(await readLocales()).toEqual([{ locale: 'fr' }])
    await t.database.transaction((tx) =>
      tx.execute(`update person set locale = 'es' where store_id = $1`, [store.storeId]),
    )
    expect(await readLocales()).toEqual([{ locale: 'es' }])
  })

  it('record nothing if the change is refused', async () => {
    const before = await listKinds('/operator/security-events?limit=100')
    const refused = await t.call('POST', '/store/live/keys', owner.headers, {
      label: 'x',
      expires_at: '2001-01-01',
    })
    expect(refused.status).toBe(400)
    expect(await listKinds('/operator/security-events?limit=100')).toEqual(before)
  })
})

describe('lists', () => {
  beforeAll(async () => {
    await t.database.transaction((tx) => tx.execute('delete from security_event'))
    const storeId = shop.store.storeId
    const event = (kind: SecurityEventKind, accountId: string | null) => ({
      kind,
      accountId,
      storeId,
    })
    await record(actorFrom('nobody', '198.51.100.1'), { kind: 'sign_in_failed', accountId: null })
    await record(
      actorFrom(cashier.email, '198.51.100.2'),
      event('sign_in_failed', cashier.personId),
    )
    await record(actorFrom(cashier.email, '198.51.100.2'), event('sign_in', cashier.personId))
    await record(
      actorFrom(`${operator.email} (operator)`, '203.0.113.9'),
      event('password_reset', cashier.personId),
    )
    await record(actorFrom('ops', '203.0.113.9'), {
      kind: 'sign_in',
      accountId: operator.operatorId,
    })
    await t.database.transaction((tx) =>
      tx.execute(
        `update security_event set at = '2026-01-01 08:00:00Z' where kind = 'password_reset'`,
      ),
    )
  })

  it.each([
    ['kind=sign_in', ['sign_in', 'sign_in']],
    ['address=203.0.113.9', ['sign_in', 'password_reset']],
    ['to=2026-02-01', ['password_reset']],
    ['from=2026-02-01', ['sign_in', 'sign_in', 'sign_in_failed', 'sign_in_failed']],
    ['from=2026-01-01 08:00:00&to=2026-01-01 08:00:01', ['password_reset']],
    ['account=prs_nobody', []],
    ['account=nobody@example.com', []],
  ])('are filtered by %s', async (query, expected) => {
    expect(await listKinds(`/operator/security-events?${query}`)).toEqual(expected)
  })

  it('are filtered by account, by id or email address, and by store', async () => {
    const ofCashier = ['password_reset', 'sign_in', 'sign_in_failed']
    for (const account of [cashier.personId, cashier.email, cashier.email.toUpperCase()]) {
      expect(await listKinds(`/operator/security-events?account=${account}`)).toEqual(ofCashier)
    }
    expect(await listKinds(`/operator/security-events?store=${shop.store.storeId}`)).toEqual(
      ofCashier,
    )
    expect(await listKinds('/operator/security-events?store=99')).toEqual([])
  })

  it.each([
    ['kind=x', 'kind'],
    ['store=0', 'store'],
    ['store=x', 'store'],
    ['store=10000000', 'store'],
    ['from=yesterday', 'from'],
    ['cursor=x', 'cursor'],
    ['limit=101', 'limit'],
    ['account=%00', 'account'],
    [`address=${'1'.repeat(256)}`, 'address'],
  ])('refuse %s', async (query, field) => {
    const { status, body } = await t.call('GET', `/operator/security-events?${query}`, t.operator)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ field }])
  })

  it('are returned in pages', async () => {
    const page = async (cursor: string) =>
      (await t.call('GET', `/operator/security-events?limit=2${cursor}`, t.operator)).body.data
    const found: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { events, next_cursor } = await page(cursor && `&cursor=${cursor}`)
      found.push(...events.map(({ kind }: { kind: string }) => kind))
      cursor = next_cursor
    }
    expect(found).toEqual([
      'sign_in',
      'password_reset',
      'sign_in',
      'sign_in_failed',
      'sign_in_failed',
    ])
  })

  it('show people their own events, and the address of a failed sign-in but not that of an operator', async () => {
    const ownEvents = await list('/store/account/security-events', cashier.headers)
    const shown = ownEvents.map((event: Record<string, string>) => [event.kind, event.address])
    expect(shown).toEqual([
      ['password_reset', ''],
      ['sign_in', '198.51.100.2'],
      ['sign_in_failed', '198.51.100.2'],
    ])
    expect(await list('/store/account/security-events', owner.headers)).toEqual([])
    expect(await listKinds('/store/security-events', owner.headers)).toEqual([
      'password_reset',
      'sign_in',
      'sign_in_failed',
    ])
  })

  it('are refused to others, and an owner sees only those of the store', async () => {
    const notAllowed = await t.call('GET', '/store/security-events', cashier.headers)
    expect(notAllowed.status).toBe(403)
    const byToken = await t.call('GET', '/operator/account/security-events', t.operator)
    expect(byToken.body).toEqual(refusal(409, expect.any(String) as never))
    const anonymous = await t.call('GET', '/operator/security-events')
    expect(anonymous.status).toBe(401)
    const other = await createPerson(t, (await t.createStore()).store)
    expect(await listKinds('/store/security-events', other.headers)).toEqual([
      'api_key_created',
      'api_key_created',
    ])
  })
})
