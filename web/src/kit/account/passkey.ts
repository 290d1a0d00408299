import type {
  PasskeyAssertion,
  PasskeyOptions,
  PasskeyRegistration,
} from '@florin/contract/account.js'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { type ApiResponse, Problem, type SendRequest } from '../request.ts'

export const hasPasskeySupport = typeof PublicKeyCredential !== 'undefined'

/** The status of a problem if the browser neither used nor created a passkey: the user cancelled, or has none. */
export const NO_PASSKEY = -1
const NOT_USED = { ok: false, problem: new Problem(NO_PASSKEY) } as const
const NOT_LOADED = { ok: false, problem: new Problem(0) } as const

/** Null if the script did not load, such as without a connection. */
const loadWebAuthn = () => import('@simplewebauthn/browser').catch(() => null)

/** Lets the user choose a passkey, and sends its signature. */
export async function sendPasskey<Data>(
  request: SendRequest,
  { optionsPath, path }: { optionsPath: string; path: string },
): Promise<ApiResponse<Data>> {
  const started = await request<PasskeyOptions>(optionsPath, { method: 'POST' })
  if (!started.ok) return started
  const webAuthn = await loadWebAuthn()
  if (webAuthn === null) return NOT_LOADED
  const optionsJSON = started.data.options as PublicKeyCredentialRequestOptionsJSON
  let passkey: PasskeyAssertion
  try {
    passkey = await webAuthn.startAuthentication({ optionsJSON })
  } catch {
    return NOT_USED
  }
  return request(path, { method: 'POST', body: { passkey } })
}

/** Lets the user create a passkey, and adds it to the account under this name. */
export async function createPasskey<Data>(
  request: SendRequest,
  name: string,
): Promise<ApiResponse<Data>> {
  const started = await request<PasskeyOptions>('account/passkeys/options', { method: 'POST' })
  if (!started.ok) return started
  const webAuthn = await loadWebAuthn()
  if (webAuthn === null) return NOT_LOADED
  const optionsJSON = started.data.options as PublicKeyCredentialCreationOptionsJSON
  let passkey: PasskeyRegistration
  try {
    passkey = await webAuthn.startRegistration({ optionsJSON })
  } catch {
    return NOT_USED
  }
  return request('account/passkeys', { method: 'POST', body: { name, passkey } })
}
