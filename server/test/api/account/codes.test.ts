import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  ACCOUNT_KINDS,
  type AccountKind,
  addTotp,
  call,
  signIn,
  type TestAccount,
} from '../../setup/accounts.ts'
import { refusal } from '../../setup/expected.ts'
import { PASSWORD } from '../../setup/people.ts'
import { eventKindsOf } from '../../setup/securityEvents.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())

const WRONG = refusal(401, 'Wrong code, or it was used before')

/** Forgets the last used code, so that the current one is accepted again. */
const forgetLastCode = (id: string) =>
  t.database.transaction((tx) =>
    tx.execute('update totp set last_step = 0 where account_id = $1', [id]),
  )

describe.each<AccountKind>(['person', 'operator'])('codes of a second factor: %s', (kind) => {
  let account: TestAccount
  beforeEach(async () => {
    account = await ACCOUNT_KINDS[kind](t, shop)
  })

  it('come from an authenticator app that is set up with a secret and its first code, and removed', async () => {
    expect(
      (await call(t, account, 'POST /account/totp/activate', { code: '000000' })).body,
    ).toEqual(
      refusal(
        409,
        'Start the setup with POST /store/account/totp or POST /operator/account/totp first',
      ),
    )
    const started = await call(t, account, 'POST /account/totp')
    const { secret, uri, qr_svg: svg } = started.body.data
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const issuer = kind === 'person' ? 'Florin' : 'Florin%20operator'
    const email = encodeURIComponent(account.email)
    expect(uri).toBe(`otpauth://totp/${issuer}:${email}?secret=${secret}&issuer=${issuer}`)
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 \d+ \d+">/)
    const wrong = await call(t, account, 'POST /account/totp/activate', { code: '12345' })
    expect(wrong.body.errors).toEqual([
      { field: 'code', message: 'code is wrong. Check the time on your phone.' },
    ])
    // The app is not a second factor before its first code is accepted.
    expect((await signIn(t, account)).status).toBe(200)
    const [stored] = await t.database.query<{ secret: Buffer }>(
      'select secret from totp where account_id = $1',
      [account.id],
    )
    expect(stored!.secret.toString('latin1')).not.toContain(secret)

    const { recoveryCodes } = await addTotp(t, account)
    expect(recoveryCodes).toHaveLength(10)
    expect((await call(t, account, 'POST /account/totp')).body).toEqual(
      refusal(409, 'An authenticator app is already set up. Remove it first.'),
    )
    expect((await signIn(t, account)).status).toBe(401)
    expect((await call(t, account, 'DELETE /account/totp')).status).toBe(200)
    expect((await call(t, account, 'DELETE /account/totp')).body).toEqual(
      refusal(404, 'No authenticator app is set up'),
    )
    expect((await signIn(t, account)).status).toBe(200)
    const kinds = await eventKindsOf(t, account.id)
    expect(kinds).toEqual(['sign_in', 'totp_added', 'totp_removed', 'sign_in'])
  })

  it('are accepted once: not again after the setup, and only in one of 20 concurrent sign-ins', async () => {
    const { code } = await addTotp(t, account)
    expect((await signIn(t, account, code(0))).body).toEqual(WRONG)
    const next = code(1)
    const responses = await Promise.all(Array.from({ length: 20 }, () => signIn(t, account, next)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('include a recovery code, which is accepted in only one of 20 concurrent sign-ins', async () => {
    const { recoveryCodes } = await addTotp(t, account)
    const [first] = recoveryCodes!
    const responses = await Promise.all(Array.from({ length: 20 }, () => signIn(t, account, first)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await call(t, account, 'GET /account')).body.data.recovery_codes_left).toBe(9)
  })

  it('include recovery codes, which new ones replace', async () => {
    expect((await call(t, account, 'POST /account/recovery-codes')).body).toEqual(
      refusal(409, 'Set up a passkey or an authenticator app first'),
    )
    const { recoveryCodes } = await addTotp(t, account)
    const created = await call(t, account, 'POST /account/recovery-codes')
    const codes: string[] = created.body.data.recovery_codes
    expect(new Set(codes).size).toBe(10)
    for (const code of codes)
      expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/)
    expect((await signIn(t, account, recoveryCodes![0])).body).toEqual(WRONG)
    expect((await signIn(t, account, codes[0])).status).toBe(200)
  })

  it('lock the account after five wrong ones, even if sign-ins with the password alone come between them', async () => {
    const { code } = await addTotp(t, account)
    for (let n = 0; n < 5; n++) {
      expect((await signIn(t, account, '000000')).body).toEqual(WRONG)
      if (n < 4) expect((await signIn(t, account)).status).toBe(401)
    }
    expect((await signIn(t, account, code(1))).body).toEqual(
      refusal(403, 'Too many wrong passwords. Try again later or ask for a new one.'),
    )
    const kinds = await eventKindsOf(t, account.id)
    expect(kinds).toEqual(['totp_added', ...Array(5).fill('sign_in_failed'), 'account_locked'])
  })

  it('confirm a session if unused, as the password does; recovery codes do not', async () => {
    const { code, recoveryCodes } = await addTotp(t, account)
    await forgetLastCode(account.id)
    const confirm = (body: unknown) => call(t, account, 'POST /session/confirm', body)
    const current = code(0)
    expect((await confirm({ code: current })).status).toBe(200)
    const wrong = [{ field: 'code', message: 'code is wrong or was used before' }]
    expect((await confirm({ code: current })).body.errors).toEqual(wrong)
    expect((await confirm({ code: recoveryCodes![0] })).body.errors).toEqual(wrong)
    expect((await confirm({ password: PASSWORD })).status).toBe(200)
    for (const body of [{}, { password: PASSWORD, code: code(1) }]) {
      expect((await confirm(body)).body.errors).toEqual([
        { field: 'password', message: 'Send exactly one of password, code and passkey' },
      ])
    }
  })
})
