import type { FastifyRequest } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { clientNetworkOf } from '../../src/api/kit/http/throttle.ts'
import { signDevice, verifyDevice } from '../../src/core/devices.ts'
import { createOperator } from '../setup/operators.ts'
import { createPerson, newSession, PASSWORD, PUBLIC_ORIGIN } from '../setup/people.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())
afterEach(() => vi.restoreAllMocks())

let addresses = 0
const newAddress = () => `203.0.113.${++addresses}`

type Attempt = { headers?: Headers; body?: object; from?: string }
async function post(url: string, { headers = {}, body, from = newAddress() }: Attempt) {
  const payload = body === undefined ? {} : { payload: body }
  return t.app.inject({ method: 'POST', url, headers, remoteAddress: from, ...payload })
}
const statusOf = async (response: ReturnType<typeof post>) => (await response).statusCode
const cookiesOf = (response: Awaited<ReturnType<typeof post>>) =>
  [response.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0]!)

/** Sends attempts one after the other until one is throttled or locked out, and returns its number; null if none is. */
async function attemptsUntilThrottled(
  attempt: (n: number) => Promise<number>,
  maxAttempts: number,
) {
  for (let n = 1; n <= maxAttempts; n++) {
    const status = await attempt(n)
    if (status === 429 || status === 403) return n
  }
  return null
}

describe.each([
  ['/store/session', async () => (await createPerson(t, shop.store)).email],
  ['/operator/session', async () => (await createOperator(t)).email],
])('%s', (path, newAccount) => {
  const trySignIn = (email: string, password = 'wrong', overrides: Attempt = {}) =>
    statusOf(post(path, { ...overrides, body: { email, password } }))

  it('stops at the sixth attempt, for any spelling, network and forwarding headers', async () => {
    const email = await newAccount()
    const spellings = [email, email.toUpperCase(), ` ${email}`, `${email}\u2003`, `\t${email}\n`]
    const stopped = await attemptsUntilThrottled((n) => {
      const headers = { 'x-forwarded-for': `10.0.0.${n}`, forwarded: `for=10.0.0.${n}` }
      return trySignIn(spellings[n % spellings.length]!, `guess ${n}`, { headers })
    }, 9)
    expect(stopped).toBe(6)
    expect(await trySignIn(email, PASSWORD)).toBe(403)
  })

  it('is not reset by the sign-in of another account from the same address', async () => {
    const [email, other] = [await newAccount(), await newAccount()]
    const from = newAddress()
    const stopped = await attemptsUntilThrottled(async (n) => {
      expect(await trySignIn(other, PASSWORD, { from })).toBe(200)
      return trySignIn(email, `guess ${n}`, { from })
    }, 9)
    expect(stopped).toBe(6)
  })

  it('lets the owner sign in on a known device after others locked the account', async () => {
    const email = await newAccount()
    const before = await post(path, { body: { email, password: PASSWORD } })
    const known = { cookie: cookiesOf(before).find((cookie) => cookie.includes('known'))! }
    expect(known.cookie).toMatch(/^__Host-florin_known_[0-9a-f]{12}=\d{4}-\d\d-\d\d\.[\w-]{43}$/)
    for (let n = 0; n < 5; n++) expect(await trySignIn(email)).toBe(401)
    expect(await trySignIn(email, PASSWORD)).toBe(403)
    expect(await trySignIn(email, PASSWORD, { headers: known })).toBe(200)
    // The sign-in doesn't unlock the account on other devices.
    expect(await trySignIn(email, PASSWORD)).toBe(403)
  })

  it('gives a known device five attempts of its own, and ignores a cookie of another account', async () => {
    const [email, other] = [await newAccount(), await newAccount()]
    const headersOf = async (account: string) => {
      const response = await post(path, { body: { email: account, password: PASSWORD } })
      return { cookie: cookiesOf(response).find((cookie) => cookie.includes('known'))! }
    }
    const headers = await headersOf(email)
    const attempts = (overrides: Attempt) =>
      attemptsUntilThrottled(() => trySignIn(email, 'wrong', overrides), 9)
    expect(await attempts({ headers })).toBe(6)
    const [name] = headers.cookie.split('=')
    const otherToken = (await headersOf(other)).cookie.split('=')[1]!
    const forged = otherToken.replace(/\.[\w-]/, (first) => (first === '.a' ? '.b' : '.a'))
    expect(await trySignIn(email, 'wrong', { headers: { cookie: `${name}=${otherToken}` } })).toBe(
      401,
    )
    // The device token of another account and a forged one are ignored: four attempts are left.
    const rest = [`${name}=${forged}`, `${name}=x`, `${name}=`, `${name}=.`]
    for (const cookie of rest)
      expect(await trySignIn(email, 'wrong', { headers: { cookie } })).toBe(401)
    expect(await trySignIn(email, 'wrong')).toBe(403)
  })
})

