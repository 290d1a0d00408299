import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { findCompleteUntil } from '../../../src/sql/locks.ts'
import { pretendDistributed, startTestService, type TestService } from '../../setup/testService.ts'
import { onNode } from './clusterDatabase.ts'

let t: TestService
let shop: Awaited<ReturnType<TestService['createStore']>>
let wallet: Awaited<ReturnType<TestService['createWallet']>>
beforeAll(async () => {
  pretendDistributed(true)
  t = await startTestService()
})
afterAll(async () => {
  await t.close()
  pretendDistributed(false)
})
beforeEach(async () => {
  shop = await t.createStore()
  wallet = await t.createWallet({ balance: '500.00' })
  await cluster().renew()
})

const cluster = () => t.service.cluster!
const shardOf = (storeId: number) => cluster().map.shardOf('store', storeId)!

async function onWorker<T>(
  worker: { host: string; port: number },
  work: (client: pg.Client) => Promise<T>,
) {
  const url = new URL(t.database.pool.options.connectionString!)
  url.hostname = worker.host
  url.port = String(worker.port)
  return onNode(url.href, work)
}

async function pay(qrCode: string) {
  return t.call('POST', `/wallet/payment/${qrCode}/pay`, wallet.headers, {})
}
const statusOf = async (id: string) =>
  (await t.call('GET', `/merchant/payment/${id}/status`, shop.live)).body.data.status

const countCommits = async () =>
  (
    await t.database.query<{ count: number }>('select count(*)::int as count from worker_commit')
  )[0]!.count

it('creates, reads, pays and refunds on the shards, in two phases only if two workers write', async () => {
  const fallback = vi.spyOn(cluster().map, 'renew')
  const counts = { same: 0, other: 0 }
  while (counts.same === 0 || counts.other === 0) {
    const isSame =
      cluster().map.workerOfStore(shop.store.storeId) ===
      cluster().map.workerOfWallet(wallet.wallet.walletId)
    counts[isSame ? 'same' : 'other'] += 1
    const { payment_id, qr_code } = await t.createPayment(shop.live, { amount: 20 })
    const before = await countCommits()
    expect(await statusOf(payment_id)).toBe('pending')
    expect((await pay(qr_code)).status).toBe(200)
    expect(await countCommits()).toBe(before + (isSame ? 0 : 1))
    expect(await statusOf(payment_id)).toBe('completed')
    const refund = await t.call('POST', `/merchant/payment/${payment_id}/refund`, shop.live, {})
    expect(refund.status).toBe(200)
    const details = await t.call('GET', `/merchant/payment/${payment_id}`, shop.live)
    expect(details.body.data.status).toBe('refunded')
    wallet = await t.createWallet({ balance: '500.00' })
  }
  expect(fallback).not.toHaveBeenCalled()
  fallback.mockRestore()
  expect(await t.auditFindings()).toEqual([])
})

it.each(['committed', 'rolled back'])(
  'ends a transaction that was left prepared on a worker as the coordinator decided: %s',
  async (outcome) => {
    const id = randomUUID()
    const { worker, nameOf } = shardOf(shop.store.storeId)
    await onWorker(worker, async (client) => {
      await client.query('begin')
      await client.query(
        `update ${nameOf('store_balance')} set fees = 5 where store_id = $1 and mode = 'live'`,
        [shop.store.storeId],
      )
      await client.query(`prepare transaction 'florin_${id}'`)
    })
    const readFees = async () => {
      const rows = await t.database.query<{ fees: bigint }>(
        `select fees from store_balance where store_id = $1 and mode = 'live'`,
        [shop.store.storeId],
      )
      return rows[0]!.fees
    }
    await t.database.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock(21, hashtext($1))', [id])
      // The coordinator has not decided yet.
      expect(await cluster().recover()).toEqual([])
      expect(await preparedOn(worker)).toContain(`florin_${id}`)
      if (outcome === 'committed')
        await tx.execute('insert into worker_commit values ($1, now())', [id])
    })
    expect(await cluster().recover()).toEqual([])
    expect(await preparedOn(worker)).not.toContain(`florin_${id}`)
    expect(await readFees()).toBe(outcome === 'committed' ? 5n : 0n)
    // Remove the amount again, so that an audit finds nothing.
    await t.database.transaction((tx) =>
      tx.execute(`update store_balance set fees = 0 where store_id = $1 and mode = 'live'`, [
        shop.store.storeId,
      ]),
    )
  },
)

const preparedOn = (worker: { host: string; port: number }) =>
  onWorker(worker, async (client) => {
    const { rows } = await client.query<{ gid: string }>('select gid from pg_prepared_xacts')
    return rows.map(({ gid }) => gid)
  })

it('waits for transactions of a worker before it counts rows as complete', async () => {
  const { worker, nameOf } = shardOf(shop.store.storeId)
  const readCompleteTime = async () => (await t.database.transaction(findCompleteUntil)).getTime()
  await onWorker(worker, async (client) => {
    const now = async () => {
      const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at')
      return rows[0]!.at.getTime()
    }
    await client.query('begin')
    await client.query(`update ${nameOf('store_balance')} set fees = 5 where store_id = $1`, [
      shop.store.storeId,
    ])
    const written = await now()
    expect(await readCompleteTime()).toBeLessThanOrEqual(written)
    await client.query(`prepare transaction 'unfinished'`)
    const prepared = await now()
    expect(await readCompleteTime()).toBeLessThanOrEqual(prepared)
    await client.query(`rollback prepared 'unfinished'`)
    await expect.poll(readCompleteTime).toBeGreaterThan(prepared)
  })
})

it('follows a shard that moved since the map was read', async () => {
  const { payment_id, qr_code } = await t.createPayment(shop.live, { amount: 20 })
  const { id, worker } = shardOf(shop.store.storeId)
  const target = cluster()
    .map.workers()
    .find(({ id }) => id !== worker.id)!
  await t.database.query(
    `select citus_move_shard_placement($1::bigint, $2, $3::int, $4, $5::int, 'block_writes')`,
    [id, worker.host, worker.port, target.host, target.port],
  )
  expect((await pay(qr_code)).status).toBe(200)
  expect(shardOf(shop.store.storeId).worker.id).toBe(target.id)
  expect(await statusOf(payment_id)).toBe('completed')
})
