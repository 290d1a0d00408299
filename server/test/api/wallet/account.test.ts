import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import { eventKindsOf } from '../../setup/securityEvents.ts'
import { type Headers, startTestService, type TestService } from '../../setup/testService.ts'

const PIN = '246810'
const PHONE = { 'user-agent': 'Phone/1.0' }
const SIGN_IN_FIRST = refusal(401, 'Sign in first')
const LOCKED = refusal(403, 'Too many wrong PINs. Try again later.')

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

let walletCount = 0
async function createSignedInWallet() {
  const phone = `+4477${String(++walletCount).padStart(8, '0')}`
  const fields = { mode: 'live', name: 'Ada', email: 'ada@example.com', phone, pin: PIN }
  const { body } = await t.call('POST', '/operator/wallets', t.operator, fields)
  const session = await signIn(phone)
  return { phone, walletId: body.data.wallet_id as string, ...session }
}

async function signIn(phone: string, pin = PIN, headers: Headers = PHONE) {
  const response = await t.call('POST', '/wallet/session', headers, { phone, pin })
  const token = response.body.data?.token as string
  return { response, headers: { authorization: `Bearer ${token}`, ...headers } as Headers }
}

const readWallet = (headers: Headers) => t.call('GET', '/wallet/me', headers)
const changePin = (headers: Headers, current: unknown, next: unknown) =>
  t.call('POST', '/wallet/pin', headers, { current, new: next })

