import type { SecurityEventKind } from '../core/securityEvent.ts'
import type { Queryable, Tx } from '../database/database.ts'

type NewSecurityEvent = {
  readonly at: Date
  readonly kind: SecurityEventKind
  readonly accountId: string | null
  readonly storeId: number | null
  readonly actor: string
  readonly address: string
  readonly device: string
  readonly details: Readonly<Record<string, unknown>> | null
}

export async function insertSecurityEvent(tx: Tx, event: NewSecurityEvent): Promise<void> {
  await tx.execute(
    `insert into security_event (at, kind, account_id, store_id, actor, address, device, details)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      event.at,
      event.kind,
      event.accountId,
      event.storeId,
      event.actor,
      event.address,
      event.device,
      event.details && JSON.stringify(event.details),
    ],
  )
}

export type SecurityEventRow = NewSecurityEvent & { readonly eventId: bigint }

export type SecurityEventFilter = {
  readonly kind?: SecurityEventKind | undefined
  /** Events of one of these accounts. */
  readonly accounts?: readonly string[] | undefined
  readonly storeId?: number | undefined
  readonly address?: string | undefined
  readonly from?: Date | null
  readonly to?: Date | null
  /** Only events older than this one. */
  readonly before: bigint | null
}

/** Newest first. The statement has only the given conditions, so that each combination gets its own plan. */
export async function listSecurityEvents(
  on: Queryable,
  filter: SecurityEventFilter & { readonly limit: number },
): Promise<SecurityEventRow[]> {
  const values: unknown[] = [filter.limit]
  const conditions = (
    [
      ['kind =', '', filter.kind],
      ['account_id = any(', ')', filter.accounts],
      ['store_id =', '', filter.storeId],
      ['address =', '', filter.address],
      ['at >=', '', filter.from],
      ['at <', '', filter.to],
      ['event_id <', '', filter.before],
    ] as const
  )
    .filter(([, , value]) => value !== null && value !== undefined)
    .map(([start, end, value]) => `${start} $${values.push(value)}${end}`)
  return on.query<SecurityEventRow>(
    `select event_id as "eventId", at, kind, account_id as "accountId", store_id as "storeId", actor,
       address, device, details
     from security_event
     ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by event_id desc
     limit $1`,
    values,
  )
}

type AccountEmail = { readonly accountId: string; readonly email: string }

/** The email addresses of people and operators. */
export async function findAccountEmails(
  on: Queryable,
  accountIds: readonly string[],
): Promise<AccountEmail[]> {
  return on.query<AccountEmail>(
    `select person_id as "accountId", email from person where person_id = any($1)
     union all
     select operator_id, email from operator where operator_id = any($1)`,
    [accountIds],
  )
}

/** A person and an operator may have the same email address. */
export async function findAccountsByEmail(on: Queryable, email: string): Promise<string[]> {
  const rows = await on.query<{ accountId: string }>(
    `select person_id as "accountId" from person where email = $1
     union all
     select operator_id from operator where email = $1`,
    [email],
  )
  return rows.map(({ accountId }) => accountId)
}

/** The ids are in the order of time, so the oldest events are read first, without an index on the time. */
export async function sweepSecurityEvents(tx: Tx, olderThan: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from security_event
     where event_id in (
       select o.event_id
       from (select event_id, at from security_event order by event_id limit $2) o
       where o.at < $1
     )`,
    [olderThan, limit],
  )
}

/** Removes the address, device and details from the events of an account. The events stay. */
export async function eraseFromSecurityEvents(tx: Tx, accountId: string): Promise<void> {
  await tx.execute(
    `update security_event
     set address = '', device = '', details = null
     where account_id = $1`,
    [accountId],
  )
}
