import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { mintToken } from '../../src/core/ids.ts'
import { setupCode } from '../../src/core/secrets.ts'
import { createOperator } from '../setup/operators.ts'
import { createPerson, PASSWORD } from '../setup/people.ts'
import { type Headers, startTestService, type TestService } from '../setup/testService.ts'

const PIN = '4711'

let t: TestService
/** Each describe has its own service, because all wrong PINs of a service are counted together. */
function withService(): void {
  beforeAll(async () => {
    t = await startTestService()
  })
  afterAll(() => t.close())
}
afterEach(() => vi.restoreAllMocks())

/** Stops the clock: limits refill over time, so results would depend on the speed of the machine. */
function stopClock(): void {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
}

/** Small rounds, so that every attempt gets a slot. */
async function inRounds(count: number, attempt: (n: number) => Promise<number>): Promise<number[]> {
  const statuses: number[] = []
  while (statuses.length < count) {
    const round = Array.from({ length: Math.min(40, count - statuses.length) }, (_, n) =>
      attempt(statuses.length + n),
    )
    statuses.push(...(await Promise.all(round)))
  }
  return statuses
}

let counter = 0
const newAddress = () => `198.51.${++counter >> 8}.${counter & 255}`
const newNetwork = () => `10.${++counter >> 8}.${counter & 255}.1`

type RequestOptions = { from: string; headers?: Headers; body?: object }
async function send(
  method: 'GET' | 'POST',
  url: string,
  { from, headers = {}, body }: RequestOptions,
) {
  const payload = body === undefined ? {} : { payload: body }
  return t.app.inject({ method, url, headers, remoteAddress: from, ...payload })
}
const get = async (url: string, options: RequestOptions) =>
  (await send('GET', url, options)).statusCode
const post = async (url: string, options: RequestOptions) =>
  (await send('POST', url, options)).statusCode

async function newWallet() {
  const phone = `+44770090${String(++counter).padStart(4, '0')}`
  const profile = { mode: 'live', name: 'Ada', email: 'ada@example.com', phone, pin: PIN }
  const created = await t.call('POST', '/operator/wallets', t.operator, profile)
  expect(created.status).toBe(200)
  return { phone, walletId: created.body.data.wallet_id as string }
}
const signIn = (phone: string, pin: string, options: Partial<RequestOptions> = {}) =>
  post('/wallet/session', {
    from: newNetwork(),
    ...options,
    body: { phone, pin, ...options.body },
  })
const unknownPhone = () => `+15557${String(++counter).padStart(6, '0')}`

describe('a thousand made-up credentials of each kind from one address', () => {
  withService()
  const WRONG: [what: string, url: string, headers: () => Headers][] = [
    [
      'person cookies',
      '/store/session',
      () => ({ cookie: `__Host-florin_person=${mintToken('flp_')}` }),
    ],
    [
      'operator cookies',
      '/operator/stores',
      () => ({ cookie: `__Host-florin_operator=${mintToken('flc_')}` }),
    ],
    [
      'wallet cookies',
      '/wallet/me',
      () => ({ cookie: `__Host-florin_wallet=${mintToken('flw_1_')}` }),
    ],
    ['wallet tokens', '/wallet/me', () => ({ authorization: `Bearer ${mintToken('flw_1_')}` })],
    [
      'operator tokens',
      '/operator/stores',
      () => ({ authorization: `Bearer ${mintToken('flo_')}` }),
    ],
    [
      'keys',
      '/merchant/store',
      () => ({ 'api-key': `flk_live_${randomBytes(15).toString('base64url')}`, 'api-secret': 'x' }),
    ],
  ]

  it('end in 429, while valid ones of each kind keep working there', async () => {
    const from = newAddress()
    const { store, live } = await t.createStore()
    const token = await t.call('POST', '/operator/tokens', t.operator, {
      label: 'right',
      scopes: ['admin'],
    })
    const payer = await t.createWallet()
    const right: [string, Headers][] = [
      ['/merchant/store', live],
      ['/store/session', (await createPerson(t, store)).headers],
      ['/operator/stores', (await createOperator(t)).headers],
      ['/operator/stores', { authorization: `Bearer ${token.body.data.token}` }],
      ['/wallet/me', payer.headers],
      [
        '/wallet/me',
        { cookie: `__Host-florin_wallet=${payer.headers.authorization!.split(' ')[1]}` },
      ],
    ]
    for (const [what, url, headers] of WRONG) {
      const startedMs = performance.now()
      const statuses = await Promise.all(
        Array.from({ length: 1000 }, () => get(url, { from, headers: headers() })),
      )
      // The limit is at most 600 a minute, so at most ten more every second.
      const allowed = 601 + (performance.now() - startedMs) / 100
      const refused = statuses.filter((status) => status === 429)
      expect(refused.length, what).toBeGreaterThanOrEqual(1000 - allowed)
      expect(statuses.filter((status) => status !== 429 && status !== 401)).toEqual([])
    }
    stopClock()
    const secret = { ...live, 'api-secret': 'guess' }
    for (let n = 0; n < 70; n++) await get('/merchant/store', { from, headers: secret })
    expect(await get('/merchant/store', { from, headers: secret })).toBe(429)
    for (const [url, headers] of right)
      expect([url, await get(url, { from, headers })]).toEqual([url, 200])
  })
})

