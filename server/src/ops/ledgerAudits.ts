import { mintReference } from '../core/ids.ts'
import type { Database } from '../database/database.ts'
import {
  findLedgerAudit,
  finishLedgerAudit,
  insertLedgerAudit,
  type LedgerAuditRow,
  listLedgerAudits,
  setAuditProgress,
} from '../store/ledgerAudits.ts'
import { CHECK_NAMES } from '../store/ledgerChecks.ts'
import { lockAlone } from '../store/locks.ts'
import { type Actor, audited } from './audited.ts'
import { auditLedger } from './auditLedger.ts'

const SIGN_OF_LIFE_MS = 5_000

/** Begins a proof of the ledger, unless one is running: then it is that one that is answered. */
export async function beginLedgerAudit(
  database: Database,
  actor: Actor,
): Promise<{ audit: LedgerAuditRow; isNew: boolean }> {
  return audited<{ audit: LedgerAuditRow; isNew: boolean }>(database, actor, async (tx) => {
    const startedAt = await lockAlone(tx, 'ledgerAudits')
    const [latest] = await listLedgerAudits(tx, { before: null, limit: 1 })
    if (latest && latest.finishedAt === null && !latest.isSilent) {
      return { result: { audit: latest, isNew: false }, entry: null }
    }
    const auditId = mintReference('aud_', startedAt)
    const checks = CHECK_NAMES.length
    await insertLedgerAudit(tx, { auditId, startedBy: actor.name, startedAt, checks })
    const audit = (await findLedgerAudit(tx, auditId))!
    const subject = `ledger_audit:${auditId}`
    const entry = { action: 'ledger.audit', subject, before: null, after: { checks } }
    return { result: { audit, isNew: true }, entry }
  })
}

/** Runs one that was begun, and keeps writing down how far it is. */
export async function runLedgerAudit(database: Database, auditId: string): Promise<void> {
  let checksDone = -1
  const tell = () =>
    database.transaction((tx) =>
      setAuditProgress(tx, { auditId, checksDone: Math.max(checksDone, 0) }),
    )
  // A sign of life that is lost is followed by another one.
  const alive = setInterval(() => void tell().catch(() => {}), SIGN_OF_LIFE_MS)
  try {
    const { totals, checks } = await auditLedger(database, () => {
      checksDone += 1
      void tell().catch(() => {})
    })
    const findings = checks.flatMap((check) => check.findings)
    await database.transaction((tx) => finishLedgerAudit(tx, { auditId, totals, findings }))
  } finally {
    clearInterval(alive)
  }
}
