import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tx } from '../../src/database/database.ts'
import { create } from '../setup/merchantCalls.ts'
import { createPerson } from '../setup/people.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../setup/testService.ts'

// All stores share the database connections. Reads of one API key, person or wallet must leave some to the others.

let t: TestService
let shop: TestStore
let other: TestStore
let person: Headers
let payer: Headers
let paymentId: string
beforeAll(async () => {
  t = await startTestService({ FLORIN_POOL_SIZE: '6' })
  ;[shop, other] = [await t.createStore(), await t.createStore()]
  person = (await createPerson(t, shop.store)).headers
  const wallet = await t.createWallet({ balance: '100.00' })
  payer = wallet.headers
  const payment = await t.createPayment(shop.live)
  paymentId = payment.payment_id
  await t.call('POST', `/wallet/payment/${payment.qr_code}/pay`, payer)
  for (let n = 0; n < 20; n++) await t.createPayment(shop.live, { reference_note: `Order ${n}` })
})
afterAll(() => t.close())

const FLOODS: Record<string, () => readonly [path: string, headers: Headers, body?: object]> = {
  'lists of payments': () => ['/merchant/payments', shop.live],
  events: () => ['/merchant/events', shop.live],
  quotes: () => ['/merchant/quote?amount=1&currency=USD', shop.live],
  balances: () => ['/merchant/balance', shop.live],
  'searches by payer': () => ['/store/live/payments?payer=ada', person],
  'searches by words': () => ['/store/live/payments?search=order', person],
  overviews: () => ['/store/live/overview', person],
  'sales of today': () => ['/store/live/today', person],
  'setup steps': () => ['/store/setup', person],
  people: () => ['/store/people', person],
  'API keys': () => ['/store/live/keys', person],
  'webhook secrets': () => ['/store/live/webhook-secret', person],
  links: () => ['/merchant/links', shop.live],
  'downloads of links': () => ['/store/live/links.csv', person],
  'previews of refunds': () => [`/store/live/payments/${paymentId}/refund`, person],
  'transfers of a payment': () => [`/store/live/payments/${paymentId}/ledger`, person],
  'webhooks of a payment': () => [`/merchant/payment/${paymentId}/webhooks`, shop.live],
  'actors of a payment': () => [`/store/live/payments/${paymentId}/audit`, person],
  'exports of a client': () => [
    '/store/live/clients/export',
    person,
    { email: 'client@shop.example' },
  ],
  'activity of a wallet': () => ['/wallet/activity', payer],
  'stores of a wallet': () => ['/wallet/stores', payer],
}

it.each(Object.entries(FLOODS))(
  'floods of one store or wallet leave connections for other stores: %s',
  async (_name, requestOf) => {
    const [path, headers, body] = requestOf()
    const send = () => t.call(body === undefined ? 'GET' : 'POST', path, headers, body)
    expect((await send()).status).toBe(200)
    expect((await create(t, other.live, {})).status).toBe(200)
    let maxWaiting = 0
    const watch = setInterval(() => {
      maxWaiting = Math.max(maxWaiting, t.database.pool.waitingCount)
    }, 1)
    const flood = Array.from({ length: 40 }, send)
    const created = await create(t, other.live, {})
    const statuses = new Set((await Promise.all(flood)).map(({ status }) => status))
    clearInterval(watch)
    expect([created.status, [...statuses]]).toEqual([200, [200]])
    expect(maxWaiting).toBeLessThan(10)
  },
)

it('figures of many days that take long do not delay quotes, balances and lists of the store', async () => {
  let ended = 0
  const readFigures = async () => {
    await t.call('GET', '/store/live/overview/series?days=7', person)
    ended += 1
  }
  const figures: Promise<void>[] = []
  await t.database.transaction(async (tx) => {
    // Figures are sums of events.
    await tx.execute('lock table event in access exclusive mode')
    figures.push(readFigures(), readFigures())
    await expect.poll(() => countWaitingForEvents(tx)).toBeGreaterThan(0)
    for (const path of ['quote?amount=1&currency=USD', 'balance', 'payments']) {
      expect((await t.call('GET', `/merchant/${path}`, shop.live)).status).toBe(200)
    }
    expect(ended).toBe(0)
  })
  await Promise.all(figures)
})

it('a flood of reads of a store does not end its downloads early, and does not refuse operators', async () => {
  const { storeId } = shop.store
  const { readOfStore } = t.service
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const flood = [false, true].flatMap((isSlow) =>
    Array.from({ length: 1_001 }, () => readOfStore(storeId, () => ended, { isSlow })),
  )
  expect((await t.call('GET', '/store/live/keys', person)).status).toBe(503)
  const today = new Date().toISOString().slice(0, 10)
  for (const path of [`payments.csv?from=${today}&to=${today}&search=order`, 'links.csv']) {
    expect((await t.call('GET', `/store/live/${path}`, person)).status).toBe(200)
  }
  const store = `/operator/stores/${storeId}`
  expect((await t.call('GET', `${store}/payments?search=order`, t.operator)).status).toBe(200)
  const client = { mode: 'live', email: 'client@shop.example' }
  expect((await t.call('POST', `${store}/clients/export`, t.operator, client)).status).toBe(200)
  end()
  await Promise.all(flood)
})

async function countWaitingForEvents(tx: Tx): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `select count(*)::int as count
     from pg_locks
     where relation = 'event'::regclass and not granted`,
  )
  return rows[0]!.count
}
