import type { Queryable } from '../database.ts'
import { type Route, replaceTables, routeOf, type Side } from './route.ts'

/** A server of the cluster that has shards. */
export type Worker = { readonly id: string; readonly host: string; readonly port: number }

/** Colocated shards: one of each table. Contains the ids whose hash is at least `from` and below that of the next shard. */
export type Shard = {
  readonly from: number
  /** The id of the shard of the first table. */
  readonly id: string
  readonly worker: Worker
  readonly nameOf: (table: string) => string
  /** Statements by their text for the whole table. */
  readonly texts: Map<string, string>
}

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

/** The first table of each side. The others are colocated with it. */
const FIRST_TABLES = { store: 'payment', wallet: 'wallet' } as const

/** Knows the shard and the worker of each store and wallet. An outdated map costs time, but never leads to a wrong result. */
export function createShardMap(database: Queryable) {
  let shards: Record<Side, readonly Shard[]> = { store: [], wallet: [] }
  let sides: ReadonlyMap<string, Side> = new Map()
  let routes = new Map<string, Route>()

  const shardOf = (side: Side, id: number): Shard | undefined => {
    const hash = hashInt4(id)
    return shards[side].findLast(({ from }) => from <= hash)
  }
  const workerOf = (side: Side) => (id: number) => shardOf(side, id)?.worker.id ?? ''
  return {
    shardOf,
    /** The worker of a store or wallet. Empty while the map is unknown. */
    workerOfStore: workerOf('store'),
    workerOfWallet: workerOf('wallet'),
    workers: (): Worker[] => {
      const all = [...shards.store, ...shards.wallet].map(
        ({ worker }) => [worker.id, worker] as const,
      )
      return [...new Map(all).values()]
    },
    isKnown: () => shards.store.length > 0 && shards.wallet.length > 0,
    routeOf(text: string): Route {
      let route = routes.get(text)
      if (route === undefined) {
        route = routeOf(text, (table) => sides.get(table))
        routes.set(text, route)
      }
      return route
    },
    /** Reads the placements again: shards may have been moved or split. */
    async renew(): Promise<void> {
      const rows = await readPlacements(database)
      const store = shardsOf(rows, 'store', shards.store)
      const wallet = shardsOf(rows, 'wallet', shards.wallet)
      shards = { store, wallet }
      const known = rows.map(({ table, side }) => [table, side] as const)
      if (sides.size !== new Map(known).size) routes = new Map()
      sides = new Map(known)
    },
  }
}

/** The text of a statement for one shard. */
export function textOn(shard: Shard, text: string): string {
  let shardText = shard.texts.get(text)
  if (shardText === undefined) {
    shardText = replaceTables(text, shard.nameOf)
    shard.texts.set(text, shardText)
  }
  return shardText
}

type ShardPlacement = {
  readonly side: Side
  readonly table: string
  readonly from: number
  readonly shard: string
  readonly worker: string
  readonly host: string
  readonly port: number
}

function shardsOf(rows: readonly ShardPlacement[], side: Side, known: readonly Shard[]): Shard[] {
  const ofSide = rows.filter((row) => row.side === side)
  const first = ofSide.filter((row) => row.table === FIRST_TABLES[side])
  return first.map(({ from, shard, worker, host, port }) => {
    const names = new Map(
      ofSide
        .filter((row) => row.from === from)
        .map((row) => [row.table, `${row.table}_${row.shard}`]),
    )
    const texts = known.find(({ id }) => id === shard)?.texts ?? new Map<string, string>()
    const nameOf = (table: string) => names.get(table) ?? table
    return { from, id: shard, worker: { id: worker, host, port }, nameOf, texts }
  })
}

async function readPlacements(on: Queryable): Promise<ShardPlacement[]> {
  return on.query<ShardPlacement>(
    `select case column_to_column_name(t.logicalrelid, t.partkey) when 'store_id' then 'store' else 'wallet' end as side,
       t.logicalrelid::regclass::text as "table", s.shardminvalue::int as "from", s.shardid::text as shard,
       p.groupid::text as worker, n.nodename as host, n.nodeport as port
     from pg_dist_partition t
     join pg_dist_shard s on s.logicalrelid = t.logicalrelid
     join pg_dist_placement p on p.shardid = s.shardid
     join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
     where t.partmethod = 'h'
     order by 3`,
  )
}
