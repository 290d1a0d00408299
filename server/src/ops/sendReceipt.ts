import type { PaymentKey } from '../core/payment.ts'
import type { Store } from '../core/store.ts'
import type { Database } from '../database/database.ts'
import { lock } from '../sql/locks.ts'
import { findPayments } from '../sql/payments.ts'
import { type Actor, type AuditedResult, inAuditedTransaction } from './auditLog.ts'
import { receiptMail } from './businessMails.ts'
import type { MailQueue } from './mail.ts'
import { isDailyLimitReached, isMailLimitReached } from './paymentMails.ts'

const ACTION = 'payment.receipt'

type Outcome =
  | 'sent'
  | 'payment_unknown'
  | 'mail_not_set_up'
  | 'receipt_unpaid'
  | 'receipt_of_test'
  | 'too_many_receipts'
  | 'too_many_receipts_today'

const refused = (result: Outcome): AuditedResult<Outcome> => ({ result, entry: null })

/** Emails the receipt of a payment to an address that the customer gives. The audit log does not store the address. */
export async function sendReceipt(
  database: Database,
  mail: MailQueue,
  actor: Actor,
  { key, store, to }: { key: PaymentKey; store: Store; to: string },
): Promise<Outcome> {
  return inAuditedTransaction(database, actor, async (tx) => {
    const at = await lock(tx, { stores: [key.storeId] })
    const [payment] = await findPayments(tx, [key])
    if (payment === undefined) return refused('payment_unknown')
    if (!mail.isEnabled) return refused('mail_not_set_up')
    // A test must not send emails to strangers.
    if (key.mode === 'sandbox') return refused('receipt_of_test')
    if (payment.status !== 'completed' && payment.status !== 'refunded') {
      return refused('receipt_unpaid')
    }
    const subject = `payment:${key.paymentId}`
    if (await isMailLimitReached(tx, ACTION, subject)) return refused('too_many_receipts')
    if (await isDailyLimitReached(tx, ACTION, { actor, at })) {
      return refused('too_many_receipts_today')
    }
    await mail.add(tx, [receiptMail({ payment, store }, { email: to, name: '', locale: null })], at)
    return { result: 'sent', entry: { action: ACTION, subject, before: null, after: null } }
  })
}
