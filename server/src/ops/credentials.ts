import { randomBytes } from 'node:crypto'
import { wireTime } from '../core/calendar.ts'
import { type Credential, KEY_PREFIX, type Scope, SECRET_PREFIX } from '../core/credentials.ts'
import { hashToken, mintToken, type StoreAndMode } from '../core/ids.ts'
import { MAX_ACCOUNT_MAILS_PER_HOUR, type NewMail } from '../core/mail.ts'
import type { SecurityEventKind } from '../core/securityEvent.ts'
import type { Database, Tx } from '../database/database.ts'
import {
  countNewCredentials,
  findCredential,
  insertCredential,
  markRevoked,
  replaceSecret,
  setKeysUsed,
} from '../sql/credentials.ts'
import { lock, readDatabaseTime } from '../sql/locks.ts'
import { findStore } from '../sql/stores.ts'
import { type Actor, type Entry, inAuditedTransaction, notDone } from './auditLog.ts'
import { findOwners } from './businessMails.ts'
import { inStoreTransaction } from './lockQueue.ts'
import type { MailQueue } from './mail.ts'
import { recordSecurityEvent } from './securityEvents.ts'
import { createUseRecorder } from './useRecorder.ts'

/** The secret in plain text, shown once. Only its hash is stored. */
export type IssuedKey = { readonly credential: Credential; readonly apiSecret: string }

/** A stolen session must not make the list of API keys very long, because the whole list is read at once. */
const MAX_KEYS_PER_DAY = 100
const DAY_MS = 24 * 3_600_000

/**
 * Creates an API key and emails the owners of the store. With `isLimited`, for people of the store, returns null if too many keys
 * of the store were created within 24 hours.
 */
export async function issueCredential(
  { database, mail }: { database: Database; mail: MailQueue },
  actor: Actor,
  fields: StoreAndMode & {
    label: string
    scopes: readonly Scope[]
    expiresAt: Date | null
  },
  { isLimited = false }: { isLimited?: boolean } = {},
): Promise<IssuedKey | null> {
  const apiSecret = mintToken(SECRET_PREFIX[fields.mode])
  const { storeId } = fields
  return inStoreTransaction<IssuedKey | null>(database, { storeId, actor }, async (tx) => {
    const createdAt = await lock(tx, { stores: [storeId] })
    const dayAgo = new Date(createdAt.getTime() - DAY_MS)
    const created = isLimited ? await countNewCredentials(tx, storeId, dayAgo) : 0
    if (created >= MAX_KEYS_PER_DAY) return notDone(null)
    const credential: Credential = {
      ...fields,
      apiKey: `${KEY_PREFIX[fields.mode]}${randomBytes(15).toString('base64url')}`,
      secretHash: hashToken(apiSecret),
      previousHash: null,
      previousUntil: null,
      createdAt,
      revokedAt: null,
      lastUsedAt: null,
    }
    await insertCredential(tx, credential)
    await recordKeyEvent(tx, actor, 'api_key_created', credential, credential.createdAt)
    await addKeyMails(tx, mail, actor, credential)
    return { result: { credential, apiSecret }, entry: keyEntry('issue', null, credential) }
  })
}

/** The old secret stays valid for `overlapSeconds`. Null for an unknown or revoked key. */
export async function rotateCredential(
  database: Database,
  actor: Actor,
  { apiKey, overlapSeconds }: { apiKey: string; overlapSeconds: number },
): Promise<IssuedKey | null> {
  return inAuditedTransaction(database, actor, async (tx) => {
    const before = await findCredential(tx, apiKey)
    if (before === null || before.revokedAt !== null) return notDone(null)
    const at = await readDatabaseTime(tx)
    const apiSecret = mintToken(SECRET_PREFIX[before.mode])
    const previousUntil = new Date(at.getTime() + overlapSeconds * 1000)
    const change = { apiKey, secretHash: hashToken(apiSecret), previousUntil }
    if ((await replaceSecret(tx, change)) === 0) return notDone(null)
    await recordKeyEvent(tx, actor, 'api_key_rotated', before, at)
    const { secretHash } = change
    const credential = { ...before, secretHash, previousHash: before.secretHash, previousUntil }
    return { result: { credential, apiSecret }, entry: keyEntry('rotate', before, credential) }
  })
}

export async function revokeCredential(database: Database, actor: Actor, apiKey: string) {
  return inAuditedTransaction(database, actor, async (tx) => {
    const before = await findCredential(tx, apiKey)
    if (before === null) return notDone(null)
    if (before.revokedAt !== null) return notDone(before)
    const at = await readDatabaseTime(tx)
    await markRevoked(tx, apiKey, at)
    await recordKeyEvent(tx, actor, 'api_key_revoked', before, at)
    const after = { ...before, revokedAt: at }
    return { result: after, entry: keyEntry('revoke', before, after) }
  })
}

const recordKeyEvent = (
  tx: Tx,
  actor: Actor,
  kind: SecurityEventKind,
  { storeId, apiKey, label, mode }: Credential,
  at: Date,
) => {
  const details = { api_key: apiKey, label, mode }
  const event = { kind, accountId: actor.accountId ?? null, storeId, details }
  return recordSecurityEvent(tx, actor, event, at)
}

async function addKeyMails(
  tx: Tx,
  mail: MailQueue,
  actor: Actor,
  { storeId, label, apiKey, createdAt }: Credential,
): Promise<void> {
  if (!mail.isEnabled) return
  const owners = await findOwners(tx, (await findStore(tx, storeId))!)
  const mails = owners.map(
    ({ email, name, locale }): NewMail => ({
      to: email,
      locale,
      content: {
        template: 'new_credential',
        name,
        kind: 'api_key',
        label: label === '' ? apiKey : label,
        by: actor.name,
        at: wireTime(createdAt),
      },
      maxPerHour: MAX_ACCOUNT_MAILS_PER_HOUR,
    }),
  )
  await mail.add(tx, mails, createdAt)
}

const keyEntry = (action: string, before: Credential | null, after: Credential): Entry => ({
  action: `credential.${action}`,
  subject: `credential:${after.apiKey}`,
  before: before && credentialFields(before),
  after: credentialFields(after),
})

/** The credential without the hash of its secret, for responses and the audit log. */
export function credentialFields(credential: Credential) {
  return {
    api_key: credential.apiKey,
    store_id: credential.storeId,
    mode: credential.mode,
    label: credential.label,
    scopes: [...credential.scopes],
    created_at: wireTime(credential.createdAt),
    expires_at: credential.expiresAt && wireTime(credential.expiresAt),
    previous_secret_until: credential.previousUntil && wireTime(credential.previousUntil),
    revoked_at: credential.revokedAt && wireTime(credential.revokedAt),
    last_used_at: credential.lastUsedAt && wireTime(credential.lastUsedAt),
  }
}

/** Records when API keys were last used. */
export const createKeyUseRecorder = (database: Database, now: () => Date) =>
  createUseRecorder(database, {
    now,
    loop: 'keys',
    write: (tx, uses) =>
      setKeysUsed(
        tx,
        uses.map(({ id: apiKey, at }) => ({ apiKey, at })),
      ),
  })
