import { expect, vi } from 'vitest'
import { decryptSecret, setupCode } from '../../src/core/secrets.ts'
import { WITH_MAIL } from '../setup/mails.ts'
import { cookieOf } from '../setup/people.ts'
import type { Headers, TestService } from '../setup/testService.ts'
import {
  type CallOptions,
  callAsOwner,
  callAsPayer,
  callAsSelf,
  callLinks,
  exportAndErase,
  type Run,
} from './callGroups.ts'

/** The headers of a body that is a picture. */
export const PNG_TYPE = { 'content-type': 'image/png' }

/** Settings under which every operation can succeed. */
export const EVERYTHING_ON = { ...WITH_MAIL, FLORIN_WALLET_SIGNUP: 'email' }

/** The start of a day, relative to today. Recorded examples shift times by the time of the run, which would move a fixed day. */
const dayStart = (days: number) => {
  const todayMs = new Date().setUTCHours(0, 0, 0, 0)
  return new Date(todayMs + days * 86_400_000).toISOString()
}

/** The token of the link in the newest email to an address. */
async function readLinkToken(t: TestService, recipient: string): Promise<string> {
  const [mail] = await t.database.query<{ content: Buffer }>(
    'select content from mail where recipient = $1 order by mail_id desc limit 1',
    [recipient],
  )
  return /fll_[\w-]+/.exec(decryptSecret(mail!.content, t.service.secretKey))![0]
}

