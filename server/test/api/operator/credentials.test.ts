import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import { type Headers, startTestService, type TestService } from '../../setup/testService.ts'

const INVALID_KEYS = refusal(401, 'Invalid API credentials')
const NOT_FOUND = refusal(404, 'API key not found')

let t: TestService
let storeId: number
beforeAll(async () => {
  t = await startTestService()
  storeId = (await t.createStore()).store.storeId
})
afterAll(() => t.close())

const issue = (body: unknown) =>
  t.call('POST', `/operator/stores/${storeId}/credentials`, t.operator, body)
const rotate = (key: string, body?: unknown) =>
  t.call('POST', `/operator/credentials/${key}/rotate`, t.operator, body)
const revoke = (key: string) => t.call('DELETE', `/operator/credentials/${key}`, t.operator)
const keysOf = (data: { api_key: string; api_secret: string }): Headers => ({
  'api-key': data.api_key,
  'api-secret': data.api_secret,
})
const statusWith = async (keys: Headers) => (await t.call('GET', '/merchant/store', keys)).status

describe('creating an API key', () => {
  it.each(['live', 'sandbox'])(
    'returns a working key and secret for %s with every scope',
    async (mode) => {
      const { status, body } = await issue({ mode })
      expect(status).toBe(200)
      expect(body).toEqual({
        status: 200,
        message: 'API key created',
        data: {
          api_key: expect.stringMatching(`^flk_${mode}_[\\w-]{20}$`),
          api_secret: expect.stringMatching(`^fls_${mode}_[\\w-]{43}$`),
          webhook_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/=]{32,}$/),
          store_id: storeId,
          mode,
          label: '',
          scopes: ['read', 'create', 'refund'],
          created_at: TIME,
          expires_at: null,
          previous_secret_until: null,
          revoked_at: null,
          last_used_at: null,
        },
      })
      const shown = await t.call('GET', '/merchant/store', keysOf(body.data))
      expect(shown.body.data).toMatchObject({ mode, scopes: ['read', 'create', 'refund'] })
    },
  )

  it.each<[unknown, [string, string][]]>([
    [{}, [['mode', 'mode is required']]],
    [{ mode: 'test' }, [['mode', 'mode must be one of live, sandbox']]],
    [{ mode: null }, [['mode', 'mode must be one of live, sandbox']]],
    [{ mode: 'live', label: 1 }, [['label', 'label must be a string']]],
    [{ mode: 'live', label: '\0' }, [['label', 'label contains characters that cannot be stored']]],
    [
      { mode: 'live', label: 'x'.repeat(256) },
      [['label', 'label must have at most 255 characters']],
    ],
    [{ mode: 'live', scopes: 'read' }, [['scopes', 'scopes must be an array']]],
    [
      { mode: 'live', scopes: ['admin'] },
      [['scopes.0', 'scopes.0 must be one of read, create, refund']],
    ],
    [{ mode: 'live', scopes: [] }, [['scopes', 'scopes must have at least 1 item']]],
    [{ mode: 'live', expires_at: 5 }, [['expires_at', 'expires_at must be a string']]],
    [
      { mode: 'live', expires_at: '' },
      [['expires_at', 'expires_at must be a time in the future, such as 2030-01-31 08:00:00']],
    ],
    [
      { mode: 'live', expires_at: 'soon' },
      [['expires_at', 'expires_at must be a time in the future, such as 2030-01-31 08:00:00']],
    ],
    [
      { mode: 'live', expires_at: '2020-01-01 00:00:00' },
      [['expires_at', 'expires_at must be a time in the future, such as 2030-01-31 08:00:00']],
    ],
    [
      { mode: 'live', expires_at: '2099-02-30 00:00:00' },
      [['expires_at', 'expires_at must be a time in the future, such as 2030-01-31 08:00:00']],
    ],
    ['[]', [['body', 'body must be an object']]],
    ['null', [['body', 'body must be an object']]],
    [undefined, [['body', 'body must be an object']]],
  ])('refuses %j', async (body, problems) => {
    const count = () => t.database.query('select count(*)::int from credential')
    const before = await count()
    const response = await issue(body)
    expect(response.status).toBe(400)
    expect(response.body).toEqual(invalid(...problems))
    expect(await count()).toEqual(before)
  })

  it('gives the key the scopes that were sent, each once', async () => {
    const { body } = await issue({ mode: 'live', scopes: ['read', 'read'] })
    expect(body.data.scopes).toEqual(['read'])
    const keys = keysOf(body.data)
    expect(await statusWith(keys)).toBe(200)
    expect((await t.call('POST', '/merchant/payment/create', keys)).body).toEqual(
      refusal(403, 'This API key is not allowed to do that'),
    )
  })

  it('the key stops working when it expires', async () => {
    const { data } = (await issue({ mode: 'live', expires_at: '2099-01-01T00:00:00Z' })).body
    expect(data.expires_at).toBe('2099-01-01 00:00:00')
    expect(await statusWith(keysOf(data))).toBe(200)
    await t.database.transaction((tx) =>
      tx.execute('update credential set expires_at = now() where api_key = $1', [data.api_key]),
    )
    t.service.credentials.forgetAll()
    expect(await t.call('GET', '/merchant/store', keysOf(data))).toMatchObject({
      status: 401,
      body: INVALID_KEYS,
    })
  })
})

