import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../setup/expected.ts'
import { PUBLIC_ORIGIN } from '../../setup/people.ts'
import { type Headers, startTestService, type TestService } from '../../setup/testService.ts'

const PIN = '246810'
const CROSS_ORIGIN = refusal(403, 'This request does not come from a page of this service')
const OWN_PAGE: Headers = { origin: PUBLIC_ORIGIN, 'sec-fetch-site': 'same-origin' }
const OTHER_ORIGINS: [string, Headers][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['a page without an origin', { origin: 'null' }],
  ['another host of the same site', { ...OWN_PAGE, 'sec-fetch-site': 'same-site' }],
  ['another site', { ...OWN_PAGE, 'sec-fetch-site': 'cross-site' }],
]

let t: TestService
let demo: TestService
let phone: string
beforeAll(async () => {
  t = await startTestService()
  demo = await startTestService({ FLORIN_DEMO: '1' })
  phone = await createWallet()
})
afterAll(async () => {
  await t.close()
  await demo.close()
})

/** Creates a wallet with `PIN`, and returns its phone number. */
async function createWallet(): Promise<string> {
  const fields = { mode: 'live', name: 'Ada', email: 'ada@example.com', phone: '+447700000001' }
  await t.call('POST', '/operator/wallets', t.operator, { ...fields, pin: PIN })
  return fields.phone
}

const signIn = (headers: Headers = OWN_PAGE) =>
  t.call('POST', '/wallet/session', headers, { phone, pin: PIN, cookie: true })

async function newSessionCookie(): Promise<Headers> {
  const { headers } = await signIn()
  return { cookie: String(headers['set-cookie']).split(';')[0]! }
}

describe('a session in a browser', () => {
  it('has a cookie that scripts, other hosts and other sites cannot use, and no token in the body', async () => {
    const response = await signIn()
    expect(response.status).toBe(200)
    expect(Object.keys(response.body.data)).toEqual(['expires_at', 'wallet'])
    const [session, device] = response.headers['set-cookie'] as string[]
    const [pair, ...flags] = session!.split('; ')
    expect(pair).toMatch(/^__Host-florin_wallet=flw_\d+_[\w-]{43}$/)
    const expires = new Date(`${response.body.data.expires_at}Z`).toUTCString()
    expect(flags.sort()).toEqual([
      `Expires=${expires}`,
      'HttpOnly',
      'Path=/',
      'SameSite=Strict',
      'Secure',
    ])
    expect(device).toMatch(
      /^__Host-florin_known_[0-9a-f]{12}=\d{4}-\d\d-\d\d\.[\w-]{43}; .*HttpOnly/,
    )
    for (const cookie of [pair!, device!.split('; ')[0]!]) {
      expect(response.text).not.toContain(cookie.split('=')[1])
    }
    expect((await t.call('GET', '/wallet/me', { cookie: pair! })).status).toBe(200)
  })

  it('has no cookie unless the request asks for it', async () => {
    const response = await t.call('POST', '/wallet/session', {}, { phone, pin: PIN })
    expect(response.headers['set-cookie']).toBeUndefined()
    expect(response.body.data.token).toMatch(/^flw_/)
  })

  it.each(OTHER_ORIGINS)('cannot be started from %s', async (_, headers) => {
    expect(await signIn(headers)).toMatchObject({ status: 403, body: CROSS_ORIGIN })
  })

  it('ends on sign-out, immediately on this node, and the cookie is cleared', async () => {
    const cookie = await newSessionCookie()
    const signedOut = await t.call('DELETE', '/wallet/session', { ...OWN_PAGE, ...cookie })
    expect(signedOut).toMatchObject({ status: 200, body: { message: 'Signed out', data: null } })
    expect(signedOut.headers['set-cookie']).toMatch(
      /^__Host-florin_wallet=; .*Expires=Thu, 01 Jan 1970/,
    )
    expect((await t.call('GET', '/wallet/me', cookie)).status).toBe(401)
  })
})

it('a session with a bearer token ends on sign-out, and no other session does', async () => {
  const [wallet, other] = [await t.createWallet(), await t.createWallet()]
  expect((await t.call('DELETE', '/wallet/session', wallet.headers)).status).toBe(200)
  expect((await t.call('GET', '/wallet/me', wallet.headers)).status).toBe(401)
  expect((await t.call('GET', '/wallet/me', other.headers)).status).toBe(200)
})

