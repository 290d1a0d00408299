import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { digest } from './digest.ts'
import { encodeInGroups } from './ids.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** For secrets that must be read back, such as those that sign webhooks. AES-256-GCM. */
export function encryptSecret(plain: string, key: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

export function decryptSecret(encrypted: Buffer, key: Buffer): string {
  const nonce = encrypted.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
  decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const plain = decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([plain, decipher.final()]).toString('utf8')
}

/** What the database stores of a key or pepper, to recognize it. A key is 32 random bytes, so its hash reveals nothing. */
export const fingerprintOf = (key: Buffer): Buffer => digest(key.toString('base64'))

/** In the format of Standard Webhooks. */
export function mintWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/**
 * The code that the server prints for the first setup. Derived from the secret key, so that every node prints the same
 * one and nothing is stored. It stops working once an operator exists.
 */
export function setupCode(key: Buffer): string {
  return encodeInGroups(
    createHmac('sha256', key).update('florin setup code').digest().subarray(0, 16),
  )
}

/** Ignores case, spaces and dashes. */
export function isSetupCode(typed: string, key: Buffer): boolean {
  const hashOf = (code: string) => digest(code.toLowerCase().replace(/[^0-9a-z]/g, ''))
  return timingSafeEqual(hashOf(typed), hashOf(setupCode(key)))
}
