import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import { changeStore } from '../../setup/merchantCalls.ts'
import { cookieOf, createPerson, newSession, PASSWORD, PUBLIC_ORIGIN } from '../../setup/people.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../../setup/testService.ts'

const WRONG = refusal(401, 'Wrong email address or password')
const LOCKED = refusal(403, 'Too many wrong passwords. Try again later or ask for a new one.')
const SIGN_IN_FIRST = refusal(401, 'Sign in first')
const CROSS_ORIGIN = refusal(403, 'This request does not come from a page of this service')

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())

const signIn = (email: string, password: string, headers: Headers = {}) =>
  t.call('POST', '/store/session', headers, { email, password })
const getSession = (headers: Headers) => t.call('GET', '/store/session', headers)

it('the list of sessions has the newest 200, however often a person has signed in', async () => {
  const { personId, headers } = await createPerson(t, shop.store)
  await t.database.transaction((tx) =>
    tx.execute(
      `insert into person_session (
         session_id, person_id, token_hash, created_at, last_used_at, expires_at, user_agent, address)
       select 'ses_' || lpad(n::text, 26, '0'), $1, sha256(convert_to($1 || n, 'UTF8')), now(), now(),
         now() + interval '1 hour', '', ''
       from generate_series(1, 300) as n`,
      [personId],
    ),
  )
  const { sessions } = (await t.call('GET', '/store/sessions', headers)).body.data
  expect(sessions).toHaveLength(200)
  expect(sessions[0].current).toBe(true)
  expect(sessions[199].session_id).toBe(`ses_${'102'.padStart(26, '0')}`)
})

