import type { Role } from '@florin/server/core/person.js'
import type { Status } from '../kit/display.tsx'
import type { Payment } from '../kit/store/payment.ts'
import type { StoreSettings } from '../kit/store/storeSettings.ts'

/** As the API answers; amounts are decimal text. */
export type Line = {
  readonly at: string
  readonly kind: 'payment' | 'fee' | 'refund' | 'refund_fee' | 'funding' | 'payout'
  readonly reference: string
  readonly amount: string
  readonly balance: string
  readonly note: string | null
}

export type StatementData = {
  readonly currency: string
  readonly time_zone: string
  readonly balance: string
  readonly lines: readonly Line[]
  readonly next_cursor: string | null
}

type Sum = { readonly count: number; readonly amount: string }

export type Close = {
  readonly day: string
  readonly starts_at: string
  readonly ends_at: string
  readonly is_over: boolean
  readonly opening: string
  readonly sales: Sum
  readonly fees: Sum
  readonly refunds: Sum
  readonly refund_fees: Sum
  readonly funding: Sum
  readonly payouts: Sum
  readonly closing: string
}

export type ClosesData = {
  readonly currency: string
  readonly time_zone: string
  readonly closes: readonly Close[]
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

/** A password that was made up is told this once. */
export type WithPassword = Member & { readonly password?: string }

/** What a shop's server gets for asking. */
export type Tried = { readonly payment_id: string; readonly qr_code: string }

type Person = { readonly name: string; readonly email: string; readonly phone: string }

/** Everything that the API tells of a payment. */
export type Details = Payment & {
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

/** Who paid, or who was asked to. */
export const payerOf = ({ user, client }: Details): string | undefined => user?.name ?? client?.name

export type LedgerLine = {
  readonly at: string
  readonly kind: 'payment' | 'fee' | 'donation' | 'refund' | 'refund_fee'
  readonly from: Account
  readonly to: Account
  readonly amount: string
  readonly currency: string
}
export type Account = 'payer' | 'store' | 'fees' | 'gifts'

export type Attempt = {
  readonly at: string
  readonly duration_ms: number
  readonly status_code: number | null
  readonly error: string | null
  readonly body: string | null
}

export type Outcome = Exclude<Status, 'pending'>

export type WebhookEvent = {
  readonly id: string
  readonly type: `payment.${Outcome}`
  readonly created_at: string
  readonly url: string | null
  readonly state: 'not_wanted' | 'waiting' | 'delivered' | 'exhausted'
  readonly next_attempt_at: string | null
  readonly attempts: readonly Attempt[]
}
