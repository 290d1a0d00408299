import type { Queryable } from '../database.ts'

/** Ids whose hash is at least `from` are in this shard, on this worker. */
type Placement = { readonly from: number; readonly shard: string; readonly worker: string }

/** PostgreSQL's `hashint4`, by which Citus chooses the shard of an id. */
export function hashInt4(value: number): number {
  const rotate = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits))
  const seed = 0x9e3779b9 + 4 + 3_923_095
  let [a, b, c] = [(seed + value) | 0, seed | 0, seed | 0]
  c = ((c ^ b) - rotate(b, 14)) | 0
  a = ((a ^ c) - rotate(c, 11)) | 0
  b = ((b ^ a) - rotate(a, 25)) | 0
  c = ((c ^ b) - rotate(b, 16)) | 0
  a = ((a ^ c) - rotate(c, 4)) | 0
  b = ((b ^ a) - rotate(a, 14)) | 0
  return ((c ^ b) - rotate(b, 24)) | 0
}

export type ShardMap = ReturnType<typeof createShardMap>

const UNKNOWN = { shard: '', worker: '' }

/**
 * Knows the shard and the worker of each store and wallet, so that a batch can be limited to one. An outdated map costs
 * time, but never gives a wrong result: Citus finds the rows by itself.
 */
export function createShardMap(database: Queryable) {
  const placements = { payment: [] as Placement[], wallet: [] as Placement[] }
  const placeOf = (table: keyof typeof placements, id: number) => {
    const hash = hashInt4(id)
    return placements[table].findLast(({ from }) => from <= hash) ?? UNKNOWN
  }
  return {
    ofStore: (storeId: number) => placeOf('payment', storeId),
    ofWallet: (walletId: number) => placeOf('wallet', walletId),
    /** Reads the placements again: shards may have been moved or split. */
    async renew(): Promise<void> {
      const [payment, wallet] = await Promise.all([
        readPlacements(database, 'payment'),
        readPlacements(database, 'wallet'),
      ])
      Object.assign(placements, { payment, wallet })
    },
  }
}

async function readPlacements(on: Queryable, table: string): Promise<Placement[]> {
  return on.query<Placement>(
    `select s.shardminvalue::int as "from", s.shardid::text as shard, p.groupid::text as worker
     from pg_dist_shard s
     join pg_dist_placement p on p.shardid = s.shardid
     where s.logicalrelid = $1::text::regclass
     order by 1`,
    [table],
  )
}
