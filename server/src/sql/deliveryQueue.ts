import type { Mode, StoreAndMode } from '../core/ids.ts'
import type { Queryable } from '../database/database.ts'

export type QueueState = {
  readonly mode: Mode
  /** Deliveries that will be attempted, including the failing ones. */
  readonly waiting: number
  readonly failing: number
  readonly exhausted: number
  readonly oldestDueAt: Date | null
}

export async function readQueue(on: Queryable): Promise<QueueState[]> {
  return on.query<QueueState>(
    `select mode,
       count(*) filter (where due_at is not null)::int as waiting,
       count(*) filter (where due_at is not null and attempts > 0)::int as failing,
       count(*) filter (where due_at is null)::int as exhausted,
       min(due_at) as "oldestDueAt"
     from delivery
     group by mode
     order by mode`,
  )
}

type StoreQueueState = {
  readonly failing: number
  readonly exhausted: number
  readonly lastError: string | null
}

/** Counts the failing and exhausted deliveries of a store and mode: at most the newest `limit` of them. */
export async function readStoreQueue(
  on: Queryable,
  { storeId, mode, limit }: StoreAndMode & { limit: number },
): Promise<StoreQueueState> {
  const rows = await on.query<StoreQueueState>(
    `select count(*) filter (where d.due_at is not null)::int as failing,
       count(*) filter (where d.due_at is null)::int as exhausted,
       (array_agg(d.last_error order by d.payment_id desc) filter (where d.last_error is not null))[1]
         as "lastError"
     from (
       select payment_id, due_at, last_error
       from delivery
       where store_id = $1 and mode = $2 and (attempts > 0 or due_at is null)
       order by payment_id desc, sequence desc
       limit $3
     ) d`,
    [storeId, mode, limit],
  )
  return rows[0]!
}

type FailingHost = {
  readonly host: string
  readonly waiting: number
  readonly exhausted: number
  readonly stores: number
  /** Any one of the errors. */
  readonly lastError: string | null
}

export async function readFailingHosts(on: Queryable, limit: number): Promise<FailingHost[]> {
  return on.query<FailingHost>(
    `select host,
       count(*) filter (where due_at is not null)::int as waiting,
       count(*) filter (where due_at is null)::int as exhausted,
       count(distinct store_id)::int as stores,
       max(last_error) as "lastError"
     from delivery
     where attempts > 0 or due_at is null
     group by host
     order by 2 desc, 3 desc, 1
     limit $1`,
    [limit],
  )
}