describe('rotating a secret', () => {
  it('returns a new secret, and the old one works for a day', async () => {
    const { data: first } = (await issue({ mode: 'live', label: 'till' })).body
    const { status, body } = await rotate(first.api_key)
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 200,
      message: 'API key rotated',
      data: {
        ...first,
        api_secret: expect.stringMatching(/^fls_live_[\w-]{43}$/),
        previous_secret_until: TIME,
      },
    })
    expect(body.data.api_secret).not.toBe(first.api_secret)
    const overlapMs = new Date(`${body.data.previous_secret_until}Z`).getTime() - Date.now()
    expect(overlapMs / 3_600_000).toBeCloseTo(24, 1)
    expect([await statusWith(keysOf(first)), await statusWith(keysOf(body.data))]).toEqual([
      200, 200,
    ])

    // After a second rotation the first secret no longer works.
    const { data: third } = (await rotate(first.api_key, {})).body
    expect(await statusWith(keysOf(first))).toBe(401)
    expect([await statusWith(keysOf(body.data)), await statusWith(keysOf(third))]).toEqual([
      200, 200,
    ])
    await t.database.transaction((tx) =>
      tx.execute('update credential set previous_until = now() where api_key = $1', [
        first.api_key,
      ]),
    )
    t.service.credentials.forgetAll()
    expect([await statusWith(keysOf(body.data)), await statusWith(keysOf(third))]).toEqual([
      401, 200,
    ])
  })

  it('without overlap disables the old secret immediately on this node', async () => {
    const { data: first } = (await issue({ mode: 'sandbox' })).body
    expect(await statusWith(keysOf(first))).toBe(200)
    const { data: next } = (await rotate(first.api_key, { overlap_seconds: 0 })).body
    expect([await statusWith(keysOf(first)), await statusWith(keysOf(next))]).toEqual([401, 200])
  })

  it('lets the new secret work immediately on other nodes, which have cached the key', async () => {
    const { data: first } = (await issue({ mode: 'live' })).body
    expect(await statusWith(keysOf(first))).toBe(200)
    const forget = vi.spyOn(t.service.credentials, 'forget').mockReturnValue()
    const { data: next } = (await rotate(first.api_key)).body
    forget.mockRestore()
    expect(await statusWith(keysOf(next))).toBe(200)
  })

  it.each([
    [-1, 'must be at least 0'],
    [604_801, 'must be at most 604800'],
    [1.5, 'must be an integer'],
    ['60', 'must be an integer'],
  ])('refuses an overlap of %j', async (overlap_seconds, message) => {
    const { data } = (await issue({ mode: 'live' })).body
    const response = await rotate(data.api_key, { overlap_seconds })
    expect(response.status).toBe(400)
    expect(response.body).toEqual(invalid(['overlap_seconds', `overlap_seconds ${message}`]))
    expect(await statusWith(keysOf(data))).toBe(200)
  })
})

describe('revoking an API key', () => {
  it('disables the key immediately on this node, and is idempotent', async () => {
    const { data } = (await issue({ mode: 'live' })).body
    const rotated = (await rotate(data.api_key)).body.data
    expect(await statusWith(keysOf(data))).toBe(200)
    const revoked = await revoke(data.api_key)
    expect(revoked.status).toBe(200)
    expect(revoked.body).toEqual({
      status: 200,
      message: 'API key revoked',
      data: {
        ...Object.fromEntries(Object.entries(rotated).filter(([name]) => !/secret$/.test(name))),
        revoked_at: TIME,
      },
    })
    for (const keys of [keysOf(data), keysOf(rotated)]) {
      expect((await t.call('GET', '/merchant/store', keys)).body).toEqual(INVALID_KEYS)
    }
    expect((await revoke(data.api_key)).body).toEqual(revoked.body)
    expect(await rotate(data.api_key)).toMatchObject({ status: 404, body: NOT_FOUND })
  })

  it.each(['flk_live_nothing', '%00', 'x', '%F0%9F%9B%92'])(
    'refuses the unknown key %s',
    async (key) => {
      expect(await revoke(key)).toMatchObject({ status: 404, body: NOT_FOUND })
      expect(await rotate(key)).toMatchObject({ status: 404, body: NOT_FOUND })
    },
  )
})

describe('secrets', () => {
  it('are not in the list, the audit log, or the tables of keys, webhook secrets and stores', async () => {
    const { data: issued } = (await issue({ mode: 'live', label: 'secret test' })).body
    const { data: rotated } = (await rotate(issued.api_key)).body
    const listed = await t.call('GET', `/operator/stores/${storeId}/credentials`, t.operator)
    const shown = listed.body.data.credentials.find(
      ({ api_key }: { api_key: string }) => api_key === issued.api_key,
    )
    const { api_secret: _, webhook_secret: __, ...credential } = rotated
    expect(shown).toEqual(credential)
    await revoke(issued.api_key)

    const log = await t.call('GET', '/operator/audit-log?limit=100', t.operator)
    const tables: string[] = []
    for (const table of ['credential', 'audit_log', 'webhook_secret', 'store']) {
      const rows = await t.database.query<{ row: string }>(
        `select ${table}::text as row from ${table}`,
      )
      tables.push(...rows.map(({ row }) => row))
    }
    const allTexts = [listed.text, log.text, ...tables].join('\n')
    expect(allTexts).toContain(issued.api_key)
    for (const secret of [issued.api_secret, rotated.api_secret, issued.webhook_secret]) {
      expect(allTexts).not.toContain(secret)
      expect(allTexts).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })
})
