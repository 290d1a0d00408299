import { type Amount, amountText, decimalText, invalid } from './amounts.ts'
import type { PaymentStatus } from './answers.ts'

// Request types. A test compares them with /openapi.json.

export type Product = { readonly name: string; readonly quantity: number; readonly price: Amount }

export type CreateParams = {
  readonly amount: Amount
  /** ISO 4217. A currency other than the store's is converted at the operator's rate. */
  readonly currency: string
  readonly client?: {
    readonly name: string
    readonly email: string
    readonly phone: string
    readonly phone_dial_code?: string | null
  } | null
  readonly products?: readonly Product[] | null
  /** Your own data, at most 16 KiB as JSON. */
  readonly payload?: { readonly [key: string]: unknown } | null
  readonly reference_id?: string | null
  readonly reference_note?: string | null
  readonly webhook_url?: string | null
  readonly return_url?: string | null
  /** Seconds, 60 to 86400. */
  readonly expires_in?: number | null
  readonly locale?: 'en' | 'es' | 'fr' | 'ar' | 'zh' | null
}

/** A Date, or a time as in responses or ISO 8601. */
export type Time = string | Date

export type ListParams = {
  readonly status?: PaymentStatus
  readonly reference_id?: string
  /** Inclusive. */
  readonly created_from?: Time
  /** Exclusive. */
  readonly created_to?: Time
  /** Page size; maximum and default: 100. */
  readonly limit?: number
  /** `next_cursor` of the previous page. */
  readonly cursor?: string
}

export type EventListParams = {
  /** The time to order and filter by; `resent_at` returns only resent events. */
  readonly by?: 'created_at' | 'resent_at'
  readonly from?: Time
  readonly to?: Time
  readonly limit?: number
  readonly cursor?: string
}

export type QuoteParams = { readonly amount: Amount; readonly currency: string }

export type QrParams<Format extends 'svg' | 'png' = 'svg' | 'png'> = {
  readonly format?: Format
  /** Pixels, 64 to 2048. */
  readonly size?: number
}

export type TimeWindow = { readonly created_from: Time; readonly created_to: Time }

export type SandboxPayParams = {
  readonly outcome?: 'completed' | 'insufficient_balance' | 'error' | null
  /** A donation on top of the amount: a decimal string in the store's currency. */
  readonly donation_amount?: string | null
}

export function createBody(params: CreateParams): string {
  const { amount, currency, products } = params
  return objectText(params, {
    amount: amountText(amount, { field: 'amount', currency }),
    products: products && `[${products.map((one, at) => productText(one, at, currency)).join()}]`,
  })
}

export function sandboxPayBody(params: SandboxPayParams): string {
  const { donation_amount: donation } = params
  return objectText(params, {
    donation_amount: donation && decimalText(donation, 'donation_amount'),
  })
}

/** Ids are part of paths: an empty id or `..` would change the path. */
export function checkedId(paymentId: string): string {
  if (typeof paymentId === 'string' && /^\w+$/.test(paymentId)) return paymentId
  throw invalid('payment_id', 'must be the id of a payment')
}

function productText(product: Product, at: number, currency: string): string {
  const field = `products.${at}.price`
  return objectText(product, { price: amountText(product.price, { field, currency }) })
}

/** Serialises JSON with preformatted fields, because amounts must not pass through a float. */
function objectText(fields: object, written: Record<string, string | null | undefined>): string {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const text = written[name] ?? JSON.stringify(value)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${parts.join()}}`
}
