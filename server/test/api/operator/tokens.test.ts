import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import { createOperator, createTestToken, type TestOperator } from '../../setup/operators.ts'
import { type Headers, startTestService, type TestService } from '../../setup/testService.ts'

const REFUSED = refusal(401, 'Invalid operator token')
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

let t: TestService
let admin: TestOperator
beforeAll(async () => {
  t = await startTestService()
  admin = await createOperator(t)
})
afterAll(() => t.close())

const create = (body: unknown, headers: Headers = admin.headers) =>
  t.call('POST', '/operator/tokens', headers, body)
const revoke = (tokenId: string) =>
  t.call('DELETE', `/operator/tokens/${encodeURIComponent(tokenId)}`, admin.headers)
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })
const readRates = (headers: Headers) => t.call('GET', '/operator/rates', headers)
const list = async (query = '') =>
  (await t.call('GET', `/operator/tokens?${query}`, admin.headers)).body.data
const daysLeft = (expiresAt: string) =>
  (Date.parse(`${expiresAt.replace(' ', 'T')}Z`) - Date.now()) / DAY_MS
const readLatestEvent = (kind: string) =>
  t.database.query(
    `select account_id as "accountId", actor, details
     from security_event
     where kind = $1
     order by event_id desc
     limit 1`,
    [kind],
  )

