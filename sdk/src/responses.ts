// Generated from contract/ by: npx vitest run sdk/test/generated -u

// Responses. Amounts are decimal strings, times are UTC as `YYYY-MM-DD HH:MM:SS`; see `toDate`.

/** The status of the payment. */
export type PaymentStatus = 'pending' | 'completed' | 'failed' | 'refunded' | 'expired'

/** Live or sandbox. */
export type Mode = 'live' | 'sandbox'

/** What happened to the payment. */
export type EventType =
  | 'payment.completed'
  | 'payment.failed'
  | 'payment.expired'
  | 'payment.refunded'

/**
 * `active`: neither paused nor used up nor expired. `paused`: the store paused it. `used_up`: it
 * was paid `max_payments` times or more. `expired`: `expires_at` has passed.
 */
export type LinkState = 'active' | 'paused' | 'used_up' | 'expired'

/** The new payment. */
export type CreatedPayment = {
  /** The id of the payment: `pay_` and 26 characters. */
  payment_id: string
  /** The 27 digits of the payment code. Show them as a QR code or as text. */
  qr_code: string
  /** Instructions for the payer, a fragment of safe HTML. */
  instructions: string
}

/** The store as payers see it. */
export type StoreProfile = {
  /** Name of the store. */
  name: string
  /** URL of an image. */
  logo: string
  /** Website of the store, or empty. */
  domain: string
  /** Email address of the store, or empty. */
  email: string
  /** Phone number of the store, or empty. */
  phone: string
}

/** The requested amount, before conversion. */
export type RequestAmount = {
  /** The amount of the request. */
  amount: string
  /** The currency of the request. */
  currency: string
  /** The value of one unit in the store's currency. */
  conversion_rate: string
}

/** All details of a payment. */
export type Payment = {
  /** The id of the payment: `pay_` and 26 characters. */
  payment_id: string
  /** The 27 digits of the payment code. Show them as a QR code or as text. */
  qr_code: string
  /** Net amount, which the store receives: gross minus the transaction fee. */
  amount: string
  /** The fee that the service keeps. */
  transaction_fee: string
  /** The donation that the payer added. */
  donation_amount: string
  /**
   * The store's currency. All amounts except `request_amount` and the prices of `products` are in
   * this currency.
   */
  currency: string
  /** The status of the payment. */
  status: PaymentStatus
  /** Time of creation, UTC. */
  created_at: string
  /** True for a sandbox payment. */
  is_sandbox_transaction: boolean
  /** The customer, as you sent it. */
  client: {
    /** The customer's name. */
    name: string
    /** The customer's email address. */
    email: string
    /** Country calling code, as you sent it. */
    phone_dial_code: string | null
    /** The customer's phone number. */
    phone: string
  } | null
  /** The payer. Null until the payment is completed. */
  user: {
    /** The wallet's number. */
    id: number
    /** The payer's name. */
    name: string
    /** The payer's email address. */
    email: string
    /** The payer's phone number. */
    phone: string
    /** The wallet's id. */
    wallet_id: string
  } | null
  /** The store as payers see it. */
  store: StoreProfile
  /** The webhook. Null if you set no `webhook_url`. */
  webhook: {
    /** Your `webhook_url`. */
    url: string
    /** Time of the latest attempt, UTC. */
    called_at: string | null
    /** The result of the latest attempt: `{status_code, body}`, or `{error}`. */
    response: { [key: string]: unknown } | null
  } | null
  /** Your own references. */
  reference: {
    /** Your `reference_id`. */
    id: string | null
    /** Your `reference_note`. */
    note: string | null
  }
  /** The requested amount, before conversion. */
  request_amount: RequestAmount
  /** Your custom data, as you sent it. */
  payload: { [key: string]: unknown } | null
  /** The products. May be empty. */
  products: {
    /** Name of the product. */
    name: string
    /** Number of units. */
    quantity: number
    /** Price of one unit, in the currency of the request. */
    price: string
  }[]
  /** Time when a pending payment expires, UTC. */
  expires_at: string
  /** The refund. Null if the payment is not refunded. */
  refund: {
    /** The amount that the payer received. */
    refund_amount: string
    /** The refund fee: gross minus the refund amount. */
    refund_fee: string
    /** Time of the refund, UTC. */
    refunded_at: string
  } | null
  /** The link that the payer used. Null if you created the payment yourself. */
  link_id: string | null
}

/** A link that several payers can pay, each with a payment of their own. */
export type Link = {
  /** The id of the link: `lnk_` and 26 characters. */
  link_id: string
  /** The page of the link. Share it, or print its QR code. */
  url: string
  /** Live or sandbox. */
  mode: Mode
  /** What you sell. */
  title: string
  /** The description. */
  description: string | null
  /** Amount of each payment. Null if the payer chooses. */
  amount: string | null
  /** The currency of `amount`. */
  currency: string
  /** The products. May be empty. */
  products: {
    /** Name of the product. */
    name: string
    /** Number of units. */
    quantity: number
    /** Price of one unit, in the currency of the request. */
    price: string
  }[]
  /** Your custom data, for every payment. */
  payload: { [key: string]: unknown } | null
  /** Your own id, for every payment. */
  reference_id: string | null
  /** A note that is shown to the payer. */
  reference_note: string | null
  /** URL that events of the payments are posted to. */
  webhook_url: string | null
  /** URL that the wallet links to after paying. */
  return_url: string | null
  /** Language of the page. Null if the browser decides. */
  locale: 'en' | 'es' | 'fr' | 'ar' | 'zh' | null
  /** How many times the link can be paid. Null without a limit. */
  max_payments: number | null
  /** Time after which the link can no longer be paid, UTC. */
  expires_at: string | null
  /** False if the store paused the link. */
  active: boolean
  /**
   * `active`: neither paused nor used up nor expired. `paused`: the store paused it. `used_up`: it
   * was paid `max_payments` times or more. `expired`: `expires_at` has passed.
   */
  state: LinkState
  /** How many times it was paid, including payments refunded later. */
  paid_count: number
  /** The gross of these payments. */
  paid_total: string
  /** The currency of `paid_total`: the store's. */
  paid_currency: string
  /** Time of creation, UTC. */
  created_at: string
}

