import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid, TIME } from '../../setup/expected.ts'
import { createOperator } from '../../setup/operators.ts'
import { createPerson } from '../../setup/people.ts'
import { type Headers, startTestService, type TestService } from '../../setup/testService.ts'

let t: TestService
let tokenHeaders: Headers
let actor: string
beforeAll(async () => {
  t = await startTestService()
  const wanted = { label: 'night shift', scopes: ['admin'] }
  const { body } = await t.call('POST', '/operator/tokens', t.operator, wanted)
  actor = `token:${body.data.token_id} of command line`
  tokenHeaders = { authorization: `Bearer ${body.data.token}` }
})
afterAll(() => t.close())

type Entry = {
  id: string
  action: string
  actor: string
  subject: string
  at: string
  actor_name: string | null
  subject_name: string | null
  subject_currency: string | null
}
const read = async (query: string) =>
  (await t.call('GET', `/operator/audit-log?${query}`, t.operator)).body.data as {
    entries: Entry[]
    next_cursor: string | null
  }

describe('the audit log', () => {
  it('records the actor, the action, and the state before and after each change', async () => {
    const act = async (
      method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      path: string,
      body?: unknown,
    ) => {
      const response = await t.call(method, `/operator${path}`, tokenHeaders, body)
      expect(response.status, `${method} ${path}: ${response.text}`).toBe(200)
      const { entries } = await read('limit=1')
      expect(entries[0]).toMatchObject({
        id: expect.stringMatching(/^\d+$/),
        at: TIME,
        actor,
        request_id: response.headers['x-request-id'],
      })
      const { action, subject, before, after } = entries[0] as Entry & Record<string, unknown>
      return { data: response.body.data, entry: { action, subject, before, after } }
    }

    const created = await act('POST', '/stores', { name: 'Corner', currency: 'USD' })
    const store = created.data
    expect(created.entry).toEqual({
      action: 'store.create',
      subject: `store:${store.id}`,
      before: null,
      after: store,
    })
    const changed = await act('PATCH', `/stores/${store.id}`, { fee_bps: 5, max_amount: '9.00' })
    expect(changed.entry).toEqual({
      action: 'store.change',
      subject: `store:${store.id}`,
      before: store,
      after: { ...store, fee_bps: 5, max_amount: '9.00' },
    })
    const money = { mode: 'live', amount: '5.00', note: 'opening' }
    const funded = await act('POST', `/stores/${store.id}/fund`, money)
    expect(funded.entry).toEqual({
      action: 'store.funding',
      subject: `store:${store.id}`,
      before: { mode: 'live', balance: '0.00' },
      after: {
        mode: 'live',
        balance: '5.00',
        reference: funded.data.reference,
        note: 'opening',
      },
    })
    const paidOut = await act('POST', `/stores/${store.id}/payout`, { mode: 'live', amount: '2' })
    expect(paidOut.entry).toEqual({
      action: 'store.payout',
      subject: `store:${store.id}`,
      before: { mode: 'live', balance: '5.00' },
      after: { mode: 'live', balance: '3.00', reference: paidOut.data.reference, note: null },
    })

    const issued = await act('POST', `/stores/${store.id}/credentials`, { mode: 'live' })
    const { api_secret: _, webhook_secret: __, ...credential } = issued.data
    const subject = `credential:${credential.api_key}`
    expect(issued.entry).toEqual({
      action: 'credential.issue',
      subject,
      before: null,
      after: credential,
    })
    const rotated = await act('POST', `/credentials/${credential.api_key}/rotate`)
    const { previous_secret_until } = rotated.data
    expect(rotated.entry).toEqual({
      action: 'credential.rotate',
      subject,
      before: credential,
      after: { ...credential, previous_secret_until },
    })
    const revoked = await act('DELETE', `/credentials/${credential.api_key}`)
    expect(revoked.entry).toEqual({
      action: 'credential.revoke',
      subject,
      before: { ...credential, previous_secret_until },
      after: revoked.data,
    })

    const rate = await act('PUT', '/rates/EUR/USD', { rate: '1.1' })
    expect(rate.entry).toEqual({
      action: 'rate.set',
      subject: 'rate:EUR/USD',
      before: null,
      after: { rate: '1.1000' },
    })
    expect((await act('PUT', '/rates/EUR/USD', { rate: '1.2' })).entry).toMatchObject({
      before: { rate: '1.1000' },
      after: { rate: '1.2000' },
    })

    const profile = { mode: 'live', name: 'Ada', email: 'ada@example.com', phone: '+447700900001' }
    const wallet = await act('POST', '/wallets', { ...profile, pin: '97531864' })
    const { wallet_id } = wallet.data
    const url = `/wallets/${wallet_id}`
    expect(wallet.entry).toEqual({
      action: 'wallet.create',
      subject: `wallet:${wallet_id}`,
      before: null,
      after: { ...profile, wallet_id },
    })
    const topUp = await act('POST', `${url}/top-up`, { currency: 'USD', amount: '5', note: 'hi' })
    expect(topUp.entry).toEqual({
      action: 'wallet.top_up',
      subject: `wallet:${wallet_id}`,
      before: { currency: 'USD', balance: '0.00' },
      after: { currency: 'USD', balance: '5.00', reference: topUp.data.reference, note: 'hi' },
    })
    const withdrawn = await act('POST', `${url}/withdraw`, { currency: 'USD', amount: '1' })
    expect(withdrawn.entry).toMatchObject({
      action: 'wallet.withdrawal',
      before: { currency: 'USD', balance: '5.00' },
      after: { currency: 'USD', balance: '4.00', reference: withdrawn.data.reference, note: null },
    })
    await t.database.transaction((tx) =>
      tx.execute(`update wallet set locked_until = '2099-01-01 00:00:00Z' where public_id = $1`, [
        wallet_id,
      ]),
    )
    expect((await act('POST', `${url}/unlock`)).entry).toEqual({
      action: 'wallet.unlock',
      subject: `wallet:${wallet_id}`,
      before: { locked_until: '2099-01-01 00:00:00' },
      after: { locked_until: null },
    })
    // A PIN must not be logged.
    expect((await act('POST', `${url}/pin`, { pin: '86420975' })).entry).toEqual({
      action: 'wallet.pin',
      subject: `wallet:${wallet_id}`,
      before: null,
      after: null,
    })
    const day = await act('POST', '/tokens', { label: 'day', scopes: ['read'] })
    const { token: _secret, ...token } = day.data
    expect(day.entry).toEqual({
      action: 'token.create',
      subject: `token:${token.token_id}`,
      before: null,
      after: token,
    })
    const ended = await act('DELETE', `/tokens/${token.token_id}`)
    expect(ended.entry).toEqual({
      action: 'token.revoke',
      subject: `token:${token.token_id}`,
      before: token,
      after: ended.data,
    })
    const log = await t.call('GET', '/operator/audit-log?limit=100', t.operator)
    expect(log.text).not.toMatch(/97531864|86420975|argon2|fls_|flo_[\w-]{20}|whsec_/)
  })

  it('does not record refused requests', async () => {
    const before = (await read('limit=1')).entries[0]!.id
    const { wallet } = await t.createWallet()
    const { store } = await t.createStore()
    const last = (await read('limit=1')).entries[0]!.id
    expect(BigInt(last)).toBeGreaterThan(BigInt(before))
    for (const [method, path, body] of [
      ['POST', '/stores', { name: '' }],
      ['PATCH', `/stores/${store.storeId}`, { fee_bps: -1 }],
      ['POST', `/stores/${store.storeId}/payout`, { mode: 'live', amount: '1' }],
      ['POST', `/wallets/${wallet.publicId}/withdraw`, { currency: 'USD', amount: '1' }],
      ['PUT', '/rates/EUR/USD', { rate: '0' }],
      ['DELETE', '/credentials/none', undefined],
      ['DELETE', '/tokens/none', undefined],
    ] as const) {
      expect((await t.call(method, `/operator${path}`, tokenHeaders, body)).status).not.toBe(200)
    }
    expect((await read('limit=1')).entries[0]!.id).toBe(last)
  })
})

