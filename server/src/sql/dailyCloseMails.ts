import type { StoreId } from '../core/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'

/** The last day whose close was emailed, for each store that has one. Days have the form 2026-01-31. */
export async function findMailedDays(on: Queryable): Promise<Map<StoreId, string>> {
  const rows = await on.query<{ storeId: StoreId; day: string }>(
    'select store_id as "storeId", day::text as day from daily_close_mail',
  )
  return new Map(rows.map(({ storeId, day }) => [storeId, day]))
}

/** False if this day or a later one until `latest` was emailed already. */
export async function setMailedDay(
  tx: Tx,
  storeId: StoreId,
  { day, latest }: { day: string; latest: string },
): Promise<boolean> {
  const changed = await tx.execute(
    `insert into daily_close_mail as d (store_id, day)
     values ($1, $2)
     on conflict (store_id) do update set day = excluded.day
       where d.day < excluded.day or d.day > $3::date`,
    [storeId, day, latest],
  )
  return changed === 1
}
