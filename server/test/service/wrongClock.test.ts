import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ACCOUNT_KINDS, call, signIn, type TestAccount } from '../setup/accounts.ts'
import { createTestToken } from '../setup/operators.ts'
import {
  type Headers,
  startTestService,
  type TestResponse,
  type TestService,
  type TestStore,
} from '../setup/testService.ts'

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS

let t: TestService
let shop: TestStore
let accounts: readonly TestAccount[]
let token: { tokenId: string; headers: Headers }
let nowMs: number
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  accounts = [await ACCOUNT_KINDS.person(t, shop), await ACCOUNT_KINDS.operator(t)]
  token = await createTestToken(t, { operatorId: null, scopes: ['read'] })
})
afterAll(() => t.close())
beforeEach(() => {
  nowMs = Date.now()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Expects almost this time: the token of a device contains only the day. */
function expectTime(actualMs: number, expectedMs: number): void {
  expect(Math.abs(actualMs - expectedMs)).toBeLessThan(2 * DAY_MS)
}

/** The `known device` cookie of a response. */
function deviceCookieOf({ headers }: TestResponse) {
  const cookies = [headers['set-cookie']].flat().map(String)
  const cookie = cookies.find((text) => text.startsWith('__Host-florin_known_'))!
  const [pair = '', ...attributes] = cookie.split('; ')
  const [name, value = ''] = pair.split('=')
  const expires = attributes.find((attribute) => attribute.startsWith('Expires='))!.slice(8)
  return { cookie: `${name}=${value}`, value, expiresMs: Date.parse(expires) }
}

// More than the lifetime of a known device, in both directions.
describe.each([2 * YEAR_MS, -2 * YEAR_MS])(
  'while the system clock is wrong by %i ms',
  (wrongByMs) => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + wrongByMs })
    })

    it('records the last use of sessions and tokens, at most once a minute', async () => {
      const use = async () => {
        const { operatorTokens, personSessions, operatorSessions } = t.service
        for (const cache of [operatorTokens, personSessions, operatorSessions]) cache.forgetAll()
        for (const account of accounts)
          expect((await call(t, account, 'GET /session')).status).toBe(200)
        expect((await t.call('GET', '/operator/rates', token.headers)).status).toBe(200)
        return t.database.query<{ at: string }>(
          `select last_used_at::text as at
           from (
             select last_used_at from person_session
             union all select last_used_at from operator_session
             union all select last_used_at from operator_token
           ) s
           where last_used_at > now() - interval '1 minute'
           order by 1`,
        )
      }
      for (const table of ['person_session', 'operator_session', 'operator_token']) {
        await t.database.transaction((tx) =>
          tx.execute(`update ${table} set last_used_at = now() - interval '2 minutes'`),
        )
      }
      const first = await use()
      expect(first).toHaveLength(3)
      expect(await use()).toEqual(first)
    })

    it('knows the devices of people and operators for a year', async () => {
      for (const account of [
        await ACCOUNT_KINDS.person(t, shop),
        await ACCOUNT_KINDS.operator(t),
      ]) {
        const device = deviceCookieOf(await signIn(t, account))
        expectTime(Date.parse(device.value.slice(0, 10)), nowMs)
        expectTime(device.expiresMs, nowMs + YEAR_MS)
        vi.setSystemTime(Date.now() + wrongByMs)
        await signIn(t, account, undefined, { cookie: device.cookie })
        const [event] = await t.database.query<{ isKnown: boolean }>(
          `select (details ->> 'known_device')::boolean as "isKnown"
           from security_event
           where kind = 'sign_in' and account_id = $1
           order by event_id desc
           limit 1`,
          [account.id],
        )
        expect(event).toEqual({ isKnown: true })
      }
    })

    it('knows the devices of payers for a year', async () => {
      const [phone, pin] = [`+44770000000${wrongByMs > 0 ? 1 : 2}`, '246810']
      const fields = { mode: 'live', name: 'Ada', email: 'ada@example.com', phone }
      const { body } = await t.call('POST', '/operator/wallets', t.operator, fields)
      const code = body.data.activation.code as string
      const activated = await t.call('POST', '/wallet/activate', {}, { code, pin: '8052' })
      const { token: session, device_token } = activated.body.data
      const authorization = `Bearer ${session}`
      const change = { current: '8052', new: pin }
      const changed = await t.call('POST', '/wallet/pin', { authorization }, change)
      const signedIn = await t.call('POST', '/wallet/session', {}, { phone, pin, cookie: true })
      const device = deviceCookieOf(signedIn)
      for (const signed of [device_token, changed.body.data.device_token, device.value]) {
        expectTime(Date.parse(signed.slice(0, 10)), nowMs)
      }
      expectTime(device.expiresMs, nowMs + YEAR_MS)
      vi.setSystemTime(Date.now() + wrongByMs)
      for (let n = 0; n < 6; n++) {
        await t.call('POST', '/wallet/session', {}, { phone, pin: '0000' })
      }
      const again = (headers: Headers) => t.call('POST', '/wallet/session', headers, { phone, pin })
      expect((await again({})).status).toBe(403)
      expect((await again({ cookie: device.cookie })).status).toBe(200)
    })
  },
)
