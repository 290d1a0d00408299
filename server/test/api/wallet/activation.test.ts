import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import { mailsTo, WITH_MAIL } from '../../setup/mails.ts'
import { sandboxPay } from '../../setup/merchantCalls.ts'
import { eventKindsOf } from '../../setup/securityEvents.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'
import { activate, CODE, createWallet, PIN, readWallet, renewCode, signIn } from './activations.ts'

const WRONG = refusal(401, 'Wrong activation code, or it has expired. Ask for a new one.')
const WRONG_PIN = refusal(401, 'Wrong phone number or PIN')

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
})
afterAll(() => t.close())

describe('a new wallet', () => {
  it('gets a code that is shown once, emailed and stored as a hash', async () => {
    const { phone, email, walletId, code, created } = await createWallet(t, { locale: 'fr' })
    expect(created.body).toEqual({
      status: 200,
      message: 'Wallet created',
      data: {
        id: expect.any(Number),
        wallet_id: walletId,
        mode: 'live',
        name: 'Ada',
        email,
        phone,
        locked_until: null,
        erased_at: null,
        balances: [],
        activated: false,
        locale: 'fr',
        mail_receipts: false,
        pin_limits: [],
        activation: {
          code: expect.stringMatching(CODE),
          url: `https://pay.example.com/wallet#activate/${code}`,
          expires_at: TIME,
          mailed_to: email,
        },
      },
    })
    const hours = (Date.parse(`${created.body.data.activation.expires_at}Z`) - Date.now()) / 3.6e6
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24.01)
    const url = `https://pay.example.com/wallet#activate/${code}`
    expect(await mailsTo(t, email)).toEqual([
      { locale: 'fr', template: 'wallet_activation', name: 'Ada', code, url },
    ])
    const stored = await t.database.query(
      `select a::text as row from wallet_activation a where wallet_id = $1`,
      [created.body.data.id],
    )
    expect(stored).toHaveLength(1)
    expect(JSON.stringify(stored)).not.toContain(code)
    expect(JSON.stringify(stored)).not.toContain(code.replaceAll('-', ''))
    const shownLater = await t.call('GET', `/operator/wallets/${walletId}`, t.operator)
    const log = await t.call('GET', `/operator/audit-log?subject=wallet:${walletId}`, t.operator)
    expect([shownLater.status, log.status]).toEqual([200, 200])
    expect(shownLater.text + log.text).not.toContain(code)
  })

  it('reports that its code was not emailed if its address cannot receive email', async () => {
    const { created } = await createWallet(t, { email: 'ada,bo@example.com' })
    expect(created.body.data.activation).toMatchObject({ mailed_to: null })
  })

  it('can sign in only after the payer has chosen a PIN', async () => {
    const { phone, walletId, code } = await createWallet(t)
    expect((await signIn(t, phone, PIN)).body).toEqual(WRONG_PIN)
    const activated = await activate(t, code, PIN, { locale: 'es' })
    expect(activated.status).toBe(200)
    expect(activated.body).toEqual({
      status: 200,
      message: 'Signed in',
      data: {
        token: expect.stringMatching(/^flw_\d+_[\w-]{43}$/),
        device_token: expect.stringMatching(/^\d{4}-\d\d-\d\d\.[\w-]{43}$/),
        expires_at: TIME,
        wallet: expect.objectContaining({ wallet_id: walletId, activated: true, locale: 'es' }),
      },
    })
    expect((await readWallet(t, activated.body.data.token)).status).toBe(200)
    expect((await signIn(t, phone, PIN)).status).toBe(200)
    expect(await eventKindsOf(t, walletId)).toEqual([
      'account_created',
      'sign_in_failed',
      'wallet_activated',
      'sign_in',
      'sign_in',
    ])
    const log = await t.call('GET', `/operator/audit-log?subject=wallet:${walletId}`, t.operator)
    expect(log.body.data.entries[0]).toMatchObject({
      actor: `wallet:${walletId}`,
      action: 'wallet.activate',
    })
  })

  it('gets the tokens of session and device as cookies if a page activates it', async () => {
    const { code } = await createWallet(t)
    const response = await activate(t, code, PIN, { cookie: true })
    expect(response.body.data).not.toHaveProperty('token')
    expect(response.body.data).not.toHaveProperty('device_token')
    const cookies = [response.headers['set-cookie']]
      .flat()
      .map((cookie) => String(cookie).split('=')[0])
    expect(cookies).toEqual([
      '__Host-florin_wallet',
      expect.stringMatching(/^__Host-florin_known_/),
    ])
    const otherOrigin = { origin: 'https://evil.example' }
    const body = { code, pin: PIN, cookie: true }
    const refused = await t.call('POST', '/wallet/activate', otherOrigin, body)
    expect(refused.status).toBe(403)
  })

  it('has no code if it was created with a PIN', async () => {
    const { phone, email, created } = await createWallet(t, { pin: PIN })
    expect(created.body.data).toMatchObject({ activated: true, activation: null })
    expect((await signIn(t, phone, PIN)).status).toBe(200)
    expect((await mailsTo(t, email)).map(({ template }) => template)).toEqual(['new_device'])
  })
})

