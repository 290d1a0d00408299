import type { FastifyInstance } from 'fastify'
import { parseTime, wireTime } from '../core/calendar.ts'
import type { Service } from '../service.ts'
import { listAuditEntries } from '../store/auditLog.ts'
import { refuseInvalid, succeed } from './errorReply.ts'
import { answer, OPERATOR_DOCS as docs, errors } from './schemas/common.ts'
import { AuditEntryView, AuditQuery, page } from './schemas/operator.ts'
import { queryInteger, schemaProblems } from './validation.ts'

type AuditFields = {
  actor?: string
  action?: string
  subject?: string
  from?: string
  to?: string
  limit?: string
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
        response: { 200: answer(page('entries', AuditEntryView)), ...errors(400) },
      },
    },
    async (request, reply) => {
      const query = request.query as AuditFields
      const problems = schemaProblems(request)
      const wrong = (field: string, message: string) =>
        void problems.push({ field, message: `${field} ${message}` })
      const time = (field: 'from' | 'to') => {
        const at = query[field] === undefined ? null : parseTime(query[field])
        if (query[field] !== undefined && at === null) wrong(field, 'must be a time')
        return at
      }
      const [from, to] = [time('from'), time('to')]
      const limit = queryInteger(query.limit, { min: 1, max: 100, otherwise: 20 })
      if (limit === null) wrong('limit', 'must be a whole number from 1 to 100')
      const isCursor = query.cursor === undefined || /^\d{1,18}$/.test(query.cursor)
      if (!isCursor) wrong('cursor', 'must be the next_cursor of a page')
      if (problems.length > 0 || limit === null) return refuseInvalid(reply, problems)

      const entries = await listAuditEntries(service.database, {
        actor: query.actor ?? null,
        action: query.action ?? null,
        subject: query.subject ?? null,
        from,
        to,
        before: query.cursor === undefined ? null : BigInt(query.cursor),
        limit: limit + 1,
      })
      const shown = entries.slice(0, limit)
      return succeed(reply, 'Audit log', {
        entries: shown.map((entry) => ({
          id: String(entry.entryId),
          at: wireTime(entry.at),
          actor: entry.actor,
          action: entry.action,
          subject: entry.subject,
          before: entry.before,
          after: entry.after,
          request_id: entry.requestId,
        })),
        next_cursor: entries.length > limit ? String(shown.at(-1)!.entryId) : null,
      })
    },
  )
}
