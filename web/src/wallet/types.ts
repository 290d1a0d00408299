// The API's responses, as far as the wallet uses them. Amounts are decimal strings.

export type Me = {
  readonly wallet_id: string
  readonly mode: 'live' | 'sandbox'
  readonly name: string
  readonly balances: readonly { readonly currency: string; readonly balance: string }[]
}

export type Activity = {
  readonly at: string
  readonly kind: 'payment' | 'donation' | 'refund' | 'top_up' | 'withdrawal'
  readonly amount: string
  readonly currency: string
  readonly reference: string
  readonly store: string | null
  readonly note: string | null
}

export type Preview = {
  readonly payment_id: string
  readonly qr_code: string
  readonly status: 'pending' | 'completed' | 'failed' | 'expired' | 'refunded'
  readonly amount: string
  readonly currency: string
  readonly request_amount: { amount: string; currency: string; conversion_rate: string }
  readonly store: { readonly name: string }
  readonly reference_note: string | null
  readonly products: readonly { name: string; quantity: number; price: string }[]
  readonly seconds_left: number
  readonly balance: string
  readonly reason:
    | 'paid_already'
    | 'payment_expired'
    | 'payment_not_pending'
    | 'store_suspended'
    | 'wallet_locked'
    | 'insufficient_balance'
    | null
}

export type Receipt = {
  readonly payment_id: string
  readonly amount: string
  readonly donation_amount: string
  readonly total: string
  readonly currency: string
  readonly store: { readonly name: string }
  readonly paid_at: string
}
