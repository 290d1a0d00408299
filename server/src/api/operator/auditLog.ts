import { PaymentAudit } from '@florin/contract/overview.js'
import { PaymentIdParams } from '@florin/contract/payments.js'
import { AuditLog, AuditQuery } from '@florin/contract/platform.js'
import type { FastifyReply } from 'fastify'
import { parsePaymentId } from '../../core/ids.ts'
import { auditPayment } from '../../ops/auditPayment.ts'
import { listAuditEntries } from '../../sql/auditLog.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { pageOf, pageQuery } from '../kit/paging.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { schemaProblems } from '../kit/validation.ts'
import { auditEntryView, paymentAuditView } from '../kit/views.ts'

export function auditLogRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/audit-log', {
    operationId: 'listAuditLog',
    summary: 'List the audit log',
    permission: 'read',
    description: 'Lists the changes that operators and people of stores made, newest first.',
    query: AuditQuery,
    data: AuditLog,
    ownChecks: true,
    handler: getAuditLog,
  })

  route('GET /operator/payments/:paymentId/audit', {
    operationId: 'auditPayment',
    summary: 'Get the actors of a payment',
    permission: 'read',
    description: 'Returns the API keys or people that created and refunded a payment of any store.',
    params: PaymentIdParams,
    data: PaymentAudit,
    handler: async ({ service, params, reply }) => {
      const parsed = parsePaymentId(params.paymentId)
      // An id exists in one mode only.
      const found = parsed && (await service.readById(parsed))
      const audit = found && (await auditPayment(service.database, found))
      if (found === null || audit === null) return refuse(reply, 'payment_unknown')
      return succeed(reply, 'Payment audit', paymentAuditView(found.paymentId, audit))
    },
  })
}

type AuditCall = Call<OperatorCaller, { query: AuditQuery; data: AuditLog }>

async function getAuditLog({ service, query, request, reply }: AuditCall): Promise<FastifyReply> {
  const problems = schemaProblems(request)
  const page = pageQuery(query, problems)
  const from = page.time('from')
  const to = page.time('to')
  const before = page.cursor((text) => (/^\d{1,18}$/.test(text) ? BigInt(text) : null))
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const found = await listAuditEntries(service.database, {
    actor: query.actor ?? null,
    action: query.action ?? null,
    subject: query.subject ?? null,
    from,
    to,
    before,
    limit: page.limit + 1,
  })
  const { items, nextCursor } = pageOf(found, page.limit, (last) => String(last.entryId))
  return succeed(reply, 'Audit log', {
    entries: items.map(auditEntryView),
    next_cursor: nextCursor,
  })
}
