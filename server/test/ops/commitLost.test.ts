import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Node, openNode } from '../setup/anotherNode.ts'
import { type Cut, type CuttingProxy, startCuttingProxy } from '../setup/cuttingProxy.ts'
import { newLink, payLink } from '../setup/links.ts'
import { readWalletBalance } from '../setup/merchantCalls.ts'
import {
  startTestService,
  type TestResponse,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../setup/testService.ts'

let t: TestService
let proxy: CuttingProxy
let node: Node
let shop: TestStore
let wallet: TestWallet

beforeAll(async () => {
  t = await startTestService({}, { limitsWaits: true })
  await openProxied()
})
afterAll(async () => {
  await closeProxied()
  await t.close()
})
beforeEach(async () => {
  shop = await t.createStore({ feeBps: 100, refundFeeMinor: 50n })
  wallet = await t.createWallet({ balance: '1000.00' })
})
afterEach(async () => {
  expect(await t.auditFindings()).toEqual([])
  const { values } = await node.service.metrics.batchSplits.get()
  expect(values).toEqual([])
})

async function openProxied(): Promise<void> {
  proxy = await startCuttingProxy(t.databaseUrl)
  node = await openNode(t, proxy.url)
}

async function closeProxied(): Promise<void> {
  await node.close()
  await proxy.close()
}

const UNAVAILABLE = {
  status: 503,
  message: 'The service is not available right now. Try again shortly.',
}

const create = (): Promise<TestResponse> =>
  node.call('POST', '/merchant/payment/create', shop.live, { amount: 10, currency: 'USD' })
const pay = (qr: string) => node.call('POST', `/wallet/payment/${qr}/pay`, wallet.headers, {})
const refund = (id: string) => node.call('POST', `/merchant/payment/${id}/refund`, shop.live)
const readBalance = () => readWalletBalance(t, wallet)
const listPayments = async (): Promise<{ payment_id: string; status: string }[]> =>
  (await t.call('GET', '/merchant/payments?limit=100', shop.live)).body.data.payments
const listStatuses = async () => (await listPayments()).map((payment) => payment.status)
const idsOf = (responses: readonly TestResponse[]) =>
  responses.map(({ body }) => body.data.payment_id).sort()
const listStoredIds = async () => (await listPayments()).map((payment) => payment.payment_id).sort()

/** Runs an action whose commits are cut off, and asserts that they were. */
async function runWithCuts(
  cuts: Cut[],
  act: () => Promise<TestResponse[]>,
): Promise<TestResponse[]> {
  const before = proxy.count().cut
  proxy.cutNext(...cuts)
  const responses = await act()
  expect(proxy.count()).toEqual({ cut: before + cuts.length, left: 0 })
  return responses
}

describe.each<[string, Cut[]]>([
  ['was executed, but its response was lost', ['reply']],
  ['was executed, but only a part of its response arrived', ['torn']],
  ['was executed, but the server reported an error that it died of', ['panic']],
  ['was being executed when the connection broke', ['sending']],
  ['arrived after the connection had broken', ['late']],
  ['was never sent', ['never']],
  ['was never sent, and whose retry lost its response', ['never', 'pass', 'reply']],
  ['was lost, like the query that looked for it', ['reply', 'never', 'reply']],
])('a COMMIT that %s', (_, cuts) => {
  it('of a create: one payment, with the returned id', async () => {
    const responses = await runWithCuts(cuts, async () => [await create()])
    expect(responses.map((response) => response.status)).toEqual([200])
    expect(await listStoredIds()).toEqual(idsOf(responses))
  })

  it('of twenty concurrent creates: twenty payments, as returned', async () => {
    const creates = () => Promise.all(Array.from({ length: 20 }, () => create()))
    const responses = await runWithCuts(cuts, creates)
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]))
    expect(await listStoredIds()).toEqual(idsOf(responses))
  })

  it('of a create with an Idempotency-Key: a retry gets the same response', async () => {
    const keyed = () =>
      node.call(
        'POST',
        '/merchant/payment/create',
        { ...shop.live, 'idempotency-key': 'once' },
        { amount: 10, currency: 'USD' },
      )
    const [response] = await runWithCuts(cuts, async () => [await keyed()])
    const again = await keyed()
    expect([response!.status, again.text]).toEqual([200, response!.text])
    expect(await listStatuses()).toEqual(['pending'])
  })

  it('of a payment: paid once', async () => {
    const { qr_code } = await t.createPayment(shop.live)
    const [response] = await runWithCuts(cuts, async () => [await pay(qr_code)])
    expect(response).toMatchObject({ status: 200, body: { data: { status: 'completed' } } })
    expect([await readBalance(), await listStatuses()]).toEqual(['990.00', ['completed']])
    expect((await pay(qr_code)).text).toBe(response!.text)
  })

  it('of a link: paid once, with the returned id', async () => {
    const id = await newLink(t, shop.live, { amount: 10, max_payments: 1 })
    const responses = await runWithCuts(cuts, async () => [await payLink(node, wallet, id)])
    expect(responses).toMatchObject([{ status: 200, body: { data: { status: 'completed' } } }])
    expect([await readBalance(), await listStoredIds()]).toEqual(['990.00', idsOf(responses)])
    expect((await payLink(node, wallet, id)).status).toBe(409)
  })

  it('of creating a link: one link, with the returned id', async () => {
    const createLink = () => node.call('POST', '/merchant/links', shop.live, { title: 'Tea' })
    const [response] = await runWithCuts(cuts, async () => [await createLink()])
    const { links } = (await t.call('GET', '/merchant/links', shop.live)).body.data
    expect(links).toEqual([response!.body.data])
  })

  it('of a refund: refunded once', async () => {
    await t.fund(shop.store, 'live', '5.00')
    const { payment_id, qr_code } = await t.createPayment(shop.live)
    await pay(qr_code)
    const [response] = await runWithCuts(cuts, async () => [await refund(payment_id)])
    expect(response).toMatchObject({ status: 200, body: { data: { refund_amount: '9.50' } } })
    expect([await readBalance(), await listStatuses()]).toEqual(['999.50', ['refunded']])
  })
})

