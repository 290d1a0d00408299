import type { OwnSecurityEventQuery, SecurityEventList } from '@florin/contract/securityEvents.js'
import { deviceName } from '@florin/shared/device.js'
import type { FastifyReply } from 'fastify'
import { wireTime } from '../../../core/calendar.ts'
import { ANONYMOUS_KINDS } from '../../../core/securityEvent.ts'
import type { Service } from '../../../service.ts'
import {
  findAccountEmails,
  listSecurityEvents,
  type SecurityEventFilter,
  type SecurityEventRow,
} from '../../../sql/securityEvents.ts'
import { pageOf, pageQuery, parseEntryCursor } from '../paging.ts'
import { type Reply, refuseInvalid, succeed } from '../replies.ts'

/** Sends a page of the events of one account or store. */
export async function sendOwnEvents(
  service: Service,
  reply: Reply<SecurityEventList>,
  query: OwnSecurityEventQuery,
  { filter, storeId }: { filter: Omit<SecurityEventFilter, 'before'>; storeId: number | null },
): Promise<FastifyReply> {
  const { limit, cursor, problems } = pageQuery(query)
  const before = cursor(parseEntryCursor)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  return sendEvents(service, reply, { ...filter, before, limit, storeOfReader: storeId })
}

/** `storeOfReader`: the store of the person who reads the list; null for an operator. */
export async function sendEvents(
  { database }: Service,
  reply: Reply<SecurityEventList>,
  {
    storeOfReader,
    limit,
    ...filter
  }: SecurityEventFilter & { limit: number; storeOfReader: number | null },
): Promise<FastifyReply> {
  const found = await listSecurityEvents(database, { ...filter, limit: limit + 1 })
  const { items, nextCursor } = pageOf(found, limit, (last) => String(last.eventId))
  const ids = [...new Set(items.flatMap(({ accountId }) => accountId ?? []))]
  const accounts = ids.length === 0 ? [] : await findAccountEmails(database, ids)
  const emails = new Map(accounts.map(({ accountId, email }) => [accountId, email]))
  return succeed(reply, 'Security events', {
    events: items.map((event) => {
      const { accountId, device } = event
      const isHidden = storeOfReader !== null && !canSeeAddress(event, storeOfReader)
      return {
        id: String(event.eventId),
        at: wireTime(event.at),
        kind: event.kind,
        account_id: accountId,
        account_email: accountId === null ? null : (emails.get(accountId) ?? null),
        store_id: event.storeId,
        actor: event.actor,
        address: isHidden ? '' : event.address,
        device: isHidden ? '' : deviceName(device),
        user_agent: isHidden ? '' : device,
        details: event.details,
      }
    }),
    next_cursor: nextCursor,
  })
}

/** Whether the store can see the address and the device of an event. Stores can't see those of operators. */
const canSeeAddress = ({ kind, actor }: SecurityEventRow, storeId: number) =>
  kind === 'sign_in' || ANONYMOUS_KINDS.includes(kind) || actor.endsWith(` (store ${storeId})`)
