import { mintPaymentId } from '../../src/core/ids.ts'
import type { Status } from '../../src/core/payment.ts'
import type { Store } from '../../src/core/store.ts'
import type { TestService } from './testService.ts'

type PaymentFields = {
  readonly status: Status
  readonly gross?: bigint
  readonly walletId?: number
}

/** Many rows in one statement can take longer than a statement of the service may. */
export const FILL_LIMITS = { statementTimeoutMs: 120_000 }

/**
 * Inserts live payments of a store with their events, one per second and oldest first. Leaves out their transfers, because lists
 * don't show them. Returns the ids of the payments.
 */
export async function fillPayments(
  { database }: TestService,
  store: Store,
  count: number,
  fieldsOf: (n: number) => PaymentFields,
): Promise<string[]> {
  const startMs = Date.now() - count * 1000
  const ids = Array.from({ length: count }, (_, n) =>
    mintPaymentId(new Date(startMs + n * 1000), store.storeId),
  )
  const rows = ids.map((_, n) => ({ gross: 1000n, walletId: 1, ...fieldsOf(n) }))
  await database.transaction(async (tx) => {
    await tx.execute(
      `insert into payment (
         store_id, mode, payment_id, qr_number, status, gross, fee, currency, request_amount,
         request_currency, conversion_rate, created_at, expires_at, usage_day, usage_month,
         settled_at, wallet_id, failure, refund_fee, refunded_at)
       select $1, 'live', v.id, v.n, v.status, v.gross, 0, 'USD', v.gross, 'USD', 10000, v.at,
         v.at + interval '15 minutes', v.at::date, date_trunc('month', v.at)::date,
         case v.status when 'pending' then null when 'expired' then v.at + interval '15 minutes' else v.at end,
         case when v.status in ('completed', 'refunded') then v.wallet_id end,
         case when v.status = 'failed' then 'error' end,
         case when v.status = 'refunded' then 0 end,
         case when v.status = 'refunded' then v.at end
       from (
         select *, to_timestamp($6::float8 + n) as at
         from unnest($2::text[], $3::text[], $4::bigint[], $5::int[])
           with ordinality as u (id, status, gross, wallet_id, n)
       ) v`,
      [
        store.storeId,
        ids,
        rows.map((row) => row.status),
        rows.map((row) => row.gross),
        rows.map((row) => row.walletId),
        startMs / 1000 - 1,
      ],
    )
    await tx.execute(
      `insert into event (store_id, payment_id, sequence, mode, type, body, created_at)
       select p.store_id, p.payment_id, e.sequence, p.mode, 'payment.' || e.outcome, '{"data": {}}', p.settled_at
       from payment p
       cross join lateral (values
         (1, case p.status when 'refunded' then 'completed' else p.status end), (2, p.status)
       ) as e (sequence, outcome)
       where p.store_id = $1 and p.status <> 'pending' and (e.sequence = 1 or p.status = 'refunded')`,
      [store.storeId],
    )
  }, FILL_LIMITS)
  // The service does this within seconds. Without statistics, plans assume empty tables and scan these repeatedly.
  for (const table of ['payment', 'event']) await database.query(`analyze ${table}`)
  return ids
}
