import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal, TIME } from '../../setup/expected.ts'
import { mailsTo, WITH_MAIL } from '../../setup/mails.ts'
import { createOperator, createTestToken } from '../../setup/operators.ts'
import { type Headers, startTestService, type TestService } from '../../setup/testService.ts'
import { activate, CODE, createWallet, PIN, readWallet, renewCode, signIn } from './activations.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
})
afterAll(() => t.close())

describe('a code that support creates', () => {
  const CODE_BY_ADMIN = refusal(
    409,
    'This wallet is in use, and its code cannot be emailed. Only an admin can create one.',
  )
  const MONEY = { amount: '5', currency: 'USD' }
  const topUp = (walletId: string) =>
    t.call('POST', `/operator/wallets/${walletId}/top-up`, t.operator, MONEY)
  const withdraw = (walletId: string) =>
    t.call('POST', `/operator/wallets/${walletId}/withdraw`, t.operator, MONEY)
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
      "an admin's token with the scope support",
      async () => {
        const { operatorId } = await createOperator(t, 'admin')
        return (await createTestToken(t, { operatorId, scopes: ['support', 'money'] })).headers
      },
    ],
  ]
  const WALLETS: [string, (walletId: string, code: string) => Promise<unknown>][] = [
    ['has a PIN', (_, code) => activate(t, code)],
    ['has money', (walletId) => topUp(walletId)],
    [
      'had money',
      async (walletId) => {
        await topUp(walletId)
        expect((await withdraw(walletId)).status).toBe(200)
      },
    ],
    [
      'had a PIN',
      async (walletId, code) => {
        await activate(t, code)
        await renewCode(t, walletId, { end_sessions: true })
      },
    ],
  ]
  const CASES = CALLERS.flatMap(([caller, headers]) =>
    WALLETS.map(([state, prepare]) => ({ caller, state, headers, prepare })),
  )

  it.each(CASES)('with $caller is emailed and not shown if the wallet $state', async (given) => {
    const { code, email, walletId } = await createWallet(t)
    await given.prepare(walletId, code)
    const response = await renewCode(t, walletId, undefined, await given.headers())
    expect(response.body).toEqual({
      status: 200,
      message: 'Activation code emailed',
      data: { code: null, url: null, expires_at: TIME, mailed_to: email },
    })
    const { code: mailed } = (await mailsTo(t, email)).at(-1)!
    expect((await activate(t, mailed, '8052')).status).toBe(200)
  })

  it('is not shown after support has ended the sessions', async () => {
    const { headers } = await createOperator(t, 'support')
    const { code, walletId } = await createWallet(t)
    await activate(t, code)
    const body = { end_sessions: true }
    expect((await renewCode(t, walletId, body, headers)).body.data.code).toBeNull()
    expect((await renewCode(t, walletId, undefined, headers)).body.data.code).toBeNull()
  })

  it('is refused and not created if it cannot be emailed', async () => {
    const { headers } = await createOperator(t, 'support')
    const { code, phone, walletId } = await createWallet(t, { email: 'ada,bo@example.com' })
    const { token } = (await activate(t, code)).body.data
    const refused = await renewCode(t, walletId, { end_sessions: true }, headers)
    expect(refused).toMatchObject({ status: 409, body: CODE_BY_ADMIN })
    expect(await codesOf(walletId)).toEqual([])
    expect((await readWallet(t, token)).status).toBe(200)
    expect((await signIn(t, phone, PIN)).status).toBe(200)
    expect((await renewCode(t, walletId)).body.data.code).toMatch(CODE)
  })

  it('is refused and not created if mail is not set up', async () => {
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
    const { email, walletId } = await createWallet(t)
    const shown = { code: expect.stringMatching(CODE), mailed_to: email }
    expect((await renewCode(t, walletId, undefined, headers)).body.data).toMatchObject(shown)
    const sandbox = await createWallet(t, { mode: 'sandbox', pin: PIN })
    const { data } = (await renewCode(t, sandbox.walletId, undefined, headers)).body
    expect((await activate(t, data.code, '8052')).status).toBe(200)
  })
})