describe('a request with side effects', () => {
  const calls = [
    ['POST', `/wallet/payment/${'1'.repeat(27)}/pay`],
    ['DELETE', '/wallet/session'],
  ] as const

  it.each(calls)(
    '%s %s is refused from another origin and without an origin',
    async (method, url) => {
      const cookie = await newSessionCookie()
      for (const headers of [...OTHER_ORIGINS.map(([, headers]) => headers), {}]) {
        const response = await t.call(method, url, { ...headers, ...cookie })
        expect(response).toMatchObject({ status: 403, body: CROSS_ORIGIN })
      }
      // The session is still open. Reads need no origin, because SameSite protects them.
      expect((await t.call('GET', '/wallet/me', cookie)).status).toBe(200)
    },
  )

  it('may come from the public URL or from the requested host', async () => {
    const cookie = await newSessionCookie()
    const { live } = await t.createStore()
    for (const headers of [OWN_PAGE, { host: 'localhost:81', origin: 'http://localhost:81' }]) {
      const { qr_code } = await t.createPayment(live)
      const url = `/wallet/payment/${qr_code}/pay`
      // The balance is empty: the request passed the origin check and was refused later.
      expect((await t.call('POST', url, { ...headers, ...cookie })).status).toBe(402)
    }
  })

  it('may come from any origin with a bearer token, which browsers never send by themselves', async () => {
    const { live } = await t.createStore()
    const { headers } = await t.createWallet({ balance: '10' })
    const { qr_code } = await t.createPayment(live)
    const otherOrigin = { ...headers, origin: 'https://app.example' }
    expect((await t.call('POST', `/wallet/payment/${qr_code}/pay`, otherOrigin)).status).toBe(200)
  })
})

describe('demo wallet', () => {
  const open = (on: TestService, headers: Headers = OWN_PAGE) =>
    on.call('POST', '/wallet/demo-session', headers)

  it('does not exist without FLORIN_DEMO', async () => {
    expect(await open(t)).toMatchObject({ status: 404, body: refusal(404, 'Not found') })
  })

  it('signs in to the sandbox wallet for a day, and never to a live wallet', async () => {
    expect((await open(demo)).status).toBe(404)
    const live = await demo.createWallet({ balance: '5' })
    demo.service.markPrepared(live.wallet.walletId)
    expect((await open(demo)).status).toBe(404)

    const sandbox = await demo.createWallet({ mode: 'sandbox', balance: '5' })
    demo.service.markPrepared(sandbox.wallet.walletId)
    const response = await open(demo)
    expect(response.body.data.wallet).toMatchObject({
      wallet_id: sandbox.wallet.publicId,
      mode: 'sandbox',
      locked_until: null,
      erased_at: null,
    })
    const hours = (new Date(`${response.body.data.expires_at}Z`).getTime() - Date.now()) / 3_600_000
    expect(hours).toBeCloseTo(24, 1)
    const cookie = String(response.headers['set-cookie']).split(';')[0]!
    expect((await demo.call('GET', '/wallet/me', { cookie })).body.data.mode).toBe('sandbox')
  })

  it.each(OTHER_ORIGINS)('cannot be opened from %s', async (_, headers) => {
    expect(await open(demo, headers)).toMatchObject({ status: 403, body: CROSS_ORIGIN })
  })

  it('limits sign-ins per minute', async () => {
    const attempts = Array.from({ length: 40 }, () => open(demo))
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(5)
  })
})

describe('a page that names its wallet', () => {
  it('does not act for another wallet that replaced it in the browser', async () => {
    const cookie = await newSessionCookie()
    const me = await t.call('GET', '/wallet/me', cookie)
    const { wallet_id } = me.body.data
    const other = await t.createWallet()
    const readWallet = (id: string) =>
      t.call('GET', '/wallet/me', { ...cookie, 'x-florin-session': id })
    expect((await readWallet(wallet_id)).status).toBe(200)
    const refused = await readWallet(other.wallet.publicId)
    expect(refused.body).toEqual(refusal(401, 'Sign in first'))
    expect((await readWallet('nonsense')).status).toBe(401)
  })
})
