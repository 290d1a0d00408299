import type { StoreAndMode } from '../core/ids.ts'
import type { Queryable } from '../database/database.ts'

export async function hasPayment(on: Queryable, { storeId, mode }: StoreAndMode): Promise<boolean> {
  const rows = await on.query('select 1 from payment where store_id = $1 and mode = $2 limit 1', [
    storeId,
    mode,
  ])
  return rows.length > 0
}

/** Whether one of the latest 100 events has a URL. Reads no more, because a store without webhooks can have many. */
export async function hasWebhook(on: Queryable, { storeId, mode }: StoreAndMode): Promise<boolean> {
  const rows = await on.query<{ readonly url: string | null }>(
    `select url
     from event
     where store_id = $1 and mode = $2
     order by created_at desc
     limit 100`,
    [storeId, mode],
  )
  return rows.some(({ url }) => url !== null)
}
