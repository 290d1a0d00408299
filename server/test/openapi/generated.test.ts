import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from '../../src/core/store.ts'
import { personSessions } from '../../src/sql/people.ts'
import { createOperator, newOperatorSession } from '../setup/operators.ts'
import { createPerson, newSession, PASSWORD } from '../setup/people.ts'
import { type Headers, startTestService, type TestService } from '../setup/testService.ts'
import { judge, type Operation, operationsOf, readDocument } from './contract.ts'
import { type GeneratedRequest, type Known, requestsFor } from './requests.ts'

const RUNS_PER_OPERATION = 80
const AT_ONCE = 8
// The same requests every time, so that a fault that is found stays found; another seed finds others.
const SEED = Number(process.env.SEED ?? 20_261_115)

/** What only an operator can ask who signed in. */
const OWN = ['getOperatorSession', 'signOutOperator', 'changeOperatorPassword']

let t: TestService
let operations: Operation[]
let judged: ReturnType<typeof judge>
let known: Known
let credentials: Record<'merchant' | 'sandbox' | 'wallet' | 'operator', Headers>
let personId: string
let operatorId: string
let addresses = 0

beforeAll(async () => {
  t = await startTestService()
  const document = await readDocument(t)
  operations = operationsOf(document)
  judged = judge(document)
  await t.call('PUT', '/operator/rates/EUR/USD', t.operator, { rate: '1.1' })
  const { store, live, sandbox } = await t.createStore({ feeBps: 100, refundFeeMinor: 50n })
  await t.fund(store, 'live', '10000.00')
  const wallet = await t.createWallet({ balance: '100000.00' })
  credentials = { merchant: live, sandbox, wallet: wallet.headers, operator: t.operator }
  known = await prepare(live, sandbox)
  const own = await prepareOwn(store)
  known = { ...known, apiKey: [...known.apiKey!, ...own.apiKey!] }
  known = { ...known, personId: [...known.personId!, ...own.personId!] }
  personId = (await createPerson(t, store)).personId
  operatorId = (await createOperator(t)).operatorId
  const spare = [await createOperator(t), await createOperator(t)]
  known = { ...known, operatorId: [...spare.map((one) => one.operatorId), 'opr_none'] }
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

/** Things to ask about: payments in every state, and stores, keys and wallets that nobody needs. */
async function prepare(live: Headers, sandbox: Headers): Promise<Known> {
  const payments = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      t.createPayment(i % 2 ? live : sandbox, {
        amount: i + 1,
        webhook_url: 'https://shop.example/hook',
      }),
    ),
  )
  const spare = await t.createStore({ name: 'Spare' })
  const keys = await Promise.all(Array.from({ length: 10 }, () => t.issue(spare.store, 'live')))
  const people = await Promise.all(Array.from({ length: 4 }, () => createPerson(t, spare.store)))
  const wallets = await Promise.all(
    Array.from({ length: 4 }, () => t.createWallet({ balance: '9' })),
  )
  return {
    paymentId: [...payments.map((one) => one.payment_id), `pay_${'0'.repeat(26)}`],
    qrCode: [...payments.map((one) => one.qr_code), '1'.repeat(27)],
    storeId: [String(spare.store.storeId), '9999999'],
    apiKey: [...keys.map((one) => one['api-key']!), 'flk_live_none'],
    walletId: [...wallets.map((one) => one.wallet.publicId), 'wal_0000000000000000'],
    personId: [...people.map((one) => one.personId), 'prs_none'],
    mode: ['live', 'sandbox', 'x'],
    current: [PASSWORD],
    new: [PASSWORD],
    password: [PASSWORD],
    label: ['night', 'day', 'none'],
    from: ['EUR', 'USD', 'x'],
    to: ['USD', 'JPY', 'x'],
    cursor: ['1', payments[9]!.payment_id, 'x'],
  }
}

/** The same of the store whose owner asks: keys to rotate, people to change. */
async function prepareOwn(store: Store): Promise<Known> {
  const keys = await Promise.all(
    Array.from({ length: 12 }, (_, i) => t.issue(store, i % 2 ? 'live' : 'sandbox')),
  )
  const people = await Promise.all(
    Array.from({ length: 6 }, () => createPerson(t, store, 'cashier')),
  )
  return {
    apiKey: keys.map((one) => one['api-key']!),
    personId: people.map((one) => one.personId),
  }
}

function ownerOf({ path, operationId }: Operation): keyof typeof credentials | 'person' | null {
  if (operationId.startsWith('signIn') || /setup$/i.test(operationId)) return null
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
  const owner = ownerOf(operation)
  if (owner === null || auth === 'none') return {}
  // A session each, because some of the requests end theirs.
  if (auth === 'right') {
    if (owner === 'person') return newSession(t, personId)
    if (OWN.includes(operation.operationId)) return newOperatorSession(t, operatorId)
    const signsOut = operation.operationId === 'signOut'
    return signsOut ? (await t.createWallet()).headers : credentials[owner]
  }
  if (auth === 'other') return { ...credentials[owner === 'wallet' ? 'merchant' : 'wallet'] }
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
    // An address each, so that the many wrong credentials do not lock the right ones out.
    remoteAddress: `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
    headers: {
      ...(await headersFor(operation, request.auth, n)),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(body === undefined || contentType === undefined ? {} : { 'content-type': contentType }),
    },
    ...(body === undefined ? {} : { payload: body }),
  })
  seen.push(`${operation.operationId} ${response.statusCode}`)
  if (response.statusCode >= 500) return `${response.statusCode}: ${response.payload}`
  if (request.auth === 'wrong' && ownerOf(operation) && response.statusCode !== 401) {
    return `${response.statusCode} for wrong credentials`
  }
  return judged(operation, {
    status: response.statusCode,
    contentType: String(response.headers['content-type']),
    text: response.payload,
  })
}

const seen: string[] = []

/**
 * It draws no pictures and does not guess the code of the setup; and what plays the payer asks for the very payments that were given up before.
 * Its handler is that of sandboxPay. And no wallet is empty when it comes to erasing it.
 */
const OUT_OF_REACH = ['uploadLogo', 'simulatePayer', 'setUp', 'erasePayer']

it('every answer to generated requests is documented, and its body is as documented', async () => {
  const faults: string[] = []
  for (const operation of operations) {
    const requests = fc.sample(requestsFor(operation, known), {
      numRuns: RUNS_PER_OPERATION,
      seed: SEED,
    })
    for (let i = 0; i < requests.length; i += AT_ONCE) {
      const some = requests.slice(i, i + AT_ONCE)
      const found = await Promise.all(some.map((request) => send(operation, request)))
      found.forEach((fault, index) => {
        if (fault !== null) {
          faults.push(
            `${operation.operationId}: ${fault} for ${JSON.stringify(some[index])}`.slice(0, 900),
          )
        }
      })
    }
  }
  expect(faults.slice(0, 40)).toEqual([])
  expect(seen.length).toBeGreaterThanOrEqual(3000)

  // The generator must reach past the gates, or the run proves little.
  const reached = new Set(
    seen.filter((line) => line.endsWith(' 200')).map((line) => line.split(' ')[0]),
  )
  const missed = operations.map((one) => one.operationId).filter((id) => !reached.has(id))
  expect(missed.filter((id) => !id.startsWith('signIn') && !OUT_OF_REACH.includes(id))).toEqual([])
  const statuses = new Set(seen.map((line) => line.split(' ')[1]))
  expect([...statuses].sort()).toEqual(
    expect.arrayContaining(['200', '400', '401', '404', '409', '415']),
  )
}, 300_000)
