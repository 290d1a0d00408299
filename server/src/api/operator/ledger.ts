import { answer, errors } from '@florin/contract/common.js'
import { PageQuery, page } from '@florin/contract/operator.js'
import { LedgerAudit } from '@florin/contract/operators.js'
import type { FastifyInstance } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import type { Service } from '../../service.ts'
import { type LedgerAuditRow, listLedgerAudits } from '../../sql/ledgerAudits.ts'
import { OPERATOR_DOCS as docs } from '../kit/audiences.ts'
import { type ListQuery, pageQuery } from '../kit/paging.ts'
import { refuseInvalid, succeed } from '../kit/replies.ts'
import type { FieldProblem } from '../kit/validation.ts'

/** Proofs of the ledger, started from the console; `florin audit` does the same at the command line. */
export async function operatorLedgerRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { database } = service

  app.post(
    '/operator/ledger-audits',
    {
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'startLedgerAudit',
        summary: 'Prove from the rows that no cent is lost; answers at once, with how far it is',
        response: { 200: answer(LedgerAudit), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const { audit, isNew } = await service.ledgerAudits.begin(request.actor!)
      return succeed(reply, isNew ? 'Audit started' : 'Audit is running', auditView(audit))
    },
  )

  app.get(
    '/operator/ledger-audits',
    {
      schema: {
        ...docs,
        operationId: 'listLedgerAudits',
        summary: 'Audits of the ledger with their results, newest first',
        querystring: PageQuery,
        response: { 200: answer(page('audits', LedgerAudit)), ...errors(400) },
      },
    },
    async (request, reply) => {
      const problems: FieldProblem[] = []
      const asked = pageQuery(request.query as ListQuery, problems)
      const limit = asked.limit
      const before = asked.cursor((text) => (/^aud_[0-9a-z]{26}$/.test(text) ? text : null))
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const audits = await listLedgerAudits(database, { before, limit: limit + 1 })
      const shown = audits.slice(0, limit)
      return succeed(reply, 'Ledger audits', {
        audits: shown.map(auditView),
        next_cursor: audits.length > limit ? shown.at(-1)!.auditId : null,
      })
    },
  )
}

function auditView(audit: LedgerAuditRow) {
  const { totals, findings, finishedAt } = audit
  return {
    audit_id: audit.auditId,
    state: stateOf(audit),
    started_by: audit.startedBy,
    started_at: wireTime(audit.startedAt),
    finished_at: finishedAt && wireTime(finishedAt),
    checks: audit.checks,
    checks_done: audit.checksDone,
    totals: totals && {
      payments: totals.payments,
      transfers: totals.transfers,
      wallet_transfers: totals.walletTransfers,
    },
    findings: findings ?? [],
  }
}

function stateOf({ findings, isSilent }: LedgerAuditRow) {
  if (findings !== null) return findings.length === 0 ? 'sound' : 'unsound'
  return isSilent ? 'interrupted' : 'running'
}
