import { refundFee } from '../core/fees.ts'
import { decideRefund, type Payment, type PaymentKey, type RefundRefusal } from '../core/payment.ts'
import { type CapRefusal, capRefusal, type Role } from '../core/person.ts'
import type { Store } from '../core/store.ts'
import type { Database } from '../database/database.ts'
import { findStoreBalances } from '../sql/ledger.ts'
import type { Outbox } from './events.ts'
import { readPayments } from './readPayments.ts'

type RefundPreview = {
  readonly payment: Payment
  readonly storeBalance: bigint
  readonly fee: bigint
  /** Null if the payment can't be refunded. */
  readonly waivedFee: bigint | null
  /** Null if this role can refund the payment now. */
  readonly reason: CapRefusal | Exclude<RefundRefusal, 'payment_unknown'> | null
}

/** Decides like a refund, at this moment and without locks. Null for an unknown payment. */
export async function previewRefund(
  database: Database,
  outbox: Outbox,
  { key, store, role }: { key: PaymentKey; store: Store; role: Role },
): Promise<RefundPreview | null> {
  const [[found], [balances]] = await Promise.all([
    readPayments(database, outbox, [key]),
    findStoreBalances(database, [key]),
  ])
  const payment = found?.payment ?? null
  const storeBalance = balances!.balance
  const { refundFeeMinor: feeMinor } = store
  const decision = decideRefund(payment, { storeBalance, feeMinor })
  const refusal = decision.kind === 'refuse' ? decision.reason : null
  if (payment === null || refusal === 'payment_unknown') return null
  return {
    payment,
    storeBalance,
    fee: payment.refundFee ?? refundFee(payment.gross, feeMinor),
    waivedFee: decision.kind === 'refund' ? decision.waivedFee : null,
    reason: capRefusal(role, store, payment.gross) ?? refusal,
  }
}
