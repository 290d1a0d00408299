import { randomBytes } from 'node:crypto'
import { ROLES } from '@florin/contract/values.js'
import { Secret, TOTP } from 'otpauth'
import { digest } from './digest.ts'
import { encodeInGroups } from './ids.ts'
import type { Role } from './person.ts'

const GRACE_MS = 7 * 24 * 3_600_000

/** When each role began to need a second factor, in ISO 8601. A role that is not named needs none. */
export type SecondFactorSince = { readonly [Name in Role]?: string }

/** Keeps the time of a role that already needs a second factor, so that its grace period doesn't start again. */
export function requireSecondFactor(
  before: SecondFactorSince,
  roles: readonly Role[],
  at: Date,
): SecondFactorSince {
  return Object.fromEntries(roles.map((role) => [role, before[role] ?? at.toISOString()]))
}

export const secondFactorRoles = (since: SecondFactorSince): readonly Role[] =>
  ROLES.filter((role) => since[role] !== undefined)

/** When the account must have a second factor. Null if it has one or needs none. */
export function secondFactorDueAt(account: {
  readonly requiredSince: Date | null
  readonly createdAt: Date
  readonly hasSecondFactor: boolean
}): Date | null {
  const { requiredSince, createdAt, hasSecondFactor } = account
  if (requiredSince === null || hasSecondFactor) return null
  return new Date(Math.max(requiredSince.getTime(), createdAt.getTime()) + GRACE_MS)
}

// ── Codes of an authenticator app ───────────────────────────────────────────────────────────────

const SECRET_BYTES = 20
const STEP_MS = 30_000
/** Also accepts the previous code and the next one, because the clocks of phones differ. */
const WINDOW = 1

const totpOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })

/** In base32, as authenticator apps expect it. */
export const mintTotpSecret = () => new Secret({ size: SECRET_BYTES }).base32

/** In a URI, one character takes up to 12 characters, and a QR code holds about 2,300. */
const MAX_LABEL_CHARACTERS = 100

/** The URI that an authenticator app reads from a QR code. The app shows the start of a long email address. */
export function totpUri(secret: string, { issuer, email }: { issuer: string; email: string }) {
  const account = [...email].slice(0, MAX_LABEL_CHARACTERS).join('')
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

/** The time step of a valid code, or null. The caller must refuse a step that was used before. */
export function totpStep(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? null : Math.floor(timestamp / STEP_MS) + delta
}

/** The six digits of a code that was typed with or without spaces and dashes; null for anything else. */
export function totpCodeOf(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, '')
  return /^[0-9]{6}$/.test(digits) ? digits : null
}

// ── Recovery codes ──────────────────────────────────────────────────────────────────────────────

const RECOVERY_CODES = 10

/** Eighty bits each, so that a plain hash of them can be stored. */
export const mintRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => encodeInGroups(randomBytes(16)))

/** Ignores case, spaces and dashes, and reads letters that look like digits as digits. */
export function hashRecoveryCode(typed: string): Buffer {
  const bare = typed.toLowerCase().replace(/[^0-9a-z]/g, '')
  return digest(`recovery ${bare.replaceAll('o', '0').replace(/[il]/g, '1')}`)
}

// ── Passkeys ────────────────────────────────────────────────────────────────────────────────────

/** Authenticators count their uses. One whose count doesn't increase may be a copy. Some don't count, and always send zero. */
export const isCounterPlausible = (before: number, after: number): boolean =>
  after > before || (before === 0 && after === 0)
