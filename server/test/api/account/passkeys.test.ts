import { SettingsService } from '@simplewebauthn/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DatabaseUnavailable } from '../../../src/database/errors.ts'
import {
  ACCOUNT_KINDS,
  type AccountKind,
  addPasskey,
  call,
  newSessionOf,
  requestSignInOptions,
  signIn,
  type TestAccount,
} from '../../setup/accounts.ts'
import { createAuthenticator } from '../../setup/authenticator.ts'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import { startReceiver } from '../../setup/receiver.ts'
import { createAndroidDevice } from '../../setup/safetyNet.ts'
import { eventKindsOf, eventsOf } from '../../setup/securityEvents.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())

const REFUSED = refusal(401, 'This passkey is not valid for this account')
const INVALID = invalid(['passkey', 'passkey was not accepted. Start again.'])

const signInWithPasskey = (path: string, passkey: unknown) =>
  t.call('POST', `${path}/session/passkey`, {}, { passkey })

describe.each<AccountKind>(['person', 'operator'])('a passkey of a %s', (kind) => {
  let account: TestAccount
  beforeEach(async () => {
    account = await ACCOUNT_KINDS[kind](t, shop)
  })

  it('is registered, listed, signs in without email address and password, and is removed', async () => {
    const { passkeyId, recoveryCodes, use } = await addPasskey(t, account)
    expect(passkeyId).toMatch(/^psk_\w{26}$/)
    expect(recoveryCodes).toHaveLength(10)
    const view = { passkey_id: passkeyId, name: 'Laptop', created_at: TIME }
    const shown = await call(t, account, 'GET /account')
    expect(shown.body.data).toMatchObject({
      email: account.email,
      passkeys: [{ ...view, last_used_at: null }],
      totp_active: false,
      recovery_codes_left: 10,
      second_factor_due_at: null,
    })
    const signedIn = await signInWithPasskey(
      account.path,
      use(await requestSignInOptions(t, account)),
    )
    expect(signedIn.status).toBe(200)
    expect(signedIn.body.data.account).toEqual({
      password_change_required: false,
      has_passkey: true,
      has_totp: false,
      second_factor_due_at: null,
    })
    expect(String(signedIn.headers['set-cookie'])).toContain('__Host-florin_')
    const used = (await call(t, account, 'GET /account')).body.data.passkeys[0]
    expect(used).toEqual({ ...view, last_used_at: TIME })

    const removed = await call(t, account, `DELETE /account/passkeys/${used.passkey_id}`)
    expect(removed.body).toEqual({ status: 200, message: 'Passkey removed', data: null })
    const latePasskey = use(await requestSignInOptions(t, account), { counter: 2 })
    expect((await signInWithPasskey(account.path, latePasskey)).body).toEqual(REFUSED)
    expect((await call(t, account, `DELETE /account/passkeys/${used.passkey_id}`)).body).toEqual(
      refusal(404, 'Passkey not found'),
    )
    // Recovery codes are deleted with the last second factor.
    expect((await call(t, account, 'GET /account')).body.data.recovery_codes_left).toBe(0)
    expect(await eventKindsOf(t, account.id)).toEqual([
      'passkey_added',
      'sign_in',
      'passkey_removed',
    ])
  })

  it('makes the password alone insufficient, and a recovery code works once with it', async () => {
    const { recoveryCodes } = await addPasskey(t, account)
    const [code] = recoveryCodes!
    expect((await signIn(t, account)).body).toEqual(
      refusal(401, 'Enter the code from your authenticator app, or use a passkey'),
    )
    const typed = code!.toUpperCase().replaceAll('-', ' ')
    expect((await signIn(t, account, typed)).status).toBe(200)
    expect((await signIn(t, account, code)).body).toEqual(
      refusal(401, 'Wrong code, or it was used before'),
    )
    expect((await call(t, account, 'GET /account')).body.data.recovery_codes_left).toBe(9)
  })

  it('is refused for another origin or site, without user verification, and if it is registered twice', async () => {
    const { use, register } = await addPasskey(t, account)
    const options = await requestSignInOptions(t, account)
    for (const page of [
      { origin: 'https://evil.example' },
      { origin: 'http://pay.example.com' },
      { rpId: 'evil.example' },
      { isVerified: false },
    ]) {
      expect((await signInWithPasskey(account.path, use(options, page))).body).toEqual(REFUSED)
    }
    const { options: creation } = (await call(t, account, 'POST /account/passkeys/options')).body
      .data
    const ofOtherOrigin = createAuthenticator().register(creation, {
      origin: 'https://evil.example',
    })
    const name = 'Other'
    expect(
      (await call(t, account, 'POST /account/passkeys', { name, passkey: ofOtherOrigin })).body,
    ).toEqual(INVALID)
    // This authenticator is registered already.
    const secondPasskey = { name, passkey: register(creation) }
    expect((await call(t, account, 'POST /account/passkeys', secondPasskey)).body).toEqual(INVALID)
    // The challenge still works for the right page.
    expect((await signInWithPasskey(account.path, use(options))).status).toBe(200)
  })

  it('is refused with a transport that cannot be stored', async () => {
    const { options } = (await call(t, account, 'POST /account/passkeys/options')).body.data
    const { id, response } = createAuthenticator().register(options)
    const field = 'passkey.response.transports.0'
    for (const transport of ['a\0b', '\ud800']) {
      const passkey = { id, response: { ...response, transports: [transport] } }
      const body = { name: 'Laptop', passkey }
      expect((await call(t, account, 'POST /account/passkeys', body)).body).toEqual(
        invalid([field, `${field} contains characters that cannot be stored`]),
      )
    }
  })

  it('uses each challenge once, for its purpose and account, even with many concurrent requests', async () => {
    const { use } = await addPasskey(t, account)
    const options = await requestSignInOptions(t, account)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        signInWithPasskey(account.path, use(options, { counter: n + 1 })),
      ),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(19)

    const { options: confirm } = (await call(t, account, 'POST /session/confirm/options')).body.data
    expect((await signInWithPasskey(account.path, use(confirm, { counter: 30 }))).body).toEqual(
      REFUSED,
    )
    const { options: creation } = (await call(t, account, 'POST /account/passkeys/options')).body
      .data
    expect((await signInWithPasskey(account.path, use(creation, { counter: 30 }))).body).toEqual(
      REFUSED,
    )
    // A challenge for registering is bound to its account.
    const other = await ACCOUNT_KINDS[kind](t, shop)
    const body = { name: 'Mine', passkey: createAuthenticator().register(creation) }
    expect((await call(t, other, 'POST /account/passkeys', body)).body).toEqual(INVALID)
    expect((await call(t, account, 'POST /account/passkeys', body)).status).toBe(200)
    const replayed = { name: 'Mine', passkey: createAuthenticator().register(creation) }
    expect((await call(t, account, 'POST /account/passkeys', replayed)).body).toEqual(INVALID)
  })

  it('is refused and recorded if its counter does not increase', async () => {
    const { use } = await addPasskey(t, account)
    const first = use(await requestSignInOptions(t, account), { counter: 7 })
    expect((await signInWithPasskey(account.path, first)).status).toBe(200)
    for (const counter of [7, 6, 0]) {
      const copy = use(await requestSignInOptions(t, account), { counter })
      expect((await signInWithPasskey(account.path, copy)).body).toEqual(REFUSED)
    }
    const failures = (await eventsOf(t, account.id)).filter(({ kind }) => kind === 'sign_in_failed')
    expect(failures).toEqual(
      Array(3).fill({ kind: 'sign_in_failed', details: { method: 'passkey', reason: 'counter' } }),
    )
  })

  it('is not counted against its address if the database fails', async () => {
    const { use } = await addPasskey(t, account)
    const passkey = use(await requestSignInOptions(t, account))
    const attempt = async (body: unknown) => {
      const remoteAddress = kind === 'person' ? '192.0.2.1' : '192.0.2.2'
      const url = `${account.path}/session/passkey`
      const payload = { passkey: body }
      const { statusCode } = await t.app.inject({ method: 'POST', url, remoteAddress, payload })
      return statusCode
    }
    const failure = new DatabaseUnavailable(new Error('connect ECONNREFUSED'))
    const transaction = vi.spyOn(t.database, 'transaction').mockRejectedValue(failure)
    const failed = await Promise.all(Array.from({ length: 60 }, () => attempt(passkey)))
    transaction.mockRestore()
    expect(failed).toEqual(Array(60).fill(503))
    // Over the limit of the address this would be 429.
    const unknown = createAuthenticator().use(await requestSignInOptions(t, account))
    expect(await attempt(unknown)).toBe(401)
    expect(await attempt(passkey)).toBe(200)
  })

  it('does not sign in to the other kind of account, nor to a disabled account', async () => {
    const { use } = await addPasskey(t, account)
    const other = kind === 'person' ? '/operator' : '/store'
    const ofOtherKind = use(await requestSignInOptions(t, { path: other }))
    expect((await signInWithPasskey(other, ofOtherKind)).body).toEqual(REFUSED)
    const table = kind === 'person' ? 'person' : 'operator'
    await t.database.transaction((tx) =>
      tx.execute(`update ${table} set disabled_at = now() where email = $1`, [account.email]),
    )
    expect(
      (await signInWithPasskey(account.path, use(await requestSignInOptions(t, account)))).body,
    ).toEqual(REFUSED)
  })

  it('confirms a session once per challenge, and changes of second factors need a recent confirmation', async () => {
    const { use } = await addPasskey(t, account)
    const old = { ...account, headers: await newSessionOf(t, account) }
    const table = kind === 'person' ? 'person_session' : 'operator_session'
    await t.database.transaction((tx) =>
      tx.execute(`update ${table} set created_at = created_at - interval '16 minutes'`),
    )
    const NEEDED = refusal(428, 'Confirm that it is you to continue.')
    for (const endpoint of [
      'POST /account/passkeys/options',
      'DELETE /account/passkeys/x',
      'POST /account/totp',
      'DELETE /account/totp',
      'POST /account/recovery-codes',
    ] as const) {
      expect((await call(t, old, endpoint)).body).toEqual(NEEDED)
    }
    const { options } = (await call(t, old, 'POST /session/confirm/options')).body.data
    expect(options.allowCredentials).toHaveLength(1)
    const passkey = use(options)
    const confirm = () => call(t, old, 'POST /session/confirm', { passkey })
    expect((await confirm()).body).toEqual({ status: 200, message: 'Confirmed', data: null })
    expect((await confirm()).body.errors).toEqual([
      { field: 'passkey', message: 'passkey was not accepted' },
    ])
    expect((await call(t, old, 'POST /account/passkeys/options')).status).toBe(200)
  })
})

it('a passkey with a certificate is refused, and nothing is fetched from the address in the certificate', async () => {
  const internal = await startReceiver()
  try {
    const { root, attest } = createAndroidDevice(internal.url)
    const identifier = 'android-safetynet'
    SettingsService.setRootCertificates({ identifier, certificates: [root] })
    const account = await ACCOUNT_KINDS.person(t, shop)
    const { options } = (await call(t, account, 'POST /account/passkeys/options')).body.data
    const passkey = createAuthenticator().register(options, { attest })
    const added = await call(t, account, 'POST /account/passkeys', { name: 'Phone', passkey })
    expect(internal.received).toEqual([])
    expect(added.body).toEqual(INVALID)
  } finally {
    await internal.close()
  }
})
