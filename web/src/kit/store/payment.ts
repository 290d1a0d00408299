import type { CurrencyCode } from '@florin/server/core/currencies.js'
import { formatMinor, parseDecimal } from '@florin/server/core/money.js'
import type { Status } from '../display.tsx'

export type Mode = 'live' | 'sandbox'

/** What the till uses of a payment's details. */
export type Payment = {
  readonly payment_id: string
  readonly qr_code: string
  /** Net: what the store receives. */
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

/** What a refund came to. */
export type Refund = { readonly refund_amount: string; readonly refund_fee: string }

type Sum = { readonly count: number; readonly amount: string }
export type Today = {
  readonly day: string
  readonly time_zone: string
  readonly currency: string
  readonly sales: Sum
  readonly refunds: Sum
}

/** What the payer pays; the details have it only in two parts. */
export function grossOf({ amount, transaction_fee, currency }: Payment): string {
  const code = currency as CurrencyCode
  const minor = (text: string) => parseDecimal(text, code) as bigint
  return formatMinor(minor(amount) + minor(transaction_fee), code)
}

/** In groups of four, as people read numbers to each other. */
export const inGroups = (code: string) => code.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
