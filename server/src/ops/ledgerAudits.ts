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
import { lockGlobal, terminateBackend } from '../sql/locks.ts'
import { verifyAuditChain } from './auditChain.ts'
import { auditLedger } from './auditLedger.ts'
import { type Actor, inAuditedTransaction } from './auditLog.ts'

const HEARTBEAT_MS = 5_000

/** Runs ledger audits in the background; one at a time over all processes. */
export function ledgerAudits(
  database: Database,
  secretKey: Buffer,
  onFailure: (error: unknown) => void,
) {
  let backend: number | null = null
  let running: Promise<void> = Promise.resolve()

  /** Stores its progress while it runs. */
  async function run(auditId: string): Promise<void> {
    let checksDone = -1
    const reportProgress = () => {
      const progress = { auditId, checksDone: Math.max(checksDone, 0) }
      // Ignore a failed heartbeat: the next one follows soon.
      database.transaction((tx) => setAuditProgress(tx, progress)).catch(() => {})
    }
    const heartbeat = setInterval(reportProgress, HEARTBEAT_MS)
    const onCheck = () => {
      checksDone += 1
      reportProgress()
    }
    try {
      const onBegin = (pid: number) => {
        backend = pid
      }
      const { totals, checks } = await auditLedger(database, { onCheck, onBegin })
      onCheck()
      const chain = await verifyAuditChain(database, secretKey)
      const findings = [...checks.flatMap((check) => check.findings), ...chain.findings]
      await database.transaction((tx) =>
        finishLedgerAudit(tx, { auditId, totals, findings, chain }),
      )
    } finally {
      backend = null
      clearInterval(heartbeat)
    }
  }

  return {
    /** Starts an audit, or returns the one that is running. */
    async begin(actor: Actor): Promise<{ audit: LedgerAuditRow; isNew: boolean }> {
      const begun = await beginLedgerAudit(database, actor)
      if (begun.isNew) running = run(begun.audit.auditId).catch(onFailure)
      return begun
    },
    /** Terminates a running audit, because it may take an hour. It can be started again. */
    async stop(): Promise<void> {
      if (backend !== null) await terminateBackend(database, backend)
      await running
    },
  }
}

async function beginLedgerAudit(database: Database, actor: Actor) {
  return inAuditedTransaction<{ audit: LedgerAuditRow; isNew: boolean }>(
    database,
    actor,
    async (tx) => {
      const startedAt = await lockGlobal(tx, 'ledgerAudits')
      const [latest] = await listLedgerAudits(tx, { before: null, limit: 1 })
      if (latest && latest.finishedAt === null && !latest.isSilent) {
        return { result: { audit: latest, isNew: false }, entry: null }
      }
      const auditId = mintReference('aud_', startedAt)
      // The last check is that of the audit log.
      const checks = CHECK_NAMES.length + 1
      await insertLedgerAudit(tx, { auditId, startedBy: actor.name, startedAt, checks })
      const audit = (await findLedgerAudit(tx, auditId))!
      const subject = `ledger_audit:${auditId}`
      const entry = { action: 'ledger.audit', subject, before: null, after: { checks } }
      return { result: { audit, isNew: true }, entry }
    },
  )
}