/** Calls every operation of the document at least once. Each call must succeed. `run` calls an operation by its id. */
export async function makeEveryCall(t: TestService, run: Run): Promise<void> {
  // The operator prepares stores, keys, rates, wallets and people.
  const store = (
    await run('createStore', {
      body: {
        name: 'Corner',
        currency: 'USD',
        fee_bps: 100,
        refund_fee: '0.50',
        max_amount: '500',
      },
    })
  ).body.data
  const path = { storeId: store.id }
  await run('changeStore', { path, body: { daily_limit: '1000', logo: 'https://x.example/l.png' } })
  await run('fundStore', { path, body: { mode: 'live', amount: '100.00', note: 'start' } })
  await run('payoutStore', { path, body: { mode: 'live', amount: '1' } })
  await run('getOperatorStore', { path })
  await run('listStores', { query: 'limit=1' })
  const issue = async (mode: string) =>
    (await run('issueCredential', { path, body: { mode, expires_at: '2099-01-01' } })).body.data
  const keysOf = (data: { api_key: string; api_secret: string }): Headers => ({
    'api-key': data.api_key,
    'api-secret': data.api_secret,
  })
  const live = keysOf(await issue('live'))
  const sandbox = keysOf(await issue('sandbox'))
  const spare = await issue('live')
  await run('rotateCredential', { path: { apiKey: spare.api_key } })
  await run('revokeCredential', { path: { apiKey: spare.api_key } })
  await run('listCredentials', { path })
  const nightly = { label: 'night', scopes: ['read', 'metrics'], expires_at: null }
  const { token_id: tokenId } = (await run('createOperatorToken', { body: nightly })).body.data
  await run('listOperatorTokens', { query: 'state=active' })
  await run('revokeOperatorToken', { path: { tokenId } })
  const pair = { from: 'EUR', to: 'USD' }
  await run('setRate', { path: pair, body: { rate: '1.1' } })
  await run('getRateHistory', { path: pair })
  await run('listRates')
  const phone = '+447700900001'
  const person = { mode: 'live', name: 'Ada', email: 'ada@example.com', phone, pin: '4711' }
  const { wallet_id: walletId } = (await run('createWallet', { body: person })).body.data
  await run('topUpWallet', { path: { walletId }, body: { currency: 'USD', amount: '100' } })
  await run('withdrawFromWallet', { path: { walletId }, body: { currency: 'USD', amount: '1' } })
  await run('getOperatorWallet', { path: { walletId } })
  await run('getWalletActivity', { path: { walletId }, query: 'limit=1' })
  await run('resetPin', { path: { walletId }, body: { pin: '8052' } })
  await run('listWallets')
  await run('listWallets', { query: `phone=${encodeURIComponent(phone)}` })
  await run('listWallets', { query: 'search=ada' })
  await callAsPayer(run)
  await run('lockWallet', { path: { walletId } })
  await run('unlockWallet', { path: { walletId } })
  const cashier = { email: 'Bo@example.com', name: 'Bo', role: 'cashier' }
  const { person_id: personId } = (await run('createPerson', { path, body: cashier })).body.data
  await run('listPeople', { path })
  await run('findPerson', { query: 'search=bo' })
  await run('getStoreSummary', { path })
  await run('removePersonFactors', { path: { personId } })
  await run('changePerson', { path: { personId }, body: { role: 'owner' } })
  const { password } = (await run('resetPassword', { path: { personId } })).body.data

  // People who are invited by email choose a password. No loop sends emails here, so the emails stay in the table.
  const invite = { email: 'di@example.com', name: 'Di', role: 'viewer' }
  const { person_id: invitedId } = (await run('createPerson', { path, body: invite })).body.data
  await run('invitePerson', { path: { personId: invitedId } })
  const toDi = { token: await readLinkToken(t, invite.email) }
  await run('openPersonPasswordLink', { headers: {}, body: toDi })
  const chosen = { ...toDi, new: 'a fresh password 42' }
  await run('resetPersonPasswordByLink', { headers: {}, body: chosen })
  await run('forgotPersonPassword', { headers: {}, body: { email: invite.email } })

  // Operators sign in and look at the platform.
  const code = setupCode(t.service.secretKey)
  const first = { email: 'op@example.com', name: 'Op', password: 'a long password' }
  await run('getSetup', { headers: {} })
  const setUp = await run('setUp', { headers: {}, body: { ...first, code } })
  const second = { email: 'op2@example.com', name: 'Op 2', role: 'finance' }
  const created = await run('createOperator', { headers: cookieOf(setUp), body: second })
  const operatorId = { operatorId: created.body.data.operator_id }
  await run('inviteOperator', { path: operatorId })
  const toSecond = { token: await readLinkToken(t, second.email) }
  await run('openOperatorPasswordLink', { headers: {}, body: toSecond })
  const chosenBySecond = { ...toSecond, new: 'a fresh password 42' }
  await run('resetOperatorPasswordByLink', { headers: {}, body: chosenBySecond })
  await run('forgotOperatorPassword', { headers: {}, body: { email: second.email } })
  const tested = await run('sendTestMail', { body: { to: 'ops@example.com' } })
  const mailId = { mailId: tested.body.data.mail_id }
  await t.database.transaction((tx) =>
    tx.execute('update mail set failed_at = now() where mail_id = $1', [mailId.mailId]),
  )
  await run('resendMail', { path: mailId })
  await run('listMails', { query: 'state=queued' })
  await run('changeOperator', { path: operatorId, body: { name: 'Two' } })
  await run('resetOperatorPassword', { path: operatorId })
  await run('listOperators')
  // A second operator approves a top-up above the limit.
  await run('setApprovalLimit', { body: { currency: 'USD', amount: '1000' } })
  await run('listApprovalLimits')
  const large = await t.call('POST', `/operator/wallets/${walletId}/top-up`, t.operator, {
    currency: 'USD',
    amount: '1000.01',
  })
  expect(large.status).toBe(202)
  await run('decideApproval', {
    headers: cookieOf(setUp),
    path: { approvalId: large.body.data.approval_id },
    body: { decision: 'approve' },
  })
  await run('listApprovals', { query: 'state=decided' })
  const noLimit = { currency: 'USD', amount: null }
  await t.call('PUT', '/operator/approval-limits', t.operator, noLimit)
  const { email: operatorEmail, password: current } = first
  const signIn = { email: operatorEmail, password: current }
  const operatorSession = await run('signInOperator', { headers: {}, body: signIn })
  const operatorHeaders = cookieOf(operatorSession)
  await run('getOperatorSession', { headers: operatorHeaders })
  await run('listOwnOperatorEvents', { headers: operatorHeaders })
  const next = { current, new: 'another long one' }
  await run('changeOperatorPassword', { headers: operatorHeaders, body: next })
  const newPassword = { email: operatorEmail, password: next.new }
  await run('signInOperator', { headers: {}, body: newPassword })
  const asSelf = (id: string, options: CallOptions = {}) =>
    run(id, { headers: operatorHeaders, ...options })
  await callAsSelf(asSelf, 'Operator', next.new)
  await run('getSecuritySettings')
  await run('setSecuritySettings', { body: { operator_second_factor: true } })
  await run('setSecuritySettings', { body: { operator_second_factor: false } })
  await run('removeOperatorFactors', { path: operatorId })
  await run('signOutOperator', { headers: operatorHeaders })
  await run('getPlatformBalances')
  await t.service.node.report()
  await run('listNodes')
  await run('getLoad')
  await run('startLedgerAudit')
  await vi.waitFor(async () => {
    const { body } = await t.call('GET', '/operator/ledger-audits', t.operator)
    expect(body.data.audits[0].totals).not.toBeNull()
  }, 10_000)
  await run('listLedgerAudits')

  // The merchant creates payments, the payer pays.
  const { token } = (await run('signIn', { headers: {}, body: { phone, pin: '8052' } })).body.data
  const wallet = { authorization: `Bearer ${token}` }
  const full = {
    amount: 10.5,
    currency: 'EUR',
    client: { name: 'Bo', email: 'bo@example.com', phone: '1', phone_dial_code: '+45' },
    products: [{ name: 'Tea', quantity: 2, price: 5.25 }],
    payload: { any: [1, { deep: null }] },
    reference_id: 'order-1',
    reference_note: 'note',
    webhook_url: 'https://shop.example/hook',
    return_url: 'https://shop.example/thanks',
    expires_in: 600,
    locale: 'fr',
  }
  const create = async (headers: Headers, body: object) =>
    (await run('createPayment', { headers, body })).body.data
  const payment = await create(live, full)
  const plain = await create(live, { amount: 1, currency: 'USD' })
  const id = { paymentId: payment.payment_id }
  await run('getPayment', { headers: live, path: id })
  await run('getQuote', { headers: live, query: 'amount=10&currency=EUR' })
  await run('previewPayment', { headers: wallet, path: { qrCode: payment.qr_code } })
  await run('payPayment', {
    headers: wallet,
    path: { qrCode: payment.qr_code },
    body: { donation_amount: 1 },
  })
  const paid = await run('getPayment', { headers: live, path: id })
  await run('getPaymentStatus', { headers: live, path: id, query: 'wait=1' })
  await run('getWalletPayment', { headers: wallet, path: id })
  await run('refundPayment', { headers: live, path: id })
  await run('getWalletPayment', { headers: wallet, path: id })
  const refunded = await run('getPayment', { headers: live, path: id })
  for (const query of ['format=svg', 'format=png&size=64']) {
    await run('getQrImage', { headers: live, path: id, query })
  }
  await run('expirePayment', { headers: live, path: { paymentId: plain.payment_id } })
  await run('getPayment', { headers: live, path: { paymentId: plain.payment_id } })
  await callLinks(run, { live, wallet })
  await run('listPayments', { headers: live, query: 'limit=1&status=refunded' })
  await run('listPayments', { headers: live })
  await run('getBalance', { headers: live })
  await run('getStore', { headers: live })
  await run('getWallet', { headers: wallet })
  await run('getActivity', { headers: wallet, query: 'limit=2' })
  await run('getActivity', { headers: wallet })
  await run('getWalletStatement', {
    headers: wallet,
    query: `from=${dayStart(-30)}&to=${dayStart(1)}`,
  })
  await run('listPaidStores', { headers: wallet })
  await run('addFavourite', { headers: wallet, path: { storeId: store.id } })
  await run('removeFavourite', { headers: wallet, path: { storeId: store.id } })

  // The people of the store use till and dashboard.
  const { email } = cashier
  const till = cookieOf(await run('signInPerson', { headers: {}, body: { email, password } }))
  const callAsPerson = (id: string, path: object = {}, options: CallOptions = {}) =>
    run(id, { headers: till, path: { mode: 'live', ...path }, ...options })
  const changed = { current: password, new: 'a new password' }
  await callAsPerson('changePassword', {}, { body: changed })
  await callAsPerson('getPersonSession')
  await run('signInPerson', { headers: {}, body: { email, password: changed.new } })
  await callAsSelf((id, options) => run(id, { headers: till, ...options }), 'Person', changed.new)
  const charge = (await callAsPerson('chargeAtTill', {}, { body: { amount: 2 } })).body.data
  const charged = { paymentId: charge.payment_id }
  await callAsPerson('getStorePayment', charged)
  await callAsPerson('mailPaymentRequest', charged, { body: { email: 'payer@example.com' } })
  await run('payPayment', { headers: wallet, path: { qrCode: charge.qr_code }, body: {} })
  await callAsPerson('getStorePaymentStatus', charged)
  const receipt = { body: { email: 'payer@example.com' } }
  await callAsPerson('mailReceipt', charged, receipt)
  await callAsPerson('previewRefund', charged)
  await callAsPerson('refundStorePayment', charged)
  await callAsPerson('previewRefund', charged)
  const cancelled = (await callAsPerson('chargeAtTill', {}, { body: { amount: 2 } })).body.data
  await callAsPerson('expireStorePayment', { paymentId: cancelled.payment_id })
  await callAsPerson('listStorePayments')
  await callAsPerson('getToday')
  await callAsPerson('getOverview')
  await callAsPerson('getSeries', {}, { query: 'days=2' })
  await callAsPerson('listPaymentTransfers', charged)
  await callAsPerson('getPaymentAudit', charged)
  await callAsPerson('listOwnSecurityEvents')
  await callAsPerson('listStoreSecurityEvents')
  await run('auditPayment', { path: charged })
  await run('getPaymentOfStore', { path: charged })
  await run('listWebhooksOfPayment', { path: charged })
  await run('listPaymentsOfStore', { path, query: 'mode=live&limit=1' })
  await run('getBusinessOverview', { query: 'days=1' })
  await callAsPerson('listStorePaymentWebhooks', charged)
  await callAsPerson('redeliverStoreWebhook', id)
  await callAsOwner(callAsPerson, changed.new)
  await callAsPerson('signOutPerson')

  const signedIn = await run('signIn', { headers: {}, body: { phone, pin: '8052', cookie: true } })
  expect(signedIn.body.data).not.toHaveProperty('token')
  await run('signOut', { headers: wallet })

  // The sandbox simulates the payer.
  const toPay = await create(sandbox, { amount: 1, currency: 'USD' })
  await run('sandboxPay', { headers: sandbox, path: { paymentId: toPay.payment_id } })
  const toExpire = await create(sandbox, { amount: 1, currency: 'USD' })
  await run('sandboxExpire', { headers: sandbox, path: { paymentId: toExpire.payment_id } })
  // Events and webhooks.
  const events = await run('listEvents', { headers: live, query: 'limit=1' })
  await run('listPaymentWebhooks', { headers: live, path: id })
  await run('redeliverWebhook', { headers: live, path: id })
  const window = { created_from: '2020-01-01', created_to: '2099-01-01' }
  await run('redeliverEvents', { headers: live, body: window })
  await run('listEvents', { headers: live, query: 'by=resent_at' })
  await run('getWebhookQueue')
  await run('rotateWebhookSecret', { path, body: { mode: 'live' } })
  expect(events.body.data.next_cursor).not.toBeNull()
  await exportAndErase(t, run, { storeId: store.id, walletId })
  await run('listAuditLog', { query: 'limit=100' })
  await run('listSecurityEvents', { query: 'kind=api_key_created' })
  await run('getMetrics')
  for (const open of ['getHealth', 'getReady', 'getOpenApi']) await run(open, { headers: {} })
  await run('getLogo', { headers: {}, path })

  // These fields can be null. Without a value, their schemas would not have been checked.
  expect(paid.body.data.user).not.toBeNull()
  expect(refunded.body.data.refund).not.toBeNull()
}
