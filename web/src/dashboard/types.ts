import type { Scope } from '@florin/server/core/credentials.js'
import type { Role } from '@florin/server/core/person.js'
import type { ApiKey } from '../kit/console/ApiKeys.tsx'
import type { Status } from '../kit/display.tsx'
import type { Payment, StoreSettings } from '../kit/store/types.ts'

// The API's responses, as far as the dashboard uses them. Amounts are decimal strings.

type Total = { readonly count: number; readonly amount: string }

export type Outcomes = {
  readonly sales: Total
  readonly refunds: Total
  readonly failed: number
  readonly expired: number
  readonly success_rate: number | null
}

export type Limit = {
  readonly used: string
  readonly limit: string | null
  readonly left: string | null
}

export type Overview = {
  readonly day: string
  readonly currency: string
  readonly today: Outcomes
  readonly yesterday: Outcomes
  readonly balance: string
  readonly limits: { readonly daily: Limit; readonly monthly: Limit }
  readonly webhooks: {
    readonly failing: number
    readonly exhausted: number
    readonly last_error: string | null
  }
}

export type SeriesPoint = Outcomes & { readonly from: string }

export type Series = {
  readonly currency: string
  readonly step: 'hour' | 'day'
  readonly points: readonly SeriesPoint[]
  readonly is_complete: boolean
}

export type StatementLine = {
  readonly at: string
  readonly kind: 'payment' | 'fee' | 'refund' | 'refund_fee' | 'funding' | 'payout'
  readonly reference: string
  readonly amount: string
  readonly balance: string
  readonly note: string | null
}

export type StatementPage = {
  readonly currency: string
  readonly time_zone: string
  readonly balance: string
  readonly lines: readonly StatementLine[]
  readonly next_cursor: string | null
}

export type DailyClose = {
  readonly day: string
  readonly starts_at: string
  readonly ends_at: string
  readonly is_over: boolean
  readonly opening: string
  readonly sales: Total
  readonly fees: Total
  readonly refunds: Total
  readonly refund_fees: Total
  readonly funding: Total
  readonly payouts: Total
  readonly closing: string
}

export type DailyCloses = {
  readonly currency: string
  readonly time_zone: string
  readonly closes: readonly DailyClose[]
  readonly next_to: string | null
}

export type Settings = StoreSettings & { readonly own_logo: boolean }

export type Member = {
  readonly person_id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly disabled_at: string | null
}

/** A generated password is in the response that creates it, and nowhere else. */
export type NewMember = Member & { readonly password?: string }

export type StoreKey = ApiKey & {
  readonly scopes: readonly Scope[]
  readonly last_used_at: string | null
}

export type IssuedKey = StoreKey & { readonly api_secret: string }

/** The response to "Create a payment". */
export type CreatedPayment = { readonly payment_id: string; readonly qr_code: string }

type Person = { readonly name: string; readonly email: string; readonly phone: string }

export type PaymentDetails = Payment & {
  readonly donation_amount: string
  readonly client: (Person & { readonly phone_dial_code: string | null }) | null
  readonly user: (Person & { readonly wallet_id: string }) | null
  readonly webhook: { readonly url: string } | null
  readonly payload: unknown
  readonly request_amount: {
    readonly amount: string
    readonly currency: string
    readonly conversion_rate: string
  }
}

type LedgerAccount = 'payer' | 'store' | 'fees' | 'gifts'

export type LedgerLine = {
  readonly at: string
  readonly kind: 'payment' | 'fee' | 'donation' | 'refund' | 'refund_fee'
  readonly from: LedgerAccount
  readonly to: LedgerAccount
  readonly amount: string
  readonly currency: string
}

export type Attempt = {
  readonly at: string
  readonly duration_ms: number
  readonly status_code: number | null
  readonly error: string | null
  readonly body: string | null
}

export type FinalStatus = Exclude<Status, 'pending'>

export type WebhookEvent = {
  readonly id: string
  readonly type: `payment.${FinalStatus}`
  readonly created_at: string
  readonly url: string | null
  readonly state: 'not_wanted' | 'waiting' | 'delivered' | 'exhausted'
  readonly next_attempt_at: string | null
  readonly attempts: readonly Attempt[]
}

export type LoggedEvent = {
  readonly id: string
  readonly type: `payment.${FinalStatus}`
  readonly payment_id: string
  readonly url: string | null
  readonly state: 'delivered' | 'waiting' | 'failing' | 'exhausted' | 'not_wanted'
  readonly created_at: string
  readonly attempts: number
  readonly last_attempt: {
    readonly at: string
    readonly status_code: number | null
    readonly error: string | null
  } | null
}

export type WebhookSecretData = {
  readonly webhook_secret: string
  readonly previous_secret_until: string | null
}
