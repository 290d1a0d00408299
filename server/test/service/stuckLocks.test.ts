import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepOverdue } from '../../src/ops/expirePayments.ts'
import { rethrow } from '../setup/rethrow.ts'
import { startTestService, type TestService, type TestWallet } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService({}, { limitsWaits: true })
})
afterAll(() => t.close())

/** Holds the lock of a store, like a process that hangs in a transaction. */
const holdStore = (storeId: number) => holdLock(2, storeId)
const holdWallet = (walletId: number) => holdLock(1, walletId)

async function holdLock(kind: number, id: number): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: t.databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock($1, $2)', [kind, id])
  return () => client.end()
}

/** Creates a payment, and returns a function that pays it and returns the status. */
async function preparePayment(keys: Record<string, string>, payer?: TestWallet) {
  const { headers } = payer ?? (await t.createWallet({ balance: '1' }))
  const { qr_code } = await t.createPayment(keys, { amount: 1 })
  return async () => (await t.call('POST', `/wallet/payment/${qr_code}/pay`, headers)).status
}

/** Creates and pays a payment, and returns a function that refunds it and returns the status. */
async function prepareRefund(keys: Record<string, string>, payer?: TestWallet) {
  const { headers } = payer ?? (await t.createWallet({ balance: '1' }))
  const { qr_code, payment_id } = await t.createPayment(keys, { amount: 1 })
  await t.call('POST', `/wallet/payment/${qr_code}/pay`, headers)
  return async () => (await t.call('POST', `/merchant/payment/${payment_id}/refund`, keys)).status
}

describe('a store whose lock is stuck', () => {
  it('blocks neither the other stores nor the sweep', async () => {
    const [stuck, free] = [await t.createStore(), await t.createStore()]
    const overdue = [await t.createPayment(stuck.live), await t.createPayment(free.live)]
    for (const { payment_id } of overdue) await t.makeOverdue(payment_id)
    const release = await holdStore(stuck.store.storeId)
    try {
      const create = (keys: Record<string, string>) =>
        t.call('POST', '/merchant/payment/create', keys, { amount: 1, currency: 'USD' })
      const waiting = Promise.all(Array.from({ length: 6 }, () => create(stuck.live)))
      await create(free.live)
      expect((await waiting).map((response) => response.status)).toEqual(Array(6).fill(503))

      // From now on the stuck store is in quarantine: the others don't wait for its timeout.
      const requests = [create(stuck.live), create(free.live)] as const
      const first = await Promise.race([
        requests[0].then(() => 'stuck'),
        requests[1].then((response) => `free ${response.status}`),
      ])
      expect(first).toBe('free 200')
      expect((await requests[0]).status).toBe(503)

      const failed: number[] = []
      const { outbox } = t.service
      expect(await sweepOverdue(t.database, outbox, (storeId) => failed.push(storeId))).toBe(1)
      expect(failed).toEqual([stuck.store.storeId])
    } finally {
      await release()
    }
    expect(await sweepOverdue(t.database, t.service.outbox, rethrow)).toBe(1)
    expect(await t.auditFindings()).toEqual([])
  })

  it('leaves the connections to the other stores while it gets request after request', async () => {
    const [stuck, free] = [await t.createStore(), await t.createStore()]
    const create = async (keys: Record<string, string>) => {
      const body = { amount: 1, currency: 'USD' }
      return (await t.call('POST', '/merchant/payment/create', keys, body)).status
    }
    expect(await create(free.live)).toBe(200)
    const release = await holdStore(stuck.store.storeId)
    try {
      expect(await create(stuck.live)).toBe(503)
      const refused: Promise<number>[] = []
      // More than there are connections, and more than one event loop turn apart.
      for (let n = 0; n < 15; n++) {
        refused.push(create(stuck.live))
        await setTimeout(30)
      }
      const [row] = await t.database.query<{ waiting: number }>(
        `select count(*)::int as waiting
         from pg_locks
         where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      )
      expect(row!.waiting).toBeLessThanOrEqual(1)
      expect(await create(free.live)).toBe(200)
      expect(await Promise.all(refused)).toEqual(Array(15).fill(503))
    } finally {
      await release()
    }
  })

  it('does not delay the payments of other stores, also when new payers pay it', async () => {
    const [stuck, free] = [await t.createStore(), await t.createStore()]
    const pays = await Promise.all(
      [stuck, stuck, stuck, stuck, free].map(({ live }) => preparePayment(live)),
    )
    const [payStuck, ...payStuckLater] = pays
    const payFree = payStuckLater.pop()!
    const release = await holdStore(stuck.store.storeId)
    try {
      expect(await payStuck!()).toBe(503)
      const body = { amount: 1, currency: 'USD' }
      const oneTimeout = t.call('POST', '/merchant/payment/create', stuck.live, body)
      const refused = payStuckLater.map((pay) => pay())
      const first = await Promise.race([oneTimeout.then(() => 'stuck'), payFree()])
      expect(first).toBe(200)
      expect(await Promise.all(refused)).toEqual(refused.map(() => 503))
      expect((await oneTimeout).status).toBe(503)
    } finally {
      await release()
    }
    for (const pay of [payStuck!, ...payStuckLater]) expect(await pay()).toBe(200)
    expect(await t.auditFindings()).toEqual([])
  })
})

it('a wallet whose lock is stuck does not fail or delay the other payers of a store', async () => {
  const { live } = await t.createStore()
  const wallet = await t.createWallet({ balance: '2' })
  const refundStuck = await prepareRefund(live, wallet)
  const refundFree = await prepareRefund(live)
  const payStuck = await preparePayment(live, wallet)
  const payFree = await Promise.all([1, 2, 3].map(() => preparePayment(live)))
  const release = await holdWallet(wallet.wallet.walletId)
  try {
    const refunds = Promise.all([refundStuck(), refundFree()])
    expect(await payStuck()).toBe(503)
    expect(await refunds).toEqual([503, 200])
    const refused = payStuck()
    const others = Promise.all(payFree.map((pay) => pay()))
    expect(await Promise.race([refused, others])).toEqual([200, 200, 200])
    expect(await refused).toBe(503)
  } finally {
    await release()
  }
  expect(await payStuck()).toBe(200)
})