describe('another client at the same address', () => {
  withService()
  it.each([
    ['/store/session', async () => (await createPerson(t, (await t.createStore()).store)).email],
    ['/operator/session', async () => (await createOperator(t)).email],
  ])('%s accepts the right password after eighty wrong ones', async (path, newAccount) => {
    const from = newAddress()
    const wrong = (n: number) =>
      post(path, { from, body: { email: `nobody${n}@example.com`, password: 'wrong' } })
    stopClock()
    const statuses = await inRounds(80, wrong)
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(401))
    expect(statuses.at(-1)).toBe(429)
    const body = { email: await newAccount(), password: PASSWORD }
    expect(await post(path, { from, body })).toBe(200)
    expect(await wrong(101)).toBe(429)
  })

  it('the right PIN works after eighty wrong ones', async () => {
    const from = newNetwork()
    stopClock()
    const statuses = await inRounds(80, () => signIn(unknownPhone(), '0000', { from }))
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(401))
    expect(statuses.at(-1)).toBe(429)
    const { phone } = await newWallet()
    expect(await signIn(phone, PIN, { from })).toBe(200)
  })

  it('the right setup code works after twenty wrong ones', async () => {
    const fresh = await startTestService()
    try {
      const setUp = async (code: string) => {
        const body = {
          code,
          name: 'Ada',
          email: 'ada@florin.example',
          password: 'a long password',
        }
        return (await fresh.call('POST', '/operator/setup', {}, body)).status
      }
      stopClock()
      for (let n = 0; n < 20; n++) await setUp('guess')
      expect(await setUp('guess')).toBe(429)
      expect(await setUp(setupCode(fresh.service.secretKey))).toBe(200)
    } finally {
      await fresh.close()
    }
  })
})

describe('a known device', () => {
  withService()

  it('does not wait for all attempts of unknown devices', async () => {
    const { phone } = await newWallet()
    const body = { phone, pin: PIN }
    const first = await send('POST', '/wallet/session', { from: newNetwork(), body })
    const { device_token } = first.json().data
    const order: string[] = []
    const flood = Array.from({ length: 100 }, () =>
      signIn(unknownPhone(), '0000').then(() => order.push('stranger')),
    )
    const known = signIn(phone, PIN, { body: { device_token } }).then((status) => {
      order.push('known')
      return status
    })
    expect(await known).toBe(200)
    await Promise.all(flood)
    expect(order.indexOf('known')).toBeLessThan(90)
  })
})