describe('a session', () => {
  it('ends on sign-out, which clears the cookie', async () => {
    const { headers } = await createPerson(t, shop.store)
    expect((await getSession(headers)).status).toBe(200)
    const signedOut = await t.call('DELETE', '/store/session', headers)
    expect(signedOut.body).toEqual({ status: 200, message: 'Signed out', data: null })
    expect(signedOut.headers['set-cookie']).toBe(
      '__Host-florin_person=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict',
    )
    expect(await getSession(headers)).toMatchObject({ status: 401, body: SIGN_IN_FIRST })
  })

  it('expires', async () => {
    const { headers, personId } = await createPerson(t, shop.store)
    await t.database.transaction((tx) =>
      tx.execute('update person_session set expires_at = now() where person_id = $1', [personId]),
    )
    expect(await getSession(headers)).toMatchObject({ status: 401, body: SIGN_IN_FIRST })
  })

  it('is listed with the other sessions of the person, and each of them can be ended', async () => {
    const { headers, personId } = await createPerson(t, shop.store)
    const other = await newSession(t, personId)
    const stranger = await createPerson(t, shop.store)
    await t.database.transaction((tx) =>
      tx.execute(
        `update person_session set last_used_at = now() - interval '2 hours' where person_id = $1`,
        [personId],
      ),
    )
    expect((await getSession(headers)).status).toBe(200)
    const list = await t.call('GET', '/store/sessions', headers)
    // Both sessions may have begun in the same millisecond, so either can be the first.
    list.body.data.sessions.sort((a: { current: boolean }) => (a.current ? 1 : -1))
    expect(list.body).toEqual({
      status: 200,
      message: 'Sessions',
      data: {
        sessions: [false, true].map((current) => ({
          session_id: expect.stringMatching(/^ses_/),
          created_at: TIME,
          last_used_at: TIME,
          expires_at: TIME,
          user_agent: 'test',
          address: '127.0.0.1',
          current,
        })),
      },
    })
    // Only the session that was just used has a recent time.
    const [otherSession, ownSession] = list.body.data.sessions
    const ageMs = (at: string) => Date.now() - new Date(`${at}Z`).getTime()
    expect(ageMs(ownSession.last_used_at)).toBeLessThan(60_000)
    expect(ageMs(otherSession.last_used_at)).toBeGreaterThan(3_600_000)

    const end = (by: Headers, id: string) => t.call('DELETE', `/store/sessions/${id}`, by)
    const UNKNOWN = refusal(404, 'Session not found')
    expect((await getSession(other)).status).toBe(200)
    for (const id of ['ses_none', '%00', 'x'])
      expect((await end(headers, id)).body).toEqual(UNKNOWN)
    expect((await end(stranger.headers, otherSession.session_id)).body).toEqual(UNKNOWN)
    expect((await end(headers, otherSession.session_id)).body).toEqual({
      status: 200,
      message: 'Session ended',
      data: null,
    })
    expect((await getSession(other)).body).toEqual(SIGN_IN_FIRST)
    expect((await end(headers, otherSession.session_id)).body).toEqual(UNKNOWN)
    expect((await getSession(headers)).status).toBe(200)
  })

  it('stays valid in a suspended store, which refuses payments', async () => {
    const suspended = await t.createStore()
    const { headers } = await createPerson(t, suspended.store)
    await changeStore(t, suspended, { suspended: true })
    expect((await getSession(headers)).body.data.store.suspended).toBe(true)
    expect(await t.call('GET', '/store/live/payments', headers)).toMatchObject({
      status: 403,
      body: refusal(403, 'This store is suspended'),
    })
    expect((await t.call('DELETE', '/store/session', headers)).status).toBe(200)
  })

  it('is checked before anything else in a request', async () => {
    const calls = [
      ['GET', '/store/session'],
      ['PUT', '/store/session'],
      ['GET', '/store/sessions'],
      ['DELETE', '/store/sessions/x'],
      ['POST', '/store/password'],
      ['POST', '/store/live/payments'],
      ['GET', '/store/unknown/path'],
    ] as const
    const wrong: Headers[] = [
      {},
      { cookie: '' },
      { cookie: '__Host-florin_person=' },
      { cookie: `__Host-florin_person=flp_${'a'.repeat(43)}` },
      { cookie: `__Host-florin_person=${'a'.repeat(5000)}` },
      { authorization: `Bearer flp_${'a'.repeat(43)}` },
      shop.live,
    ]
    for (const [method, url] of calls) {
      for (const headers of wrong) {
        const response = await t.call(method, url, headers)
        expect(response).toMatchObject({ status: 401, body: SIGN_IN_FIRST })
      }
    }
  })

  it('that is valid gets 404 for an unknown path, and 405 for a wrong method', async () => {
    const { headers } = await createPerson(t, shop.store)
    const unknown = await t.call('GET', '/store/unknown/path', headers)
    expect(unknown).toMatchObject({ status: 404, body: refusal(404, 'Not found') })
    const method = await t.call('PUT', '/store/session', headers)
    expect(method).toMatchObject({ status: 405, body: refusal(405, 'Method not allowed') })
    expect(method.headers.allow).toBe('DELETE, GET, HEAD, POST')
  })
})

it('many requests without a session do not affect a session from the same address', async () => {
  const { headers } = await createPerson(t, shop.store, 'cashier')
  const calls = Array.from({ length: 650 }, () => getSession({}))
  for (const response of await Promise.all(calls)) expect(response.status).toBe(401)
  expect((await getSession(headers)).status).toBe(200)
})

