import { afterAll, beforeAll, expect, it } from 'vitest'
import { withoutPayer } from '../../src/core/erasure.ts'
import { type PaymentId, parseWalletId } from '../../src/core/ids.ts'
import type { Tx } from '../../src/database/database.ts'
import { claimDeliveries } from '../../src/ops/deliveries.ts'
import { redactEvents, rewriteEvents } from '../../src/ops/erasure.ts'
import { lock } from '../../src/sql/locks.ts'
import { refusal } from '../setup/expected.ts'
import { startTestService, type TestService, type TestStore } from '../setup/testService.ts'
import { eventually } from '../webhooks/shop.ts'

// No background loops here: the tests control the order of transactions.
let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())

/** Starts the second transaction before the first commits, so that it waits for the lock. */
async function whileUncommitted<T>(
  first: (tx: Tx) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<T> {
  const waiting = await t.database.transaction(async (tx) => {
    await first(tx)
    const result = second()
    await eventually(async () => {
      const blocked = await t.database.query(
        `select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      expect(blocked).toHaveLength(1)
    })
    return { result }
  })
  return waiting.result
}

/** A due delivery of a payment, with a payer's name in its body. */
async function createDueDelivery() {
  const url = 'http://127.0.0.1:9/'
  const created = await t.createPayment(shop.sandbox, { webhook_url: url })
  const path = `/sandbox/payment/${created.payment_id}/pay`
  expect((await t.call('POST', path, shop.sandbox, {})).status).toBe(200)
  return { storeId: shop.store.storeId, paymentId: created.payment_id as PaymentId, sequence: 1 }
}

const claim = async () => {
  const claimed = await claimDeliveries(t.database, {
    mode: 'sandbox',
    isIdle: true,
    room: 10,
    busyHosts: [],
    busyStores: [],
    roomOfHost: () => 10,
    roomOfStore: () => 10,
  })
  return claimed.held
}

it('a claim that waited for an erasure gets the redacted body', async () => {
  const delivery = await createDueDelivery()
  const held = await whileUncommitted((tx) => redactEvents(tx, [delivery], withoutPayer), claim)
  expect(held).toHaveLength(1)
  expect(held[0]).toMatchObject(delivery)
  expect(JSON.parse(held[0]!.body).data.user.name).toBe('Erased')
})

it('a claim gets no event that was emptied while it waited for the lock', async () => {
  const delivery = await createDueDelivery()
  const empty = (tx: Tx) => rewriteEvents(tx, [{ ...delivery, body: '' }], { endDeliveries: true })
  expect(await whileUncommitted(empty, claim)).toEqual([])
  const [row] = await t.database.query('select lease from delivery where payment_id = $1', [
    delivery.paymentId,
  ])
  expect(row).toEqual({ lease: null })
})

it('no action of an operator changes a wallet that is erased meanwhile', async () => {
  const created = await t.call('POST', '/operator/wallets', t.operator, {
    mode: 'live',
    name: 'Ada',
    email: 'ada@payer.example',
    phone: '+447700900321',
    pin: '2468',
  })
  const path = `/operator/wallets/${created.body.data.wallet_id}`
  const walletId = parseWalletId(created.body.data.wallet_id)!
  const setErased = (tx: Tx, at: Date | null) =>
    tx.execute('update wallet set erased_at = $2 where wallet_id = $1', [walletId, at])
  // Except a withdrawal, which an empty wallet refuses anyway.
  for (const [act, body] of [
    ['top-up', { currency: 'USD', amount: '5' }],
    ['activation'],
    ['unlock'],
    ['lock'],
    ['pin', { pin: '8052' }],
  ] as const) {
    const response = await whileUncommitted(
      async (tx) => setErased(tx, await lock(tx, { wallets: [walletId] })),
      () => t.call('POST', `${path}/${act}`, t.operator, body),
    )
    const erased = refusal(409, "This wallet has been erased. It can't be changed.")
    expect(response.body, act).toEqual(erased)
    await t.database.transaction((tx) => setErased(tx, null))
  }
  const { balances, locked_until } = (await t.call('GET', path, t.operator)).body.data
  expect({ balances, locked_until }).toEqual({ balances: [], locked_until: null })
})