it('a session has five attempts to confirm or change the password, and failed sign-ins do not count', async () => {
  const { email, headers, personId } = await createPerson(t, shop.store)
  for (let n = 0; n < 6; n++) {
    await post('/store/session', { body: { email, password: 'wrong' } })
  }
  const confirm = (password: string, by = headers) =>
    statusOf(post('/store/session/confirm', { headers: by, body: { password } }))
  expect(await confirm(PASSWORD)).toBe(200)
  const stopped = await attemptsUntilThrottled(
    (n) =>
      n % 2 === 0
        ? confirm('wrong')
        : statusOf(
            post('/store/password', {
              headers,
              body: { current: 'wrong', new: 'a long password' },
            }),
          ),
    9,
  )
  expect(stopped).toBe(6)
  expect(await confirm(PASSWORD)).toBe(403)
  expect(await confirm(PASSWORD, await newSession(t, personId))).toBe(200)
})

it('a password reset unlocks the account on every device', async () => {
  const { email, personId } = await createPerson(t, shop.store)
  const before = await post('/store/session', { body: { email, password: PASSWORD } })
  const headers = { cookie: cookiesOf(before).join('; ') }
  for (let n = 0; n < 5; n++) {
    for (const device of [{}, headers]) {
      await post('/store/session', { headers: device, body: { email, password: 'wrong' } })
    }
  }
  const reset = await t.call('POST', `/operator/people/${personId}/password`, t.operator)
  const { password } = reset.body.data
  for (const device of [{}, headers]) {
    const response = post('/store/session', { headers: device, body: { email, password } })
    expect(await statusOf(response)).toBe(200)
  }
})

it('many sign-ins add no attempts: the devices of one day share a count, and a new password makes them unknown', async () => {
  const { email, headers, personId } = await createPerson(t, shop.store)
  const newKnownDevices = async (password: string) => {
    const responses = await Promise.all(
      [1, 2, 3].map(() => post('/store/session', { body: { email, password } })),
    )
    return responses.map((response) => ({
      cookie: cookiesOf(response).find((cookie) => cookie.includes('known'))!,
    }))
  }
  /** Counts the guesses that are verified, from each of these devices in turn. */
  const countVerified = async (known: Headers[]) => {
    let count = 0
    for (const device of known) {
      const attempt = () =>
        statusOf(post('/store/session', { headers: device, body: { email, password: 'wrong' } }))
      count += ((await attemptsUntilThrottled(attempt, 9)) ?? 99) - 1
    }
    return count
  }
  const old = await newKnownDevices(PASSWORD)
  expect(await countVerified(old)).toBe(5)
  const next = 'a much longer secret'
  const change = { headers, body: { current: PASSWORD, new: next } }
  expect(await statusOf(post('/store/password', change))).toBe(200)
  const newer = await newKnownDevices(next)
  expect(await countVerified([...old, {}])).toBe(5)
  await t.call('POST', `/operator/people/${personId}/password`, t.operator)
  expect(await countVerified([...old, ...newer, {}])).toBe(5)
})

