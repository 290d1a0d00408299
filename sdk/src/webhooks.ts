import { type Bytes, base64, concat, fromBase64, utf8, webCrypto } from './crypto.ts'
import { type WebhookFault, WebhookVerificationError } from './errors.ts'
import type { Payment, SettledStatus } from './types.ts'

type EventOf<Status extends SettledStatus> = {
  /** The same on every delivery; use it to detect duplicates. */
  readonly id: string
  readonly type: `payment.${Status}`
  /** Order among the events of one payment. */
  readonly sequence: number
  /** ISO 8601. */
  readonly timestamp: string
  /** The payment at the time of the event. */
  readonly data: Payment & { status: Status }
}

/** A union, discriminated by `type`. */
export type WebhookEvent = { [Status in SettledStatus]: EventOf<Status> }[SettledStatus]

/** Headers of `fetch` or Node.js. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

/** One secret, or several while one is being rotated; one match is enough. */
export type WebhookSecret = string | readonly string[]

export type VerifyOptions = {
  /** Maximum difference of the timestamp; default: 300. */
  readonly toleranceSeconds?: number | undefined
  readonly now?: Date | undefined
}

const TOLERANCE_SECONDS = 300
/** A delivery has two signatures during a rotation. Limits the work for a header full of guesses. */
const MAX_SIGNATURES = 8
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/**
 * Verifies a delivery (Standard Webhooks 1.0.0) and returns its event. `rawBody` must be the received bytes; a
 * body that a framework parsed and serialized again does not match.
 */
export async function constructEvent(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: WebhookSecret,
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new TypeError('rawBody must be the received body: a string or bytes')
  }
  if (!secret) throw new TypeError('secret is missing: pass the webhook_secret (whsec_…)')
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signature = headerOf(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw fault('timestamp_malformed', 'webhook-timestamp is not a number of seconds')
  }
  // Refuses recorded deliveries that are replayed after the tolerance.
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw fault('timestamp_outside_tolerance', 'webhook-timestamp is too old or in the future')
  }
  const body = typeof rawBody === 'string' ? utf8(rawBody) : rawBody
  const signed = concat(utf8(`${id}.${timestamp}.`), body)
  if (!(await isSigned(signed, signature, secret))) {
    throw fault('signature_wrong', 'no signature matches: wrong secret, or not the raw body')
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

/** Creates the headers of a delivery. */
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
    'webhook-signature': signatures.map((bytes) => `v1,${base64(new Uint8Array(bytes))}`).join(' '),
  }
}

async function keysOf(secret: WebhookSecret) {
  const { subtle } = await webCrypto()
  const secrets = typeof secret === 'string' ? [secret] : secret
  return Promise.all(
    secrets.map((text) => {
      // Not String(text): "null", for example of a missing setting, is valid base64.
      const bytes = typeof text === 'string' ? fromBase64(text.replace(/^whsec_/, '')) : null
      // An empty key would accept signatures from anyone.
      if (bytes === null || bytes.length === 0)
        throw new TypeError('a secret must look like whsec_…')
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
