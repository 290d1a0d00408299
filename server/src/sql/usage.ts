import type { StoreAndMode } from '../core/ids.ts'
import type { Period } from '../core/limits.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { mustMatch } from '../database/errors.ts'
import { columns } from './columns.ts'
import { shardFilter } from './shards.ts'

export type UsageKey = StoreAndMode & {
  readonly period: Period
  readonly starts: string
}
type Usage = UsageKey & { readonly used: bigint }

/** The start of an `unnest` of keys, whose arrays `keyArrays` returns. */
const KEYS = 'unnest($1::int[], $2::text[], $3::text[], $4::date[]'
const BY_KEY =
  'u.store_id = v.store_id and u.mode = v.mode and u.period = v.period and u.starts = v.starts'

const keyArrays = (keys: readonly UsageKey[]) =>
  columns(keys, 'storeId', 'mode', 'period', 'starts')

export async function findUsage(on: Queryable, keys: readonly UsageKey[]): Promise<Usage[]> {
  return on.query<Usage>(
    `select u.store_id as "storeId", u.mode, u.period, u.starts, u.used
     from ${KEYS}) as v (store_id, mode, period, starts)
     join usage u on ${BY_KEY} ${shardFilter(on, 'u.store_id')}`,
    keyArrays(keys),
  )
}

/** Creates the rows before the first payment of a day or month. The caller holds the store's lock. */
export async function insertUsage(tx: Tx, keys: readonly UsageKey[]): Promise<void> {
  if (keys.length === 0) return
  await tx.execute(
    `insert into usage (store_id, mode, period, starts, used)
     select v.store_id, v.mode, v.period, v.starts, 0
     from ${KEYS}) as v (store_id, mode, period, starts)`,
    keyArrays(keys),
  )
}

/** Adds the deltas: positive for new payments, negative for failed and expired ones. Throws if a sum would exceed `ceiling`. */
export async function changeUsage(
  tx: Tx,
  changes: readonly (UsageKey & { delta: bigint; ceiling: bigint })[],
): Promise<void> {
  if (changes.length === 0) return
  const changed = await tx.execute(
    `update usage u
     set used = u.used + v.delta
     from ${KEYS}, $5::bigint[], $6::bigint[]) as v (store_id, mode, period, starts, delta, ceiling)
     where ${BY_KEY} and u.used + v.delta <= v.ceiling ${shardFilter(tx, 'u.store_id')}`,
    [...keyArrays(changes), ...columns(changes, 'delta', 'ceiling')],
  )
  mustMatch(changed, changes.length, 'change usage')
}
