import { NotDirect } from './pools.ts'
import { splitRows } from './route.ts'
import { type Shard, type ShardMap, textOn } from './shardMap.ts'

/** A statement for one shard, with its rows there. */
export type Part = { readonly shard: Shard; readonly text: string; readonly values: unknown[] }

/** Null if the statement is not for shards. */
export function partsOf(map: ShardMap, text: string, values: readonly unknown[]): Part[] | null {
  const route = map.routeOf(text)
  if (route.to !== 'shards') return null
  const shardOf = (id: number) => {
    const shard = map.shardOf(route.side, id)
    if (shard === undefined) throw new NotDirect(new Error('The shards are unknown'))
    return shard
  }
  const { texts } = route
  return [...splitRows(route, values, shardOf)].map(([shard, rows]) => {
    const ids = rows[route.idIndex]
    const hasOneId = Array.isArray(ids) && ids.length === 1
    return { shard, text: textOn(shard, hasOneId ? texts.one : texts.any), values: rows }
  })
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
