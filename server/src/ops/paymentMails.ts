import type { NewMail } from '../core/mail.ts'
import type { Payment, PaymentKey } from '../core/payment.ts'
import type { Database, Tx } from '../database/database.ts'
import { listAuditEntries } from '../sql/auditLog.ts'
import { lock } from '../sql/locks.ts'
import { countMailsOfStore } from '../sql/mailCounts.ts'
import { findPayments } from '../sql/payments.ts'
import { type Actor, notDone } from './auditLog.ts'
import { inStoreTransaction } from './lockQueue.ts'
import type { MailQueue } from './mail.ts'

// Limits on what a stolen session can send to strangers.
const MAX_PER_PAYMENT = 3
const MAX_PER_DAY = 100
const MAX_OF_STORE_PER_DAY = 1_000
const DAY_MS = 24 * 60 * 60 * 1000

/** An email about a payment that a person of the store sends to a customer. */
type PaymentMail<Refusal extends string> = {
  readonly key: PaymentKey
  readonly action: string
  readonly refusals: {
    readonly testPayment: Refusal
    readonly maxPerPayment: Refusal
    readonly maxPerDay: Refusal
  }
  /** Null if the payment allows the email. */
  readonly refusalOf: (payment: Payment, at: Date) => Refusal | null
  readonly mailOf: (payment: Payment) => NewMail
}

type Outcome<Refusal extends string> =
  | 'sent'
  | 'payment_unknown'
  | 'mail_not_set_up'
  | 'too_many_mails_of_store'
  | Refusal

/** Sends an email about a payment, within the limits. The audit log does not store the address. */
export async function sendPaymentMail<Refusal extends string>(
  database: Database,
  mail: MailQueue,
  actor: Actor,
  { key, action, refusals, refusalOf, mailOf }: PaymentMail<Refusal>,
): Promise<Outcome<Refusal>> {
  const subject = `payment:${key.paymentId}`
  const { storeId } = key
  return inStoreTransaction<Outcome<Refusal>>(database, { storeId, actor }, async (tx) => {
    const refuse = (result: Outcome<Refusal>) => notDone(result)
    const at = await lock(tx, { stores: [storeId] })
    const [payment] = await findPayments(tx, [key])
    if (payment === undefined) return refuse('payment_unknown')
    if (!mail.isEnabled) return refuse('mail_not_set_up')
    // A test must not send emails to strangers.
    if (key.mode === 'sandbox') return refuse(refusals.testPayment)
    const refusal = refusalOf(payment, at)
    if (refusal !== null) return refuse(refusal)
    if (await isPaymentLimitReached(tx, action, subject)) return refuse(refusals.maxPerPayment)
    const dayAgo = new Date(at.getTime() - DAY_MS)
    if (await isDailyLimitReached(tx, action, actor, dayAgo)) return refuse(refusals.maxPerDay)
    const sent = await countMailsOfStore(tx, storeId, dayAgo)
    if (sent >= MAX_OF_STORE_PER_DAY) return refuse('too_many_mails_of_store')
    await mail.add(tx, [{ ...mailOf(payment), senderStoreId: storeId }], at)
    return { result: 'sent', entry: { action, subject, before: null, after: null } }
  })
}

/** Whether an email about a payment was already sent the maximum number of times. */
async function isPaymentLimitReached(tx: Tx, action: string, subject: string): Promise<boolean> {
  const entries = await listAuditEntries(tx, { action, subject, limit: MAX_PER_PAYMENT })
  return entries.length === MAX_PER_PAYMENT
}

/** Whether a person already sent the maximum number of these emails since a time. */
async function isDailyLimitReached(
  tx: Tx,
  action: string,
  actor: Actor,
  from: Date,
): Promise<boolean> {
  const filter = { actor: actor.name, action, from, limit: MAX_PER_DAY }
  return (await listAuditEntries(tx, filter)).length === MAX_PER_DAY
}
