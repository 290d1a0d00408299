import { setTimeout as sleep } from 'node:timers/promises'
import { formatHead } from '../core/auditChain.ts'
import { brokenArchives, rerecordArchives } from '../core/ledgerArchive.ts'
import { resealDays, sealKeyOf } from '../core/ledgerSeal.ts'
import { decryptSecret, encryptSecret, fingerprintOf } from '../core/secrets.ts'
import type { Database, Tx } from '../database/database.ts'
import { isLockTimeout } from '../database/errors.ts'
import { listArchives } from '../sql/archives.ts'
import {
  lockGlobal,
  prepareForManyRows,
  readDatabaseTime,
  tryLoopLock,
  useWritableSnapshot,
} from '../sql/locks.ts'
import { listNodes } from '../sql/nodes.ts'
import {
  closeEncrypted,
  ENCRYPTED,
  type EncryptedColumn,
  fetchEncrypted,
  listOtherSessions,
  lockSecretKeyHash,
  openEncrypted,
  replaceArchiveMacs,
  replaceDayMacs,
  replaceEncrypted,
  replaceSecretKeyHash,
} from '../sql/secretKey.ts'
import { findSecretKeyHash } from '../sql/secrets.ts'
import { resealAuditLog, verifyAuditChain } from './auditChain.ts'
import { type Actor, recordAuditEntries } from './auditLog.ts'
import { STEP_TIMEOUT_MS } from './auditSteps.ts'
import { readSeals } from './ledgerSeals.ts'
import { SILENT_MS } from './nodes.ts'
import { recordSecurityEvent } from './securityEvents.ts'

/** A reason why a key was not replaced. */
export class RotationRefused extends Error {}

type RotationRequest = {
  readonly oldKey: Buffer
  /** Called when everything is verified, before anything is changed. May be called again. */
  readonly createKey: () => Promise<Buffer>
  /** Replaces the key even if seals are broken. They stay broken under the new key. */
  readonly keepsBroken: boolean
  readonly actor: Actor
  readonly onProgress: (step: string) => void
}

export type Rotation = {
  readonly webhooks: number
  readonly totp: number
  readonly mails: number
  readonly auditEntries: number
  readonly days: number
  readonly months: number
  /** The new head of the audit log; null if nothing is sealed. */
  readonly head: string | null
  /** The findings of the seals, which audits report under the new key too. */
  readonly broken: readonly string[]
}

/**
 * Replaces the secret key in one transaction: encrypts all secrets again, and seals the ledger, its archives and the audit log
 * again. Refuses while another process of Florin uses the database, because it has the old key, and if a seal is broken,
 * unless the request says to keep it. A broken seal is never replaced, because a new one would hide the change.
 */
export async function rotateSecretKey(
  database: Database,
  request: RotationRequest,
): Promise<Rotation> {
  try {
    return await database.transaction((tx) => rotate(tx, request), {
      statementTimeoutMs: STEP_TIMEOUT_MS,
    })
  } catch (error) {
    throw asInUse(error)
  }
}

/** Converts the timeout of a lock that another command or process holds to a refusal. */
export const asInUse = (error: unknown): unknown =>
  isLockTimeout(error) ? new RotationRefused(IN_USE) : error

const IN_USE =
  'Another command or process uses the database. Nothing was changed. Try again when it has finished.'

async function rotate(
  tx: Tx,
  { oldKey, createKey, keepsBroken, actor, onProgress }: RotationRequest,
): Promise<Rotation> {
  if (!tx.isDistributed) await useWritableSnapshot(tx)
  // A process that starts now waits for this lock, and then finds the new hash. Those that started before are connected.
  await lockSecretKeyHash(tx)
  await prepareForManyRows(tx)
  await refuseOthers(tx)
  if (!(await tryLoopLock(tx, 'ledgerSeals'))) throw new RotationRefused(IN_USE)
  await lockGlobal(tx, 'auditSeals')
  onProgress('Verifying the seals…')
  const sealed = await readVerified(tx, oldKey, keepsBroken)
  const newKey = await createKey()
  if (newKey.equals(oldKey)) {
    throw new RotationRefused('The new key is the old one. Nothing was changed. Choose another.')
  }
  const counts = { webhooks: 0, totp: 0, mails: 0 }
  onProgress('Encrypting the secrets again…')
  for (const kind of ['webhooks', 'totp', 'mails'] as const) {
    for (const column of ENCRYPTED[kind]) {
      counts[kind] += await encryptAgain(tx, column, { oldKey, newKey })
    }
  }
  const sealKeys = [sealKeyOf(oldKey), sealKeyOf(newKey)] as const
  await replaceDayMacs(tx, resealDays(...sealKeys, sealed.days))
  await replaceArchiveMacs(tx, rerecordArchives(...sealKeys, sealed.archives))
  const head = await resealAuditLog(tx, {
    oldKey,
    newKey,
    onProgress: (position) =>
      onProgress(`Sealing the audit log again: ${position} of ${sealed.auditEntries} entries…`),
  })
  await replaceSecretKeyHash(tx, fingerprintOf(newKey))
  const auditEntries = Number(sealed.auditEntries)
  const [days, months] = [sealed.days.length, sealed.archives.length]
  const { broken } = sealed
  const isBroken = broken.length > 0
  const at = await readDatabaseTime(tx)
  const entry = {
    action: 'secret_key.rotate',
    subject: 'secret_key',
    // The seals under the old key are gone. A head that was noted earlier can still be compared with this one.
    before: { audit_log_head: sealed.head },
    after: { audit_log_head: head && formatHead(head), ...(isBroken && { broken }) },
  }
  await recordAuditEntries(tx, [{ by: actor, entry }], at)
  const details = { setting: 'secret_key' }
  await recordSecurityEvent(tx, actor, { kind: 'setting_changed', accountId: null, details }, at)
  return { ...counts, auditEntries, days, months, head: head && formatHead(head), broken }
}

