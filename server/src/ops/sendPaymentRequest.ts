import { wireTime } from '../core/calendar.ts'
import type { NewMail } from '../core/mail.ts'
import type { Payment, PaymentKey } from '../core/payment.ts'
import type { Store } from '../core/store.ts'
import type { Database } from '../database/database.ts'
import type { Actor } from './auditLog.ts'
import { amountText } from './businessMails.ts'
import type { MailQueue } from './mail.ts'
import { sendPaymentMail } from './paymentMails.ts'

type Request = {
  readonly key: PaymentKey
  readonly store: Store
  readonly to: string
  /** The page on which the customer pays. */
  readonly url: string
}

/** Asks a customer by email to pay a pending payment. */
export async function sendPaymentRequest(
  database: Database,
  mail: MailQueue,
  actor: Actor,
  { key, store, to, url }: Request,
) {
  return sendPaymentMail(database, mail, actor, {
    key,
    action: 'payment.request',
    refusals: {
      testPayment: 'request_of_test',
      maxPerPayment: 'too_many_requests_sent',
      maxPerDay: 'too_many_requests_today',
    },
    refusalOf: ({ status, expiresAt }, at) =>
      status === 'pending' && expiresAt > at ? null : 'request_not_pending',
    mailOf: (payment) => requestMail(payment, store, { to, url }),
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
