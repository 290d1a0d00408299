import { expect } from 'vitest'
import { mintPaymentId } from '../../../src/core/ids.ts'
import { moveMoney } from '../../../src/ops/moveMoney.ts'
import { createPaidPayment, refund } from '../../setup/merchantCalls.ts'
import type { TestService, TestStore, TestWallet } from '../../setup/testService.ts'

/** A service, the store with the sales, another store, and the wallet that pays. */
type Shops = { t: TestService; shop: TestStore; other: TestStore; wallet: TestWallet }

const ACTOR = { name: 'test', requestId: null }

// A generator with a fixed seed, so that a failure can be reproduced.
let seed = 20260329
const random = (limit: number) => {
  seed = (seed * 1103515245 + 12345) % 2 ** 31
  return Math.floor((seed / 2 ** 31) * limit)
}
export const HOUR_MS = 3_600_000
export const START = Date.parse('2026-03-28T00:00:00Z')
const randomTime = () => new Date(START + random(72 * 60) * 60_000 + random(60_000))

/** Moves the rows of a payment to other times, and changes its id, which contains the time. */
async function moveTo(
  { t, shop }: Shops,
  paymentId: string,
  { paidAt, refundedAt }: { paidAt: Date; refundedAt: Date | null },
) {
  const id = mintPaymentId(new Date(paidAt.getTime() - 60_000), shop.store.storeId)
  await t.database.transaction(async (tx) => {
    for (const [table, column] of [
      ['event', 'payment_id'],
      ['transfer', 'reference'],
      ['wallet_transfer', 'reference'],
      ['payment', 'payment_id'],
    ]) {
      await tx.execute(`update ${table} set ${column} = $2 where ${column} = $1`, [paymentId, id])
    }
    await tx.execute(
      `update event set created_at = case sequence when 1 then $2::timestamptz else $3::timestamptz end where payment_id = $1`,
      [id, paidAt, refundedAt],
    )
    for (const table of ['transfer', 'wallet_transfer']) {
      await tx.execute(
        `update ${table}
         set at = case when kind like 'refund%' then $3::timestamptz else $2::timestamptz end
         where reference = $1`,
        [id, paidAt, refundedAt],
      )
    }
    await tx.execute(
      `update payment set created_at = $2, settled_at = $3, refunded_at = $4 where payment_id = $1`,
      [id, new Date(paidAt.getTime() - 60_000), paidAt, refundedAt],
    )
  })
}

/** Moves the transfers of this kind from the last hour to another time. */
export async function moveLatest({ t, shop }: Shops, kind: 'funding' | 'payout', at: string) {
  await t.database.transaction((tx) =>
    tx.execute(
      `update transfer set at = $3 where store_id = $1 and kind = $2 and at > now() - interval '1 hour'`,
      [shop.store.storeId, kind, at],
    ),
  )
}

/** Three days of sales in two currencies, with donations, refunds, funding and a payout, and rows that must not appear. */
export async function createRandomSales(shops: Shops) {
  const { t, shop, other, wallet } = shops
  // Times that an offset error of one hour would move to another day.
  const edges = [
    '2026-03-28T22:59:59.999Z',
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T21:59:59.999Z',
    '2026-03-29T22:00:00.000Z',
  ]
  for (let n = 0; n < 40; n++) {
    const amount = 1 + random(9_999) / 100
    const currency = random(3) === 0 ? 'EUR' : 'USD'
    const body = { amount, currency, reference_note: NOTES[n % NOTES.length] }
    const donation = random(4) === 0 ? 1 : undefined
    const { payment_id } = await createPaidPayment(t, shop.live, wallet, body, donation)
    const isRefunded = random(3) === 0
    if (isRefunded) expect((await refund(t, shop.live, payment_id)).status).toBe(200)
    const edge = edges[n]
    const paidAt = edge === undefined ? randomTime() : new Date(edge)
    const refundedAt = isRefunded ? new Date(paidAt.getTime() + HOUR_MS) : null
    await moveTo(shops, payment_id, { paidAt, refundedAt })
  }
  for (const kind of ['funding', 'payout'] as const) {
    const move = {
      store: shop.store,
      mode: 'live' as const,
      kind,
      amount: 12_345n,
      note: '=1+1',
      key: null,
    }
    await moveMoney(t.database, ACTOR, move, t.service.mail)
    await moveLatest(
      shops,
      kind,
      kind === 'funding' ? '2026-03-29T01:30:00Z' : '2026-03-29T20:00:00Z',
    )
  }
  // Must not appear: another store, the other mode, and payments that were not completed.
  await createPaidPayment(t, other.live, wallet, { amount: 77.77 })
  const { payment_id } = await t.createPayment(shop.live, { amount: 55.55 })
  await t.call('POST', `/merchant/payment/${payment_id}/expire`, shop.live)
  await t.fund(shop.store, 'sandbox', '88.88')
}

const NOTES = [
  '=HYPERLINK("http://x.example")',
  'Tea, "green"\r\nhot',
  '+1',
  '-2',
  '@x',
  '\tx',
  'ü',
]