const MAX_CHECKS = 10
const CHECK_INTERVAL_MS = 200

/** Refuses while other processes of Florin use the database. */
export async function refuseOthers(tx: Tx): Promise<void> {
  const nodes = (await listNodes(tx)).filter(({ silentMs }) => silentMs <= SILENT_MS)
  if (nodes.length > 0) {
    throw runningRefusal(nodes.map(({ host, pid }) => `process ${pid} on ${host}`))
  }
  let sessions = await listOtherSessions(tx)
  // PostgreSQL lists a closed session for a moment.
  for (let check = 1; check < MAX_CHECKS && sessions.length > 0; check++) {
    await sleep(CHECK_INTERVAL_MS)
    sessions = await listOtherSessions(tx)
  }
  if (sessions.length === 0) return
  throw runningRefusal(sessions.map(({ name, pid }) => `connection ${pid} of PostgreSQL (${name})`))
}

const MAX_LISTED = 10

function runningRefusal(found: readonly string[]): RotationRefused {
  const names = found.slice(0, MAX_LISTED).map((name) => `  ${name}`)
  return new RotationRefused(
    `Florin is running. Nothing was changed. First stop every process and command that uses this database:\n${names.join('\n')}\nA process that was killed is listed for ${SILENT_MS / 1000} seconds.`,
  )
}

async function readVerified(tx: Tx, oldKey: Buffer, keepsBroken: boolean) {
  const stored = await findSecretKeyHash(tx)
  if (stored === null || !stored.equals(fingerprintOf(oldKey))) {
    throw new RotationRefused('The secret key has just been replaced. Nothing was changed.')
  }
  const sealKey = sealKeyOf(oldKey)
  const { sealed, findings } = await readSeals(tx, sealKey)
  const archives = await listArchives(tx)
  const chain = await verifyAuditChain(tx, oldKey)
  const broken = [
    ...[...findings, ...chain.findings].map(({ subject }) => subject),
    ...brokenArchives(sealKey, archives).map((month) => `archive of ${month.slice(0, 7)}`),
  ]
  if (broken.length > 0 && !keepsBroken) {
    throw new RotationRefused(
      'A seal of the ledger or of the audit log is broken. Nothing was changed. See: npx florin audit. ' +
        'To replace the key and keep the broken seals, which audits then still report, add --keep-broken-seals.',
    )
  }
  return { days: sealed.days, archives, auditEntries: chain.sealed, head: chain.head, broken }
}

/** Returns the number of secrets. */
async function encryptAgain(
  tx: Tx,
  column: EncryptedColumn,
  { oldKey, newKey }: { oldKey: Buffer; newKey: Buffer },
): Promise<number> {
  let count = 0
  await openEncrypted(tx, column)
  for (;;) {
    const rows = await fetchEncrypted(tx, column)
    if (rows.length === 0) break
    const encrypted = rows.map((row) => {
      const key = Object.keys(column.key).map((field) => row[field])
      const plain = decryptOrRefuse(row.encrypted, oldKey, `${column.table} ${key.join(' ')}`)
      return { ...row, encrypted: encryptSecret(plain, newKey) }
    })
    await replaceEncrypted(tx, column, encrypted)
    count += rows.length
  }
  await closeEncrypted(tx, column)
  return count
}

function decryptOrRefuse(encrypted: Buffer, key: Buffer, name: string): string {
  try {
    return decryptSecret(encrypted, key)
  } catch {
    throw new RotationRefused(
      `The secret of ${name} can't be decrypted: it was changed in the database. Nothing was changed. Replace or delete it first.`,
    )
  }
}
