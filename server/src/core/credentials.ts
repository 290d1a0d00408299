import { timingSafeEqual } from 'node:crypto'
import type { Mode, StoreId } from './ids.ts'
import { hashToken } from './ids.ts'

/** `read` looks, `create` asks for money and gives up asking, `refund` sends it back. */
export const SCOPES = ['read', 'create', 'refund'] as const
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
  /** To the minute; null where it never was. */
  readonly lastUsedAt: Date | null
}

export const KEY_PREFIX: Record<Mode, string> = { live: 'flk_live_', sandbox: 'flk_sandbox_' }
export const SECRET_PREFIX: Record<Mode, string> = { live: 'fls_live_', sandbox: 'fls_sandbox_' }

/** What a key looks like; anything else need not be looked up. */
export const API_KEY = /^flk_(live|sandbox)_[A-Za-z0-9_-]{20}$/

const NO_HASH = Buffer.alloc(32)

/**
 * Whether the pair is right. An unknown key costs the same work as a wrong secret, so the time tells
 * nothing about which keys exist.
 */
export function isRightSecret(credential: Credential | null, secret: string, now: Date): boolean {
  const given = hashToken(secret)
  const current = timingSafeEqual(given, credential?.secretHash ?? NO_HASH)
  const previous = timingSafeEqual(given, credential?.previousHash ?? NO_HASH)
  if (credential === null) return false
  if (credential.revokedAt !== null) return false
  if (credential.expiresAt !== null && credential.expiresAt <= now) return false
  if (current) return true
  return previous && credential.previousUntil !== null && credential.previousUntil > now
}
