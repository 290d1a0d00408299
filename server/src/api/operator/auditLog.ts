import { answer, errors } from '@florin/contract/common.js'
import { AuditEntry as AuditEntrySchema, AuditQuery, page } from '@florin/contract/operator.js'
import type { FastifyInstance } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import type { Service } from '../../service.ts'
import { type AuditEntry, listAuditEntries } from '../../sql/auditLog.ts'
import { OPERATOR_DOCS as docs } from '../kit/audiences.ts'
import { pageQuery } from '../kit/paging.ts'
import { refuseInvalid, succeed } from '../kit/replies.ts'
import { schemaProblems } from '../kit/validation.ts'

type AuditFields = {
  actor?: string
  action?: string
  subject?: string
  from?: string
  to?: string
  limit?: number
  cursor?: string
}

export async function operatorAuditRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.get(
    '/operator/audit-log',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'listAuditLog',
        summary: 'Who did what, newest first',
        querystring: AuditQuery,
        response: { 200: answer(page('entries', AuditEntrySchema)), ...errors(400) },
      },
    },
    async (request, reply) => {
      const query = request.query as AuditFields
      const problems = schemaProblems(request)
      const page = pageQuery(query, problems)
      const [from, to] = [page.time('from'), page.time('to')]
      const limit = page.limit
      const before = page.cursor((text) => (/^\d{1,18}$/.test(text) ? BigInt(text) : null))
      if (problems.length > 0) return refuseInvalid(reply, problems)

      const entries = await listAuditEntries(service.database, {
        actor: query.actor ?? null,
        action: query.action ?? null,
        subject: query.subject ?? null,
        from,
        to,
        before,
        limit: limit + 1,
      })
      const shown = entries.slice(0, limit)
      return succeed(reply, 'Audit log', {
        entries: shown.map(auditEntryView),
        next_cursor: entries.length > limit ? String(shown.at(-1)!.entryId) : null,
      })
    },
  )
}

export const auditEntryView = (entry: AuditEntry) => ({
  id: String(entry.entryId),
  at: wireTime(entry.at),
  actor: entry.actor,
  action: entry.action,
  subject: entry.subject,
  before: entry.before,
  after: entry.after,
  request_id: entry.requestId,
})