describe('many concurrent guesses at one PIN', () => {
  withService()
  it('are verified five times in total, from one address or many', async () => {
    for (const from of [newNetwork, () => '10.255.255.1']) {
      const { phone } = await newWallet()
      const attempts = Array.from({ length: 200 }, () => signIn(phone, '0000', { from: from() }))
      const statuses = await Promise.all(attempts)
      const verified = statuses.filter((status) => status === 401 || status === 429)
      expect(verified.length).toBeLessThanOrEqual(5)
      const [guard] = await t.database.query<{ failures: number }>(
        'select failures from sign_in_guard where subject = $1',
        [`wallet:${phone}`],
      )
      expect(guard!.failures).toBe(5)
    }
  })

  it('all succeed if they are right', async () => {
    const { phone } = await newWallet()
    const attempts = Array.from({ length: 7 }, () => signIn(phone, PIN))
    expect(await Promise.all(attempts)).toEqual(Array(7).fill(200))
  })
})

describe('a wallet with a PIN under attack', () => {
  withService()
  const guess = async (phone: string) => {
    for (let n = 0; n < 5; n++) expect(await signIn(phone, '0000')).toBe(401)
    expect(await signIn(phone, PIN)).toBe(403)
  }

  it('keeps paying in an open session', async () => {
    const { live } = await t.createStore()
    const { phone, walletId } = await newWallet()
    const url = `/operator/wallets/${walletId}/top-up`
    await t.call('POST', url, t.operator, { currency: 'USD', amount: '50.00' })
    const session = await send('POST', '/wallet/session', {
      from: newNetwork(),
      body: { phone, pin: PIN },
    })
    const headers = { authorization: `Bearer ${session.json().data.token}` }
    await guess(phone)
    const { qr_code } = await t.createPayment(live)
    const preview = await t.call('GET', `/wallet/payment/${qr_code}`, headers)
    expect(preview.body.data).toMatchObject({ can_pay: true, reason: null })
    expect((await t.call('POST', `/wallet/payment/${qr_code}/pay`, headers)).status).toBe(200)
  })

  it('admits known devices, by cookie or device token, with five attempts of their own', async () => {
    const { phone } = await newWallet()
    const app = await send('POST', '/wallet/session', {
      from: newNetwork(),
      body: { phone, pin: PIN },
    })
    const { device_token } = app.json().data
    const page = await send('POST', '/wallet/session', {
      from: newNetwork(),
      body: { phone, pin: PIN, cookie: true },
    })
    const cookies = [page.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0]!)
    const cookie = cookies.find((pair) => pair.startsWith('__Host-florin_known_'))!
    await guess(phone)
    expect(await signIn(phone, PIN, { body: { device_token } })).toBe(200)
    const byCookie = { headers: { cookie }, body: { cookie: true } }
    expect(await signIn(phone, PIN, byCookie)).toBe(200)
    // The sign-ins don't unlock the wallet on other devices.
    expect(await signIn(phone, PIN)).toBe(403)
    for (let n = 0; n < 5; n++)
      expect(await signIn(phone, '0000', { body: { device_token } })).toBe(401)
    expect(await signIn(phone, PIN, { body: { device_token } })).toBe(403)
    for (const madeUp of ['x', '', `${device_token}x`]) {
      expect(await signIn(phone, PIN, { body: { device_token: madeUp } })).toBe(403)
    }
  })

  it('has no known devices after a new PIN, and admits all when unlocked', async () => {
    const { phone, walletId } = await newWallet()
    const first = await send('POST', '/wallet/session', {
      from: newNetwork(),
      body: { phone, pin: PIN },
    })
    const { device_token } = first.json().data
    await guess(phone)
    await t.call('POST', `/operator/wallets/${walletId}/pin`, t.operator, { pin: '8052' })
    for (let n = 0; n < 5; n++) expect(await signIn(phone, '0000')).toBe(401)
    expect(await signIn(phone, '8052', { body: { device_token } })).toBe(403)
    await t.call('POST', `/operator/wallets/${walletId}/unlock`, t.operator)
    expect(await signIn(phone, '8052')).toBe(200)
  })
})
