import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const CHALLENGE_LIFETIME_MS = 5 * 60_000
const NONCE_BYTES = 16
const EXPIRY_BYTES = 6
const SIGNED_BYTES = NONCE_BYTES + EXPIRY_BYTES
const MAC_BYTES = 32

type Signing = { readonly key: Buffer; readonly now: Date }

/**
 * Creates a WebAuthn challenge. It is signed with its expiry and its subject: the purpose, and the account if it is known.
 * So nothing is stored until it is used: a flood of requests for challenges writes no rows.
 */
export function mintChallenge(subject: string, { key, now }: Signing): Buffer {
  const signed = Buffer.alloc(SIGNED_BYTES)
  randomBytes(NONCE_BYTES).copy(signed)
  signed.writeUIntBE(now.getTime() + CHALLENGE_LIFETIME_MS, NONCE_BYTES, EXPIRY_BYTES)
  return Buffer.concat([signed, macOf(signed, subject, key)])
}

/** Returns when the challenge expires; null if it has expired, or is not ours, or is for another subject. */
export function challengeExpiry(
  challenge: Buffer,
  subject: string,
  { key, now }: Signing,
): Date | null {
  if (challenge.length !== SIGNED_BYTES + MAC_BYTES) return null
  const signed = challenge.subarray(0, SIGNED_BYTES)
  const isOurs = timingSafeEqual(challenge.subarray(SIGNED_BYTES), macOf(signed, subject, key))
  const expiresAt = new Date(signed.readUIntBE(NONCE_BYTES, EXPIRY_BYTES))
  return isOurs && expiresAt > now ? expiresAt : null
}

const macOf = (signed: Buffer, subject: string, key: Buffer): Buffer =>
  createHmac('sha256', key).update(`florin challenge ${subject} `).update(signed).digest()
