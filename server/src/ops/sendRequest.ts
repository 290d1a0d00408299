import { wireTime } from '../core/calendar.ts'
import type { NewMail } from '../core/mail.ts'
import type { Payment, PaymentKey } from '../core/payment.ts'
import type { Store } from '../core/store.ts'
import type { Database } from '../database/database.ts'
import { lock } from '../sql/locks.ts'
import { findPayments } from '../sql/payments.ts'
import { type Actor, type AuditedResult, inAuditedTransaction } from './auditLog.ts'
import { amountText } from './businessMails.ts'
import type { MailQueue } from './mail.ts'
import { isDailyLimitReached, isMailLimitReached } from './paymentMails.ts'

const ACTION = 'payment.request'

type Outcome =
  | 'sent'
  | 'payment_unknown'
  | 'mail_not_set_up'
  | 'request_not_pending'
  | 'request_of_test'
  | 'too_many_requests_sent'
  | 'too_many_requests_today'

const refused = (result: Outcome): AuditedResult<Outcome> => ({ result, entry: null })

type Request = {
  readonly key: PaymentKey
  readonly store: Store
  readonly to: string
  /** The page on which the customer pays. */
  readonly url: string
}

/** Asks a customer by email to pay a pending payment. The audit log does not store the address. */
export async function sendRequest(
  database: Database,
  mail: MailQueue,
  actor: Actor,
  { key, store, to, url }: Request,
): Promise<Outcome> {
  return inAuditedTransaction(database, actor, async (tx) => {
    const at = await lock(tx, { stores: [key.storeId] })
    const [payment] = await findPayments(tx, [key])
    if (payment === undefined) return refused('payment_unknown')
    if (!mail.isEnabled) return refused('mail_not_set_up')
    // A test must not send emails to strangers.
    if (key.mode === 'sandbox') return refused('request_of_test')
    if (payment.status !== 'pending' || payment.expiresAt <= at) {
      return refused('request_not_pending')
    }
    const subject = `payment:${key.paymentId}`
    if (await isMailLimitReached(tx, ACTION, subject)) return refused('too_many_requests_sent')
    if (await isDailyLimitReached(tx, ACTION, { actor, at })) {
      return refused('too_many_requests_today')
    }
    await mail.add(tx, [requestMail(payment, store, { to, url })], at)
    return { result: 'sent', entry: { action: ACTION, subject, before: null, after: null } }
  })
}

function requestMail(
  payment: Payment,
  store: Store,
  { to, url }: Pick<Request, 'to' | 'url'>,
): NewMail {
  const locale = store.locale ?? 'en'
  return {
    to,
    locale,
    content: {
      template: 'payment_request',
      store: store.name,
      paymentId: payment.paymentId,
      amount: amountText(payment.gross, payment.currency, locale),
      note: payment.referenceNote,
      reference: payment.referenceId,
      expiresAt: wireTime(payment.expiresAt),
      url,
    },
  }
}