describe('a code', () => {
  it.each([
    (code: string) => code.toUpperCase(),
    (code: string) => code.replaceAll('-', ''),
    (code: string) => ` ${code.replaceAll('-', ' – ')} `,
    (code: string) => code.replaceAll('0', 'o').replaceAll('1', 'L'),
  ])('is accepted as people type it (%#)', async (typed) => {
    const { code } = await createWallet(t)
    expect((await activate(t, typed(code))).status).toBe(200)
  })

  it('works once in 50 concurrent requests', async () => {
    const { code, walletId } = await createWallet(t)
    const responses = await Promise.all(Array.from({ length: 50 }, () => activate(t, code)))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    // At most 20 attempts at one code run or wait; the others get 503.
    expect(new Set(statuses)).toEqual(new Set([200, 401, 503]))
    expect((await activate(t, code)).body).toEqual(WRONG)
    expect((await eventKindsOf(t, walletId)).filter((kind) => kind === 'wallet_activated')).toEqual(
      ['wallet_activated'],
    )
    const sessions = await t.database.query(
      'select 1 from wallet_session s join wallet w using (wallet_id) where w.public_id = $1',
      [walletId],
    )
    expect(sessions).toHaveLength(1)
  })

  it('stays valid after a PIN that is too easy to guess', async () => {
    const { code, phone } = await createWallet(t)
    const weak =
      'pin is too easy to guess. Avoid repeated digits, sequences such as 1234, years and common PINs.'
    expect(await activate(t, code, '1234')).toMatchObject({
      status: 400,
      body: invalid(['pin', weak]),
    })
    const short = invalid(['pin', 'pin must be 4 to 8 digits'])
    expect(await activate(t, code, '12')).toMatchObject({ status: 400, body: short })
    expect((await signIn(t, phone, '1234')).status).toBe(401)
    expect((await activate(t, code)).status).toBe(200)
  })

  it('that has expired is refused, and can be replaced', async () => {
    const { code, walletId } = await createWallet(t)
    await t.database.transaction((tx) =>
      tx.execute(
        `update wallet_activation
         set expires_at = clock_timestamp()
         where wallet_id = (select wallet_id from wallet where public_id = $1)`,
        [walletId],
      ),
    )
    expect(await activate(t, code)).toMatchObject({ status: 401, body: WRONG })
    const renewed = await renewCode(t, walletId)
    expect((await activate(t, renewed.body.data.code)).status).toBe(200)
  })

  it.each(['', 'x', '0000-0000-0000', '0'.repeat(64), '\0', '\ud800', 'uuuu-uuuu-uuuu'])(
    'that is wrong (%j) is refused',
    async (code) => {
      expect(await activate(t, code)).toMatchObject({ status: 401, body: WRONG })
    },
  )

  it('of a locked wallet is refused until the wallet is unlocked', async () => {
    const { code, walletId } = await createWallet(t)
    await t.call('POST', `/operator/wallets/${walletId}/lock`, t.operator)
    const locked = refusal(403, 'This wallet is locked. Try again later or ask for help.')
    expect(await activate(t, code)).toMatchObject({ status: 403, body: locked })
    await t.call('POST', `/operator/wallets/${walletId}/unlock`, t.operator)
    expect((await activate(t, code)).status).toBe(200)
  })
})

