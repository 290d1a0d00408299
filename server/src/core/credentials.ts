import { timingSafeEqual } from 'node:crypto'
import type { SCOPES } from '@florin/contract/values.js'
import { hashToken, type Mode, type StoreId } from './ids.ts'

export type Scope = (typeof SCOPES)[number]

export type Credential = {
  readonly apiKey: string
  readonly storeId: StoreId
  readonly mode: Mode
  readonly label: string
  readonly scopes: readonly Scope[]
  readonly secretHash: Buffer
  readonly previousHash: Buffer | null
  readonly previousUntil: Date | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** Accurate to the minute; null if never used. */
  readonly lastUsedAt: Date | null
}

export const KEY_PREFIX: Record<Mode, string> = { live: 'flk_live_', sandbox: 'flk_sandbox_' }
export const SECRET_PREFIX: Record<Mode, string> = { live: 'fls_live_', sandbox: 'fls_sandbox_' }

/** The format of a key. Anything else is refused without a lookup. */
export const API_KEY = /^flk_(live|sandbox)_[A-Za-z0-9_-]{20}$/

const NO_HASH = Buffer.alloc(32)

/**
 * An unknown key costs the same work as a wrong secret, so the response time doesn't reveal which keys exist.
 */
export function isValidCredential(
  credential: Credential | null,
  secret: string,
  now: Date,
): boolean {
  const hash = hashToken(secret)
  const isCurrent = timingSafeEqual(hash, credential?.secretHash ?? NO_HASH)
  const isPrevious = timingSafeEqual(hash, credential?.previousHash ?? NO_HASH)
  if (credential === null) return false
  if (credential.revokedAt !== null) return false
  if (credential.expiresAt !== null && credential.expiresAt <= now) return false
  if (isCurrent) return true
  return isPrevious && credential.previousUntil !== null && credential.previousUntil > now
}
