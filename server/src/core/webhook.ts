import { hash } from 'node:crypto'
import { digest } from './digest.ts'
import { stringifyExactly } from './json.ts'
import type { Payment, Status } from './payment.ts'
import { type Payer, paymentView } from './paymentView.ts'
import type { Store } from './store.ts'

/** Every outcome has its event; being created is none, the merchant did that. */
export const EVENT_TYPES = [
  'payment.completed',
  'payment.failed',
  'payment.expired',
  'payment.refunded',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export function eventTypeOf(status: Exclude<Status, 'pending'>): EventType {
  return `payment.${status}`
}

/** A payment settles once and may then be refunded, so its events are numbered one and two. */
export const sequenceOf = (type: EventType) => (type === 'payment.refunded' ? 2 : 1)

export const eventIdOf = (paymentId: string, sequence: number) =>
  `evt_${paymentId.replace(/^pay_/, '')}_${sequence}`

export function parseEventId(text: string): { paymentId: string; sequence: number } | null {
  const match = /^evt_([0-9a-z]{26})_([12])$/.exec(text)
  return match && { paymentId: `pay_${match[1]}`, sequence: Number(match[2]) }
}

/** Frozen when it is written: every attempt, also days later, carries these very bytes. */
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

// ── Signing, as Standard Webhooks 1.0.0 has it ──────────────────────────────────────────────────

export type Signer = (start: Buffer, body: Buffer) => string

const BLOCK_BYTES = 64

/**
 * HMAC-SHA-256 by its definition, two plain hashes, with the key's part made once: the library's own
 * makes objects for every signature, which is a tenth of what a delivery costs.
 */
export function signerOf(secret: string): Signer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (key.length > BLOCK_BYTES) throw new Error('A secret has 64 bytes at most')
  const padded = (byte: number) =>
    Buffer.from(Array.from({ length: BLOCK_BYTES }, (_, place) => (key[place] ?? 0) ^ byte))
  const [inner, outer] = [padded(0x36), padded(0x5c)]
  return (start, body) => {
    const hashed = digest(Buffer.concat([inner, start, body]))
    return `v1,${hash('sha256', Buffer.concat([outer, hashed]), 'base64')}`
  }
}

/** One signature per secret: while a secret is being replaced both are good. */
export function signatureHeaders(
  { id, body, at }: { id: string; body: Buffer; at: Date },
  signers: readonly Signer[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const start = Buffer.from(`${id}.${timestamp}.`)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signers.map((sign) => sign(start, body)).join(' '),
  }
}

// ── When to try again ───────────────────────────────────────────────────────────────────────────

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** How long to wait after each failed attempt. After the last of them nobody tries again. */
export const WAITS_MS: readonly number[] = [
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

/** What came of an attempt: an answer, or the reason why there is none. */
export type AttemptOutcome = {
  readonly statusCode: number | null
  readonly error: string | null
  /** What the receiver answered, cut and made safe to store. */
  readonly answer: string | null
  readonly retryAfterMs: number | null
  readonly durationMs: number
}

export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly waitMs: number }
  | { readonly kind: 'exhausted' }

/**
 * `attempts` counts this one. A receiver may ask for more time than we would give it, not for less:
 * otherwise one that is down for a day could use up all attempts within a minute.
 */
export function nextStep(
  outcome: AttemptOutcome,
  attempts: number,
  random: () => number = Math.random,
): NextStep {
  const { statusCode } = outcome
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { kind: 'delivered' }
  // Gone: the receiver says that it wants no more of this.
  if (statusCode === 410) return { kind: 'exhausted' }
  const waitMs = WAITS_MS[attempts - 1]
  if (waitMs === undefined) return { kind: 'exhausted' }
  const jittered = waitMs * (1 + JITTER * (2 * random() - 1))
  const asked = Math.min(outcome.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)
  return { kind: 'retry', waitMs: Math.round(Math.max(jittered, asked)) }
}

/** Longer than any date; a receiver may send kilobytes. */
const MAX_RETRY_AFTER_LENGTH = 100

/** Seconds or a date, as HTTP has it. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined || header.length > MAX_RETRY_AFTER_LENGTH) return null
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS
  const at = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