describe('a token', () => {
  it('belongs to its creator, is shown once, expires after 90 days, and is revoked by its id', async () => {
    const response = await create({ label: 'Night / ü', scopes: ['read', 'metrics', 'read'] })
    const { token, ...shown } = response.body.data
    expect(response.body).toEqual({
      status: 200,
      message: 'Token created',
      data: {
        token_id: expect.stringMatching(/^tok_\w{26}$/),
        label: 'Night / ü',
        owner: admin.email,
        scopes: ['metrics', 'read'],
        created_at: TIME,
        expires_at: TIME,
        last_used_at: null,
        revoked_at: null,
        state: 'active',
        upgraded: false,
        token: expect.stringMatching(/^flo_[\w-]{43}$/),
      },
    })
    expect(daysLeft(shown.expires_at)).toBeCloseTo(90, 1)
    const rows = await t.database.query<{ row: string }>(
      `select operator_token::text as row from operator_token
       union all select audit_log::text from audit_log
       union all select security_event::text from security_event`,
    )
    const stored = rows.map(({ row }) => row).join()
    expect(stored).toContain(shown.token_id)
    expect(stored).not.toContain(token)

    expect((await readRates(bearer(token))).status).toBe(200)
    const used = (await list()).tokens[0]
    expect(used).toEqual({ ...shown, last_used_at: TIME })
    expect(await readLatestEvent('token_created')).toEqual([
      {
        accountId: admin.operatorId,
        actor: `${admin.email} (operator)`,
        details: { token_id: shown.token_id, label: 'Night / ü', scopes: ['metrics', 'read'] },
      },
    ])

    const revoked = await revoke(shown.token_id)
    expect(revoked.body).toEqual({
      status: 200,
      message: 'Token revoked',
      data: { ...used, revoked_at: TIME, state: 'revoked' },
    })
    expect(await readRates(bearer(token))).toMatchObject({ status: 401, body: REFUSED })
    expect((await revoke(shown.token_id)).body).toEqual(revoked.body)
    expect((await revoke('tok_unknown\u0000')).body).toEqual(refusal(404, 'Token not found'))
    expect(await readLatestEvent('token_revoked')).toMatchObject([{ accountId: admin.operatorId }])
    const log = await t.call('GET', '/operator/audit-log?action=token.revoke', admin.headers)
    expect(log.body.data.entries).toHaveLength(1)
  })

  it('that several requests revoke at the same time has one audit entry and one security event', async () => {
    const { body } = await create({ label: 'revoked often', scopes: ['read'] })
    const id: string = body.data.token_id
    const responses = await Promise.all(Array.from({ length: 8 }, () => revoke(id)))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(responses[0]!.body.data).toMatchObject({ token_id: id, state: 'revoked' })
    const records = await t.database.query(
      `select 'entry' as kind from audit_log where action = 'token.revoke' and subject = $1
       union all
       select 'event' from security_event where kind = 'token_revoked' and details ->> 'token_id' = $2`,
      [`token:${id}`, id],
    )
    expect(records).toEqual([{ kind: 'entry' }, { kind: 'event' }])
  })

  it('is named by its id and owner in the audit log, whatever its label is', async () => {
    const { body } = await create({ label: `${admin.email} (operator)`, scopes: ['admin'] })
    const { token_id: id, token } = body.data
    const created = await create({ label: 'made by a token', scopes: ['read'] }, bearer(token))
    expect(created.body.data.owner).toBe(admin.email)
    const log = await t.call('GET', '/operator/audit-log?limit=1', admin.headers)
    expect(log.body.data.entries[0]).toMatchObject({
      actor: `token:${id} of ${admin.email}`,
      action: 'token.create',
      subject: `token:${created.body.data.token_id}`,
    })
    await revoke(id)
  })

  it('needs a label that no active token of the same owner has', async () => {
    const wanted = { label: 'backup', scopes: ['read'] }
    const responses = await Promise.all([create(wanted), create(wanted), create(wanted)])
    const [first, ...others] = responses.sort((a, b) => a.status - b.status)
    expect(first!.status).toBe(200)
    for (const { body } of others) {
      expect(body).toEqual(
        invalid(['label', 'label belongs to another active token of the same owner']),
      )
    }
    const other = await createOperator(t)
    expect((await create(wanted, other.headers)).status).toBe(200)
    await revoke(first!.body.data.token_id)
    const again = await create(wanted)
    expect(again.status).toBe(200)
    await t.database.transaction((tx) =>
      tx.execute('update operator_token set expires_at = now() where token_id = $1', [
        again.body.data.token_id,
      ]),
    )
    expect(await readRates(bearer(again.body.data.token))).toMatchObject({
      status: 401,
      body: REFUSED,
    })
    expect((await create(wanted)).status).toBe(200)
  })

  it.each<[unknown, ...[string, string][]]>([
    [{}, ['label', 'label is required'], ['scopes', 'scopes is required']],
    [{ label: '', scopes: ['read'] }, ['label', 'label must not be empty']],
    [{ label: 5, scopes: ['read'] }, ['label', 'label must be a string']],
    [
      { label: 'x'.repeat(256), scopes: ['read'] },
      ['label', 'label must have at most 255 characters'],
    ],
    [{ label: 'x', scopes: [] }, ['scopes', 'scopes must have at least 1 item']],
    [
      { label: 'x', scopes: ['root'] },
      ['scopes.0', 'scopes.0 must be one of metrics, read, support, money, admin'],
    ],
    [
      { label: 'x', scopes: ['read'], expires_at: 'soon' },
      ['expires_at', 'expires_at must be a time in the next 366 days'],
    ],
    [
      { label: 'x', scopes: ['read'], expires_at: '2020-01-01 00:00:00' },
      ['expires_at', 'expires_at must be a time in the next 366 days'],
    ],
    [
      { label: 'x', scopes: ['read'], expires_at: inDays(367) },
      ['expires_at', 'expires_at must be a time in the next 366 days'],
    ],
    ['[]', ['body', 'body must be an object']],
  ])('is refused for %j', async (body, ...problems) => {
    const response = await create(body)
    expect(response).toMatchObject({ status: 400, body: invalid(...problems) })
  })

  it('can be valid for up to 366 days', async () => {
    const { body } = await create({ label: 'long', scopes: ['read'], expires_at: inDays(365.9) })
    expect(daysLeft(body.data.expires_at)).toBeCloseTo(365.9, 1)
  })
})

