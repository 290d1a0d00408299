import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

const PIN = '246810'
const WRONG = refusal(401, 'Wrong phone number or PIN')
const LOCKED = refusal(403, 'This wallet is locked. Try again later or ask for help.')
const SIGN_IN_FIRST = refusal(401, 'Sign in first')

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

let walletCount = 0
async function createWallet() {
  const phone = `+4477${String(++walletCount).padStart(8, '0')}`
  const fields = { mode: 'live', name: 'Ada', email: 'ada@example.com', phone, pin: PIN }
  const { body } = await t.call('POST', '/operator/wallets', t.operator, fields)
  return { phone, walletId: body.data.wallet_id as string }
}

const signIn = (phone: unknown, pin: unknown) =>
  t.call('POST', '/wallet/session', {}, { phone, pin })
const readWallet = (token: string) =>
  t.call('GET', '/wallet/me', { authorization: `Bearer ${token}` })

describe('sign-in', () => {
  it('returns a token, its expiry and the wallet', async () => {
    const { phone, walletId } = await createWallet()
    const { status, body } = await signIn(phone, PIN)
    const wallet = {
      id: expect.any(Number),
      wallet_id: walletId,
      mode: 'live',
      name: 'Ada',
      email: 'ada@example.com',
      phone,
      locked_until: null,
      erased_at: null,
      balances: [],
      activated: true,
      locale: null,
      mail_receipts: false,
      pin_limits: [],
    }
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 200,
      message: 'Signed in',
      data: {
        token: expect.stringMatching(/^flw_\d+_[\w-]{43}$/),
        device_token: expect.stringMatching(/^\d{4}-\d\d-\d\d\.[\w-]{43}$/),
        expires_at: TIME,
        wallet,
      },
    })
    expect((await readWallet(body.data.token)).body).toEqual({
      status: 200,
      message: 'Wallet',
      data: wallet,
    })
  })

  it.each([
    (phone: string) => `${phone.slice(0, 3)} ${phone.slice(3, 7)} ${phone.slice(7)}`,
    (phone: string) => `00${phone.slice(1)}`,
    (phone: string) =>
      `${phone.slice(0, 3)} (${phone.slice(3, 7)}) ${phone.slice(7, 10)}-${phone.slice(10)}`,
    (phone: string) => ` ${phone.slice(0, 5)}.${phone.slice(5)} `,
  ])('accepts a phone number in common formats (%#)', async (format) => {
    const { phone, walletId } = await createWallet()
    const { status, body } = await signIn(format(phone), PIN)
    expect(status).toBe(200)
    expect(body.data.wallet).toMatchObject({ wallet_id: walletId, phone })
  })

  it('refuses a wrong PIN, an unknown number and an invalid number with the same bytes', async () => {
    const { phone } = await createWallet()
    const responses = [
      await signIn(phone, '000000'),
      await signIn(phone, ''),
      await signIn(phone, `${PIN}\0`),
      await signIn(phone, '\ud800'),
      await signIn('+15550009999', PIN),
      await signIn('not a number', PIN),
      await signIn('', PIN),
      await signIn('+1555\0', PIN),
    ]
    expect(responses.map((response) => response.status)).toEqual(responses.map(() => 401))
    expect(new Set(responses.map((response) => response.text))).toEqual(
      new Set([JSON.stringify(WRONG)]),
    )
  })

  it.each([
    [{}, invalid(['phone', 'phone is required'], ['pin', 'pin is required'])],
    [
      { phone: 1, pin: null },
      invalid(['phone', 'phone must be a string'], ['pin', 'pin must be a string']),
    ],
    [
      { phone: '1'.repeat(65), pin: PIN },
      invalid(['phone', 'phone must have at most 64 characters']),
    ],
    ['[]', invalid(['body', 'body must be an object'])],
    ['{', invalid(['body', 'body must be JSON'])],
  ])('refuses %j', async (body, expected) => {
    const response = await t.call('POST', '/wallet/session', {}, body)
    expect(response).toMatchObject({ status: 400, body: expected })
  })

  it('refuses the built-in sandbox wallet, which can still pay afterwards', async () => {
    const { sandbox } = await t.createStore()
    const [payer] = await t.database.query<{ phone: string }>(
      'select phone from wallet where pin_hash is null order by wallet_id desc limit 1',
    )
    for (let i = 0; i < 7; i++) {
      expect((await signIn(payer!.phone, 'nobody has this secret')).status).not.toBe(200)
    }
    const { payment_id } = await t.createPayment(sandbox)
    const paid = await t.call('POST', `/sandbox/payment/${payment_id}/pay`, sandbox, {})
    expect(paid.body).toMatchObject({ status: 200, data: { status: 'completed' } })
  })
})

