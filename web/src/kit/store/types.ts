import type { Role } from '@florin/server/core/person.js'
import type { Status } from '../display.tsx'

// The API's responses to a store's staff. Amounts are decimal strings.

export type Mode = 'live' | 'sandbox'

/** The details of a payment, as far as the till uses them. */
export type Payment = {
  readonly payment_id: string
  readonly qr_code: string
  /** The net amount: gross minus the fee. */
  readonly amount: string
  readonly transaction_fee: string
  readonly currency: string
  readonly status: Status
  readonly created_at: string
  readonly expires_at: string
  readonly is_sandbox_transaction: boolean
  readonly user: { readonly name: string } | null
  readonly reference: { readonly id: string | null; readonly note: string | null }
  readonly request_amount: { readonly amount: string; readonly currency: string }
  readonly products: readonly {
    readonly name: string
    readonly quantity: number
    readonly price: string
  }[]
  readonly refund: {
    readonly refund_amount: string
    readonly refund_fee: string
    readonly refunded_at: string
  } | null
}

export type RefundPreview = {
  readonly currency: string
  readonly gross: string
  readonly refund_fee: string
  readonly refund_amount: string
  readonly store_balance: string
  readonly refund_fee_waived: string | null
  readonly store_debit: string | null
  readonly store_balance_after: string | null
  readonly can_refund: boolean
  readonly reason:
    | 'role_not_allowed'
    | 'above_refund_cap'
    | 'already_refunded'
    | 'not_completed'
    | 'insufficient_store_balance'
    | null
}

/** A completed refund. */
export type Refund = { readonly refund_amount: string; readonly refund_fee: string }

type Total = { readonly count: number; readonly amount: string }
export type Today = {
  readonly day: string
  readonly time_zone: string
  readonly currency: string
  readonly sales: Total
  readonly refunds: Total
}

/** The signed-in person, the store, and the permissions of the role. */
export type StoreAccount = {
  readonly person: { readonly name: string; readonly email: string; readonly role: Role }
  readonly session: { readonly session_id: string }
  readonly may: readonly string[]
  readonly refund_cap: string | null
  readonly store: {
    readonly id: number
    readonly name: string
    readonly email: string
    readonly phone: string
    readonly domain: string
    readonly currency: string
    readonly time_zone: string
    readonly suspended: boolean
  }
}

/** A store's profile and settings, for its owner and for operators. */
export type StoreSettings = {
  readonly name: string
  readonly logo: string
  readonly domain: string
  readonly email: string
  readonly phone: string
  readonly currency: string
  readonly time_zone: string
  readonly fee_bps: number
  readonly fee_fixed: string
  readonly refund_fee: string
  readonly min_amount: string | null
  readonly max_amount: string | null
  readonly daily_limit: string | null
  readonly monthly_limit: string | null
  readonly expires_after_seconds: number
  readonly unique_references: boolean
  readonly refund_cap_manager: string | null
  readonly refund_cap_cashier: string | null
  readonly embed_origins: readonly string[]
}
