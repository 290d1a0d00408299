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
const NO_SECRET = Buffer.alloc(0)

/**
 * The secret that was right the last time, because hashing costs more than anything else about a request.
 * It is forgotten with the credential, which is looked up again every few seconds.
 */
const lastRight = new WeakMap<Credential, Buffer>()

/**
 * Whether the pair is right. An unknown key costs the same work as a wrong secret, so the time tells
 * nothing about which keys exist.
 */
export function isRightSecret(credential: Credential | null, secret: string, now: Date): boolean {
  const given = Buffer.from(secret)
  const known = (credential && lastRight.get(credential)) ?? NO_SECRET
  const isKnown = timingSafeEqual(given, known.length === given.length ? known : given)
  if (credential !== null && isKnown && known.length === given.length)
    return isInForce(credential, now)
  const hash = hashToken(secret)
  const current = timingSafeEqual(hash, credential?.secretHash ?? NO_HASH)
  const previous = timingSafeEqual(hash, credential?.previousHash ?? NO_HASH)
  if (credential === null || !isInForce(credential, now)) return false
  if (current) {
    lastRight.set(credential, given)
    return true
  }
  return previous && credential.previousUntil !== null && credential.previousUntil > now
}

const isInForce = ({ revokedAt, expiresAt }: Credential, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now)
