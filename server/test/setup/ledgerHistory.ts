import type pg from 'pg'
import { newLink, payLink } from './links.ts'
import type { TestService } from './testService.ts'

const TABLES = [
  'payment',
  'transfer',
  'wallet_transfer',
  'event',
  'store_balance',
  'wallet_balance',
  'usage',
  'link',
  'wallet',
]

/** The ids that replace placeholders such as {shop} in corruptions and findings. */
export type PlaceholderValues = Record<string, string | number>

/**
 * Creates live payments of every kind (paid, refunded, failed, expired, pending, converted, by link), two paid payments in
 * the sandbox, a payout and a withdrawal.
 */
export async function makeHistory(t: TestService): Promise<PlaceholderValues> {
  const shop = await t.createStore({ feeBps: 100, feeFixedMinor: 5n, refundFeeMinor: 50n })
  const unusedShop = await t.createStore()
  await t.call('PUT', '/operator/rates/EUR/USD', t.operator, { rate: '1.0842' })
  await t.fund(shop.store, 'live', '100.00')
  const operate = (url: string, body: unknown) => t.call('POST', url, t.operator, body)
  const money = { mode: 'live', amount: '7.00' }
  const payout = await operate(`/operator/stores/${shop.store.storeId}/payout`, money)
  const ada = await t.createWallet({ balance: '500.00' })
  const bob = await t.createWallet({ balance: '500.00' })
  const poor = await t.createWallet({ balance: '1.00' })
  const tester = await t.createWallet({ mode: 'sandbox', balance: '500.00' })
  const url = `/operator/wallets/${bob.wallet.publicId}/withdraw`
  const withdrawal = await operate(url, { currency: 'USD', amount: '3.00' })
  const pay = (qr: string, wallet = ada, body: unknown = {}) =>
    t.call('POST', `/wallet/payment/${qr}/pay`, wallet.headers, body)

  const paid = await t.createPayment(shop.live, { amount: 20 })
  await pay(paid.qr_code, ada, { donation_amount: 1.5 })
  const refunded = await t.createPayment(shop.live, { amount: 30 })
  await pay(refunded.qr_code, bob)
  await t.call('POST', `/merchant/payment/${refunded.payment_id}/refund`, shop.live)
  const pending = await t.createPayment(shop.live, { amount: 40 })
  const converted = await t.createPayment(shop.live, { amount: 11, currency: 'EUR' })
  await pay(converted.qr_code, bob)
  const failed = await t.createPayment(shop.live, { amount: 50 })
  await pay(failed.qr_code, poor)
  const expired = await t.createPayment(shop.live, { amount: 60 })
  await t.call('POST', `/merchant/payment/${expired.payment_id}/expire`, shop.live)
  const sandbox = await t.createPayment(shop.sandbox, { amount: 70 })
  await pay(sandbox.qr_code, tester)
  const simulated = await t.createPayment(shop.sandbox, { amount: 80 })
  await t.call('POST', `/sandbox/payment/${simulated.payment_id}/pay`, shop.sandbox)

  const link = await newLink(t, shop.live, { amount: 9 })
  const linked = (await payLink(t, bob, link)).body.data
  await newLink(t, unusedShop.live)

  const values: PlaceholderValues = {
    link,
    shop: shop.store.storeId,
    unusedShop: unusedShop.store.storeId,
    ada: ada.wallet.walletId,
    bob: bob.wallet.walletId,
    payout: payout.body.data.reference,
    withdrawal: withdrawal.body.data.reference,
  }
  for (const [name, payment] of Object.entries({
    paid,
    refunded,
    pending,
    converted,
    failed,
    expired,
    simulated,
    linked,
  })) {
    values[name] = payment.payment_id
  }
  return values
}

export const fillIn = (text: string, values: PlaceholderValues) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new Error(`No value for {${name}}`)
    return String(values[name])
  })

