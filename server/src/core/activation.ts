import { createHmac, randomBytes } from 'node:crypto'
import { encodeInGroups } from './ids.ts'

export const ACTIVATION_LIFETIME_MS = 24 * 3_600_000
export const SIGNUP_LIFETIME_MS = 3_600_000

const CODE_CHARACTERS = 12

/** 60 bits in three groups of four, without letters that look like digits. */
export const mintActivationCode = (): string => encodeInGroups(randomBytes(CODE_CHARACTERS))

/**
 * The code in the form that is hashed; null if it can't be a code. Ignores case, spaces and dashes, and reads letters that
 * look like digits as digits.
 */
export function normalizeActivationCode(typed: string): string | null {
  const bare = typed
    .toLowerCase()
    .replace(/[\s\p{Dash_Punctuation}]/gu, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
  return /^[0-9a-hjkmnp-tv-z]{12}$/.test(bare) ? bare : null
}

/** Keyed with the pepper, so that a stolen database is not enough for a brute-force search. */
export function hashActivationCode(code: string, pepper: Buffer): Buffer {
  const bare = normalizeActivationCode(code)
  if (bare === null) throw new RangeError('not an activation code')
  return createHmac('sha256', pepper).update(`florin activation code ${bare}`).digest()
}

export const activationUrl = (code: string, publicUrl: string) =>
  `${publicUrl}/wallet#activate/${code}`