it('a device stays known for a year', () => {
  const [key, owner] = [Buffer.alloc(32, 1), { account: 'person:a@b.example', passwordHash: 'h' }]
  const signed = signDevice(owner, { key, now: new Date('2026-01-01T12:00:00Z') })
  const verifiedDay = (now: string, token = signed) =>
    verifyDevice(token, owner, { key, now: new Date(now) })
  expect(verifiedDay('2026-12-31T23:00:00Z')).toBe('2026-01-01')
  expect(verifiedDay('2027-01-02T00:00:00Z')).toBeNull()
  // The signature covers the day.
  expect(verifiedDay('2026-01-03T00:00:00Z', signed.replace('01-01', '01-02'))).toBeNull()
})

describe('a PIN', () => {
  const makePayer = async (phone: string) => {
    const payer = { mode: 'live', name: 'Ada', email: 'ada@example.com', phone, pin: '24680' }
    expect((await t.call('POST', '/operator/wallets', t.operator, payer)).status).toBe(200)
  }

  it('has five attempts across all spellings of the number, clients and addresses', async () => {
    await makePayer('+447700900123')
    await makePayer('+447700900124')
    const spellings = ['+447700900123', '00447700900123', '+44 7700 900123', '+44-(7700)-900123']
    const tryPin = (phone: string, pin: string, n: number) =>
      statusOf(
        post('/wallet/session', {
          headers: { 'x-forwarded-for': `10.1.0.${n}`, origin: PUBLIC_ORIGIN },
          body: { phone, pin, cookie: n % 2 === 0 },
        }),
      )
    const stopped = await attemptsUntilThrottled(async (n) => {
      expect(await tryPin('+447700900124', '24680', n)).toBe(200)
      return tryPin(spellings[n % spellings.length]!, `1111${n}`, n)
    }, 9)
    expect(stopped).toBe(6)
    expect(await tryPin(spellings[0]!, '24680', 1)).toBe(403)
  })
})

describe('a key', () => {
  it('allows sixty wrong secrets a minute from one network, across all paths, even between right ones', async () => {
    const { store } = await t.createStore()
    const [victim, own] = [await t.issue(store, 'live'), await t.issue(shop.store, 'live')]
    const paths = ['/merchant/store', '/merchant/balance', '/sandbox/x', '/merchant/%73tore']
    // Attempts become allowed again over time, so the clock is stopped.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    let n = 0
    // One client can use practically unlimited addresses of its IPv6 network.
    const send = async (headers: Headers) => {
      const remoteAddress = `2001:db8:1:2:${(++n).toString(16)}::${n.toString(16)}`
      const url = paths[n % paths.length]!
      return (await t.app.inject({ url, headers, remoteAddress })).statusCode
    }
    const guess = { ...victim, 'api-secret': 'guess' }
    const stopped = await attemptsUntilThrottled(async () => {
      expect([200, 404]).toContain(await send(own))
      return send({ ...guess, 'x-forwarded-for': `10.2.0.${n % 256}` })
    }, 75)
    expect(stopped).toBe(61)
    // The owner at another address, and another key at this one, are not affected.
    const ofVictim = await t.app.inject({
      url: '/merchant/store',
      headers: victim,
      remoteAddress: '2001:db8:1:3::1',
    })
    expect(ofVictim.statusCode).toBe(200)
    expect(await send(own)).not.toBe(429)
  })
})

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['203.0.113.7:51514', '203.0.113.7'],
  ['[2001:db8:1:2::3]:51514', '2001:db8:1:2::/64'],
  ['unknown', '192.0.2.1'],
])('an attempt from %s counts against %s', (ip, network) => {
  const request = { ip, socket: { remoteAddress: '::ffff:192.0.2.1' } } as FastifyRequest
  expect(clientNetworkOf(request)).toBe(network)
})