describe('lockout', () => {
  it('locks a number after five wrong PINs, even for the right PIN, until it is unlocked', async () => {
    const { phone, walletId } = await createWallet()
    const { body } = await signIn(phone, PIN)
    for (let i = 0; i < 5; i++) expect((await signIn(phone, '1111')).body).toEqual(WRONG)
    expect(await signIn(phone, '1111')).toMatchObject({ status: 403, body: LOCKED })
    expect(await signIn(phone, PIN)).toMatchObject({ status: 403, body: LOCKED })
    const shown = await readWallet(body.data.token)
    expect(shown.body.data.locked_until).toEqual(TIME)

    const unlocked = await t.call('POST', `/operator/wallets/${walletId}/unlock`, t.operator)
    expect(unlocked.body).toMatchObject({ status: 200, data: { locked_until: null } })
    expect((await signIn(phone, PIN)).status).toBe(200)
    expect((await readWallet(body.data.token)).body.data.locked_until).toBeNull()
  })

  it('resets the counter after a successful sign-in', async () => {
    const { phone } = await createWallet()
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 4; i++) expect((await signIn(phone, '1111')).status).toBe(401)
      expect((await signIn(phone, PIN)).status).toBe(200)
    }
  })

  it('locks an unknown number the same way', async () => {
    const phone = '+15550008888'
    for (let i = 0; i < 5; i++) expect((await signIn(phone, '1111')).body).toEqual(WRONG)
    expect(await signIn(phone, '1111')).toMatchObject({ status: 403, body: LOCKED })
  })

  it('counts concurrent attempts', async () => {
    const { phone } = await createWallet()
    const responses = await Promise.all(Array.from({ length: 12 }, () => signIn(phone, '1111')))
    const statuses = responses.map((response) => response.status).sort()
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(7).fill(403)])
  })

  it('limits the attempts of one IP address on many numbers', async () => {
    const attempt = (n: number, ip: string) =>
      t.app.inject({
        method: 'POST',
        url: '/wallet/session',
        remoteAddress: ip,
        payload: { phone: `+1555777${String(n).padStart(4, '0')}`, pin: '1111' },
      })
    const attempts = Array.from({ length: 80 }, (_, n) => attempt(n, '203.0.113.9'))
    const responses = await Promise.all(attempts)
    const statuses = responses.map(({ statusCode }) => statusCode)
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(401))
    expect([statuses.at(-1), responses.at(-1)!.headers['retry-after']]).toEqual([429, '60'])
    expect((await attempt(62, '203.0.113.10')).statusCode).toBe(401)
  })
})

describe('sessions', () => {
  it('end immediately when the PIN is replaced, and the old PIN is refused', async () => {
    const { phone, walletId } = await createWallet()
    const tokens = [await signIn(phone, PIN), await signIn(phone, PIN)].map(
      (response) => response.body.data.token,
    )
    for (const token of tokens) expect((await readWallet(token)).status).toBe(200)
    const reset = await t.call('POST', `/operator/wallets/${walletId}/pin`, t.operator, {
      pin: '135791',
    })
    expect(reset.status).toBe(200)
    for (const token of tokens) {
      expect(await readWallet(token)).toMatchObject({ status: 401, body: SIGN_IN_FIRST })
    }
    expect((await signIn(phone, PIN)).body).toEqual(WRONG)
    expect((await signIn(phone, '135791')).status).toBe(200)
  })

  it('are stored as hashes, like PINs', async () => {
    const { phone } = await createWallet()
    const { token } = (await signIn(phone, PIN)).body.data
    const [session] = await t.database.query<{ row: string; token_hash: Buffer }>(
      'select wallet_session::text as row, token_hash from wallet_session order by created_at desc limit 1',
    )
    expect(session!.token_hash).toEqual(createHash('sha256').update(token).digest())
    expect(session!.row).not.toContain(token.slice(-20))
    const [wallet] = await t.database.query<{ row: string; pin_hash: string }>(
      'select wallet::text as row, pin_hash from wallet where phone = $1',
      [phone],
    )
    expect(wallet!.pin_hash).toMatch(/^\$argon2id\$/)
    expect(wallet!.row).not.toContain(PIN)
  })

  it('expire', async () => {
    const { phone } = await createWallet()
    const { token } = (await signIn(phone, PIN)).body.data
    await t.database.transaction((tx) =>
      tx.execute(
        `update wallet_session set created_at = now() - interval '31 days', expires_at = now()`,
      ),
    )
    expect(await readWallet(token)).toMatchObject({ status: 401, body: SIGN_IN_FIRST })
  })

  const calls = [
    ['GET', '/wallet/me'],
    ['GET', '/wallet/activity'],
    ['GET', `/wallet/payment/${'1'.repeat(27)}`],
    ['POST', `/wallet/payment/${'1'.repeat(27)}/pay`],
  ] as const
  const wrongHeaders = [
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer ' },
    { authorization: `Bearer flw_1_${'a'.repeat(43)}` },
    { authorization: `Bearer flw_99999999999_${'a'.repeat(43)}` },
    { authorization: `Bearer ${'a'.repeat(5000)}` },
    { authorization: 'Basic YWRhOjEyMzQ=' },
    { authorization: 'Bearer flo_test-operator' },
  ]
  it.each(calls)('are required for %s %s', async (method, url) => {
    for (const headers of wrongHeaders) {
      expect(await t.call(method, url, headers)).toMatchObject({ status: 401, body: SIGN_IN_FIRST })
    }
  })
})
