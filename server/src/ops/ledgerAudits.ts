import { mintReference } from '../core/ids.ts'
import { chanceWithin } from '../core/ledgerSeal.ts'
import type { Database } from '../database/database.ts'
import {
  findLedgerAudit,
  finishLedgerAudit,
  insertLedgerAudit,
  type LedgerAuditRow,
  listLedgerAudits,
  type SealView,
  setAuditProgress,
} from '../sql/ledgerAudits.ts'
import { ROW_CHECK_NAMES, TOTAL_CHECK_NAMES } from '../sql/ledgerChecks.ts'
import { lockGlobal, terminateBackend } from '../sql/locks.ts'
import { verifyAuditChain } from './auditChain.ts'
import { auditLedger, type SealReport } from './auditLedger.ts'
import { type Actor, inAuditedTransaction } from './auditLog.ts'

const HEARTBEAT_MS = 5_000

/** Runs ledger audits in the background, one at a time across all processes. */
export function createLedgerAudits(
  database: Database,
  secretKey: Buffer,
  onFailure: (error: unknown) => void,
) {
  const backends = new Set<number>()
  let running: Promise<void> = Promise.resolve()

  /** Runs an audit, and stores its progress meanwhile. */
  async function run({ auditId, checks, isFull }: LedgerAuditRow): Promise<void> {
    let progress = { auditId, checks, checksDone: 0 }
    const reportProgress = () => {
      // Ignore a failed heartbeat: the next one follows soon.
      database.transaction((tx) => setAuditProgress(tx, progress)).catch(() => {})
    }
    const heartbeat = setInterval(reportProgress, HEARTBEAT_MS)
    const onProgress = (done: number, total: number) => {
      // The last check is that of the audit log.
      progress = { auditId, checks: total + 1, checksDone: done }
    }
    try {
      const onBegin = (backend: number) => void backends.add(backend)
      const seals = { secretKey, scope: isFull ? 'all' : 'new' } as const
      const audit = await auditLedger(database, { onProgress, onBegin, seals })
      reportProgress()
      const chain = await verifyAuditChain(database, secretKey)
      const findings = [...audit.checks.flatMap((check) => check.findings), ...chain.findings]
      const { totals, seals: sealed } = audit
      await database.transaction((tx) =>
        finishLedgerAudit(tx, {
          auditId,
          checks: progress.checks,
          totals,
          findings,
          chain,
          seals: sealView(sealed!),
        }),
      )
    } finally {
      backends.clear()
      clearInterval(heartbeat)
    }
  }

  return {
    /** Starts an audit, or returns the one that is running. */
    async begin(
      actor: Actor,
      options: { isFull: boolean },
    ): Promise<{ audit: LedgerAuditRow; isNew: boolean }> {
      const started = await beginLedgerAudit(database, actor, options)
      if (started.isNew) running = run(started.audit).catch(onFailure)
      return started
    },
    /** Terminates the audit of this process, because it may take an hour. It can be started again. */
    async stop(): Promise<void> {
      for (const backend of backends) await terminateBackend(database, backend)
      await running
    },
  }
}

async function beginLedgerAudit(database: Database, actor: Actor, { isFull }: { isFull: boolean }) {
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
      // An estimate until the audit has counted its steps.
      const checks = TOTAL_CHECK_NAMES.length + ROW_CHECK_NAMES.length
      await insertLedgerAudit(tx, { auditId, startedBy: actor.name, startedAt, checks, isFull })
      const audit = (await findLedgerAudit(tx, auditId))!
      const subject = `ledger_audit:${auditId}`
      const entry = { action: 'ledger.audit', subject, before: null, after: { full: isFull } }
      return { result: { audit, isNew: true }, entry }
    },
  )
}

/** `chance_in_30` is the probability within this many audits. */
const AUDITS_IN_CHANCE = 30

/** What an audit sealed and checked again, and the probability that an audit finds a change in one sealed day. */
export function sealView({ until, days, checkedAgain, newDays }: SealReport): SealView {
  const chance = days === 0 ? null : checkedAgain / days
  return {
    until,
    days,
    checked_again: checkedAgain,
    new_days: newDays,
    chance,
    chance_in_30: chance && chanceWithin(chance, AUDITS_IN_CHANCE),
  }
}
