import { mintReference } from '../core/ids.ts'
import type { Database } from '../database/database.ts'
import {
  findLedgerAudit,
  finishLedgerAudit,
  insertLedgerAudit,
  type LedgerAuditRow,
  listLedgerAudits,
  setAuditProgress,
} from '../sql/ledgerAudits.ts'
import { CHECK_NAMES } from '../sql/ledgerChecks.ts'
import { endBackend, lockAlone } from '../sql/locks.ts'
import { auditLedger } from './auditLedger.ts'
import { type Actor, audited } from './auditLog.ts'

const SIGN_OF_LIFE_MS = 5_000

/** Proofs of the ledger that this process was asked for; one at a time among all processes. */
export function ledgerAudits(database: Database, onFailure: (error: unknown) => void) {
  let backend: number | null = null
  let running: Promise<void> = Promise.resolve()

  /** Keeps writing down how far it is. */
  async function run(auditId: string): Promise<void> {
    let checksDone = -1
    const tell = () => {
      const progress = { auditId, checksDone: Math.max(checksDone, 0) }
      // A sign of life that is lost is followed by another one.
      database.transaction((tx) => setAuditProgress(tx, progress)).catch(() => {})
    }
    const alive = setInterval(tell, SIGN_OF_LIFE_MS)
    const onCheck = () => {
      checksDone += 1
      tell()
    }
    try {
      const onBegin = (pid: number) => {
        backend = pid
      }
      const { totals, checks } = await auditLedger(database, { onCheck, onBegin })
      const findings = checks.flatMap((check) => check.findings)
      await database.transaction((tx) => finishLedgerAudit(tx, { auditId, totals, findings }))
    } finally {
      backend = null
      clearInterval(alive)
    }
  }

  return {
    /** Begins one, unless one is running: then it is that one that is answered. */
    async begin(actor: Actor): Promise<{ audit: LedgerAuditRow; isNew: boolean }> {
      const begun = await beginLedgerAudit(database, actor)
      if (begun.isNew) running = run(begun.audit.auditId).catch(onFailure)
      return begun
    },
    /** Whoever stops does not wait an hour for a proof: it is cut off, and can be run again. */
    async stop(): Promise<void> {
      if (backend !== null) await endBackend(database, backend)
      await running
    },
  }
}

async function beginLedgerAudit(
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
