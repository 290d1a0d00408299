import type { TimeRange } from '../core/calendar.ts'
import type { Mode, PaymentId, WalletNumber } from '../core/ids.ts'
import { MAX_STATEMENT_ENTRIES } from '../core/wallet.ts'
import type { Database, Queryable } from '../database/database.ts'
import { findWalletCutoff } from '../sql/archivedSums.ts'
import { findRefundFees } from '../sql/payments.ts'
import { sumWalletPeriod } from '../sql/walletStatement.ts'
import { type Activity, type ActivityPage, listActivity } from '../sql/wallets.ts'
import { inReportTransaction } from './reportTransaction.ts'

/** A transfer of a wallet. `refundFee` is null unless the transfer is a refund. */
export type PayerActivity = Activity & { readonly refundFee: bigint | null }

/** Reads a page of a payer's transfers, newest first, and the fees of its refunds. */
export async function readActivity(
  on: Queryable,
  page: ActivityPage & { readonly mode: Mode },
): Promise<PayerActivity[]> {
  const { mode } = page
  const activity = await listActivity(on, page)
  const refunds = activity.flatMap(({ kind, storeId, reference }) =>
    kind === 'refund' && storeId !== null
      ? [{ storeId, mode, paymentId: reference as PaymentId }]
      : [],
  )
  const fees = await findRefundFees(on, refunds)
  return activity.map((transfer) => ({
    ...transfer,
    refundFee: transfer.kind === 'refund' ? (fees.get(transfer.reference) ?? null) : null,
  }))
}

/**
 * Reads a page like `readActivity`, but leaves out transfers before the cutoff: their list would have gaps, because some of that
 * time are archived. Reads the cutoff after the transfers, so that it also covers those that were archived meanwhile. The cutoff
 * is null if the wallet has no archived transfers.
 */
export async function readActivityPage(
  on: Queryable,
  page: Omit<ActivityPage, 'since'> & { readonly mode: Mode },
): Promise<{ readonly activity: readonly PayerActivity[]; readonly cutoff: Date | null }> {
  const activity = await readActivity(on, { ...page, since: null })
  const cutoff = await findWalletCutoff(on, page.walletId)
  return { activity: activity.filter(({ at }) => cutoff === null || at >= cutoff), cutoff }
}

type WalletStatement =
  | {
      readonly kind: 'statement'
      readonly activity: readonly PayerActivity[]
      readonly sums: Awaited<ReturnType<typeof sumWalletPeriod>>
    }
  /** The period begins before the cutoff, so transfers of it are archived. */
  | { readonly kind: 'archived'; readonly cutoff: Date }
  /** There are more transfers than a statement can have. */
  | { readonly kind: 'too_long' }

/** Reads the balances and transfers of a period. */
export async function readWalletStatement(
  database: Database,
  { walletId, mode }: { readonly walletId: WalletNumber; readonly mode: Mode },
  period: TimeRange,
): Promise<WalletStatement> {
  return inReportTransaction(database, `wallet ${walletId}`, async (tx) => {
    const findRefusal = async () => {
      const cutoff = await findWalletCutoff(tx, walletId)
      return cutoff !== null && period.from < cutoff
        ? ({ kind: 'archived', cutoff } as const)
        : null
    }
    const refusal = await findRefusal()
    if (refusal !== null) return refusal
    const activity = await readActivity(tx, {
      walletId,
      mode,
      storeId: null,
      since: period.from,
      before: { at: period.to, reference: '', kind: '' },
      limit: MAX_STATEMENT_ENTRIES + 1,
    })
    const isTooLong = activity.length > MAX_STATEMENT_ENTRIES
    const sums = isTooLong ? [] : await sumWalletPeriod(tx, walletId, period)
    // A cluster has no snapshot, so transfers may have been archived meanwhile.
    const laterRefusal = tx.isDistributed ? await findRefusal() : null
    if (laterRefusal !== null) return laterRefusal
    return isTooLong ? { kind: 'too_long' } : { kind: 'statement', activity, sums }
  })
}
