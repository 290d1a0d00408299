import { Secret, TOTP } from 'otpauth'
import { createAuthenticator } from './authenticator.ts'
import { createOperator, newOperatorSession } from './operators.ts'
import { createPerson, newSession, PASSWORD } from './people.ts'
import type { Headers, TestResponse, TestService, TestStore } from './testService.ts'

export type TestAccount = {
  readonly path: '/store' | '/operator'
  readonly id: string
  readonly email: string
  readonly headers: Headers
}

/** Functions that create an account. Both kinds have the same account routes, under different paths. */
export const ACCOUNT_KINDS = {
  person: async (t: TestService, { store }: TestStore): Promise<TestAccount> => {
    const { personId: id, email, headers } = await createPerson(t, store, 'manager')
    return { path: '/store', id, email, headers }
  },
  operator: async (t: TestService): Promise<TestAccount> => {
    const { operatorId: id, email, headers } = await createOperator(t)
    return { path: '/operator', id, email, headers }
  },
}
export type AccountKind = keyof typeof ACCOUNT_KINDS

export const newSessionOf = (t: TestService, { path, id }: TestAccount): Promise<Headers> =>
  path === '/store' ? newSession(t, id) : newOperatorSession(t, id)

export const call = (
  t: TestService,
  { path, headers }: TestAccount,
  endpoint: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`,
  body?: unknown,
): Promise<TestResponse> => {
  const [method, url] = endpoint.split(' ') as ['GET', string]
  return t.call(method, `${path}${url}`, headers, body)
}

/** Signs in with the password. Without a cookie in the headers, the sign-in is from an unknown browser. */
export const signIn = (t: TestService, { path, email }: TestAccount, code?: string, headers = {}) =>
  t.call('POST', `${path}/session`, headers, { email, password: PASSWORD, ...(code && { code }) })

export async function addPasskey(t: TestService, account: TestAccount) {
  const authenticator = createAuthenticator()
  const { options } = (await call(t, account, 'POST /account/passkeys/options')).body.data
  const passkey = authenticator.register(options)
  const added = await call(t, account, 'POST /account/passkeys', { name: 'Laptop', passkey })
  if (added.status !== 200) throw new Error(added.text)
  const { passkey: stored, recovery_codes: recoveryCodes } = added.body.data as AddedFactor
  return { ...authenticator, passkeyId: stored.passkey_id, recoveryCodes }
}

type AddedFactor = {
  readonly passkey: { readonly passkey_id: string }
  readonly recovery_codes: readonly string[] | null
}

/** Sets up an authenticator app. `code(0)` is the code of the setup, and `code(1)` the one of 30 seconds later. */
export async function addTotp(t: TestService, account: TestAccount) {
  const { secret } = (await call(t, account, 'POST /account/totp')).body.data
  const setupMs = Date.now()
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: setupMs + steps * 30_000,
    })
  const added = await call(t, account, 'POST /account/totp/activate', { code: code(0) })
  if (added.status !== 200) throw new Error(added.text)
  return { code, recoveryCodes: added.body.data.recovery_codes as readonly string[] | null }
}

/** Requests the options for a sign-in with a passkey. */
export async function requestSignInOptions(t: TestService, { path }: Pick<TestAccount, 'path'>) {
  return (await t.call('POST', `${path}/session/passkey/options`)).body.data.options
}
