import { randomBytes } from 'node:crypto'
import { wireTime } from '../core/calendar.ts'
import type { Credential, Scope } from '../core/credentials.ts'
import { KEY_PREFIX, SECRET_PREFIX } from '../core/credentials.ts'
import type { Mode, StoreId } from '../core/ids.ts'
import { hashToken, mintToken } from '../core/ids.ts'
import type { Database } from '../database/database.ts'
import {
  findCredential,
  insertCredential,
  insertOperatorToken,
  markRevoked,
  replaceSecret,
  revokeOperatorTokens,
} from '../sql/credentials.ts'
import { databaseTime } from '../sql/locks.ts'
import { type Actor, audited } from './auditLog.ts'

/** The secret is in plain only here, once; what is kept is its hash. */
export type Issued = { readonly credential: Credential; readonly apiSecret: string }

export async function issueCredential(
  database: Database,
  actor: Actor,
  wanted: {
    storeId: StoreId
    mode: Mode
    label: string
    scopes: readonly Scope[]
    expiresAt: Date | null
  },
): Promise<Issued> {
  const apiSecret = mintToken(SECRET_PREFIX[wanted.mode])
  return audited(database, actor, async (tx) => {
    const credential: Credential = {
      ...wanted,
      apiKey: `${KEY_PREFIX[wanted.mode]}${randomBytes(15).toString('base64url')}`,
      secretHash: hashToken(apiSecret),
      previousHash: null,
      previousUntil: null,
      createdAt: await databaseTime(tx),
      revokedAt: null,
      lastUsedAt: null,
    }
    await insertCredential(tx, credential)
    return {
      result: { credential, apiSecret },
      entry: {
        action: 'credential.issue',
        subject: `credential:${credential.apiKey}`,
        before: null,
        after: credentialFields(credential),
      },
    }
  })
}

/** The old secret works on until `overlapSeconds` have passed. Null where there is no such key. */
export async function rotateCredential(
  database: Database,
  actor: Actor,
  { apiKey, overlapSeconds }: { apiKey: string; overlapSeconds: number },
): Promise<Issued | null> {
  return audited(database, actor, async (tx) => {
    const before = await findCredential(tx, apiKey)
    if (before === null || before.revokedAt !== null) return { result: null, entry: null }
    const at = await databaseTime(tx)
    const apiSecret = mintToken(SECRET_PREFIX[before.mode])
    const previousUntil = new Date(at.getTime() + overlapSeconds * 1000)
    const change = { apiKey, secretHash: hashToken(apiSecret), previousUntil }
    if ((await replaceSecret(tx, change)) === 0) return { result: null, entry: null }
    const credential = { ...before, previousHash: before.secretHash, previousUntil }
    return {
      result: { credential, apiSecret },
      entry: {
        action: 'credential.rotate',
        subject: `credential:${apiKey}`,
        before: credentialFields(before),
        after: credentialFields(credential),
      },
    }
  })
}

export async function revokeCredential(
  database: Database,
  actor: Actor,
  apiKey: string,
): Promise<Credential | null> {
  return audited(database, actor, async (tx) => {
    const before = await findCredential(tx, apiKey)
    if (before === null) return { result: null, entry: null }
    if (before.revokedAt !== null) return { result: before, entry: null }
    const at = await databaseTime(tx)
    await markRevoked(tx, apiKey, at)
    const after = { ...before, revokedAt: at }
    return {
      result: after,
      entry: {
        action: 'credential.revoke',
        subject: `credential:${apiKey}`,
        before: credentialFields(before),
        after: credentialFields(after),
      },
    }
  })
}

const timeOrNull = (at: Date | null) => (at === null ? null : wireTime(at))

/** Everything about a credential that may be shown: never a secret, nor its hash. */
export function credentialFields(credential: Credential) {
  return {
    api_key: credential.apiKey,
    store_id: credential.storeId,
    mode: credential.mode,
    label: credential.label,
    scopes: [...credential.scopes],
    created_at: wireTime(credential.createdAt),
    expires_at: timeOrNull(credential.expiresAt),
    previous_secret_until: timeOrNull(credential.previousUntil),
    revoked_at: timeOrNull(credential.revokedAt),
    last_used_at: timeOrNull(credential.lastUsedAt),
  }
}

export async function issueOperatorToken(
  database: Database,
  actor: Actor,
  label: string,
): Promise<string> {
  const token = mintToken('flo_')
  return audited(database, actor, async (tx) => {
    const createdAt = await databaseTime(tx)
    await insertOperatorToken(tx, { tokenHash: hashToken(token), label, createdAt })
    const entry = { action: 'operator.issue', subject: `operator:${label}`, before: null }
    return { result: token, entry: { ...entry, after: { label } } }
  })
}

export async function revokeOperator(
  database: Database,
  actor: Actor,
  label: string,
): Promise<boolean> {
  return audited(database, actor, async (tx) => {
    const revoked = await revokeOperatorTokens(tx, label, await databaseTime(tx))
    if (revoked === 0) return { result: false, entry: null }
    const entry = { action: 'operator.revoke', subject: `operator:${label}`, after: null }
    return { result: true, entry: { ...entry, before: { label } } }
  })
}