it('a lost COMMIT is looked up until the database is back', async () => {
  const { qr_code } = await t.createPayment(shop.live)
  const before = proxy.count().cut
  proxy.cutNext('down')
  const response = pay(qr_code)
  await expect.poll(() => proxy.count().cut).toBe(before + 1)
  const connects = vi.spyOn(pg.Client.prototype, 'connect')
  // Each lookup fails to connect.
  await expect.poll(() => connects.mock.calls.length).toBeGreaterThan(2)
  await proxy.accept()
  expect((await response).status).toBe(200)
  expect([await readBalance(), await listStatuses()]).toEqual(['990.00', ['completed']])
})

it('broken idle connections are replaced transparently', async () => {
  await Promise.all(Array.from({ length: 10 }, () => create()))
  const { pool } = node.service.database
  expect(pool.idleCount).toBeGreaterThan(0)
  proxy.breakAll()
  await expect.poll(() => pool.totalCount).toBe(0)
  expect((await create()).status).toBe(200)
})

const KEY = `flk_live_${'x'.repeat(20)}`

describe('PostgreSQL unavailable', () => {
  beforeEach(async () => {
    await closeProxied()
    await openProxied()
  })

  const calls: Record<string, () => Promise<TestResponse>> = {
    create,
    status: () => node.call('GET', `/merchant/payment/${payment.payment_id}/status`, shop.live),
    details: () => node.call('GET', `/merchant/payment/${payment.payment_id}`, shop.live),
    refund: () => refund(payment.payment_id),
    pay: () => pay(payment.qr_code),
    expire: () => node.call('POST', `/merchant/payment/${payment.payment_id}/expire`, shop.live),
    me: () => node.call('GET', '/wallet/me', wallet.headers),
    stranger: () =>
      node.call('POST', '/merchant/payment/create', { 'api-key': KEY, 'api-secret': 'y' }, {}),
  }
  let payment: { payment_id: string; qr_code: string }
  beforeEach(async () => {
    payment = await t.createPayment(shop.live)
  })

  it('causes 503 with Retry-After for every call, until it is back', async () => {
    await Promise.all(Array.from({ length: 10 }, () => create()))
    await proxy.refuse()
    for (const [name, call] of Object.entries(calls)) {
      const { status, headers, body } = await call()
      expect([name, status, headers['retry-after'], body]).toEqual([name, 503, '2', UNAVAILABLE])
    }
    await proxy.accept()
    expect((await create()).status).toBe(200)
    expect((await pay(payment.qr_code)).status).toBe(200)
    expect((await calls.stranger!()).status).toBe(401)
  })

  it('under load: every response is a durable 200 or a 503', async () => {
    const responses = [create()]
    await responses[0]
    for (let i = 0; i < 300; i++) {
      responses.push(create())
      if (i % 10 === 0) await sleep(5)
      if (i === 100) proxy.breakAll()
      if (i === 200) await proxy.refuse()
    }
    await sleep(300)
    await proxy.accept()
    const done = await Promise.all(responses)
    for (const { status } of done) expect([200, 503]).toContain(status)
    const acknowledged = idsOf(done.filter(({ status }) => status === 200))
    expect(acknowledged.length).toBeGreaterThan(1)
    const rows = await t.database.query<{ id: string }>(
      'select payment_id as id from payment where payment_id = any($1)',
      [acknowledged],
    )
    expect(rows.map((row) => row.id).sort()).toEqual(acknowledged)
    expect((await create()).status).toBe(200)
  })

  it('causes 503 if a standby responds, even for reads', async () => {
    // On every standby, pg_is_in_recovery() returns true.
    const name = new URL(t.databaseUrl).pathname.slice(1)
    for (const statement of [
      'create schema standby',
      `create function standby.pg_is_in_recovery() returns boolean language sql as 'select true'`,
      `alter database ${name} set search_path = standby, pg_catalog, public`,
    ])
      await t.database.query(statement)
    proxy.breakAll()
    for (const [name, call] of Object.entries(calls)) {
      const { status, body } = await call()
      expect([name, status, body]).toEqual([name, 503, UNAVAILABLE])
    }
    expect((await node.call('GET', '/ready')).status).toBe(503)
    await t.database.query(`alter database ${name} reset search_path`)
    expect((await create()).status).toBe(200)
  })

  it('causes 503 if it accepts connections and never responds', async () => {
    proxy.breakAll()
    proxy.mute(true)
    const { status, headers } = await create()
    expect([status, headers['retry-after']]).toEqual([503, '2'])
    proxy.mute(false)
    expect((await create()).status).toBe(200)
  })
})
