import type { Payment, SettledStatus } from './answers.ts'
import { type Bytes, base64, fromBase64, joined, utf8, webCrypto } from './crypto.ts'
import { type WebhookFault, WebhookVerificationError } from './errors.ts'

type EventOf<Status extends SettledStatus> = {
  /** The same on every delivery: one that you have seen before needs nothing more. */
  readonly id: string
  readonly type: `payment.${Status}`
  /** Order among the events of one payment. */
  readonly sequence: number
  /** ISO 8601. */
  readonly timestamp: string
  /** The payment as it was at that change. */
  readonly data: Payment & { status: Status }
}

/** Told apart by `type`. */
export type WebhookEvent = { [Status in SettledStatus]: EventOf<Status> }[SettledStatus]

/** Those of `fetch`, or those of Node.js. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

/** One secret, or several of which any will do, while one is being replaced. */
export type WebhookSecret = string | readonly string[]

export type VerifyOptions = {
  /** How old a delivery may be, and how far ahead its clock; 300 where absent. */
  readonly toleranceSeconds?: number
  readonly now?: Date
}

const TOLERANCE_SECONDS = 300
/** Two while a secret is replaced; a header full of guesses must not cost more than a few. */
const MAX_SIGNATURES = 8
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/**
 * Verifies a delivery by Standard Webhooks 1.0.0 and gives its event. `rawBody` must be what was
 * received, byte for byte; what a framework has parsed and printed again does not fit any more.
 */
export async function constructEvent(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: WebhookSecret,
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new TypeError('rawBody must be the body as it was received: a string or bytes')
  }
  if (!secret) throw new TypeError('secret is missing: pass the webhook_secret (whsec_…)')
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signature = headerOf(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw fault('timestamp_malformed', 'webhook-timestamp is not a number of seconds')
  }
  // Otherwise a delivery that somebody has recorded could be played again for ever.
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw fault('timestamp_outside_tolerance', 'webhook-timestamp is too old or in the future')
  }
  const body = typeof rawBody === 'string' ? utf8(rawBody) : rawBody
  const signed = joined(utf8(`${id}.${timestamp}.`), body)
  if (!(await isSigned(signed, signature, secret))) {
    throw fault('signature_wrong', 'no signature fits: wrong secret, or not the raw body')
  }
  try {
    return { ...JSON.parse(new TextDecoder().decode(body)), id }
  } catch {
    throw fault('body_malformed', 'the body is signed, but is not JSON')
  }
}

async function isSigned(signed: Bytes, header: string, secret: WebhookSecret): Promise<boolean> {
  const signatures = header
    .split(' ')
    .slice(0, MAX_SIGNATURES)
    .flatMap((part) => (part.startsWith('v1,') ? (fromBase64(part.slice(3)) ?? []) : []))
  const { subtle } = await webCrypto()
  for (const key of await keysOf(secret)) {
    for (const signature of signatures) {
      // Compares in constant time.
      if (await subtle.verify(HMAC.name, key, signature, signed)) return true
    }
  }
  return false
}

/** The headers of a delivery. */
export async function signatureHeaders(
  { id, at, body }: { id: string; at: Date; body: string },
  secret: WebhookSecret,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = utf8(`${id}.${timestamp}.${body}`)
  const { subtle } = await webCrypto()
  const keys = await keysOf(secret)
  const signatures = await Promise.all(keys.map((key) => subtle.sign(HMAC.name, key, signed)))
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((one) => `v1,${base64(new Uint8Array(one))}`).join(' '),
  }
}

async function keysOf(secret: WebhookSecret) {
  const { subtle } = await webCrypto()
  const secrets = typeof secret === 'string' ? [secret] : secret
  return Promise.all(
    secrets.map((one) => {
      const bytes = fromBase64(String(one).replace(/^whsec_/, ''))
      // An empty key would accept what anybody can sign.
      if (bytes === null || bytes.length === 0) throw new TypeError('a secret looks like whsec_…')
      return subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify'])
    }),
  )
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value === 'string' && value !== '') return value
  throw fault('header_missing', `${name} is missing`)
}

function fault(reason: WebhookFault, message: string): WebhookVerificationError {
  return new WebhookVerificationError(reason, `Webhook refused: ${message}`)
}
