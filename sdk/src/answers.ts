// Response types. Amounts are decimal strings, times are UTC as `YYYY-MM-DD HH:MM:SS`. A test compares them
// with /openapi.json.

export type PaymentStatus = 'pending' | 'completed' | 'failed' | 'expired' | 'refunded'
export type SettledStatus = Exclude<PaymentStatus, 'pending'>
export type Mode = 'live' | 'sandbox'

export type CreatedPayment = {
  payment_id: string
  /** 27 digits to show as a QR code. */
  qr_code: string
  /** A small fragment of safe HTML. */
  instructions: string
}

export type StoreProfile = {
  name: string
  logo: string
  domain: string
  email: string
  phone: string
}

export type RequestAmount = { amount: string; currency: string; conversion_rate: string }

export type Payment = {
  payment_id: string
  qr_code: string
  /** Net: the amount that the store receives after the transaction fee. */
  amount: string
  transaction_fee: string
  /** The payer's donation. */
  donation_amount: string
  currency: string
  status: PaymentStatus
  created_at: string
  is_sandbox_transaction: boolean
  client: { name: string; email: string; phone_dial_code: string | null; phone: string } | null
  user: { id: number; name: string; email: string; phone: string; wallet_id: string } | null
  store: StoreProfile
  /** The latest webhook attempt. */
  webhook: {
    url: string
    called_at: string | null
    response: Record<string, unknown> | null
  } | null
  reference: { id: string | null; note: string | null }
  /** Amount and currency of the request. */
  request_amount: RequestAmount
  payload: Record<string, unknown> | null
  products: { name: string; quantity: number; price: string }[]
  expires_at: string
  refund: { refund_amount: string; refund_fee: string; refunded_at: string } | null
}

export type StatusOf<Status extends PaymentStatus = PaymentStatus> = {
  payment_id: string
  status: Status
}

export type Refund = {
  payment_id: string
  /** The amount that the payer gets. */
  refund_amount: string
  refund_fee: string
  status: 'refunded'
  refunded_at: string
}

export type Balance = {
  balance: string
  currency: string
  /** Gross of pending payments. */
  pending_amount: string
}

/** Null if the store has no such limit. */
type Limit = { limit: string | null; left: string | null }

export type Quote = {
  request_amount: RequestAmount
  /** The amount that the payer pays. */
  gross: string
  transaction_fee: string
  /** The amount that the store receives. */
  amount: string
  currency: string
  limits: { min_amount: string | null; max_amount: string | null; daily: Limit; monthly: Limit }
  within_limits: boolean
}

export type Store = StoreProfile & {
  id: number
  currency: string
  time_zone: string
  fee_bps: number
  fee_fixed: string
  refund_fee: string
  min_amount: string | null
  max_amount: string | null
  daily_limit: string | null
  monthly_limit: string | null
  expires_after_seconds: number
  unique_references: boolean
  refund_cap_manager: string | null
  refund_cap_cashier: string | null
  embed_origins: string[]
  mode: Mode
  scopes: string[]
}

export type EventType = `payment.${SettledStatus}`

type EventHead = {
  /** The webhook-id of every attempt. */
  id: string
  type: EventType
  /** Order among the events of one payment. */
  sequence: number
  created_at: string
  resent_at: string | null
}

export type DeliveryAttempt = {
  at: string
  duration_ms: number
  status_code: number | null
  error: string | null
  /** The first 4 KiB of your server's response. */
  body: string | null
}

export type PaymentWebhook = EventHead & {
  url: string | null
  state: 'not_wanted' | 'waiting' | 'delivered' | 'exhausted'
  next_attempt_at: string | null
  attempts: DeliveryAttempt[]
}

export type StoredEvent = EventHead & {
  payment_id: string
  /** The delivered bytes; empty after their retention. */
  body: string
}

export type Redelivered = { id: string; type: string }

/** Number of events that are resent. */
export type RedeliveredEvents = { events: number }

/** Parses a time of a response. `new Date` alone would read it as local time. */
export const toDate = (time: string): Date => new Date(`${time.replace(' ', 'T')}Z`)
