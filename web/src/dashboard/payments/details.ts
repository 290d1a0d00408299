import type { Status } from '../../kit/StatusBadge.tsx'
import type { Payment } from '../../kit/store/payment.ts'

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
