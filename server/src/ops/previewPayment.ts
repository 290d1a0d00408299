import type { WalletNumber } from '../core/ids.ts'
import { decidePay, isAboveLimit, type Payment, type PayRefusal } from '../core/payment.ts'
import { type PinLimits, pinLimitOf } from '../core/pinLimits.ts'
import type { Store } from '../core/store.ts'
import type { Database } from '../database/database.ts'
import { findWalletBalances } from '../sql/ledger.ts'
import { readDatabaseTime } from '../sql/locks.ts'
import { findPaymentsByQr, type QrKey } from '../sql/payments.ts'
import { findWallets, isLockedByOperator } from '../sql/wallets.ts'
import type { Outbox } from './events.ts'
import { DUE, expirePayments } from './expirePayments.ts'

type PreviewRequest = {
  readonly walletId: WalletNumber
  readonly key: QrKey
  readonly store: Store
  /** The operator's limits. */
  readonly pinLimits: PinLimits
}

export type PaymentPreview = {
  readonly payment: Payment
  /** The balance of the wallet in the currency of the payment. */
  readonly balance: bigint
  readonly at: Date
  /** Whether paying without a donation needs the PIN. */
  readonly isPinNeeded: boolean
  /** Null if the wallet can pay the payment now. */
  readonly reason: ReturnType<typeof refusalOf> | 'paid_already' | 'insufficient_balance' | null
}

/** Decides as if the wallet paid now, but ignores earlier failures and PIN limits. Null for an unknown code. */
export async function previewPayment(
  database: Database,
  outbox: Outbox,
  request: PreviewRequest,
): Promise<PaymentPreview | null> {
  let found = await read(database, request)
  if (found.payment?.isOverdue) {
    await expirePayments(database, outbox, [{ ...found.payment, ...DUE }])
    found = await read(database, request)
  }
  const { wallet, payment, balances, at } = found
  if (!payment) return null
  const balance = balances.find((row) => row.currency === payment.currency)?.balance ?? 0n
  const decision = decidePay({
    payment,
    walletId: request.walletId,
    isWalletLocked: isLockedByOperator(wallet!),
    isStoreSuspended: request.store.suspended,
    balance,
    recentFailures: 0,
    donation: undefined,
    pinLimit: null,
    at,
  })
  const { pinLimits: own } = wallet!
  const limit = pinLimitOf({ own, service: request.pinLimits }, payment.currency)
  const preview = { payment, balance, at, isPinNeeded: isAboveLimit(payment.gross, limit) }
  switch (decision.kind) {
    case 'pay':
      return { ...preview, reason: null }
    case 'fail':
      return { ...preview, reason: 'insufficient_balance' }
    case 'paid_already':
      return { ...preview, reason: 'paid_already' }
    case 'refuse':
      return { ...preview, reason: refusalOf(decision.reason) }
  }
}

/**
 * Throws for refusals that a preview can't have: its payment is known, it has no donation or PIN limit, and it ignores
 * earlier failures.
 */
function refusalOf(reason: PayRefusal) {
  switch (reason) {
    case 'payment_unknown':
    case 'donation_malformed':
    case 'donation_not_covered':
    case 'pin_needed':
    case 'too_many_failures':
      throw new Error(`A preview must not be refused with ${reason}`)
    default:
      return reason
  }
}

/** Reads everything in one pipelined transaction: one round trip for the statements and one for the commit. */
function read(database: Database, { walletId, key }: PreviewRequest) {
  return database.transaction(async (tx) => {
    const [[wallet], balances, [payment], at] = await Promise.all([
      findWallets(tx, [walletId]),
      findWalletBalances(tx, [walletId]),
      findPaymentsByQr(tx, [key]),
      readDatabaseTime(tx),
    ])
    return { wallet, balances, payment, at }
  })
}
