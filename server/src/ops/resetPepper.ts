import { fingerprintOf } from '../core/secrets.ts'
import type { Database, Tx } from '../database/database.ts'
import { readDatabaseTime } from '../sql/locks.ts'
import { lockSecretKeyHash } from '../sql/secretKey.ts'
import { findPepperHash, replacePepperHash } from '../sql/secrets.ts'
import { type Actor, recordAuditEntries } from './auditLog.ts'
import { asInUse, RotationRefused, refuseOthers } from './rotateSecretKey.ts'
import { recordSecurityEvent } from './securityEvents.ts'

type Reset = { readonly pepper: Buffer; readonly actor: Actor }

/**
 * Replaces the lost or leaked pepper of the database with this one. PINs and activation codes of the old one stay stored, but can't
 * be verified. Refuses while another process of Florin uses the database, because it has the old pepper.
 */
export async function resetPepper(database: Database, reset: Reset): Promise<void> {
  try {
    await database.transaction((tx) => replace(tx, reset))
  } catch (error) {
    throw asInUse(error)
  }
}

async function replace(tx: Tx, { pepper, actor }: Reset): Promise<void> {
  // A process that starts now waits for this lock, and then refuses the old pepper.
  await lockSecretKeyHash(tx)
  await refuseOthers(tx)
  const stored = await findPepperHash(tx)
  const hash = fingerprintOf(pepper)
  if (stored === null || stored.equals(hash)) {
    throw new RotationRefused(
      'The database uses no other pepper, so there is nothing to reset. If the pepper leaked, first move pepper.key away, or set another FLORIN_PEPPER.',
    )
  }
  await replacePepperHash(tx, hash)
  const at = await readDatabaseTime(tx)
  const entry = { action: 'pepper.reset', subject: 'pepper', before: null, after: null }
  await recordAuditEntries(tx, [{ by: actor, entry }], at)
  const details = { setting: 'pepper' }
  await recordSecurityEvent(tx, actor, { kind: 'setting_changed', accountId: null, details }, at)
}
