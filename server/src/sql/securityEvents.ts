import type { Queryable, Tx } from '../database/database.ts'
import { columns } from './columns.ts'

export type NewSecurityEvent = {
  readonly at: Date
  readonly kind: string
  readonly accountId: string | null
  readonly storeId: number | null
  readonly actor: string
  readonly address: string
  readonly device: string
  readonly details: Readonly<Record<string, unknown>> | null
}

export async function insertSecurityEvents(
  tx: Tx,
  events: readonly NewSecurityEvent[],
): Promise<void> {
  await tx.execute(
    `insert into security_event (at, kind, account_id, store_id, actor, address, device, details)
     select *
     from unnest(
       $1::timestamptz[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[],
       $8::jsonb[])`,
    [
      ...columns(events, 'at', 'kind', 'accountId', 'storeId', 'actor', 'address', 'device'),
      events.map(({ details }) => details && JSON.stringify(details)),
    ],
  )
}

export type SecurityEventRow = NewSecurityEvent & { readonly eventId: bigint }

/** The events of one account, newest first. */
export async function listAccountEvents(
  on: Queryable,
  { accountId, before, limit }: { accountId: string; before: bigint | null; limit: number },
): Promise<SecurityEventRow[]> {
  return on.query<SecurityEventRow>(
    `select event_id as "eventId", at, kind, account_id as "accountId", store_id as "storeId",
       actor, address, device, details
     from security_event
     where account_id = $1 and ($2::bigint is null or event_id < $2)
     order by event_id desc
     limit $3`,
    [accountId, before, limit],
  )
}

/** Removes where the requests of an account came from. The events stay. */
export async function eraseFromSecurityEvents(tx: Tx, accountId: string): Promise<void> {
  await tx.execute(
    `update security_event
     set address = '', device = '', details = null
     where account_id = $1`,
    [accountId],
  )
}
