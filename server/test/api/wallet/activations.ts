import type { TestService } from '../../setup/testService.ts'

export const PIN = '246810'
/** The form of an activation code. */
export const CODE = /^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/

let walletCount = 0
/** Creates a wallet as an operator does. Without a PIN, it gets an activation code. */
export async function createWallet(t: TestService, fields: Record<string, unknown> = {}) {
  const number = ++walletCount
  const phone = `+4477${String(number).padStart(8, '0')}`
  const email = `ada${number}@example.com`
  const body = { mode: 'live', name: 'Ada', email, phone, ...fields }
  const created = await t.call('POST', '/operator/wallets', t.operator, body)
  const { wallet_id: walletId, activation } = created.body.data
  return { phone, email, walletId: walletId as string, code: activation?.code as string, created }
}

export const signIn = (t: TestService, phone: string, pin: string) =>
  t.call('POST', '/wallet/session', {}, { phone, pin })

export const activate = (t: TestService, code: unknown, pin: unknown = PIN, fields: object = {}) =>
  t.call('POST', '/wallet/activate', {}, { code, pin, ...fields })

/** Replaces the activation code of a wallet. */
export const renewCode = (t: TestService, walletId: string, body?: object, headers = t.operator) =>
  t.call('POST', `/operator/wallets/${walletId}/activation`, headers, body)

export const readWallet = (t: TestService, token: string) =>
  t.call('GET', '/wallet/me', { authorization: `Bearer ${token}` })
