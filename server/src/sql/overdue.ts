import type { StoreId } from '../core/ids.ts'
import { MAX_PENDING_MS, type PaymentKey } from '../core/payment.ts'
import type { Queryable, Tx } from '../database/database.ts'

/** Overdue payments that expired in this range, longest overdue first; of all stores, or only of these. */
export async function findOverdue(
  on: Queryable,
  {
    from,
    to,
    stores,
    limit,
  }: { from: Date; to: Date; stores: readonly StoreId[] | null; limit: number },
): Promise<(PaymentKey & { expiresAt: Date })[]> {
  return on.query(
    `select p.store_id as "storeId", p.mode, p.payment_id as "paymentId",
       p.expires_at as "expiresAt"
     from payment p
     where p.status = 'pending'
       and p.expires_at >= $1 and p.expires_at < $2 and p.expires_at <= now()
       and ($3::int[] is null or p.store_id = any($3))
     order by p.expires_at
     limit $4`,
    [from, to, stores, limit],
  )
}

// Payments expire at least a minute after they are created, so none that appears later expires this long before `until`.
const SWEEP_MARGIN = `interval '90 seconds'`

/**
 * No payment that expired before `start` is pending. Usually `start` is `done_until`, which is at least 90 seconds before `now`.
 * If it is less than a minute before, or after `now`, the clock has been set back since, and payments may have been created that
 * expire before `done_until`. Then `start` is `MAX_PENDING_MS` before `now`.
 */
export async function findSweepStart(on: Queryable): Promise<{ start: Date; now: Date }> {
  const rows = await on.query<{ start: Date; now: Date }>(
    `select now() as now,
       case
         when done_until > now() - interval '1 minute' then now() - $1::int * interval '1 millisecond'
         else done_until
       end as start
     from sweep
     where name = 'expiry'`,
    [MAX_PENDING_MS],
  )
  return rows[0]!
}

/** Records that all overdue payments written before this time are expired. */
export async function setSwept(tx: Tx, until: Date): Promise<void> {
  await tx.execute(
    `update sweep set done_until = $1::timestamptz - ${SWEEP_MARGIN} where name = 'expiry'`,
    [until],
  )
}
