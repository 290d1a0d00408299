import { describe, expect, it } from 'vitest'
import type { Mode, PaymentId, StoreId, WalletNumber } from '../../src/core/ids.ts'
import { payTransfers } from '../../src/core/ledger.ts'
import { replaceTables, routeOf, type Side, splitRows } from '../../src/database/citus/route.ts'
import type { Tx } from '../../src/database/database.ts'
import { findLatestAttempts } from '../../src/sql/deliveries.ts'
import { insertEvents } from '../../src/sql/events.ts'
import { storeKeys, walletKeys } from '../../src/sql/idempotency.ts'
import { findWalletBalances, post } from '../../src/sql/ledger.ts'
import { lock, makeReadsDurable } from '../../src/sql/locks.ts'
import * as payments from '../../src/sql/payments.ts'
import { findStores } from '../../src/sql/stores.ts'
import { changeUsage, findUsage, insertUsage } from '../../src/sql/usage.ts'
import { countFailures, findWallets, insertFailures } from '../../src/sql/wallets.ts'
import { USD } from '../setup/testService.ts'

const STORE_TABLES = [
  'payment',
  'idempotency',
  'usage',
  'store_balance',
  'transfer',
  'event',
  'delivery',
  'delivery_attempt',
]
const WALLET_TABLES = [
  'wallet',
  'wallet_balance',
  'wallet_failure',
  'wallet_idempotency',
  'wallet_transfer',
]
const sides = new Map<string, Side>([
  ...STORE_TABLES.map((table) => [table, 'store'] as const),
  ...WALLET_TABLES.map((table) => [table, 'wallet'] as const),
])
const route = (text: string) => routeOf(text, (table) => sides.get(table))

type Sent = { readonly text: string; readonly values: readonly unknown[] }

/** The statements that this work sends. */
async function sentBy(work: (tx: Tx) => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = []
  const record = (text: string, values: readonly unknown[] = []) => void sent.push({ text, values })
  const tx: Tx = {
    isDistributed: false,
    database: {},
    onCommit: () => {},
    query: async (text, values) => {
      record(text, values)
      return []
    },
    execute: async (text, values) => {
      record(text, values)
      return -1
    },
  }
  // No rows are changed, which some of the functions refuse.
  await work(tx).catch(() => {})
  return sent
}

const storeId = 7 as StoreId
const walletId = 9 as WalletNumber
const mode = 'live' as Mode
const paymentId = 'pay_1' as PaymentId
const key = { storeId, mode, paymentId }
const at = new Date(0)
const day = { storeId, mode, period: 'day' as const, starts: '2026-01-01' }
const storedKey = { key: 'k', fingerprint: Buffer.alloc(1), response: '{}', createdAt: at }
const payment = { ...key, products: [], referenceId: 'order' } as never

describe('a statement of the hot path is sent to the shards of its stores or wallets', () => {
  it.each<[string, Side, (tx: Tx) => Promise<unknown>]>([
    ['findStatuses', 'store', (tx) => payments.findStatuses(tx, [key])],
    ['findPayments', 'store', (tx) => payments.findPayments(tx, [key])],
    ['findPayers', 'store', (tx) => payments.findPayers(tx, [key])],
    [
      'findPaymentsByQr',
      'store',
      (tx) => payments.findPaymentsByQr(tx, [{ ...key, qrNumber: 1n }]),
    ],
    [
      'findReferencesInUse',
      'store',
      (tx) => payments.findReferencesInUse(tx, [{ ...key, referenceId: 'r' }]),
    ],
    ['insertPayments', 'store', (tx) => payments.insertPayments(tx, [payment])],
    [
      'insertPaidPayments',
      'store',
      (tx) => payments.insertPaidPayments(tx, [payment], { at, attempt: '' }),
    ],
    [
      'settlePayments',
      'store',
      (tx) => payments.settlePayments(tx, [{ payment } as never], { at, attempt: '' }),
    ],
    [
      'markRefunded',
      'store',
      (tx) => payments.markRefunded(tx, [{ payment, terms: {} } as never], { at, attempt: '' }),
    ],
    [
      'markExpired',
      'store',
      (tx) => payments.markExpired(tx, [{ ...key, reason: 'due' }], { at, attempt: '' }),
    ],
    ['wasCommitted', 'store', (tx) => payments.wasCommitted(tx, key, null)],
    ['findUsage', 'store', (tx) => findUsage(tx, [day])],
    ['insertUsage', 'store', (tx) => insertUsage(tx, [day])],
    ['changeUsage', 'store', (tx) => changeUsage(tx, [{ ...day, delta: 1n, ceiling: 1n }])],
    ['insertEvents', 'store', (tx) => insertEvents(tx, [{ ...key, sequence: 1 } as never])],
    ['findLatestAttempts', 'store', (tx) => findLatestAttempts(tx, [key])],
    [
      'keys of stores',
      'store',
      (tx) => storeKeys.find(tx, [{ owner: { storeId, mode }, key: 'k' }]),
    ],
    [
      'new keys of stores',
      'store',
      (tx) => storeKeys.insert(tx, [{ ...storedKey, owner: { storeId, mode } }]),
    ],
    [
      'old keys of stores',
      'store',
      (tx) => storeKeys.remove(tx, [{ owner: { storeId, mode }, key: 'k' }]),
    ],
    ['keys of wallets', 'wallet', (tx) => walletKeys.find(tx, [{ owner: { walletId }, key: 'k' }])],
    [
      'new keys of wallets',
      'wallet',
      (tx) => walletKeys.insert(tx, [{ ...storedKey, owner: { walletId } }]),
    ],
    ['findWallets', 'wallet', (tx) => findWallets(tx, [walletId])],
    ['findWalletBalances', 'wallet', (tx) => findWalletBalances(tx, [walletId])],
    ['countFailures', 'wallet', (tx) => countFailures(tx, [walletId], at)],
    ['insertFailures', 'wallet', (tx) => insertFailures(tx, [{ walletId, paymentId }], at)],
  ])('%s', async (_name, side, work) => {
    const [sent, ...others] = await sentBy(work)
    expect(others).toEqual([])
    const found = route(sent!.text)
    if (found.to !== 'shards') throw new Error(`Sent to ${found.to}: ${sent!.text}`)
    expect(found.side).toBe(side)
    expect([sent!.values[found.idIndex]].flat()).toEqual([side === 'store' ? storeId : walletId])
    const shardText = replaceTables(sent!.text, (table) =>
      sides.has(table) ? `${table}_1` : table,
    )
    expect(shardText).not.toBe(sent!.text)
    expect(shardText.match(/\b(?:from|join|into|update|using)\s+\w+_1\b/g)).toHaveLength(1)
  })

  it('money moves on the shards of the store and of the wallet', async () => {
    const base = { storeId, walletId, mode, reference: paymentId, currency: USD, at }
    const transfers = payTransfers(base, { gross: 3n, fee: 1n, donation: 0n })
    const sent = await sentBy((tx) => post(tx, transfers))
    const found = sent.map(({ text, values }) => {
      const routed = route(text)
      return routed.to === 'shards' ? [routed.side, values[routed.idIndex]] : routed.to
    })
    expect(found).toEqual([
      ['wallet', [walletId]],
      ['store', [storeId]],
      ['store', [storeId, storeId]],
      ['wallet', [walletId]],
    ])
  })
})

