import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../setup/expected.ts'
import { mailsTo, WITH_MAIL } from '../../setup/mails.ts'
import { createOperator, createTestToken } from '../../setup/operators.ts'
import { type Headers, startTestService, type TestService } from '../../setup/testService.ts'

const PIN = '246810'
const CODE = /^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
})
afterAll(() => t.close())

let walletCount = 0
async function createWallet(fields: Record<string, unknown> = {}) {
  const number = ++walletCount
  const phone = `+4477${String(number).padStart(8, '0')}`
  const email = `ada${number}@example.com`
  const body = { mode: 'live', name: 'Ada', email, phone, ...fields }
  const created = await t.call('POST', '/operator/wallets', t.operator, body)
  const { wallet_id: walletId, activation } = created.body.data
  return { phone, email, walletId: walletId as string, code: activation?.code as string, created }
}

const signIn = (phone: string, pin: string) => t.call('POST', '/wallet/session', {}, { phone, pin })
const activate = (code: unknown, pin: unknown = PIN, fields: object = {}) =>
  t.call('POST', '/wallet/activate', {}, { code, pin, ...fields })
const reset = (walletId: string, body?: object) =>
  t.call('POST', `/operator/wallets/${walletId}/activation`, t.operator, body)
const me = (token: string) => t.call('GET', '/wallet/me', { authorization: `Bearer ${token}` })

describe('a code that support creates', () => {
  const CODE_BY_ADMIN = refusal(
    409,
    'This wallet is in use, and its code cannot be emailed. Only an admin can create one.',
  )
  const resetBy = (headers: Headers, walletId: string, body?: object) =>
    t.call('POST', `/operator/wallets/${walletId}/activation`, headers, body)
  const topUp = (walletId: string, amount = '5') =>
    t.call('POST', `/operator/wallets/${walletId}/top-up`, t.operator, { amount, currency: 'USD' })
  const withdraw = (walletId: string, amount: string) =>
    t.call('POST', `/operator/wallets/${walletId}/withdraw`, t.operator, {
      amount,
      currency: 'USD',
    })

  const codesOf = (walletId: string) =>
    t.database.query(
      `select code_hash from wallet_activation a join wallet w using (wallet_id) where w.public_id = $1`,
      [walletId],
    )

  const CALLERS: [string, () => Promise<Headers>][] = [
    ['a session', async () => (await createOperator(t, 'support')).headers],
    [
      'a token',
      async () => (await createTestToken(t, { operatorId: null, scopes: ['support'] })).headers,
    ],
    [
      'an admin’s token with the scope support',
      async () => {
        const { operatorId } = await createOperator(t, 'admin')
        return (await createTestToken(t, { operatorId, scopes: ['support', 'money'] })).headers
      },
    ],
  ]
  const WALLETS: [string, (walletId: string, code: string) => Promise<unknown>][] = [
    ['has a PIN', (_, code) => activate(code)],
    ['has money', (walletId) => topUp(walletId)],
    [
      'had money',
      async (walletId) => {
        await topUp(walletId)
        expect((await withdraw(walletId, '5')).status).toBe(200)
      },
    ],
    [
      'had a PIN',
      async (walletId, code) => {
        await activate(code)
        await reset(walletId, { end_sessions: true })
      },
    ],
  ]
  const CASES = CALLERS.flatMap(([caller, headers]) =>
    WALLETS.map(([state, prepare]) => ({ caller, state, headers, prepare })),
  )

  it.each(CASES)('with $caller is only emailed if the wallet $state', async (given) => {
    const { code, email, walletId } = await createWallet()
    await given.prepare(walletId, code)
    const response = await resetBy(await given.headers(), walletId)
    expect(response.body).toEqual({
      status: 200,
      message: 'Activation code emailed',
      data: { code: null, url: null, expires_at: TIME, mailed_to: email },
    })
    const { code: mailed } = (await mailsTo(t, email)).at(-1)!
    expect((await activate(mailed, '8052')).status).toBe(200)
  })

  it('is not shown after support has ended the sessions', async () => {
    const { headers } = await createOperator(t, 'support')
    const { code, walletId } = await createWallet()
    await activate(code)
    const body = { end_sessions: true }
    expect((await resetBy(headers, walletId, body)).body.data.code).toBeNull()
    expect((await resetBy(headers, walletId)).body.data.code).toBeNull()
  })

  it('is refused and not created if it cannot be emailed', async () => {
    const { headers } = await createOperator(t, 'support')
    const { code, phone, walletId } = await createWallet({ email: 'ada,bo@example.com' })
    const { token } = (await activate(code)).body.data
    const refused = await resetBy(headers, walletId, { end_sessions: true })
    expect(refused).toMatchObject({ status: 409, body: CODE_BY_ADMIN })
    expect(await codesOf(walletId)).toEqual([])
    expect((await me(token)).status).toBe(200)
    expect((await signIn(phone, PIN)).status).toBe(200)
    expect((await reset(walletId)).body.data.code).toMatch(CODE)
  })

  it('is refused and not created if email is not set up', async () => {
    const fresh = await startTestService()
    const { wallet } = await fresh.createWallet({ balance: '5.00' })
    const path = `/operator/wallets/${wallet.publicId}/activation`
    const { headers } = await createOperator(fresh, 'support')
    expect(await fresh.call('POST', path, headers)).toMatchObject({
      status: 409,
      body: CODE_BY_ADMIN,
    })
    const codes = await fresh.database.query('select 1 from wallet_activation')
    expect(codes).toEqual([])
    const admin = await createOperator(fresh)
    expect((await fresh.call('POST', path, admin.headers)).body.data.code).toMatch(CODE)
    await fresh.close()
  })

  it('is shown for a new wallet, and for one of the sandbox', async () => {
    const { headers } = await createOperator(t, 'support')
    const { email, walletId } = await createWallet()
    const shown = { code: expect.stringMatching(CODE), mailed_to: email }
    expect((await resetBy(headers, walletId)).body.data).toMatchObject(shown)
    const sandbox = await createWallet({ mode: 'sandbox', pin: PIN })
    const { data } = (await resetBy(headers, sandbox.walletId)).body
    expect((await activate(data.code, '8052')).status).toBe(200)
  })
})