/** The refund. */
export type Refund = {
  /** The id of the payment: `pay_` and 26 characters. */
  payment_id: string
  /** The amount that the payer receives. */
  refund_amount: string
  /** The refund fee: gross minus the refund amount. */
  refund_fee: string
  /** The status of the payment. */
  status: 'refunded'
  /** Time of the refund, UTC. */
  refunded_at: string
}

/** The balance of the store. */
export type Balance = {
  /** The balance of the store. */
  balance: string
  /** The store's currency. */
  currency: string
  /** Gross of all pending payments. */
  pending_amount: string
}

/** The terms of a payment of this amount. */
export type Quote = {
  /** The requested amount, before conversion. */
  request_amount: RequestAmount
  /** The amount that the payer pays. */
  gross: string
  /** The fee that the service keeps. */
  transaction_fee: string
  /** The amount that the store receives. */
  amount: string
  /** The store's currency. */
  currency: string
  /** The store's limits. */
  limits: {
    /** Minimum gross of a payment. Null if there is none. */
    min_amount: string | null
    /** Maximum gross of a payment. Null if there is none. */
    max_amount: string | null
    /** Limit per day, in the store's time zone. */
    daily: {
      /** The limit. Null if there is none. */
      limit: string | null
      /** The rest of the limit. Null if there is no limit. */
      left: string | null
    }
    /** Limit per month, in the store's time zone. */
    monthly: {
      /** The limit. Null if there is none. */
      limit: string | null
      /** The rest of the limit. Null if there is no limit. */
      left: string | null
    }
  }
  /** True if the limits allow this payment now. */
  within_limits: boolean
}

/** The store and its settings. */
export type Store = {
  /** The store's number. */
  id: number
  /** Name of the store. */
  name: string
  /** URL of an image. */
  logo: string
  /** Website of the store, or empty. */
  domain: string
  /** Email address of the store, or empty. */
  email: string
  /** Phone number of the store, or empty. */
  phone: string
  /** The store's currency. */
  currency: string
  /** IANA name. Daily and monthly limits use this time zone. */
  time_zone: string
  /** Transaction fee in basis points of gross; 100 is 1%. */
  fee_bps: number
  /** Fixed part of the transaction fee. */
  fee_fixed: string
  /** Fee that is deducted from a refund. */
  refund_fee: string
  /** Minimum gross of a payment. Null if there is none. */
  min_amount: string | null
  /** Maximum gross of a payment. Null if there is none. */
  max_amount: string | null
  /** Maximum gross per day. Null if there is none. */
  daily_limit: string | null
  /** Maximum gross per month. Null if there is none. */
  monthly_limit: string | null
  /** Seconds until a payment expires, unless `expires_in` is set. */
  expires_after_seconds: number
  /** True if a payment cannot reuse the `reference_id` of a pending, paid or refunded one. */
  unique_references: boolean
  /** Maximum gross that a manager can refund. Null if there is no maximum. */
  refund_cap_manager: string | null
  /**
   * Maximum gross that a cashier can refund. 0 if cashiers cannot refund. Null if there is no
   * maximum.
   */
  refund_cap_cashier: string | null
  /** Sites that can show the checkout page in a frame. */
  embed_origins: string[]
  /** The mode of the API key. */
  mode: Mode
  /** The scopes of the API key. */
  scopes: string[]
}

export type DeliveryAttempt = {
  /** Time of the attempt, UTC. */
  at: string
  /** Duration in milliseconds. */
  duration_ms: number
  /** Status that your server returned. Null if there was no complete response. */
  status_code: number | null
  /** Why there was no complete response. Null if there was one. */
  error: string | null
  /** The first 4 KiB of the response. */
  body: string | null
}

export type PaymentWebhook = {
  /** The id of the event, sent as `webhook-id` with every attempt. */
  id: string
  /** What happened to the payment. */
  type: EventType
  /** Position of the event among the events of the payment. */
  sequence: number
  /** Time of the event, UTC. */
  created_at: string
  /** Time of the latest request to resend the event, UTC. Null if there was none. */
  resent_at: string | null
  /** The URL it is posted to. Null if there is no `webhook_url`. */
  url: string | null
  /** State of the delivery. An exhausted event is not retried, but can be resent. */
  state: 'not_wanted' | 'waiting' | 'delivered' | 'exhausted'
  /** Time of the next attempt, UTC. Null if there is none. */
  next_attempt_at: string | null
  /** The latest attempts, oldest first. At most 100 for a payment. */
  attempts: DeliveryAttempt[]
}

export type StoredEvent = {
  /** The id of the event, sent as `webhook-id` with every attempt. */
  id: string
  /** What happened to the payment. */
  type: EventType
  /** Position of the event among the events of the payment. */
  sequence: number
  /** Time of the event, UTC. */
  created_at: string
  /** Time of the latest request to resend the event, UTC. Null if there was none. */
  resent_at: string | null
  /** The id of the payment: `pay_` and 26 characters. */
  payment_id: string
  /** The body that is delivered. Empty if it is no longer stored. */
  body: string
}

/** The event that is resent. */
export type Redelivered = {
  /** The id of the event, unchanged. */
  id: string
  /** What happened to the payment. */
  type: string
}

/** The number of events that are resent. */
export type RedeliveredEvents = {
  /** Number of events that are resent. */
  events: number
}
