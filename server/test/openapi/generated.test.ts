import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from '../../src/core/store.ts'
import { personSessions } from '../../src/sql/people.ts'
import { newLink } from '../setup/links.ts'
import { createOperator, createTestToken, newOperatorSession } from '../setup/operators.ts'
import { createPerson, newSession, PASSWORD } from '../setup/people.ts'
import { isSoak, LONG, SEED } from '../setup/soak.ts'
import { type Headers, startTestService, type TestService } from '../setup/testService.ts'
import { createResponseCheck, type Operation, operationsOf, readDocument } from './contract.ts'
import { EVERYTHING_ON } from './everyCall.ts'
import { type GeneratedRequest, type KnownValues, requestsFor } from './requests.ts'

/** Further requests are sent only to an operation that none of these completed. */
const RUNS_PER_OPERATION = isSoak ? 400 : 16
const MAX_RUNS_PER_OPERATION = isSoak ? 800 : 80
const CONCURRENCY = 8

/** Operations that may end the session of their caller. */
const ENDS_SESSION = /^signOut|^end\w+Session|^change(Operator)?Password$/

/** Operations that need an operator session instead of a token. */
const SESSION_ONLY = [
  'listOwnOperatorEvents',
  'getOperatorSession',
  'signOutOperator',
  'changeOperatorPassword',
  'getOperatorConfirmationOptions',
  'confirmOperator',
  'listOperatorSessions',
  'endOtherOperatorSessions',
  'endOperatorSession',
  'getOperatorAccount',
  'getOperatorPasskeyOptions',
  'addOperatorPasskey',
  'removeOperatorPasskey',
  'startOperatorTotp',
  'removeOperatorTotp',
  'activateOperatorTotp',
  'createOperatorRecoveryCodes',
]

let t: TestService
let operations: Operation[]
let check: ReturnType<typeof createResponseCheck>
let known: KnownValues
let credentials: Record<'merchant' | 'sandbox' | 'wallet' | 'operator', Headers>
let personId: string
let operatorId: string
let personSession: Headers
let operatorSession: Headers
let addresses = 0

beforeAll(async () => {
  t = await startTestService(EVERYTHING_ON)
  const document = await readDocument(t)
  operations = operationsOf(document)
  check = createResponseCheck(document)
  await t.call('PUT', '/operator/rates/EUR/USD', t.operator, { rate: '1.1' })
  const { store, live, sandbox } = await t.createStore({ feeBps: 100, refundFeeMinor: 50n })
  await t.fund(store, 'live', '10000.00')
  const wallet = await t.createWallet({ balance: '100000.00' })
  credentials = { merchant: live, sandbox, wallet: wallet.headers, operator: t.operator }
  known = await prepareValues(live, sandbox)
  const ownValues = await prepareOwn(store)
  known = { ...known, apiKey: [...known.apiKey!, ...ownValues.apiKey!] }
  known = { ...known, personId: [...known.personId!, ...ownValues.personId!] }
  personId = (await createPerson(t, store)).personId
  operatorId = (await createOperator(t)).operatorId
  const spare = [await createOperator(t), await createOperator(t)]
  known = { ...known, operatorId: [...spare.map((operator) => operator.operatorId), 'opr_none'] }
  known = { ...known, ...(await prepareTokens()), ...(await prepareApprovals()) }
  for (let i = 0; i < 10; i++) await newSession(t, personId)
  const sessions = await personSessions.list(t.database, personId)
  known = { ...known, sessionId: sessions.map((session) => session.sessionId) }
  for (const qrCode of known.qrCode!.slice(0, 40)) {
    await t.call('POST', `/wallet/payment/${qrCode}/pay`, wallet.headers)
  }
})
afterAll(async () => {
  const findings = await t.auditFindings()
  await t.close()
  expect(findings).toEqual([])
})

