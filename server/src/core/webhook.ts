import { createHmac } from 'node:crypto'
import type { EVENT_TYPES } from '@florin/contract/values.js'
import { stringifyExactly } from './json.ts'
import type { Payment, Status } from './payment.ts'
import { type Payer, paymentView } from './paymentView.ts'
import type { Store } from './store.ts'

export type EventType = (typeof EVENT_TYPES)[number]

export function eventTypeOf(status: Exclude<Status, 'pending'>): EventType {
  return `payment.${status}`
}

/** A payment is settled once and may then be refunded, so its events have the numbers 1 and 2. */
export const sequenceOf = (type: EventType) => (type === 'payment.refunded' ? 2 : 1)

export const eventIdOf = (paymentId: string, sequence: number) =>
  `evt_${paymentId.replace(/^pay_/, '')}_${sequence}`

export function parseEventId(text: string): { paymentId: string; sequence: number } | null {
  const match = /^evt_([0-9a-z]{26})_([12])$/.exec(text)
  return match && { paymentId: `pay_${match[1]}`, sequence: Number(match[2]) }
}

/** The body of an event that is sent is stored with it, so every attempt sends the same bytes until data in it is erased. */
export function eventBody(
  type: EventType,
  { payment, payer, store }: { payment: Payment; payer: Payer | null; store: Store },
  { at, publicUrl }: { at: Date; publicUrl: string },
): string {
  return stringifyExactly({
    type,
    sequence: sequenceOf(type),
    timestamp: at.toISOString(),
    data: paymentView({ payment, payer, latestAttempt: null }, store, publicUrl),
  })
}

// ── Signing, as specified by Standard Webhooks 1.0.0 ─────────────────────────────────────────────

/** Signs with every secret: while a secret is being replaced, receivers may use either. */
export function signatureHeaders(
  { id, body, at }: { id: string; body: Buffer; at: Date },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const sign = (secret: string) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  }
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  }
}

// ── Retries ─────────────────────────────────────────────────────────────────────────────────────

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The delays after failed attempts, in order. When they are used up, the event is exhausted. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS
const JITTER = 0.1

/** No attempt is scheduled later than this after the one before it. */
export const MAX_RETRY_DELAY_MS = Math.max(...RETRY_DELAYS_MS, MAX_RETRY_AFTER_MS) * (1 + JITTER)

/** The result of an attempt: a response, or an error if there is none. */
export type AttemptOutcome = {
  readonly statusCode: number | null
  readonly error: string | null
  /** The start of the response body, as text that the database accepts. */
  readonly responseBody: string | null
  readonly retryAfterMs: number | null
  readonly durationMs: number
}

type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly waitMs: number }
  | { readonly kind: 'exhausted' }

/**
 * `attempts` includes this one. A receiver's Retry-After may lengthen the delay but not shorten it:
 * otherwise a receiver that is down for a day could use up all attempts within a minute.
 */
export function nextStep(
  outcome: AttemptOutcome,
  attempts: number,
  random: () => number = Math.random,
): NextStep {
  const { statusCode } = outcome
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { kind: 'delivered' }
  // 410 Gone: the receiver wants no more attempts.
  if (statusCode === 410) return { kind: 'exhausted' }
  const waitMs = RETRY_DELAYS_MS[attempts - 1]
  if (waitMs === undefined) return { kind: 'exhausted' }
  const jitteredMs = waitMs * (1 + JITTER * (2 * random() - 1))
  const requestedMs = Math.min(outcome.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)
  return { kind: 'retry', waitMs: Math.round(Math.max(jitteredMs, requestedMs)) }
}

/** Longer than any date. A receiver may send kilobytes. */
const MAX_RETRY_AFTER_LENGTH = 100

/** Parses seconds or an HTTP date. Returns milliseconds from now. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined || header.length > MAX_RETRY_AFTER_LENGTH) return null
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS
  const at = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
