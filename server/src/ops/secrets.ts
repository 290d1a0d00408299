import { wireTime } from '../core/calendar.ts'
import type { StoreAndMode } from '../core/ids.ts'
import { decryptSecret, encryptSecret, mintWebhookSecret } from '../core/secrets.ts'
import type { Database } from '../database/database.ts'
import { lock } from '../sql/locks.ts'
import {
  findPreviousUntil,
  findSecrets,
  replaceWebhookSecret,
  storePepperHash,
  storeSecretKeyHash,
} from '../sql/secrets.ts'
import type { Actor } from './auditLog.ts'
import { inStoreTransaction } from './lockQueue.ts'
import { recordSecurityEvent } from './securityEvents.ts'

/** Whether this process has the key of the database. The first process stores the hash of its key. */
export async function isSecretKeyValid(database: Database, keyHash: Buffer): Promise<boolean> {
  const stored = await database.transaction((tx) => storeSecretKeyHash(tx, keyHash))
  return stored.equals(keyHash)
}

/**
 * Whether this process has the pepper of the database. The first process stores the hash of its pepper. PINs and activation
 * codes that are hashed with one pepper can't be verified with another.
 */
export async function isPepperValid(database: Database, pepperHash: Buffer): Promise<boolean> {
  const stored = await database.transaction((tx) => storePepperHash(tx, pepperHash))
  return stored.equals(pepperHash)
}

/** Reads the secret that signs webhooks, and records in the audit log who read it. */
export async function revealWebhookSecret(
  database: Database,
  actor: Actor,
  { storeId, mode }: StoreAndMode,
  secretKey: Buffer,
): Promise<{ secret: string; previousUntil: Date | null }> {
  return inStoreTransaction(database, { storeId, actor }, async (tx) => {
    const [[encrypted], previousUntil] = await Promise.all([
      findSecrets(tx, storeId, mode),
      findPreviousUntil(tx, storeId, mode),
    ])
    return {
      result: { secret: decryptSecret(encrypted!, secretKey), previousUntil },
      entry: {
        action: 'webhook_secret.read',
        subject: `store:${storeId}`,
        before: null,
        after: { mode },
      },
    }
  })
}

const OVERLAP_MS = 24 * 3_600_000

/** For a day, events are signed with the old and the new secret, so that the merchant can switch. */
export async function rotateWebhookSecret(
  database: Database,
  actor: Actor,
  owner: StoreAndMode,
  secretKey: Buffer,
): Promise<{ secret: string; previousUntil: Date }> {
  const secret = mintWebhookSecret()
  const { storeId, mode } = owner
  return inStoreTransaction(database, { storeId, actor }, async (tx) => {
    const at = await lock(tx, { stores: [storeId] })
    const previousUntil = new Date(at.getTime() + OVERLAP_MS)
    const encrypted = encryptSecret(secret, secretKey)
    await replaceWebhookSecret(tx, { ...owner, encrypted, previousUntil })
    const kind = 'webhook_secret_rotated'
    const event = { kind, accountId: actor.accountId ?? null, storeId, details: { mode } } as const
    await recordSecurityEvent(tx, actor, event, at)
    return {
      result: { secret, previousUntil },
      entry: {
        action: 'webhook_secret.rotate',
        subject: `store:${storeId}`,
        before: null,
        after: { mode, previous_secret_until: wireTime(previousUntil) },
      },
    }
  })
}