describe('a new code for a wallet', () => {
  it('replaces the one before, and keeps PIN and sessions until it is used', async () => {
    const { code, phone, walletId } = await createWallet(t)
    const { token } = (await activate(t, code)).body.data
    const first = (await renewCode(t, walletId)).body
    expect(first).toEqual({
      status: 200,
      message: 'Activation code created',
      data: {
        code: expect.stringMatching(CODE),
        url: `https://pay.example.com/wallet#activate/${first.data.code}`,
        expires_at: TIME,
        mailed_to: expect.stringMatching(/^ada\d+@example\.com$/),
      },
    })
    const second = (await renewCode(t, walletId)).body.data.code
    expect((await readWallet(t, token)).status).toBe(200)
    expect((await signIn(t, phone, PIN)).status).toBe(200)
    expect((await activate(t, first.data.code)).body).toEqual(WRONG)
    expect((await activate(t, second, '8052')).status).toBe(200)
    expect((await readWallet(t, token)).status).toBe(401)
    expect((await signIn(t, phone, PIN)).status).toBe(401)
    expect((await signIn(t, phone, '8052')).status).toBe(200)
  })

  it('ends sessions and disables the PIN immediately if the operator chooses to', async () => {
    const { code, phone, walletId } = await createWallet(t)
    const { token } = (await activate(t, code)).body.data
    const renewed = await renewCode(t, walletId, { end_sessions: true })
    expect((await readWallet(t, token)).status).toBe(401)
    expect((await signIn(t, phone, PIN)).status).toBe(401)
    const shown = await t.call('GET', `/operator/wallets/${walletId}`, t.operator)
    expect(shown.body.data.activated).toBe(false)
    expect((await activate(t, renewed.body.data.code)).status).toBe(200)
    expect((await signIn(t, phone, PIN)).status).toBe(200)
  })

  it('lifts the lock after wrong PINs once it is used', async () => {
    const { code, phone, walletId } = await createWallet(t)
    await activate(t, code)
    for (let i = 0; i < 6; i++) await signIn(t, phone, '8051')
    expect((await signIn(t, phone, PIN)).status).toBe(403)
    expect(await eventKindsOf(t, walletId)).toContain('account_locked')
    await activate(t, (await renewCode(t, walletId)).body.data.code, '8052')
    expect((await signIn(t, phone, '8052')).status).toBe(200)
  })

  it('is void once the operator sets a PIN', async () => {
    const { code, walletId } = await createWallet(t)
    await t.call('POST', `/operator/wallets/${walletId}/pin`, t.operator, { pin: '8052' })
    expect((await activate(t, code)).body).toEqual(WRONG)
  })

  it('is refused for the built-in sandbox wallet, and so are a PIN and a lock', async () => {
    const { store, sandbox } = await t.createStore()
    const [row] = await t.database.query<{ publicId: string }>(
      'select public_id as "publicId" from wallet where wallet_id = $1',
      [store.sandboxWalletId],
    )
    const refused = refusal(409, "This is the built-in sandbox wallet. It can't be changed.")
    expect((await renewCode(t, row!.publicId)).body).toEqual(refused)
    const path = `/operator/wallets/${row!.publicId}`
    expect((await t.call('POST', `${path}/pin`, t.operator, { pin: '8052' })).body).toEqual(refused)
    expect((await t.call('POST', `${path}/lock`, t.operator)).body).toEqual(refused)
    const { payment_id } = await t.createPayment(sandbox)
    await sandboxPay(t, sandbox, payment_id)
  })
})

it('wrong codes are throttled, and the right one still works', async () => {
  const fresh = await startTestService()
  const body = { mode: 'live', name: 'Ada', email: 'a@example.com', phone: '+447700900001' }
  const { activation } = (await fresh.call('POST', '/operator/wallets', fresh.operator, body)).body
    .data
  expect(activation.mailed_to).toBeNull()
  const attempt = (code: string) => fresh.call('POST', '/wallet/activate', {}, { code, pin: PIN })
  const statuses: number[] = []
  for (let n = 0; n < 70; n++) statuses.push((await attempt('0000-0000-0000')).status)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(statuses.filter((status) => status === 401).length).toBeLessThan(65)
  expect((await attempt(activation.code)).status).toBe(200)
  await fresh.close()
})
