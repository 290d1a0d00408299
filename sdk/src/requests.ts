// Generated from contract/ by: npx vitest run sdk/test/generated -u
import type { Amount } from './amounts.ts'
import type { PaymentStatus } from './responses.ts'

// Requests.

/** A Date, or a string: YYYY-MM-DD HH:MM:SS in UTC, as in responses, or ISO 8601. */
export type Time = string | Date

export type Product = {
  /** Name of the product. */
  readonly name: string
  /** Number of units. */
  readonly quantity: number
  /** Price of one unit, in `currency`. */
  readonly price: Amount
}

export type CreateParams = {
  /** Amount to charge. At most 12 integer digits, and as many decimals as the currency has. */
  readonly amount: Amount
  /**
   * ISO 4217 code. If it is not the store's currency, the amount is converted at the operator's
   * rate.
   */
  readonly currency: string
  /** The customer, for your own records. */
  readonly client?: {
    /** The customer's name. */
    readonly name: string
    /** The customer's email address. */
    readonly email: string
    /** The customer's phone number, stored as sent. */
    readonly phone: string
    /** Country calling code, 1 to 4 digits with or without `+`. */
    readonly phone_dial_code?: string | null
  } | null
  /** Products, shown to the payer. Their prices need not add up to `amount`. */
  readonly products?: readonly Product[] | null
  /** Custom data, at most 16 KiB of JSON. */
  readonly payload?: { readonly [key: string]: unknown } | null
  /** Your order id. You can filter lists by it. */
  readonly reference_id?: string | null
  /** A note that is shown to the payer. */
  readonly reference_note?: string | null
  /** URL that events of the payment are posted to; https, unless the operator also allows http. */
  readonly webhook_url?: string | null
  /**
   * URL that the checkout page links to afterwards, with `payment_id` and `status` added to the
   * query; http or https.
   */
  readonly return_url?: string | null
  /** Seconds until the payment expires. By default the store's setting, initially 900. */
  readonly expires_in?: number | null
  /** Language of the instructions. By default Accept-Language decides. */
  readonly locale?: 'en' | 'es' | 'fr' | 'ar' | 'zh' | null
}

export type ListParams = {
  /** Only payments with this status. An overdue payment is expired. */
  readonly status?: PaymentStatus
  /** Only payments with this `reference_id`. */
  readonly reference_id?: string
  /** Only payments made by this link. */
  readonly link_id?: string
  /** Start of the period, inclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601. */
  readonly created_from?: Time
  /** End of the period, exclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601. */
  readonly created_to?: Time
  /** Maximum number of items per page. */
  readonly limit?: number
  /** `next_cursor` of the previous page. */
  readonly cursor?: string
}

export type CreateLinkParams = {
  /** What you sell. Shown to payers. */
  readonly title: string
  /** Amount of each payment. By default the payer chooses. */
  readonly amount?: Amount | null
  /**
   * ISO 4217 code. The default is the store's currency. Payments in another currency are converted
   * at the operator's current rate.
   */
  readonly currency?: string | null
  /** Products, shown to the payer. Their prices need not add up to `amount`. */
  readonly products?: readonly Product[] | null
  /** A description. Shown to payers. */
  readonly description?: string | null
  /** Custom data, at most 16 KiB of JSON. */
  readonly payload?: { readonly [key: string]: unknown } | null
  /**
   * Your own id, for every payment of the link. If the store requires unique references, the link
   * can be paid at most once.
   */
  readonly reference_id?: string | null
  /** A note that is shown to the payer. */
  readonly reference_note?: string | null
  /** URL that events of the payment are posted to; https, unless the operator also allows http. */
  readonly webhook_url?: string | null
  /**
   * URL that the wallet links to after paying, with `payment_id` and `status` added to the query;
   * http or https.
   */
  readonly return_url?: string | null
  /** Language of the page. By default the browser of the payer decides. */
  readonly locale?: 'en' | 'es' | 'fr' | 'ar' | 'zh' | null
  /** How many times the link can be paid. By default there is no limit. */
  readonly max_payments?: number | null
  /**
   * Time after which the link can no longer be paid. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601.
   */
  readonly expires_at?: Time | null
}

export type UpdateLinkParams = {
  /** What you sell. Shown to payers. */
  readonly title?: string
  /** A description. Shown to payers. */
  readonly description?: string | null
  /** Custom data, at most 16 KiB of JSON. */
  readonly payload?: { readonly [key: string]: unknown } | null
  /**
   * Your own id, for every payment of the link. If the store requires unique references, the link
   * can be paid at most once.
   */
  readonly reference_id?: string | null
  /** A note that is shown to the payer. */
  readonly reference_note?: string | null
  /** URL that events of the payment are posted to; https, unless the operator also allows http. */
  readonly webhook_url?: string | null
  /**
   * URL that the wallet links to after paying, with `payment_id` and `status` added to the query;
   * http or https.
   */
  readonly return_url?: string | null
  /** Language of the page. By default the browser of the payer decides. */
  readonly locale?: 'en' | 'es' | 'fr' | 'ar' | 'zh' | null
  /** How many times the link can be paid. By default there is no limit. */
  readonly max_payments?: number | null
  /**
   * Time after which the link can no longer be paid. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601.
   */
  readonly expires_at?: Time | null
  /** False to pause the link, true to activate it again. */
  readonly active?: boolean
}

export type LinkListParams = {
  /** Only links that are not paused, or only paused ones. */
  readonly active?: boolean
  /** Maximum number of items per page. */
  readonly limit?: number
  /** `next_cursor` of the previous page. */
  readonly cursor?: string
}

export type EventListParams = {
  /**
   * The time that orders and filters events. `resent_at` returns only events that you asked to
   * resend.
   */
  readonly by?: 'created_at' | 'resent_at'
  /** Start of the period, inclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601. */
  readonly from?: Time
  /** End of the period, exclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601. */
  readonly to?: Time
  /** Maximum number of items per page. */
  readonly limit?: number
  /** `next_cursor` of the previous page. */
  readonly cursor?: string
}

export type QuoteParams = {
  /** A decimal number. */
  readonly amount: Amount
  /** ISO 4217 code in upper case. */
  readonly currency: string
}

export type QrQuery = {
  /** File format. */
  readonly format?: 'svg' | 'png'
  /** Width and height in pixels. */
  readonly size?: number
}

export type TimeWindow = {
  /** Start of the period, inclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601. */
  readonly created_from: Time
  /** End of the period, exclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601. */
  readonly created_to: Time
}

export type SandboxPayParams = {
  /** The outcome. By default `completed`. */
  readonly outcome?: 'completed' | 'insufficient_balance' | 'error' | null
  /** A donation by the payer. */
  readonly donation_amount?: string | null
}
