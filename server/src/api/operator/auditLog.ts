import { AuditLog, AuditQuery } from '@florin/contract/platform.js'
import type { FastifyReply } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import { findAuditNames } from '../../ops/auditNames.ts'
import { findNthEntry, listAuditEntries, searchAuditEntries } from '../../sql/auditLog.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { schemaProblems } from '../kit/http/validation.ts'
import { pageOf, pageQuery, parseEntryCursor } from '../kit/paging.ts'
import { refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { auditEntryView } from '../kit/views.ts'

/** With `match=part`, a page reads at most this many entries. */
const MAX_SCANNED = 20_000

export function auditLogRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/audit-log', {
    operationId: 'listAuditLog',
    summary: 'List the audit log',
    permission: 'read',
    description:
      'Lists the changes that operators, people of stores, payers and API keys made, newest first.',
    query: AuditQuery,
    data: AuditLog,
    hasOwnChecks: true,
    handler: getAuditLog,
  })
}

type AuditCall = Call<OperatorCaller, { query: AuditQuery; data: AuditLog }>

async function getAuditLog({ service, query, request, reply }: AuditCall): Promise<FastifyReply> {
  const problems = schemaProblems(request)
  const page = pageQuery(query, problems)
  const from = page.time('from')
  const to = page.time('to')
  const before = page.cursor(parseEntryCursor)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const filter = {
    actor: query.actor ?? null,
    action: query.action ?? null,
    subject: query.subject ?? null,
    from,
    to,
    before,
    limit: page.limit + 1,
  }
  const { database } = service
  const isExact = query.match !== 'part'
  const scanEnd = isExact ? null : await findNthEntry(database, filter, MAX_SCANNED)
  const found = isExact
    ? await listAuditEntries(database, filter)
    : await searchAuditEntries(database, { ...filter, last: scanEnd?.entryId ?? null })
  const { items, nextCursor } = pageOf(found, page.limit, (last) => String(last.entryId))
  const lookedUntil = nextCursor === null ? scanEnd?.at : items.at(-1)!.at
  const { names, currencies } = await findAuditNames(database, items)
  return succeed(reply, 'Audit log', {
    entries: items.map((entry) => ({
      ...auditEntryView(entry),
      actor_name: names.get(entry.actor) ?? null,
      subject_name: names.get(entry.subject) ?? null,
      subject_currency: currencies.get(entry.subject) ?? null,
    })),
    next_cursor: nextCursor ?? (scanEnd && String(scanEnd.entryId)),
    looked_until: lookedUntil === undefined ? null : wireTime(lookedUntil),
  })
}
