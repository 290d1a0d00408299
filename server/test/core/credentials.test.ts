import { describe, expect, it } from 'vitest'
import { type Credential, isValidCredential } from '../../src/core/credentials.ts'
import { hashToken, type StoreId } from '../../src/core/ids.ts'

const NOW = new Date('2026-05-01T12:00:00Z')
const LATER = new Date('2026-05-01T13:00:00Z')
const RIGHT = `fls_live_${'a'.repeat(43)}`
const BEFORE = `fls_live_${'b'.repeat(43)}`
const WRONG = `fls_live_${'a'.repeat(42)}b`

const credentialWith = (changes: Partial<Credential> = {}): Credential => ({
  apiKey: 'flk_live_key',
  storeId: 1 as StoreId,
  mode: 'live',
  label: '',
  scopes: ['read'],
  secretHash: hashToken(RIGHT),
  previousHash: null,
  previousUntil: null,
  createdAt: NOW,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  ...changes,
})

/** Checks these secrets one after another. Returns whether each is valid. */
const checkSecrets = (credential: Credential | null, secrets: readonly string[], now = NOW) =>
  secrets.map((secret) => isValidCredential(credential, secret, now))

describe('a secret', () => {
  it('must not be empty', () => {
    const rotated = { previousHash: hashToken(BEFORE), previousUntil: LATER }
    expect(checkSecrets(credentialWith(), ['', ''])).toEqual([false, false])
    expect(checkSecrets(credentialWith(rotated), ['', BEFORE, ''])).toEqual([false, true, false])
  })

  it('is valid every time', () => {
    expect(checkSecrets(credentialWith(), [RIGHT, RIGHT, RIGHT])).toEqual([true, true, true])
  })

  it('is invalid if it is wrong, even right after a valid one', () => {
    const odd = ['', RIGHT.slice(0, -1), `${RIGHT}a`, RIGHT.toUpperCase(), `${RIGHT}\0`, 'é', '😀']
    const credential = credentialWith()
    for (const wrong of [WRONG, ...odd]) {
      expect(checkSecrets(credential, [RIGHT, wrong, RIGHT, wrong])).toEqual([
        true,
        false,
        true,
        false,
      ])
    }
  })

  it('of another key is invalid', () => {
    const other = credentialWith({ secretHash: hashToken(WRONG) })
    expect(checkSecrets(credentialWith(), [RIGHT])).toEqual([true])
    expect(checkSecrets(other, [RIGHT, WRONG, RIGHT])).toEqual([false, true, false])
  })

  it('is invalid without a key', () => {
    expect(checkSecrets(null, [RIGHT, '', WRONG])).toEqual([false, false, false])
  })

  it('becomes invalid when the key expires, even after many uses', () => {
    const credential = credentialWith({ expiresAt: LATER })
    expect(checkSecrets(credential, [RIGHT, RIGHT])).toEqual([true, true])
    expect(checkSecrets(credential, [RIGHT], LATER)).toEqual([false])
  })

  it('of a revoked key is invalid', () => {
    expect(checkSecrets(credentialWith({ revokedAt: NOW }), [RIGHT, RIGHT])).toEqual([false, false])
  })

  it('from before a rotation is valid until the overlap ends', () => {
    const credential = credentialWith({ previousHash: hashToken(BEFORE), previousUntil: LATER })
    expect(checkSecrets(credential, [BEFORE, RIGHT, BEFORE])).toEqual([true, true, true])
    expect(checkSecrets(credential, [BEFORE, RIGHT], LATER)).toEqual([false, true])
  })
})
