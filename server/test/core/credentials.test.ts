import { describe, expect, it } from 'vitest'
import { type Credential, isValidCredential } from '../../src/core/credentials.ts'
import { hashToken, type StoreId } from '../../src/core/ids.ts'

const NOW = new Date('2026-05-01T12:00:00Z')
const LATER = new Date('2026-05-01T13:00:00Z')
const RIGHT = `fls_live_${'a'.repeat(43)}`
const BEFORE = `fls_live_${'b'.repeat(43)}`
const WRONG = `fls_live_${'a'.repeat(42)}b`

const credential = (but: Partial<Credential> = {}): Credential => ({
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
  ...but,
})

/** Like a client: the same credential is checked again and again. */
const accepted = (one: Credential | null, secrets: readonly string[], now = NOW) =>
  secrets.map((secret) => isValidCredential(one, secret, now))

describe('a secret', () => {
  it('must not be empty', () => {
    const rotated = { previousHash: hashToken(BEFORE), previousUntil: LATER }
    expect(accepted(credential(), ['', ''])).toEqual([false, false])
    expect(accepted(credential(rotated), ['', BEFORE, ''])).toEqual([false, true, false])
  })

  it('is valid every time', () => {
    expect(accepted(credential(), [RIGHT, RIGHT, RIGHT])).toEqual([true, true, true])
  })

  it('is invalid if it is wrong, even right after a valid one', () => {
    const odd = ['', RIGHT.slice(0, -1), `${RIGHT}a`, RIGHT.toUpperCase(), `${RIGHT}\0`, 'é', '😀']
    const one = credential()
    for (const wrong of [WRONG, ...odd]) {
      expect(accepted(one, [RIGHT, wrong, RIGHT, wrong])).toEqual([true, false, true, false])
    }
  })

  it('of another key is invalid', () => {
    const other = credential({ secretHash: hashToken(WRONG) })
    expect(accepted(credential(), [RIGHT])).toEqual([true])
    expect(accepted(other, [RIGHT, WRONG, RIGHT])).toEqual([false, true, false])
  })

  it('is invalid without a key', () => {
    expect(accepted(null, [RIGHT, '', WRONG])).toEqual([false, false, false])
  })

  it('becomes invalid when the key expires, even after many uses', () => {
    const one = credential({ expiresAt: LATER })
    expect(accepted(one, [RIGHT, RIGHT])).toEqual([true, true])
    expect(accepted(one, [RIGHT], LATER)).toEqual([false])
  })

  it('of a revoked key is invalid', () => {
    expect(accepted(credential({ revokedAt: NOW }), [RIGHT, RIGHT])).toEqual([false, false])
  })

  it('from before a rotation is valid until the overlap ends', () => {
    const one = credential({ previousHash: hashToken(BEFORE), previousUntil: LATER })
    expect(accepted(one, [BEFORE, RIGHT, BEFORE])).toEqual([true, true, true])
    expect(accepted(one, [BEFORE, RIGHT], LATER)).toEqual([false, true])
  })
})
