import { Secret, TOTP } from 'otpauth'
import { PNG } from 'pngjs'
import { expect } from 'vitest'
import { createAuthenticator } from '../setup/authenticator.ts'
import type { Headers, TestResponse, TestService } from '../setup/testService.ts'

// Groups of calls of `makeEveryCall`.

export type CallOptions = {
  /** By default those of the operator, or of the account for which `run` calls. */
  headers?: Headers
  path?: Record<string, unknown>
  query?: string
  /** Bytes are a picture, anything else is JSON. */
  body?: unknown
}

export type Run = (operationId: string, options?: CallOptions) => Promise<TestResponse>

/** A link with every field, and its payment. */
export async function callLinks(
  run: Run,
  { live, wallet }: { live: Headers; wallet: Headers },
): Promise<void> {
  const body = {
    title: 'Breakfast',
    description: 'With coffee',
    amount: 9.5,
    currency: 'EUR',
    products: [{ name: 'Breakfast', quantity: 1, price: 9.5 }],
    payload: { table: 4 },
    reference_id: 'menu-1',
    reference_note: 'Thank you',
    webhook_url: 'https://shop.example/hook',
    return_url: 'https://shop.example/thanks',
    locale: 'fr',
    max_payments: 100,
    expires_at: '2099-01-31 08:00:00',
  }
  const { link_id: linkId } = (await run('createLink', { headers: live, body })).body.data
  const path = { linkId }
  await run('previewLink', { headers: wallet, path })
  const paid = await run('payLink', { headers: wallet, path, body: { donation_amount: 0.5 } })
  const paymentId = paid.body.data.payment_id
  const details = await run('getPayment', { headers: live, path: { paymentId } })
  expect(details.body.data.link_id).toBe(linkId)
  await run('getLink', { headers: live, path })
  await run('listLinks', { headers: live, query: 'active=true&limit=1' })
  await run('getLinkQrImage', { headers: live, path, query: 'format=svg' })
  await run('getPublicLinkQrImage', { path })
  await run('changeLink', { headers: live, path, body: { active: false } })
}

/** Exports and erases a client and a payer. */
export async function exportAndErase(
  t: TestService,
  run: Run,
  { storeId, walletId }: { storeId: number; walletId: string },
): Promise<void> {
  const client = { path: { storeId }, body: { mode: 'live', email: 'bo@example.com' } }
  const { payments, webhooks } = (await run('exportClient', client)).body.data
  expect(payments.length * webhooks.length).toBeGreaterThan(0)
  await run('eraseClient', client)
  const payer = { path: { walletId } }
  const exported = (await run('exportPayer', payer)).body.data
  expect(exported.activity.length * exported.webhooks.length * exported.log.length).toBeGreaterThan(
    0,
  )
  const wallet = await t.call('GET', `/operator/wallets/${walletId}`, t.operator)
  const { balance: amount, currency } = wallet.body.data.balances[0]
  await run('withdrawFromWallet', { ...payer, body: { currency, amount } })
  await run('erasePayer', payer)
}

/** The operator's PIN limits and a new wallet, which its payer activates and manages. */
export async function callAsPayer(run: Run): Promise<void> {
  await run('listPinLimits')
  await run('setPinLimit', { body: { currency: 'USD', amount: '200' } })
  const person = { name: 'Cy', email: 'cy@example.com', phone: '+447700900003' }
  const created = (await run('createWallet', { body: { mode: 'live', ...person } })).body.data
  const walletId = created.wallet_id
  const { code } = (await run('resetWallet', { path: { walletId } })).body.data
  const chosen = { headers: {}, body: { code, pin: '4711' } }
  const { token } = (await run('activateWallet', chosen)).body.data
  const headers = { authorization: `Bearer ${token}` }
  await run('signIn', { headers: {}, body: { phone: person.phone, pin: '4711' } })
  const { sessions } = (await run('listWalletSessions', { headers })).body.data
  const sessionId = sessions.find((session: { current: boolean }) => !session.current).session_id
  await run('endWalletSession', { headers, path: { sessionId } })
  const settings = { mail_receipts: true, pin_limit: { currency: 'USD', amount: '50' } }
  await run('changeWalletSettings', { headers, body: settings })
  await run('changePin', { headers, body: { current: '4711', new: '8052' } })
  await run('listWalletEvents', { headers })
  const stranger = { name: 'Di', email: 'di@example.com', phone: '+447700900004' }
  await run('signUp', { headers: {}, body: stranger })
}

