import type { Tx } from '../database/database.ts'
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