describe('a token that creates another one', () => {
  it('cannot let it expire later than itself', async () => {
    const shortLived = { label: 'short', scopes: ['admin'], expires_at: inDays(10) }
    const { token, expires_at } = (await create(shortLived)).body.data
    const headers = bearer(token)
    const tooLong = { label: 'longer', scopes: ['admin'], expires_at: inDays(11) }
    expect(await create(tooLong, headers)).toMatchObject({
      status: 400,
      body: invalid([
        'expires_at',
        'expires_at must be a time in the future, no later than the expiry of the token that you use',
      ]),
    })
    const created = await create({ label: 'as long', scopes: ['read'] }, headers)
    expect(created.body.data.expires_at).toBe(expires_at)
    const shorter = await create({ label: 'x', scopes: ['read'], expires_at: inDays(3) }, headers)
    expect(daysLeft(shorter.body.data.expires_at)).toBeCloseTo(3, 1)
    const { token: reader } = created.body.data
    expect((await create({ label: 'y', scopes: ['admin'] }, bearer(reader))).status).toBe(403)
  })
})

describe('the list of tokens', () => {
  it('has pages and states, including that of a token whose owner is disabled', async () => {
    const owner = await createOperator(t, 'finance')
    const { tokenId } = await createTestToken(t, { ...owner, scopes: ['money'] })
    const all = await list('limit=100')
    const pages: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(`limit=2${cursor && `&cursor=${cursor}`}`)
      pages.push(...page.tokens.map(({ token_id }: { token_id: string }) => token_id))
      cursor = page.next_cursor
    }
    expect(pages).toEqual(all.tokens.map(({ token_id }: { token_id: string }) => token_id))
    const stateOf = async (state: string) =>
      (await list(`limit=100&state=${state}`)).tokens.find(
        ({ token_id }: { token_id: string }) => token_id === tokenId,
      )?.state
    expect([await stateOf('active'), await stateOf('ended')]).toEqual(['active', undefined])
    const change = { disabled: true }
    await t.call('PATCH', `/operator/operators/${owner.operatorId}`, admin.headers, change)
    expect([await stateOf('active'), await stateOf('ended')]).toEqual([undefined, 'owner_disabled'])
    const bad = await t.call('GET', '/operator/tokens?cursor=x', admin.headers)
    expect(bad.body).toEqual(invalid(['cursor', 'cursor must be the next_cursor of a page']))
  })
})

it('the rights of a token follow the role of its owner', async () => {
  const owner = await createOperator(t)
  const { headers } = await createTestToken(t, { ...owner, scopes: ['admin'] })
  const setRate = () => t.call('PUT', '/operator/rates/EUR/USD', headers, { rate: '1.1' })
  const createStore = () =>
    t.call('POST', '/operator/stores', headers, { name: 'S', currency: 'USD' })
  const changeRole = (role: string) =>
    t.call('PATCH', `/operator/operators/${owner.operatorId}`, admin.headers, { role })
  expect([(await setRate()).status, (await createStore()).status]).toEqual([200, 200])
  expect((await changeRole('finance')).body.data.role).toBe('finance')
  expect([(await setRate()).status, (await createStore()).status]).toEqual([200, 403])
  await changeRole('auditor')
  expect([(await setRate()).status, (await readRates(headers)).status]).toEqual([403, 200])
  expect(await readLatestEvent('role_changed')).toEqual([
    {
      accountId: owner.operatorId,
      actor: `${admin.email} (operator)`,
      details: { before: 'finance', after: 'auditor' },
    },
  ])
})

it('wrong tokens are throttled per address', async () => {
  const guess = (remoteAddress: string) =>
    t.app.inject({ url: '/operator/rates', headers: bearer('flo_guess'), remoteAddress })
  let attempts = 0
  while ((await guess('192.0.2.1')).statusCode === 401 && attempts < 90) attempts++
  expect(attempts).toBeGreaterThanOrEqual(60)
  expect(attempts).toBeLessThan(90)
  const refused = await guess('192.0.2.1')
  expect(refused.json()).toEqual(refusal(429, 'Too many attempts. Try again in a minute.'))
  expect(refused.headers['retry-after']).toBe('60')
  expect((await guess('192.0.2.2')).statusCode).toBe(401)
})