/** Values for the requests: payments, links, and stores, keys, people and wallets that may be changed. Some don't exist. */
async function prepareValues(live: Headers, sandbox: Headers): Promise<KnownValues> {
  const payments = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      t.createPayment(i % 2 ? live : sandbox, {
        amount: i + 1,
        webhook_url: 'https://shop.example/hook',
      }),
    ),
  )
  const links = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      newLink(t, i % 2 ? live : sandbox, i % 4 < 2 ? { amount: 1 } : {}),
    ),
  )
  const spare = await t.createStore({ name: 'Spare' })
  const keys = await Promise.all(Array.from({ length: 10 }, () => t.issue(spare.store, 'live')))
  const people = await Promise.all(Array.from({ length: 4 }, () => createPerson(t, spare.store)))
  const wallets = await Promise.all(
    Array.from({ length: 4 }, () => t.createWallet({ balance: '9' })),
  )
  return {
    paymentId: [...payments.map((payment) => payment.payment_id), `pay_${'0'.repeat(26)}`],
    linkId: [...links, `lnk_${'0'.repeat(26)}`],
    qrCode: [...payments.map((payment) => payment.qr_code), '1'.repeat(27)],
    storeId: [String(spare.store.storeId), '9999999'],
    apiKey: [...keys.map((key) => key['api-key']!), 'flk_live_none'],
    walletId: [...wallets.map((wallet) => wallet.wallet.publicId), 'wal_0000000000000000'],
    personId: [...people.map((person) => person.personId), 'prs_none'],
    mode: ['live', 'sandbox', 'x'],
    current: [PASSWORD],
    new: [PASSWORD],
    password: [PASSWORD],
    from: ['EUR', 'USD', 'x'],
    to: ['USD', 'JPY', 'x'],
    cursor: ['1', payments[9]!.payment_id, 'x'],
  }
}

async function prepareTokens(): Promise<KnownValues> {
  const scopes = ['read'] as const
  const tokens = await Promise.all(
    Array.from({ length: 4 }, () => createTestToken(t, { operatorId: null, scopes })),
  )
  return { tokenId: [...tokens.map((token) => token.tokenId), 'tok_none'] }
}

/** Requests top-ups in a currency in which every amount needs an approval. */
async function prepareApprovals(): Promise<KnownValues> {
  await t.call('PUT', '/operator/approval-limits', t.operator, { currency: 'JPY', amount: '0' })
  const { wallet } = await t.createWallet()
  const url = `/operator/wallets/${wallet.publicId}/top-up`
  const body = { currency: 'JPY', amount: '1' }
  const approvalId: string[] = ['apr_none']
  // One after the other: the requests of one operator wait for each other, and are refused if that takes too long.
  for (let i = 0; i < 20; i++) {
    const response = await t.call('POST', url, t.operator, body)
    approvalId.push(response.body.data.approval_id)
  }
  return { approvalId }
}

/** Keys and people of the store whose owner sends the requests. */
async function prepareOwn(store: Store): Promise<KnownValues> {
  const keys = await Promise.all(
    Array.from({ length: 12 }, (_, i) => t.issue(store, i % 2 ? 'live' : 'sandbox')),
  )
  const people = await Promise.all(
    Array.from({ length: 6 }, () => createPerson(t, store, 'cashier')),
  )
  return {
    apiKey: keys.map((key) => key['api-key']!),
    personId: people.map((person) => person.personId),
  }
}

function callerOf({ path, operationId }: Operation): keyof typeof credentials | 'person' | null {
  if (/^signIn|SignInOptions$|^getSetup$|^setUp$|^signUp$|^activateWallet$/.test(operationId))
    return null
  if (/\/password\/(forgot|link|reset)$/.test(path)) return null
  if (path.startsWith('/merchant/')) return 'merchant'
  if (path.startsWith('/sandbox/')) return 'sandbox'
  if (path.startsWith('/wallet/')) return 'wallet'
  if (path.startsWith('/store/')) return 'person'
  return /^\/(operator|metrics)/.test(path) ? 'operator' : null
}

async function headersFor(
  operation: Operation,
  auth: GeneratedRequest['auth'],
  n: number,
): Promise<Headers> {
  const caller = callerOf(operation)
  if (caller === null || auth === 'none') return {}
  if (auth === 'right') {
    const endsSession = ENDS_SESSION.test(operation.operationId)
    if (caller === 'person') return endsSession ? newSession(t, personId) : personSession
    if (SESSION_ONLY.includes(operation.operationId))
      return endsSession ? newOperatorSession(t, operatorId) : operatorSession
    const isSignOut = operation.operationId === 'signOut'
    return isSignOut ? (await t.createWallet()).headers : credentials[caller]
  }
  if (auth === 'other') return { ...credentials[caller === 'wallet' ? 'merchant' : 'wallet'] }
  const cookie = `__Host-florin_person=wrong${n}`
  return {
    'api-key': `flk_live_${n}`,
    'api-secret': 'x',
    authorization: `Bearer wrong${n}`,
    cookie,
  }
}