describe('a request with side effects', () => {
  const otherOrigins: Headers[] = [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://pay.example.com' },
    { origin: 'https://pay.example.com.evil.example' },
    { origin: PUBLIC_ORIGIN, 'sec-fetch-site': 'cross-site' },
    { origin: PUBLIC_ORIGIN, 'sec-fetch-site': 'none' },
  ]
  it.each(otherOrigins)('must come from a page of this service: %j does not', async (headers) => {
    const { cookie } = (await createPerson(t, shop.store)).headers
    for (const [method, url, body] of [
      ['POST', '/store/live/payments', { amount: 1 }],
      ['POST', '/store/password', { current: PASSWORD, new: 'another password' }],
      ['DELETE', '/store/session', undefined],
    ] as const) {
      const response = await t.call(method, url, { cookie: cookie!, ...headers }, body)
      expect(response).toMatchObject({ status: 403, body: CROSS_ORIGIN })
    }
    expect((await t.call('GET', '/store/session', { cookie: cookie!, ...headers })).status).toBe(
      200,
    )
  })

  it('may come from the public URL, or from the host that it is sent to', async () => {
    const { headers } = await createPerson(t, shop.store)
    const charge = (extraHeaders: Headers) =>
      t.call('POST', '/store/live/payments', { ...headers, ...extraHeaders }, { amount: 1 })
    const ownOrigin = { host: 'till.local:8080', origin: 'http://till.local:8080' }
    expect((await charge({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await charge(ownOrigin)).status).toBe(200)
    expect((await charge({ ...ownOrigin, host: 'other.local:8080' })).body).toEqual(CROSS_ORIGIN)
  })
})

describe('changing the password', () => {
  const change = (headers: Headers, current: unknown, next: unknown) =>
    t.call('POST', '/store/password', headers, { current, new: next })

  it('ends all other sessions, and invalidates the old password', async () => {
    const { headers, email, personId } = await createPerson(t, shop.store)
    const other = await newSession(t, personId)
    expect((await getSession(other)).status).toBe(200)
    const changed = await change(headers, PASSWORD, 'a much longer secret')
    expect(changed.body).toEqual({ status: 200, message: 'Password changed', data: null })
    expect((await getSession(headers)).status).toBe(200)
    expect((await getSession(other)).body).toEqual(SIGN_IN_FIRST)
    expect((await signIn(email, PASSWORD)).body).toEqual(WRONG)
    expect((await signIn(email, 'a much longer secret')).status).toBe(200)
  })

  it('needs the current password, and locks only this session after five wrong ones', async () => {
    const { headers, email } = await createPerson(t, shop.store)
    const NOT_YOURS = invalid(['current', 'current is not your password'])
    for (let i = 0; i < 5; i++) {
      expect((await change(headers, 'wrong', 'a new password')).body).toEqual(NOT_YOURS)
    }
    expect((await change(headers, PASSWORD, 'a new password')).body).toEqual(LOCKED)
    expect((await signIn(email, PASSWORD)).status).toBe(200)
  })

  it.each([
    [undefined, 'new is required'],
    ['short', 'new must have at least 10 characters'],
    ['x'.repeat(201), 'new must have at most 200 characters'],
    ['0123456789\ud800', 'new contains characters that cannot be stored'],
  ])('refuses %j', async (next, message) => {
    const { headers } = await createPerson(t, shop.store)
    const response = await change(headers, PASSWORD, next)
    expect(response).toMatchObject({ status: 400, body: invalid(['new', message]) })
  })
})

it('a browser stays known to the latest 30 accounts, so that its cookies fit into a header', async () => {
  const { email } = await createPerson(t, shop.store)
  const names = Array.from({ length: 31 }, (_, n) => `__Host-florin_known_${100_000_000_000 + n}`)
  const tokens = names.map((_, n) => `2026-01-${String(n + 1).padStart(2, '0')}.x`)
  const cookie = names.map((name, n) => `${name}=${tokens[n]}`).join('; ')
  const { headers } = await signIn(email, PASSWORD, { cookie })
  const set = [headers['set-cookie']].flat().map(String)
  const cleared = set.filter((text) => text.includes('1970')).map((text) => text.split('=')[0])
  expect(cleared).toEqual([names[1], names[0]])
  // Names that no browser has stored can't be cleared.
  const odd = names.map((name) => `${name} \u00e9=x`).join('; ')
  expect((await signIn(email, PASSWORD, { cookie: odd })).status).toBe(200)
})

describe('a page that names its session', () => {
  it('does not act in another session that replaced it in the browser', async () => {
    const { email } = await createPerson(t, shop.store, 'owner')
    const shown = await signIn(email, PASSWORD)
    const laterSignIn = await signIn(email, PASSWORD)
    const charge = (headers: Headers) =>
      t.call('POST', '/store/live/payments', headers, { amount: 5 })
    const { session_id } = shown.body.data.session
    const refused = await charge({ ...cookieOf(laterSignIn), 'x-florin-session': session_id })
    expect(refused.body).toEqual(SIGN_IN_FIRST)
    const right = await charge({ ...cookieOf(shown), 'x-florin-session': session_id })
    expect(right.status).toBe(200)
  })
})
