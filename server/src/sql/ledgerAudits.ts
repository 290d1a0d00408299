import type { Queryable, Tx } from '../database/database.ts'
import type { Finding, LedgerTotals } from './ledgerChecks.ts'

/** A ledger audit. If it is silent and not finished, it failed or its process ended. */
export type LedgerAuditRow = {
  readonly auditId: string
  readonly startedBy: string
  readonly startedAt: Date
  readonly isSilent: boolean
  readonly checks: number
  readonly checksDone: number
  readonly finishedAt: Date | null
  readonly totals: Record<keyof LedgerTotals, string> | null
  readonly findings: readonly Finding[] | null
  /** Null until the audit is finished, and for audits of earlier versions. */
  readonly auditChain: StoredChain | null
  /** Whether it checks everything. Otherwise it checks what came after the sealed days, and some of the sealed days again. */
  readonly isFull: boolean
  /** Null until the audit is finished, and for audits of earlier versions. */
  readonly seals: SealView | null
}

/** What an audit sealed and checked again. */
export type SealView = {
  readonly until: string | null
  readonly days: number
  readonly checked_again: number
  readonly new_days: number
  readonly chance: number | null
  readonly chance_in_30: number | null
}

type StoredChain = {
  readonly sealed: string
  readonly unsealed: string
  readonly head: string | null
}

// `seen_at` is in the future if the clock was set back and the process has not reported since.
const SILENT = `seen_at not between now() - interval '30 seconds' and now() + interval '30 seconds'`
const COLUMNS = `
  audit_id as "auditId", started_by as "startedBy", started_at as "startedAt",
  ${SILENT} as "isSilent", checks, checks_done as "checksDone", finished_at as "finishedAt", totals,
  findings, audit_chain as "auditChain", is_full as "isFull", seals`

/** Newest first. The ids begin with the time. */
export async function listLedgerAudits(
  on: Queryable,
  { before, limit }: { before: string | null; limit: number },
): Promise<LedgerAuditRow[]> {
  return on.query<LedgerAuditRow>(
    `select ${COLUMNS}
     from ledger_audit
     where audit_id < $1
     order by audit_id desc
     limit $2`,
    [before ?? 'aud_~', limit],
  )
}

export async function findLedgerAudit(on: Queryable, auditId: string) {
  const rows = await on.query<LedgerAuditRow>(
    `select ${COLUMNS} from ledger_audit where audit_id = $1`,
    [auditId],
  )
  return rows[0] ?? null
}

/** The latest audit that is running. An interrupted audit is not. */
export async function findRunningAudit(on: Queryable): Promise<LedgerAuditRow | null> {
  const rows = await on.query<LedgerAuditRow>(
    `select ${COLUMNS}
     from ledger_audit
     where finished_at is null and not (${SILENT})
     order by audit_id desc
     limit 1`,
  )
  return rows[0] ?? null
}

export async function insertLedgerAudit(
  tx: Tx,
  audit: { auditId: string; startedBy: string; startedAt: Date; checks: number; isFull: boolean },
): Promise<void> {
  await tx.execute(
    `insert into ledger_audit (audit_id, started_by, started_at, seen_at, checks, is_full)
     values ($1, $2, $3, $3, $4, $5)`,
    [audit.auditId, audit.startedBy, audit.startedAt, audit.checks, audit.isFull],
  )
}

/** An out-of-order report doesn't reduce `checks_done`, and a report after the end changes nothing. */
export async function setAuditProgress(
  tx: Tx,
  { auditId, checks, checksDone }: { auditId: string; checks: number; checksDone: number },
): Promise<void> {
  await tx.execute(
    `update ledger_audit
     set seen_at = now(), checks_done = greatest(checks_done, $2), checks = $3
     where audit_id = $1 and finished_at is null`,
    [auditId, checksDone, checks],
  )
}

export async function finishLedgerAudit(
  tx: Tx,
  done: {
    auditId: string
    checks: number
    totals: LedgerTotals
    findings: readonly Finding[]
    chain: { sealed: bigint; unsealed: bigint; head: string | null }
    seals: SealView
  },
): Promise<void> {
  const { sealed, unsealed, head } = done.chain
  const chain: StoredChain = { sealed: `${sealed}`, unsealed: `${unsealed}`, head }
  const totals = Object.entries(done.totals).map(([name, count]) => [name, String(count)])
  await tx.execute(
    `update ledger_audit
     set seen_at = now(), finished_at = now(), checks = $6, checks_done = $6, totals = $2, findings = $3,
       audit_chain = $4, seals = $5
     where audit_id = $1`,
    [
      done.auditId,
      JSON.stringify(Object.fromEntries(totals)),
      JSON.stringify(done.findings),
      JSON.stringify(chain),
      JSON.stringify(done.seals),
      done.checks,
    ],
  )
}
