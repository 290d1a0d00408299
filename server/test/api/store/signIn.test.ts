import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import { cookieOf, createPerson, PASSWORD, PUBLIC_ORIGIN } from '../../setup/people.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../../setup/testService.ts'

const WRONG = refusal(401, 'Wrong email address or password')
const LOCKED = refusal(403, 'Too many wrong passwords. Try again later or ask for a new one.')
const CROSS_ORIGIN = refusal(403, 'This request does not come from a page of this service')

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore({ name: 'Corner', timeZone: 'Europe/Paris', email: 'a@shop.example' })
})
afterAll(() => t.close())

const signIn = (email: unknown, password: unknown, headers: Headers = {}) =>
  t.call('POST', '/store/session', headers, { email, password })
const getSession = (headers: Headers) => t.call('GET', '/store/session', headers)

describe('sign-in', () => {
  it('returns the person and the role, and sets a cookie for this host only', async () => {
    const { email, personId, name } = await createPerson(t, shop.store, 'manager')
    const response = await signIn(` ${email.toUpperCase()} `, PASSWORD)
    const data = {
      account: {
        password_change_required: false,
        has_passkey: false,
        has_totp: false,
        second_factor_due_at: null,
      },
      person: { person_id: personId, email, name, role: 'manager' },
      may: ['read', 'create', 'refund'],
      refund_cap: null,
      session: { session_id: expect.stringMatching(/^ses_\w{26}$/), expires_at: TIME },
      store: {
        id: shop.store.storeId,
        name: 'Corner',
        logo: `${PUBLIC_ORIGIN}/stores/${shop.store.storeId}/logo.svg`,
        domain: '',
        email: 'a@shop.example',
        phone: '',
        currency: 'USD',
        time_zone: 'Europe/Paris',
        locale: null,
        suspended: false,
      },
    }
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ status: 200, message: 'Signed in', data })
    const [cookie] = response.headers['set-cookie'] as string[]
    const [pair, ...flags] = cookie!.split('; ')
    expect(pair).toMatch(/^__Host-florin_person=flp_[\w-]{43}$/)
    const expires = new Date(`${response.body.data.session.expires_at}Z`)
    expect(flags.sort()).toEqual([
      `Expires=${expires.toUTCString()}`,
      'HttpOnly',
      'Path=/',
      'SameSite=Strict',
      'Secure',
    ])
    expect((expires.getTime() - Date.now()) / 3_600_000).toBeCloseTo(12, 1)
    expect((await getSession(cookieOf(response))).body).toEqual(response.body)
    expect(response.text).not.toContain(pair!.split('=')[1])
  })

  it('refuses a wrong password, an unknown address and a disabled person with the same bytes', async () => {
    const { email } = await createPerson(t, shop.store)
    const disabled = await createPerson(t, shop.store)
    await t.call('PATCH', `/operator/people/${disabled.personId}`, t.operator, { disabled: true })
    const responses = [
      await signIn(email, 'wrong'),
      await signIn(email, ''),
      await signIn(email, `${PASSWORD}\0`),
      await signIn('nobody@shop.example', PASSWORD),
      await signIn('nobody@shop.example', 'nobody has this secret'),
      await signIn(disabled.email, PASSWORD),
      await signIn('no address', PASSWORD),
      await signIn('', PASSWORD),
      await signIn('a\0@b.c', PASSWORD),
    ]
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 401))
    expect(new Set(responses.map(({ text }) => text))).toEqual(new Set([JSON.stringify(WRONG)]))
    expect(responses.filter(({ headers }) => 'set-cookie' in headers)).toEqual([])
  })

  it.each([
    [{}, invalid(['email', 'email is required'], ['password', 'password is required'])],
    [
      { email: 1, password: null },
      invalid(['email', 'email must be a string'], ['password', 'password must be a string']),
    ],
    [
      { email: 'a'.repeat(255), password: 'x'.repeat(201) },
      invalid(
        ['email', 'email must have at most 254 characters'],
        ['password', 'password must have at most 200 characters'],
      ),
    ],
    ['[]', invalid(['body', 'body must be an object'])],
  ])('refuses %j', async (body, expected) => {
    const response = await t.call('POST', '/store/session', {}, body)
    expect(response).toMatchObject({ status: 400, body: expected })
  })

  it('is refused from a page of another origin, which could sign the victim in to its own account', async () => {
    const { email } = await createPerson(t, shop.store)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: PUBLIC_ORIGIN, 'sec-fetch-site': 'same-site' },
    ]) {
      expect(await signIn(email, PASSWORD, headers)).toMatchObject({
        status: 403,
        body: CROSS_ORIGIN,
      })
    }
    expect((await signIn(email, PASSWORD, { origin: PUBLIC_ORIGIN })).status).toBe(200)
  })

  it('stores only hashes of tokens and passwords, and at most 200 ASCII characters of the User-Agent', async () => {
    const { email } = await createPerson(t, shop.store)
    const response = await signIn(email, PASSWORD, { 'user-agent': `Till/1 é ${'x'.repeat(300)}` })
    const token = cookieOf(response).cookie!.split('=')[1]!
    const [session] = await t.database.query<{ row: string; hash: Buffer; agent: string }>(
      `select person_session::text as row, token_hash as hash, user_agent as agent
       from person_session order by session_id desc limit 1`,
    )
    expect(session!.hash).toEqual(createHash('sha256').update(token).digest())
    expect(session!.row).not.toContain(token.slice(-20))
    expect(session!.agent).toBe(`Till/1  ${'x'.repeat(192)}`)
    const [person] = await t.database.query<{ row: string; hash: string }>(
      'select person::text as row, password_hash as hash from person where email = $1',
      [email],
    )
    expect(person!.hash).toMatch(/^\$argon2id\$/)
    expect(person!.row).not.toContain(PASSWORD)
  })
})