/** The endpoints for owners: books, links, keys, webhooks, test payments, clients, settings, people. */
export async function callAsOwner(
  run: (id: string, path?: object, options?: CallOptions) => Promise<TestResponse>,
  password: string,
): Promise<void> {
  await run('confirmPassword', {}, { body: { password } })
  await run('getStatement', {}, { query: 'limit=1' })
  await run('listCloses', {}, { query: 'limit=1' })
  await run('exportStatement')
  await run('exportPayments')
  const counter = { title: 'Counter', max_payments: 500 }
  const { link_id: linkId } = (await run('createStoreLink', {}, { body: counter })).body.data
  await run('getStoreLink', { linkId })
  await run('changeStoreLink', { linkId }, { body: { title: 'Counter 1' } })
  await run('getStoreLinkQrImage', { linkId }, { query: 'format=png&size=128' })
  await run('listStoreLinks', {}, { query: 'limit=1' })
  await run('exportLinks')
  const key = (await run('createKey', {}, { body: { label: 'Web shop' } })).body.data
  await run('listKeys')
  await run('rotateKey', { apiKey: key.api_key })
  await run('revokeKey', { apiKey: key.api_key })
  await run('getWebhookSecret')
  await run('renewWebhookSecret')
  await run('getWebhookSecret')
  await run('listWebhookLog')
  await run('resendWebhooks', {}, { body: { type: 'payment.refunded' } })
  const order = { amount: 1, currency: 'USD' }
  const tried = (await run('tryPayment', { mode: 'sandbox' }, { body: order })).body.data
  await run('simulatePayer', { mode: 'sandbox', paymentId: tried.payment_id })
  const unknownClient = { body: { email: 'nobody@example.com' } }
  await run('exportOwnClient', {}, unknownClient)
  await run('eraseOwnClient', {}, unknownClient)
  await run('getSettings')
  await run('getStoreSetup')
  await run('changeSettings', {}, { body: { phone: '1' } })
  const items = [{ name: 'Tea', price: '3.50' }]
  await run('changeTill', {}, { body: { items, tip_percentages: [10, 15, 20] } })
  await run('getTill')
  const picture = { body: PNG.sync.write(new PNG({ width: 8, height: 8 })) }
  const { logo } = (await run('uploadLogo', {}, picture)).body.data
  const [, , storeId, , file] = new URL(logo).pathname.split('/')
  await run('getOwnLogo', { storeId, file })
  await run('removeLogo')
  const fields = { email: 'cy@example.com', name: 'Cy', role: 'viewer' }
  const { person_id: personId } = (await run('addToTeam', {}, { body: fields })).body.data
  await run('listTeam')
  await run('inviteAgain', { personId })
  await run('changeInTeam', { personId }, { body: { role: 'cashier' } })
  await run('resetInTeam', { personId })
  await run('removeFactorsInTeam', { personId })
}

/** The signed-in account: confirmation, sessions and second factors. */
export async function callAsSelf(
  run: Run,
  noun: 'Person' | 'Operator',
  password: string,
): Promise<void> {
  const confirm = noun === 'Person' ? 'confirmPassword' : 'confirmOperator'
  const { use, register } = createAuthenticator()
  const start = async (id: string, options?: CallOptions) =>
    (await run(id, options)).body.data.options
  await run(confirm, { body: { password } })
  const passkey = register(await start(`get${noun}PasskeyOptions`))
  const added = await run(`add${noun}Passkey`, { body: { name: 'Laptop', passkey } })
  const withoutCredentials = { headers: {} }
  const assertion = use(await start(`get${noun}SignInOptions`, withoutCredentials))
  await run(`signIn${noun}WithPasskey`, { ...withoutCredentials, body: { passkey: assertion } })
  const confirmed = use(await start(`get${noun}ConfirmationOptions`), { counter: 2 })
  await run(confirm, { body: { passkey: confirmed } })
  const { secret } = (await run(`start${noun}Totp`)).body.data
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await run(`activate${noun}Totp`, { body: { code } })
  await run(`create${noun}RecoveryCodes`)
  await run(`get${noun}Account`)
  const { sessions } = (await run(`list${noun}Sessions`)).body.data
  const other = sessions.find((session: { current: boolean }) => !session.current)
  await run(`end${noun}Session`, { path: { sessionId: other.session_id } })
  await run(`endOther${noun}Sessions`)
  await run(`remove${noun}Totp`)
  const passkeyId = added.body.data.passkey.passkey_id
  await run(`remove${noun}Passkey`, { path: { passkeyId } })
}
