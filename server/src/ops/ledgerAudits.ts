import { mintReference } from '../core/ids.ts'
import { chanceWithin } from '../core/ledgerSeal.ts'
import type { Database, Tx } from '../database/database.ts'
import {
  findLedgerAudit,
  findRunningAudit,
  finishLedgerAudit,
  insertLedgerAudit,
  type LedgerAuditRow,
  type SealView,
  setAuditProgress,
} from '../sql/ledgerAudits.ts'
import { type Finding, ROW_CHECK_NAMES, TOTAL_CHECK_NAMES } from '../sql/ledgerChecks.ts'
import { lockGlobal, terminateBackend } from '../sql/locks.ts'
import { type ChainAudit, verifyAuditChain } from './auditChain.ts'
import { auditLedger, type LedgerAudit, type SealReport } from './auditLedger.ts'
import { type Actor, inAuditedTransaction, notDone } from './auditLog.ts'

const HEARTBEAT_MS = 5_000

type AuditResult = {
  readonly ledger: LedgerAudit
  readonly chain: ChainAudit
  /** Those of the ledger, of the audit log and of everything else that was checked. */
  readonly findings: readonly Finding[]
}

type RunAudit<Result extends AuditResult> = (
  onProgress: (done: number, total: number) => void,
) => Promise<Result>

/** Runs ledger audits in the background. Starts none while another one runs, in any process. */
export function createLedgerAudits(
  database: Database,
  secretKey: Buffer,
  onFailure: (error: unknown) => void,
) {
  const backends = new Set<number>()
  let running: Promise<void> = Promise.resolve()

  async function run(row: LedgerAuditRow): Promise<void> {
    try {
      await recordAudit(database, row, async (onProgress) => {
        const onBegin = (backend: number) => void backends.add(backend)
        const seals = { secretKey, scope: row.isFull ? 'all' : 'new' } as const
        const ledger = await auditLedger(database, { onProgress, onBegin, seals })
        const chain = await verifyAuditChain(database, secretKey)
        const findings = [...ledger.checks.flatMap((check) => check.findings), ...chain.findings]
        return { ledger, chain, findings }
      })
    } finally {
      backends.clear()
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

/**
 * Runs an audit for the command line, and records it for the operator console. It starts even if another one is running. The audit
 * log gets no entry, so that the result describes the log as it was before the command. If the result can't be recorded,
 * calls `onUnrecorded` and still returns it.
 */
export async function runCommandLineAudit<Result extends AuditResult>(
  database: Database,
  {
    startedBy,
    isFull,
    onUnrecorded,
  }: { startedBy: string; isFull: boolean; onUnrecorded: (error: unknown) => void },
  audit: RunAudit<Result>,
): Promise<Result> {
  let result: Result | undefined
  const row = await database.transaction(async (tx) => {
    const startedAt = await lockGlobal(tx, 'ledgerAudits')
    return createAuditRow(tx, { startedBy, startedAt, isFull })
  })
  try {
    return await recordAudit(database, row, async (onProgress) => {
      result = await audit(onProgress)
      return result
    })
  } catch (error) {
    if (result === undefined) throw error
    onUnrecorded(error)
    return result
  }
}

/** Runs an audit, and stores its progress and then its result. */
async function recordAudit<Result extends AuditResult>(
  database: Database,
  { auditId, checks }: LedgerAuditRow,
  audit: RunAudit<Result>,
): Promise<Result> {
  let progress = { auditId, checks, checksDone: 0 }
  const reportProgress = () => {
    // Ignore a failed heartbeat: the next one follows soon.
    database.transaction((tx) => setAuditProgress(tx, progress)).catch(() => {})
  }
  const heartbeat = setInterval(reportProgress, HEARTBEAT_MS)
  try {
    const result = await audit((done, total) => {
      // The last check is that of the audit log.
      progress = { auditId, checks: total + 1, checksDone: done }
      if (done === total) reportProgress()
    })
    const { ledger, chain, findings } = result
    await database.transaction((tx) =>
      finishLedgerAudit(tx, {
        auditId,
        checks: progress.checks,
        totals: ledger.totals,
        findings,
        chain,
        seals: sealView(ledger.seals!),
      }),
    )
    return result
  } finally {
    clearInterval(heartbeat)
  }
}

async function beginLedgerAudit(database: Database, actor: Actor, { isFull }: { isFull: boolean }) {
  return inAuditedTransaction<{ audit: LedgerAuditRow; isNew: boolean }>(
    database,
    actor,
    async (tx) => {
      const startedAt = await lockGlobal(tx, 'ledgerAudits')
      // Not only the latest: an audit by the command line may have started later and ended sooner.
      const current = await findRunningAudit(tx)
      if (current !== null) return notDone({ audit: current, isNew: false })
      const audit = await createAuditRow(tx, { startedBy: actor.name, startedAt, isFull })
      const subject = `ledger_audit:${audit.auditId}`
      const entry = { action: 'ledger.audit', subject, before: null, after: { full: isFull } }
      return { result: { audit, isNew: true }, entry }
    },
  )
}

async function createAuditRow(
  tx: Tx,
  started: { startedBy: string; startedAt: Date; isFull: boolean },
): Promise<LedgerAuditRow> {
  const auditId = mintReference('aud_', started.startedAt)
  // An estimate until the audit has counted its steps.
  const checks = TOTAL_CHECK_NAMES.length + ROW_CHECK_NAMES.length
  await insertLedgerAudit(tx, { ...started, auditId, checks })
  return (await findLedgerAudit(tx, auditId))!
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
