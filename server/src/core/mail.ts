import type { Locale } from '@florin/shared/locales.js'
import type { MoveKind } from './approval.ts'
import type { StoreId } from './ids.ts'

/** A change of an account that its owner is notified of. */
export type AccountChange =
  | 'password'
  | 'passkey_added'
  | 'passkey_removed'
  | 'totp_added'
  | 'totp_removed'
  | 'recovery_codes'
  /** The PIN of a wallet. */
  | 'pin'

/** The content of each email. Amounts are formatted with their currency, times are in the wire format. */
export type MailContent =
  | { template: 'test' }
  | { template: 'invitation'; name: string; invitedBy: string; store: string | null; url: string }
  | { template: 'password_reset'; name: string; url: string }
  | { template: 'wallet_activation'; name: string; code: string; url: string }
  | { template: 'wallet_signup'; name: string; code: string; url: string }
  | { template: 'new_device'; name: string; device: string; address: string; at: string }
  | {
      template: 'account_changed'
      name: string
      change: AccountChange
      device: string
      address: string
      at: string
    }
  | {
      template: 'new_credential'
      name: string
      kind: 'api_key' | 'token'
      label: string
      by: string
      at: string
    }
  | { template: 'payout'; name: string; store: string; amount: string; note: string; at: string }
  | {
      template: 'approval_needed'
      name: string
      kind: MoveKind
      subject: string
      amount: string
      by: string
      url: string
    }
  | {
      template: 'receipt' | 'refund'
      name: string
      store: string
      /** What the payer paid in total, or got back. */
      amount: string
      /** The payment without the donation. */
      gross: string
      /** Null without a donation, and for a refund: donations are not refunded. */
      donation: string | null
      /** Null without a refund fee. */
      refundFee: string | null
      reference: string | null
      paymentId: string
      at: string
      /** The payment was made in the sandbox, so no money moved. */
      isTest: boolean
    }
  | {
      template: 'daily_close'
      name: string
      store: string
      day: string
      payments: number
      gross: string
      refunds: string
      fees: string
      net: string
      url: string
    }
  | {
      template: 'payment_request'
      store: string
      paymentId: string
      amount: string
      note: string | null
      reference: string | null
      expiresAt: string
      url: string
    }

export type Template = MailContent['template']

const HOUR_MS = 3_600_000

/** Somebody waits for these emails. */
const AWAITED: readonly Template[] = [
  'test',
  'password_reset',
  'wallet_activation',
  'wallet_signup',
  'approval_needed',
]
const SECURITY_NOTICES: readonly Template[] = ['new_device', 'account_changed', 'new_credential']

/**
 * How much earlier the first attempt of an email is due, also after an operator resends it. Emails are sent in the order of this
 * time: awaited ones first, then security notices, which the owner of one account can cause in any number, then others, such as
 * receipts, invitations and reports. An email that has waited longer than the difference is sent first, so none waits forever.
 * Later attempts are due without it, because they must wait.
 */
export function leadMsOf(template: Template): number {
  if (AWAITED.includes(template)) return 24 * HOUR_MS
  return SECURITY_NOTICES.includes(template) ? 12 * HOUR_MS : 0
}

export type NewMail = {
  readonly to: string
  readonly locale: Locale
  readonly content: MailContent
  /**
   * The maximum number of emails of this template to this address within an hour. For emails that a stolen session could send
   * to strangers. A person of a store can add strangers as people, or set a stranger's address as the store's. An operator can
   * create wallets for strangers.
   */
  readonly maxPerHour?: number | undefined
  /** The store whose person sends the email to a customer. */
  readonly senderStoreId?: StoreId
  /** The store whose client gets the email. Limited by `MAX_CLIENT_MAILS_PER_DAY`; the caller must hold the lock of the store. */
  readonly clientStoreId?: StoreId
}

/**
 * Whether an email can be sent to exactly this address. Stricter than the addresses that accounts accept: quotes,
 * commas, brackets and comments could name several recipients, or break the header.
 */
export function isMailAddress(text: string): boolean {
  return (
    text.length <= 254 &&
    /^[^\s\p{C}"(),:;<>@[\\\]]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(text)
  )
}

/**
 * For emails to a person of a store about their account or new API keys, and for activation codes that operators other than
 * admins send.
 */
export const MAX_ACCOUNT_MAILS_PER_HOUR = 10
/** For receipts of test payments. */
export const MAX_TEST_MAILS_PER_HOUR = 20
/**
 * For emails of each template from a store to an address as the client of its payments. A store could otherwise enter the address
 * of a stranger as the client, pay its own payments, and so send any number of receipts.
 */
export const MAX_CLIENT_MAILS_PER_DAY = 100

const MINUTE_MS = 60_000
const RETRY_DELAYS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
]

/** No attempt is scheduled later than this after the one before it. */
export const MAX_MAIL_RETRY_DELAY_MS = Math.max(...RETRY_DELAYS_MS)

/** The delay before the next attempt after this many failed ones; null if there is none. */
export const retryDelayMs = (attempts: number): number | null =>
  RETRY_DELAYS_MS[attempts - 1] ?? null

/** How long sent emails are listed, and failed ones can be resent, unless the retention period is shorter. */
export const KEEP_MAILS_MS = 30 * 24 * HOUR_MS
