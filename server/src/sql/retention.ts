import type { StoreAndMode } from '../core/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'
import type { EventKey } from './events.ts'

/** Every store and mode, with the time up to which its data was deleted. */
export async function listRetention(on: Queryable) {
  return on.query<StoreAndMode & { readonly emptiedUntil: Date }>(
    `select s.store_id as "storeId", m.mode, coalesce(r.emptied_until, '2000-01-01 00:00:00+00') as "emptiedUntil"
     from store s
     cross join (values ('live'), ('sandbox')) as m (mode)
     left join retention r on r.store_id = s.store_id and r.mode = m.mode
     order by s.store_id, m.mode`,
  )
}

/** Events whose body was not deleted, oldest first. */
export async function listEventsToEmpty(
  on: Queryable,
  {
    storeId,
    mode,
    from,
    before,
    limit,
  }: StoreAndMode & { readonly from: Date; readonly before: Date; readonly limit: number },
): Promise<(EventKey & { readonly createdAt: Date })[]> {
  return on.query(
    `select store_id as "storeId", payment_id as "paymentId", sequence, created_at as "createdAt"
     from event
     where store_id = $1 and mode = $2 and created_at >= $3 and created_at < $4 and body is distinct from ''
     order by created_at, payment_id, sequence
     limit $5`,
    [storeId, mode, from, before, limit],
  )
}

export async function setEmptiedUntil(tx: Tx, { storeId, mode }: StoreAndMode, until: Date) {
  await tx.execute(
    `insert into retention (store_id, mode, emptied_until)
     values ($1, $2, $3)
     on conflict (store_id, mode) do update set emptied_until = excluded.emptied_until`,
    [storeId, mode, until],
  )
}
