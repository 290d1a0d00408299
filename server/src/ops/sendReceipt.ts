import type { PaymentKey } from '../core/payment.ts'
import type { Store } from '../core/store.ts'
import type { Database } from '../database/database.ts'
import type { Actor } from './auditLog.ts'
import { receiptMail } from './businessMails.ts'
import type { MailQueue } from './mail.ts'
import { sendPaymentMail } from './paymentMails.ts'

/** Emails the receipt of a payment to an address that the customer gives. */
export async function sendReceipt(
  database: Database,
  mail: MailQueue,
  actor: Actor,
  { key, store, to }: { key: PaymentKey; store: Store; to: string },
) {
  return sendPaymentMail(database, mail, actor, {
    key,
    action: 'payment.receipt',
    refusals: {
      testPayment: 'receipt_of_test',
      maxPerPayment: 'too_many_receipts',
      maxPerDay: 'too_many_receipts_today',
    },
    refusalOf: ({ status }) =>
      status === 'completed' || status === 'refunded' ? null : 'receipt_unpaid',
    mailOf: (payment) => receiptMail({ payment, store }, { email: to, name: '', locale: null }),
  })
}