describe('other statements', () => {
  it('without a table go to every server', async () => {
    const sent = await sentBy(async (tx) => {
      await lock(tx, { stores: [storeId] }).catch(() => {})
      await makeReadsDurable(tx)
    })
    expect(sent.map(({ text }) => route(text).to)).toEqual(['every server', 'every server'])
  })

  it('about a reference table go to the coordinator', async () => {
    const [sent] = await sentBy((tx) => findStores(tx, [storeId]))
    expect(route(sent!.text)).toEqual({ to: 'coordinator' })
  })

  it.each([
    ['of several shards with a limit', 'select * from payment where store_id = any($1) limit 5'],
    ['of all shards', 'select count(*) from payment'],
    [
      'of both sides',
      'select * from payment p join wallet w on w.wallet_id = p.wallet_id where p.store_id = $1',
    ],
    [
      'with a reference table',
      'select * from payment p join store s on s.store_id = p.store_id where p.store_id = $1',
    ],
    [
      'with the name of the table as a prefix',
      'select payment.mode from payment where store_id = $1',
    ],
  ])('%s are left to Citus', (_name, text) => {
    expect(route(text)).toEqual({ to: 'citus' })
  })
})

describe('a statement for shards materializes no arrays in `from`', () => {
  it.each([
    [
      'arrays with names',
      `select * from unnest($1::int[], (select $2::text[])) as v (store_id, payment_id) join payment p on true`,
      `select * from (select ($1::int[])[1], ($2::text[])[1]) as v (store_id, payment_id) join payment p on true`,
      `select * from (select unnest($1::int[]), unnest((select $2::text[]))) as v (store_id, payment_id) join payment p on true`,
    ],
    [
      'arrays of an insert',
      'insert into payment (store_id, mode) select * from unnest($1::int[], $2::text[])',
      'insert into payment (store_id, mode) select * from (select ($1::int[])[1], ($2::text[])[1]) as v',
      'insert into payment (store_id, mode) select * from (select unnest($1::int[]), unnest($2::text[])) as v',
    ],
    ...[
      'select * from payment where store_id = any($1) and payment_id in (select unnest($2::text[]))',
      'select * from payment p cross join unnest($2::text[]) as v (name) where p.store_id = $1',
    ].map((text) => ['other arrays stay as they are', text, text, text]),
  ])('%s', (_name, text, one, any) => {
    expect(route(text!)).toMatchObject({ to: 'shards', texts: { one, any } })
  })
})

it('splits the rows of a statement by their shard, and repeats the other parameters', () => {
  const parts = splitRows(
    { idIndex: 1, arrayIndexes: [0, 1] },
    [['a', 'b', 'c'], [1, 2, 3], 'at'],
    (id) => id % 2,
  )
  expect([...parts]).toEqual([
    [1, [['a', 'c'], [1, 3], 'at']],
    [0, [['b'], [2], 'at']],
  ])
  expect([...splitRows({ idIndex: 0, arrayIndexes: [] }, [4, 'x'], (id) => id)]).toEqual([
    [4, [4, 'x']],
  ])
  expect(splitRows({ idIndex: 0, arrayIndexes: [0] }, [[]], (id) => id).size).toBe(0)
})
