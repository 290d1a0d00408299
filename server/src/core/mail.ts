import type { Locale } from '@florin/shared/locales.js'

type Change =
  | 'password'
  | 'passkey_added'
  | 'passkey_removed'
  | 'totp_added'
  | 'totp_removed'
  | 'recovery_codes'

/** The content of each mail. Amounts are formatted with their currency, times are in the wire format. */
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
      change: Change
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
      action: string
      subject: string
      amount: string
      by: string
      url: string
    }
  | {
      template: 'receipt' | 'refund'
      name: string
      store: string
      amount: string
      reference: string | null
      paymentId: string
      at: string
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

export type NewMail = {
  readonly to: string
  readonly locale: Locale
  readonly content: MailContent
}