describe('listing the audit log', () => {
  it('filters by actor, action, subject and time', async () => {
    await t.createStore()
    const [latest] = (await read('action=store.create&limit=1')).entries
    const byActor = (await read(`actor=${encodeURIComponent(actor)}&limit=100`)).entries
    expect(byActor.length).toBeGreaterThan(0)
    expect(byActor.every((entry) => entry.actor === actor)).toBe(true)
    expect((await read('actor=nobody')).entries).toEqual([])
    const stores = await read('action=store.create&limit=100')
    expect(stores.entries.length).toBeGreaterThan(0)
    expect(stores.entries.every(({ action }) => action === 'store.create')).toBe(true)
    const ofSubject = await read(`subject=${latest!.subject}&action=store.create`)
    expect(ofSubject.entries).toEqual([latest])
    const from = encodeURIComponent(latest!.at)
    expect((await read(`from=${from}&limit=100`)).entries.map(({ id }) => id)).toContain(latest!.id)
    expect((await read(`to=${from}&limit=100`)).entries.map(({ id }) => id)).not.toContain(
      latest!.id,
    )
    expect((await read('from=2099-01-01')).entries).toEqual([])
    expect((await read('to=2001-01-01T00:00:00Z')).entries).toEqual([])
  })

  it('returns pages, newest first', async () => {
    const all = await read('limit=100')
    expect(all.next_cursor).toBeNull()
    const ids = all.entries.map((entry) => BigInt(entry.id))
    expect(ids).toEqual([...ids].sort((a, b) => (a < b ? 1 : -1)))
    const paged: Entry[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof read>> = await read(
        cursor === '' ? 'limit=7' : `limit=7&cursor=${cursor}`,
      )
      paged.push(...page.entries)
      cursor = page.next_cursor
    }
    expect(paged).toEqual(all.entries)
  })

  it.each([
    ['limit=0', 'limit must be a whole number from 1 to 100'],
    ['from=yesterday', 'from must be a time such as 2026-01-31 08:00:00'],
    ['to=2026-02-30', 'to must be a time such as 2026-01-31 08:00:00'],
    ['cursor=x', 'cursor must be the next_cursor of a page'],
    ['cursor=-1', 'cursor must be the next_cursor of a page'],
    ['actor=%00', 'actor contains characters that cannot be stored'],
    [`subject=${'x'.repeat(256)}`, 'subject must have at most 255 characters'],
    ['action=a&action=b', 'action must be a string'],
    ['limit=1&limit=2', 'limit must be a whole number from 1 to 100'],
    ['from=2026-01-01&from=2026-01-02', 'from must be a string'],
    ['cursor=1&cursor=2', 'cursor must be a string'],
  ])('refuses ?%s', async (query, message) => {
    const response = await t.call('GET', `/operator/audit-log?${query}`, t.operator)
    expect(response.status).toBe(400)
    expect(response.body).toEqual(invalid([query.split('=')[0]!, message]))
  })
})

it('shows the names of actors and subjects and the currencies of stores, where they are known', async () => {
  const operator = await createOperator(t)
  const { store } = await t.createStore({ name: 'Named Shop' })
  const owner = await createPerson(t, store, 'owner')
  const { wallet } = await t.createWallet()
  const path = `/operator/stores/${store.storeId}`
  await t.call('PATCH', path, operator.headers, { domain: 'shop.example' })
  await t.call('POST', `/operator/wallets/${wallet.publicId}/lock`, operator.headers)
  await t.call('PATCH', '/store/settings', owner.headers, { phone: '1' })
  await t.call('PUT', '/operator/rates/EUR/USD', t.operator, { rate: '1.1' })
  const { entries } = await read('limit=4')
  const names = entries.map(({ action, actor_name, subject_name, subject_currency }) => [
    action,
    actor_name,
    subject_name,
    subject_currency,
  ])
  expect(names).toEqual([
    ['rate.set', null, null, null],
    ['store.change', owner.name, 'Named Shop', 'USD'],
    ['wallet.lock', operator.name, wallet.name, null],
    ['store.change', operator.name, 'Named Shop', 'USD'],
  ])
})
