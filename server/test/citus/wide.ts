import { equalities, isAggregate, type Level, nameIn, needsAll, type Source } from './levels.ts'
import { type Ast, below, columnOf, functionOf, has, list } from './syntax.ts'

/** What Citus asks of a query whose rows come from several shards: `wide` are its sources that do. */
export function wideRules(refuse: (problem: string) => void) {
  function overSeveral(level: Level, node: Ast, wide: readonly Source[]): void {
    if (list(node.lockingClause).length > 0) refuse('for update over several shards')
    const isWide = (side: readonly Source[]) => side.some((source) => wide.includes(source))
    for (const { type, left, right } of level.joins) {
      const isRefused =
        (type === 'JOIN_LEFT' && !isWide(left) && isWide(right)) ||
        (type === 'JOIN_RIGHT' && isWide(left) && !isWide(right)) ||
        (type === 'JOIN_FULL' && isWide(left) !== isWide(right))
      if (isRefused) refuse('an outer join that keeps what is the same on every shard')
    }
    const keys = wide.map((source) => `${source.alias}.${source.spread!.key}`)
    for (const [kind, call] of below([node.targetList, node.havingClause, node.sortClause])) {
      if (kind === 'GroupingSet') refuse('grouping sets over several shards')
      if (kind !== 'FuncCall') continue
      const parts = list(call.over?.partitionClause).map((part) => nameIn(level, part))
      if (call.over !== undefined && !parts.some((part) => part !== null && keys.includes(part))) {
        refuse('a window over several shards')
      }
      const isOrdered = call.agg_order !== undefined || call.agg_distinct !== undefined
      if (isAggregate(call) && isOrdered && functionOf(call) !== 'count') {
        refuse('an aggregate that needs all rows in one place')
      }
    }
    if (has(node.groupClause, 'GroupingSet')) refuse('grouping sets over several shards')
    if (has(node.targetList, 'SubLink')) refuse('a query in the list of columns')
  }

  /** Inside another query, and named by its columns: each shard must be able to answer for itself. */
  function dependent(level: Level, node: Ast, wide: readonly Source[]): void {
    const equal = equalities(level)
    const around = level.outer?.sources.filter((source) => source.spread?.key) ?? []
    const calls = [...below(node.targetList)]
      .filter(([kind]) => kind === 'FuncCall')
      .map(([, call]) => call)
    const outside = [...below(node)].some(([kind, inner]) => {
      const name = kind === 'ColumnRef' ? columnOf({ ColumnRef: inner }) : null
      return (
        name !== null &&
        name.table !== '' &&
        !level.sources.some((source) => source.alias === name.table)
      )
    })
    if (!outside) return
    if (needsAll(node, calls)) refuse('a limit or a sum inside, for each row outside')
    for (const source of wide) {
      const root = equal.rootOf(`${source.alias}.${source.spread!.key}`)
      const isTogether = around.some(
        (one) =>
          one.spread!.group === source.spread!.group &&
          equal.rootOf(`${one.alias}.${one.spread!.key}`) === root,
      )
      if (!isTogether) refuse('a query inside that is not about the same shard as the one outside')
    }
  }

  return { overSeveral, dependent }
}
