import { NotDirect } from './pools.ts'
import { splitRows } from './route.ts'
import type { Shard, ShardMap } from './shardMap.ts'

/** The rows of a statement that are in one shard. */
export type Part = { readonly shard: Shard; readonly values: unknown[] }

/** Null if the statement is not for shards. */
export function partsOf(map: ShardMap, text: string, values: readonly unknown[]): Part[] | null {
  const route = map.routeOf(text)
  if (route.to !== 'shards') return null
  const shardOf = (id: number) => {
    const shard = map.shardOf(route.side, id)
    if (shard === undefined) throw new NotDirect(new Error('The shards are unknown'))
    return shard
  }
  return [...splitRows(route, values, shardOf)].map(([shard, rows]) => ({ shard, values: rows }))
}

export function groupByWorker(parts: readonly Part[]): Part[][] {
  const groups = new Map<string, Part[]>()
  for (const part of parts) {
    const { id } = part.shard.worker
    const group = groups.get(id)
    if (group === undefined) groups.set(id, [part])
    else group.push(part)
  }
  return [...groups.values()]
}
