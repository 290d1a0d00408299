import type { PaymentId, StoreAndMode, StoreId, WalletNumber } from '../core/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { FIRST_FINDINGS, type Finding } from './ledgerChecks.ts'
import { EXACT_TRANSFERS, expectedBefore, SLOT } from './paymentChecks.ts'

// The sums that replace archived transfers.

/** The end of the archived months. Null if nothing is archived. */
export async function findCutoff(on: Queryable): Promise<Date | null> {
  const rows = await on.query<{ at: Date | null }>(
    `select (max(month) + interval '1 month') at time zone 'UTC' as at from archive`,
  )
  return rows[0]!.at
}

/** The end of the archived months, for a store. Null if it has no archived transfers. */
export async function findStoreCutoff(
  on: Queryable,
  { storeId, mode }: StoreAndMode,
): Promise<Date | null> {
  const [cutoff, lines] = await Promise.all([
    findCutoff(on),
    on.query('select 1 from archived_line where store_id = $1 and mode = $2 limit 1', [
      storeId,
      mode,
    ]),
  ])
  return lines.length === 0 ? null : cutoff
}

/** The end of the archived months, for a wallet. Null if it has no archived transfers. */
export async function findWalletCutoff(
  on: Queryable,
  walletId: WalletNumber,
): Promise<Date | null> {
  const [cutoff, sums] = await Promise.all([
    findCutoff(on),
    on.query('select 1 from archived_wallet where wallet_id = $1 limit 1', [walletId]),
  ])
  return sums.length === 0 ? null : cutoff
}

export type ArchivedPayment = { readonly storeId: StoreId; readonly paymentId: PaymentId }

/** The payments of a wallet whose transfers are archived, in the order of their ids. */
export async function listArchivedPayments(
  on: Queryable,
  { walletId, after, limit }: { walletId: WalletNumber; after: PaymentId | null; limit: number },
): Promise<ArchivedPayment[]> {
  return on.query<ArchivedPayment>(
    `select a.store_id as "storeId", p.id as "paymentId"
     from archived_payer a
     cross join lateral unnest(a.payment_ids) as p (id)
     where a.wallet_id = $1 and ($2::text is null or p.id > $2)
     order by p.id
     limit $3`,
    [walletId, after, limit],
  )
}

/**
 * Compares the sums of archived transfers with the payments: every payment that was paid or refunded before the cutoff is in
 * them, and nothing else.
 */
export async function compareArchivedPayments(tx: Tx, cutoff: string): Promise<Finding[]> {
  return tx.query<Finding>(
    `select '${EXACT_TRANSFERS}' as check,
       format('%s of store %s %s in the 15 minutes from %s', coalesce(e.kind, a.kind),
         coalesce(e.store_id, a.store_id), coalesce(e.mode, a.mode), coalesce(e.starts, a.starts)) as subject,
       format('%s transfers of %s', coalesce(e.count, 0), coalesce(e.amount, 0)) as expected,
       format('%s transfers of %s', coalesce(a.count, 0), coalesce(a.amount, 0)) as found
     from (
       select t.store_id, t.mode, ${SLOT} as starts, t.kind, count(*) as count, sum(t.amount) as amount
       from (${expectedBefore('$1::timestamptz', 'true')}) t
       group by t.store_id, t.mode, ${SLOT}, t.kind
     ) e
     full join archived_line a
       on a.store_id = e.store_id and a.mode = e.mode and a.starts = e.starts and a.kind = e.kind
     where (e.count, e.amount) is distinct from (a.count, a.amount)
     ${FIRST_FINDINGS}`,
    [cutoff],
  )
}
