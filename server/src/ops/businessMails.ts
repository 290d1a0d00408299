import type { Locale } from '@florin/shared/locales.js'
import { moneyText } from '@florin/shared/money.js'
import { wireTime } from '../core/calendar.ts'
import { type CurrencyCode, decimalsOf } from '../core/currencies.ts'
import { MAX_TEST_MAILS_PER_HOUR, type NewMail } from '../core/mail.ts'
import { formatMinor } from '../core/money.ts'
import type { Payment } from '../core/payment.ts'
import type { Store } from '../core/store.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { listPeople } from '../sql/people.ts'
import type { Wallet } from '../sql/wallets.ts'
import type { MailQueue } from './mail.ts'

/** An amount with its currency, as an email in this language shows it. */
export const amountText = (minor: bigint, currency: CurrencyCode, locale: Locale): string =>
  moneyText(formatMinor(minor, currency), { currency, decimals: decimalsOf(currency), locale })

/** A payment after a change, with the data for its event and its receipts. */
export type PaymentChange = {
  readonly payment: Payment
  readonly payer: Wallet | null
  readonly store: Store
}

/** The receipts of payments that were paid or refunded: to the client and to the payer, if they get receipts. */
export function receiptMails(changes: readonly PaymentChange[]): NewMail[] {
  return changes.flatMap((change) => {
    const { payment, payer } = change
    if (payment.status !== 'completed' && payment.status !== 'refunded') return []
    const recipients = [...clientRecipients(change), ...(payer?.mailReceipts ? [payer] : [])]
    // One email is enough if the client is the payer.
    const byAddress = new Map(recipients.map((to) => [to.email.toLowerCase(), to]))
    return [...byAddress.values()].map((to) =>
      to === payer ? receiptMail(change, to) : clientMail(change, to),
    )
  })
}

type Recipient = { readonly email: string; readonly name: string; readonly locale: Locale | null }

/** Limited for each store and address, because the client may be a stranger. */
function clientMail(change: PaymentChange, to: Recipient): NewMail {
  const mail = receiptMail(change, to)
  const { mode, storeId } = change.payment
  return mode === 'live' ? { ...mail, clientStoreId: storeId } : mail
}

/** The store gets the receipts of test payments itself, because a test must not send emails to strangers. */
function clientRecipients({ payment: { client, mode }, store }: PaymentChange) {
  if (!store.mailReceipts || client === null) return []
  const email = mode === 'sandbox' ? store.email : client.email
  return email === '' ? [] : [{ email, name: client.name, locale: store.locale }]
}

/** The receipt of a paid payment, or of its refund. */
export function receiptMail(
  { payment, store }: Pick<PaymentChange, 'payment' | 'store'>,
  to: Recipient,
): NewMail {
  const { currency, gross, donation, refundFee } = payment
  const isRefund = payment.status === 'refunded'
  const amount = isRefund ? gross - (refundFee ?? 0n) : gross + donation
  const locale = to.locale ?? store.locale ?? 'en'
  const text = (minor: bigint) => amountText(minor, currency, locale)
  return {
    to: to.email,
    locale,
    content: {
      template: isRefund ? 'refund' : 'receipt',
      name: to.name,
      store: store.name,
      amount: text(amount),
      gross: text(gross),
      donation: donation > 0n && !isRefund ? text(donation) : null,
      refundFee: refundFee ? text(refundFee) : null,
      reference: payment.referenceId,
      paymentId: payment.paymentId,
      at: wireTime((isRefund ? payment.refundedAt : payment.settledAt)!),
      isTest: payment.mode === 'sandbox',
    },
    maxPerHour: payment.mode === 'sandbox' ? MAX_TEST_MAILS_PER_HOUR : undefined,
  }
}

/** The owners of a store who are not disabled. */
export async function findOwners(on: Queryable, store: Store) {
  const people = await listPeople(on, store.storeId)
  return people
    .filter(({ role, disabledAt }) => role === 'owner' && disabledAt === null)
    .map(({ email, name, locale }) => ({ email, name, locale: locale ?? store.locale ?? 'en' }))
}

/** Emails the owners about a payout, in its transaction. */
export async function addPayoutMails(
  tx: Tx,
  mail: MailQueue,
  { store, amount, note }: { store: Store; amount: bigint; note: string | null },
  at: Date,
): Promise<void> {
  if (!mail.isEnabled) return
  const owners = await findOwners(tx, store)
  const mails = owners.map(({ email, name, locale }) => ({
    to: email,
    locale,
    content: {
      template: 'payout' as const,
      name,
      store: store.name,
      amount: amountText(amount, store.currency, locale),
      note: note ?? '',
      at: wireTime(at),
    },
  }))
  await mail.add(tx, mails, at)
}