/** Copies the rows, and drops check and not-null constraints: the audit must find what they would have prevented. */
export async function backUpRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
     from pg_constraint
     where contype in ('c', 'n') and conrelid = any($1::regclass[])
     order by contype`,
    [TABLES],
  )
  // PostgreSQL keeps the not-null constraints of primary keys.
  for (const { statement } of rows) await client.query(statement).catch(() => {})
  for (const table of TABLES) await client.query(`create table backup_${table} as table ${table}`)
}

/** Restores the rows that `backUpRows` copied, and the currency of the stores. */
export async function restoreRows(client: pg.Client): Promise<void> {
  // Few round trips, and no new files as for `truncate`.
  const restore = TABLES.map(
    (table) => `delete from ${table}; insert into ${table} table backup_${table};`,
  )
  await client.query(restore.join(''))
  // Separate: Citus refuses a write to a reference table in a transaction that has written to several shards.
  await client.query(`update store set currency = 'USD'`)
}

/** Runs work that changes these tables, and then restores their rows. */
export async function withRestoredTables(
  client: pg.Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  for (const table of tables) await client.query(`create table backup_${table} as table ${table}`)
  try {
    await work()
  } finally {
    for (const table of tables) {
      await client.query(`delete from ${table}`)
      await client.query(`insert into ${table} table backup_${table}`)
      await client.query(`drop table backup_${table}`)
    }
  }
}

/** The value of a column, moved by an interval. In an update, Citus accepts no arithmetic that depends on the session's time zone. */
export const moved = (column: string, by: string) =>
  `(${column} at time zone 'UTC' + interval '${by}') at time zone 'UTC'`

/**
 * Expires pending payments, moves the payments, transfers and events of the last day this many days into the past, and
 * recounts usage.
 */
export async function moveToPast(client: pg.Client, days: number): Promise<void> {
  await client.query(
    `update payment set status = 'expired', settled_at = now() where status = 'pending'`,
  )
  await alignEvents(client)
  const movedBack = (column: string) => `${column} = ${moved(column, `-${days} days`)}`
  const isNew = (column: string) => `${column} > now() - interval '1 day'`
  await client.query(
    `update payment
     set ${['created_at', 'expires_at', 'settled_at', 'refunded_at'].map(movedBack).join(', ')},
       usage_day = usage_day - ${days},
       usage_month = date_trunc('month', (usage_day - ${days})::timestamp)::date
     where ${isNew('created_at')}`,
  )
  for (const table of ['transfer', 'wallet_transfer']) {
    await client.query(`update ${table} set ${movedBack('at')} where ${isNew('at')}`)
  }
  await client.query(`update event set ${movedBack('created_at')} where ${isNew('created_at')}`)
  await recountUsage(client)
}

/** Adds the missing events of expired payments, and deletes those of pending ones. */
export async function alignEvents(client: pg.Client): Promise<void> {
  await client.query(
    `insert into event (store_id, payment_id, sequence, mode, type, created_at)
     select p.store_id, p.payment_id, 1, p.mode, 'payment.expired', p.settled_at
     from payment p
     left join event e on e.store_id = p.store_id and e.payment_id = p.payment_id and e.sequence = 1
     where p.status = 'expired' and e.payment_id is null`,
  )
  await client.query(
    `delete from event e
     using payment p
     where p.store_id = e.store_id and p.payment_id = e.payment_id and p.status = 'pending'`,
  )
}

/** Gives events the times of their payments again, after a test has moved them. */
export async function restoreEventTimes({ database }: TestService): Promise<void> {
  await database.transaction((tx) =>
    tx.execute(
      `update event e
       set created_at = case e.sequence when 1 then p.settled_at else p.refunded_at end
       from payment p
       where p.store_id = e.store_id and p.mode = e.mode and p.payment_id = e.payment_id`,
    ),
  )
}

/** Computes usage from the payments. */
export async function recountUsage(client: pg.Client): Promise<void> {
  await client.query('delete from usage')
  await client.query(
    `insert into usage (store_id, mode, period, starts, used)
     select p.store_id, p.mode, d.period, d.starts, sum(p.gross)
     from payment p
     cross join lateral (values ('day', p.usage_day), ('month', p.usage_month)) as d (period, starts)
     where p.status in ('pending', 'completed', 'refunded')
     group by p.store_id, p.mode, d.period, d.starts`,
  )
}