describe('the PIN', () => {
  it('is changed with the current one, which ends the other sessions', async () => {
    const { phone, walletId, headers } = await createSignedInWallet()
    const other = await signIn(phone)
    const changed = await changePin(headers, PIN, '80529137')
    expect(changed.body).toEqual({
      status: 200,
      message: 'PIN changed',
      data: { device_token: expect.stringMatching(/^\d{4}-\d\d-\d\d\.[\w-]{43}$/) },
    })
    expect((await readWallet(headers)).status).toBe(200)
    expect((await readWallet(other.headers)).body).toEqual(SIGN_IN_FIRST)
    expect((await signIn(phone)).response.status).toBe(401)
    expect((await signIn(phone, '80529137')).response.status).toBe(200)
    expect(await eventKindsOf(t, walletId)).toEqual([
      'account_created',
      'sign_in',
      'sign_in',
      'pin_changed',
      'sign_in_failed',
      'sign_in',
    ])
    const log = await t.call('GET', `/operator/audit-log?subject=wallet:${walletId}`, t.operator)
    expect(log.body.data.entries[0]).toMatchObject({
      actor: `wallet:${walletId}`,
      action: 'wallet.pin',
      before: null,
      after: null,
    })
    // Eight digits, because an id in the log can contain four by chance.
    expect(log.text).not.toContain('80529137')
  })

  it('is changed in a browser that stays known, so that wrong PINs elsewhere do not lock it out', async () => {
    const { phone } = await createSignedInWallet()
    const first = await t.call('POST', '/wallet/session', {}, { phone, pin: PIN, cookie: true })
    const cookies = (from: Headers | Record<string, unknown>) =>
      [from['set-cookie']].flat().map((cookie) => String(cookie).split(';')[0]!)
    const session = cookies(first.headers)[0]!
    const origin = 'https://pay.example.com'
    const changed = await changePin({ cookie: session, origin }, PIN, '8052')
    expect(changed.body).toEqual({ status: 200, message: 'PIN changed', data: {} })
    const deviceCookie = cookies(changed.headers)[0]!
    expect(deviceCookie).toMatch(/^__Host-florin_known_/)
    for (let i = 0; i < 6; i++) await signIn(phone, '8051')
    expect((await signIn(phone, '8052')).response.status).toBe(403)
    expect((await signIn(phone, '8052', { cookie: deviceCookie })).response.status).toBe(200)
  })

  it.each([
    [PIN, '1234', 'new', 'new is too easy to guess'],
    [PIN, '12', 'new', 'new must be 4 to 8 digits'],
    ['0000', '8052', 'current', 'current is not your PIN'],
    ['', '8052', 'current', 'current is not your PIN'],
  ])('is not changed from %j to %j', async (current, next, field, message) => {
    const { phone, headers } = await createSignedInWallet()
    const refused = await changePin(headers, current, next)
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toEqual([{ field, message: expect.stringContaining(message) }])
    expect((await signIn(phone)).response.status).toBe(200)
  })

  it('is locked for the session after five wrong ones, even if they are concurrent', async () => {
    const { phone, headers } = await createSignedInWallet()
    const guesses = Array.from({ length: 12 }, (_, n) => changePin(headers, `80${n + 10}`, '8052'))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(5)
    expect(statuses.filter((status) => status === 403)).toHaveLength(7)
    expect((await changePin(headers, PIN, '8052')).body).toEqual(LOCKED)
    // This session and other sign-ins still work.
    expect((await readWallet(headers)).status).toBe(200)
    expect((await signIn(phone)).response.status).toBe(200)
  })

  it('is changed by one of two concurrent requests', async () => {
    const { phone, headers } = await createSignedInWallet()
    const responses = await Promise.all(
      ['8052', '8053'].map((next) => changePin(headers, PIN, next)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
    const winner = responses[0]!.status === 200 ? '8052' : '8053'
    expect((await signIn(phone, winner)).response.status).toBe(200)
  })
})

describe('sessions', () => {
  it('are listed with device, address and times', async () => {
    const { phone, headers } = await createSignedInWallet()
    await signIn(phone, PIN, { 'user-agent': 'Tablet/2.0' })
    const { body } = await t.call('GET', '/wallet/sessions', headers)
    const session = (user_agent: string, current: boolean) => ({
      session_id: expect.stringMatching(/^ses_[0-9a-f]{32}$/),
      user_agent,
      address: '127.0.0.1',
      created_at: TIME,
      last_used_at: TIME,
      expires_at: TIME,
      current,
    })
    expect(body).toEqual({
      status: 200,
      message: 'Sessions',
      data: { sessions: [session('Tablet/2.0', false), session('Phone/1.0', true)] },
    })
  })

  it('record their last use when it is flushed', async () => {
    const { headers, walletId } = await createSignedInWallet()
    const age = () =>
      t.database.transaction((tx) =>
        tx.execute(
          `update wallet_session
           set last_used_at = now() - interval '1 day'
           where wallet_id = (select wallet_id from wallet where public_id = $1)`,
          [walletId],
        ),
      )
    const readLastUse = async () => {
      const { body } = await t.call('GET', '/wallet/sessions', headers)
      return Date.parse(`${body.data.sessions[0].last_used_at}Z`)
    }
    await age()
    expect(Date.now() - (await readLastUse())).toBeGreaterThan(80_000_000)
    await t.service.walletSessionUses.flush()
    expect(Date.now() - (await readLastUse())).toBeLessThan(60_000)
  })

  it('without a last use, device or address are listed and work', async () => {
    const { headers, walletId } = await createSignedInWallet()
    await t.database.transaction((tx) =>
      tx.execute(
        `update wallet_session
         set last_used_at = null, user_agent = '', address = ''
         where wallet_id = (select wallet_id from wallet where public_id = $1)`,
        [walletId],
      ),
    )
    const { body } = await t.call('GET', '/wallet/sessions', headers)
    const [session] = body.data.sessions
    expect(session).toMatchObject({ user_agent: '', address: '', last_used_at: session.created_at })
  })

  it('are ended one by one, and only by their owner', async () => {
    const { phone, headers, walletId } = await createSignedInWallet()
    const stolen = await signIn(phone)
    const stranger = await createSignedInWallet()
    const list = (await t.call('GET', '/wallet/sessions', headers)).body.data.sessions
    const { session_id: id } = list.find((session: { current: boolean }) => !session.current)
    const end = (by: Headers, session: string) =>
      t.call('DELETE', `/wallet/sessions/${session}`, by)
    const unknown = refusal(404, 'Session not found')
    expect((await end(stranger.headers, id)).body).toEqual(unknown)
    for (const wrong of ['x', 'ses_', '%00', `${id}0`, `ses_${'0'.repeat(32)}`]) {
      expect(await end(headers, wrong)).toMatchObject({ status: 404, body: unknown })
    }
    expect((await readWallet(stolen.headers)).status).toBe(200)
    const ended = { status: 200, message: 'Session ended', data: null }
    expect((await end(headers, id)).body).toEqual(ended)
    expect((await readWallet(stolen.headers)).body).toEqual(SIGN_IN_FIRST)
    expect((await end(headers, id)).body).toEqual(unknown)
    expect((await readWallet(headers)).status).toBe(200)
    await t.call('DELETE', '/wallet/session', headers)
    expect((await eventKindsOf(t, walletId)).slice(-2)).toEqual(['session_ended', 'sign_out'])
  })
})

describe('security events', () => {
  it("show the events of the wallet, newest first, without the operator's address", async () => {
    const { phone, walletId, headers } = await createSignedInWallet()
    await signIn(phone, '8051')
    await t.call('POST', `/operator/wallets/${walletId}/activation`, {
      ...t.operator,
      'user-agent': 'Console/3.0',
    })
    const list = (query = '') => t.call('GET', `/wallet/security-events${query}`, headers)
    const ownEvent = { at: TIME, is_own: true, address: '127.0.0.1', device: 'Phone/1.0' }
    const operatorEvent = { at: TIME, is_own: false, address: '', device: '' }
    const all = [
      { ...operatorEvent, kind: 'pin_reset' },
      { ...ownEvent, kind: 'sign_in_failed' },
      { ...ownEvent, kind: 'sign_in' },
      { ...operatorEvent, kind: 'account_created' },
    ]
    expect((await list()).body).toEqual({
      status: 200,
      message: 'Security events',
      data: { events: all, next_cursor: null },
    })
    const first = (await list('?limit=3')).body.data
    expect(first.events).toEqual(all.slice(0, 3))
    const rest = (await list(`?limit=3&cursor=${first.next_cursor}`)).body.data
    expect(rest).toEqual({ events: all.slice(3), next_cursor: null })
    const problem = invalid(['cursor', 'cursor must be the next_cursor of a page'])
    expect((await list('?cursor=x')).body).toEqual(problem)
  })
})

describe('settings', () => {
  const change = (headers: Headers, body: unknown) => t.call('PATCH', '/wallet/me', headers, body)

  it('change the language of emails and the receipts, and keep what is absent', async () => {
    const { headers } = await createSignedInWallet()
    const changed = await change(headers, { locale: 'ar' })
    expect(changed.body).toMatchObject({ status: 200, message: 'Settings changed' })
    expect(changed.body.data).toMatchObject({ locale: 'ar', mail_receipts: false })
    await change(headers, { mail_receipts: true })
    expect((await readWallet(headers)).body.data).toMatchObject({
      locale: 'ar',
      mail_receipts: true,
    })
    expect((await readWallet(headers)).body.data).toEqual((await change(headers, {})).body.data)
  })

  it.each([
    [{ locale: 'xx' }, 'locale', 'locale must be one of'],
    [{ mail_receipts: 'yes' }, 'mail_receipts', 'mail_receipts must be'],
    [{ pin_limit: { currency: 'XXX', amount: '1' } }, 'pin_limit.currency', 'must be an ISO 4217'],
    [{ pin_limit: { currency: 'JPY', amount: '1.5' } }, 'pin_limit.amount', 'must be an amount in'],
    [{ pin_limit: { currency: 'USD' } }, 'pin_limit.amount', 'is required'],
  ])('%j is refused and changes nothing', async (body, field, message) => {
    const { headers } = await createSignedInWallet()
    const before = (await readWallet(headers)).body
    const response = await change(headers, body)
    expect(response.status).toBe(400)
    expect(response.body.errors).toEqual([{ field, message: expect.stringContaining(message) }])
    expect((await readWallet(headers)).body).toEqual(before)
  })
})
