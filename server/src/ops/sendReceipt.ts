import type { PaymentKey } from '../core/payment.ts'
import type { Store } from '../core/store.ts'
import type { Database, Tx } from '../database/database.ts'
import { listAuditEntries } from '../sql/auditLog.ts'
import { lock } from '../sql/locks.ts'
import { findPayments } from '../sql/payments.ts'
import { type Actor, type AuditedResult, inAuditedTransaction } from './auditLog.ts'
import { receiptMail } from './businessMails.ts'
import type { MailQueue } from './mail.ts'

const ACTION = 'payment.receipt'

/** Limits what a stolen session can send to strangers. */
const MAX_MAILS = 3

/** Whether an email about a payment was already sent the maximum number of times. */
export async function isMailLimitReached(
  tx: Tx,
  action: string,
  subject: string,
): Promise<boolean> {
  const entries = await listAuditEntries(tx, {
    actor: null,
    action,
    subject,
    from: null,
    to: null,
    before: null,
    limit: MAX_MAILS,
  })
  return entries.length === MAX_MAILS
}

type Outcome =
  | 'sent'
  | 'payment_unknown'
  | 'mail_not_set_up'
  | 'receipt_unpaid'
  | 'too_many_receipts'

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
    if (payment.status !== 'completed' && payment.status !== 'refunded') {
      return refused('receipt_unpaid')
    }
    const subject = `payment:${key.paymentId}`
    if (await isMailLimitReached(tx, ACTION, subject)) return refused('too_many_receipts')
    await mail.add(tx, [receiptMail({ payment, store }, { email: to, name: '', locale: null })], at)
    return { result: 'sent', entry: { action: ACTION, subject, before: null, after: null } }
  })
}
