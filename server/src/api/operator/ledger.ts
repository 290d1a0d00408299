import { PageQuery } from '@florin/contract/operator.js'
import { LedgerAudit, LedgerAuditBody, LedgerAuditList } from '@florin/contract/platform.js'
import { wireTime } from '../../core/calendar.ts'
import { type LedgerAuditRow, listLedgerAudits } from '../../sql/ledgerAudits.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { pageOf, pageQuery, parseIdCursor } from '../kit/paging.ts'
import { refuseInvalid, succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'

export function ledgerRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('POST /operator/ledger-audits', {
    operationId: 'startLedgerAudit',
    summary: 'Start an audit of the ledger',
    permission: 'read',
    description:
      'Checks in the background that all balances and transfers agree. Responds immediately with the progress. If an audit is running, returns that one.',
    hasOptionalBody: true,
    body: LedgerAuditBody,
    data: LedgerAudit,
    handler: async ({ service, caller, body, reply }) => {
      const options = { isFull: body.full === true }
      const { audit, isNew } = await service.ledgerAudits.begin(caller.actor, options)
      return succeed(reply, isNew ? 'Audit started' : 'Audit is running', auditView(audit))
    },
  })

  route('GET /operator/ledger-audits', {
    operationId: 'listLedgerAudits',
    summary: 'List audits of the ledger',
    permission: 'read',
    description: 'Lists audits with their results, newest first.',
    query: PageQuery,
    data: LedgerAuditList,
    handler: async ({ service, query, reply }) => {
      const { limit, cursor, problems } = pageQuery(query)
      const before = cursor(parseIdCursor('aud_'))
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const found = await listLedgerAudits(service.database, { before, limit: limit + 1 })
      const { items, nextCursor } = pageOf(found, limit, (last) => last.auditId)
      return succeed(reply, 'Ledger audits', {
        audits: items.map(auditView),
        next_cursor: nextCursor,
      })
    },
  })
}

function auditView(audit: LedgerAuditRow): LedgerAudit {
  const { totals, findings, finishedAt } = audit
  return {
    audit_id: audit.auditId,
    state: stateOf(audit),
    started_by: audit.startedBy,
    started_at: wireTime(audit.startedAt),
    finished_at: finishedAt && wireTime(finishedAt),
    full: audit.isFull,
    checks: audit.checks,
    checks_done: audit.checksDone,
    totals: totals && {
      payments: totals.payments,
      transfers: totals.transfers,
      wallet_transfers: totals.walletTransfers,
    },
    seals: audit.seals,
    audit_log: audit.auditChain,
    findings: [...(findings ?? [])],
  }
}

function stateOf({ findings, isSilent }: LedgerAuditRow): LedgerAudit['state'] {
  if (findings !== null) return findings.length === 0 ? 'sound' : 'unsound'
  return isSilent ? 'interrupted' : 'running'
}