async function send(operation: Operation, request: GeneratedRequest): Promise<string | null> {
  const n = ++addresses
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(request.params[name]!),
  )
  const { idempotencyKey, contentType, body } = request
  const response = await t.app.inject({
    method: operation.method,
    url: `${path}?${new URLSearchParams(request.query)}`,
    // Use a new address for each request, because wrong credentials are throttled per address.
    remoteAddress: `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
    headers: {
      ...(await headersFor(operation, request.auth, n)),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(body === undefined || contentType === undefined ? {} : { 'content-type': contentType }),
    },
    ...(body === undefined ? {} : { payload: body }),
  })
  outcomes.push(`${operation.operationId} ${response.statusCode}`)
  if (response.statusCode >= 500) return `${response.statusCode}: ${response.payload}`
  if (request.auth === 'wrong' && callerOf(operation) && response.statusCode !== 401) {
    return `${response.statusCode} for wrong credentials`
  }
  return check(operation, {
    status: response.statusCode,
    contentType: String(response.headers['content-type']),
    text: response.payload,
  })
}

const outcomes: string[] = []

/**
 * Operations that generated requests can't complete. The requests contain no valid picture, no setup code and no token of an
 * email. Earlier requests have already expired the sandbox payments; `simulatePayer` has the handler of `sandboxPay`.
 * No wallet to erase is empty, no account has an open invitation, and no email has failed.
 */
const UNREACHABLE = [
  'uploadLogo',
  'simulatePayer',
  'setUp',
  'erasePayer',
  'openPersonPasswordLink',
  'resetPersonPasswordByLink',
  'openOperatorPasswordLink',
  'resetOperatorPasswordByLink',
  'inviteAgain',
  'invitePerson',
  'inviteOperator',
  'resendMail',
  // Needs a pending payment in live mode.
  'mailPaymentRequest',
  // Hardly any request contains the secret, code, address, id or passkey that these need.
  'activateWallet',
  'changePin',
  'endWalletSession',
  'endPersonSession',
  'changePassword',
  'confirmOperator',
  'addPersonPasskey',
  'removePersonPasskey',
  'removePersonTotp',
  'activatePersonTotp',
  'createPersonRecoveryCodes',
  'endOperatorSession',
  'changeOperatorPassword',
  'addOperatorPasskey',
  'removeOperatorPasskey',
  'removeOperatorTotp',
  'activateOperatorTotp',
  'createOperatorRecoveryCodes',
  'sendTestMail',
  // The first needs two times that are at most 366 days apart, the second a store that the wallet has paid.
  'getWalletStatement',
  'addFavourite',
]

it('every response to a generated request matches the document', LONG, async () => {
  const faults: string[] = []
  for (const operation of operations) {
    // New for each operation, because an earlier one may have ended all others.
    personSession = await newSession(t, personId)
    operatorSession = await newOperatorSession(t, operatorId)
    const requests = fc.sample(requestsFor(operation, known), {
      numRuns: MAX_RUNS_PER_OPERATION,
      seed: SEED,
    })
    const { operationId } = operation
    const isDone = () =>
      UNREACHABLE.includes(operationId) || outcomes.includes(`${operationId} 200`)
    for (let i = 0; i < requests.length; i += CONCURRENCY) {
      if (i >= RUNS_PER_OPERATION && isDone()) break
      const batch = requests.slice(i, i + CONCURRENCY)
      const found = await Promise.all(batch.map((request) => send(operation, request)))
      found.forEach((fault, index) => {
        if (fault !== null) {
          faults.push(`${operationId}: ${fault} for ${JSON.stringify(batch[index])}`.slice(0, 900))
        }
      })
    }
  }
  expect(faults.slice(0, 40)).toEqual([])
  expect(outcomes.length).toBeGreaterThanOrEqual(operations.length * RUNS_PER_OPERATION)

  // The requests must also succeed; otherwise only errors were checked.
  const reached = new Set(
    outcomes.filter((line) => line.endsWith(' 200')).map((line) => line.split(' ')[0]),
  )
  const missed = operations
    .map((operation) => operation.operationId)
    .filter((id) => !reached.has(id))
  // With another seed, an account may be locked before a request has its password.
  if (!isSoak)
    expect(missed.filter((id) => !id.startsWith('signIn') && !UNREACHABLE.includes(id))).toEqual([])
  const statuses = new Set(outcomes.map((line) => line.split(' ')[1]))
  expect([...statuses].sort()).toEqual(
    expect.arrayContaining(['200', '400', '401', '404', '409', '415']),
  )
})