describe('lockout', () => {
  const failFive = async (email: string) => {
    for (let i = 0; i < 5; i++) expect((await signIn(email, 'wrong')).body).toEqual(WRONG)
  }

  it.each(['known', 'unknown'])(
    'locks an email address that is %s after five wrong passwords',
    async (kind) => {
      const email =
        kind === 'unknown' ? 'no.one@shop.example' : (await createPerson(t, shop.store)).email
      await failFive(email)
      expect(await signIn(email, 'wrong')).toMatchObject({ status: 403, body: LOCKED })
      expect(await signIn(email, PASSWORD)).toMatchObject({ status: 403, body: LOCKED })
    },
  )

  it('does not affect open sessions, and ends after its time', async () => {
    const { email, headers } = await createPerson(t, shop.store)
    await failFive(email)
    expect((await signIn(email, PASSWORD)).status).toBe(403)
    expect((await getSession(headers)).status).toBe(200)
    await t.database.transaction((tx) =>
      tx.execute('update sign_in_guard set locked_until = now() where subject = $1', [
        `person:${email}`,
      ]),
    )
    expect((await signIn(email, PASSWORD)).status).toBe(200)
    // The counter is reset: five attempts are allowed again.
    await failFive(email)
  })

  it('ends when the operator resets the password', async () => {
    const { email, personId } = await createPerson(t, shop.store)
    await failFive(email)
    const reset = await t.call('POST', `/operator/people/${personId}/password`, t.operator)
    expect((await signIn(email, PASSWORD)).body).toEqual(WRONG)
    expect((await signIn(email, reset.body.data.password)).status).toBe(200)
  })

  it('counts concurrent attempts', async () => {
    const { email } = await createPerson(t, shop.store)
    const responses = await Promise.all(Array.from({ length: 9 }, () => signIn(email, 'wrong')))
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(4).fill(403)])
  })

  it('limits the attempts of one IP address on many people', async () => {
    const attempt = (n: number, remoteAddress: string) =>
      t.app.inject({
        method: 'POST',
        url: '/store/session',
        remoteAddress,
        payload: { email: `guess${n}@shop.example`, password: 'wrong' },
      })
    const attempts = Array.from({ length: 80 }, (_, n) => attempt(n, '203.0.113.9'))
    const statuses = (await Promise.all(attempts)).map(({ statusCode }) => statusCode)
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(401))
    expect(statuses.at(-1)).toBe(429)
    expect((await attempt(81, '203.0.113.10')).statusCode).toBe(401)
  })
})
