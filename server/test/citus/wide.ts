import { equalities, isAggregate, type Level, nameIn, needsAll, type Source } from './levels.ts'
import { type Ast, columnOf, descendantsOf, functionOf, has, list } from './syntax.ts'

/** The rules of Citus for a query over several shards. `wide` are the sources with several shards. */
export function wideRules(refuse: (problem: string) => void) {
  function checkLevel(level: Level, node: Ast, wide: readonly Source[]): void {
    if (list(node.lockingClause).length > 0) refuse('for update over several shards')
    const isWide = (side: readonly Source[]) => side.some((source) => wide.includes(source))
    for (const { type, left, right } of level.joins) {
      const isRefused =
        (type === 'JOIN_LEFT' && !isWide(left) && isWide(right)) ||
        (type === 'JOIN_RIGHT' && isWide(left) && !isWide(right)) ||
        (type === 'JOIN_FULL' && isWide(left) !== isWide(right))
      if (isRefused) refuse('an outer join that preserves a reference table')
    }
    const keys = wide.map((source) => `${source.alias}.${source.distribution!.key}`)
    for (const [kind, call] of descendantsOf([
      node.targetList,
      node.havingClause,
      node.sortClause,
    ])) {
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
    if (has(node.targetList, 'SubLink')) refuse('a subquery in the select list')
  }

  /** A correlated subquery: each shard must be able to compute it by itself. */
  function checkCorrelated(level: Level, node: Ast, wide: readonly Source[]): void {
    const equal = equalities(level)
    const outerSources = level.outer?.sources.filter((source) => source.distribution?.key) ?? []
    const calls = [...descendantsOf(node.targetList)]
      .filter(([kind]) => kind === 'FuncCall')
      .map(([, call]) => call)
    const isCorrelated = [...descendantsOf(node)].some(([kind, inner]) => {
      const name = kind === 'ColumnRef' ? columnOf({ ColumnRef: inner }) : null
      return (
        name !== null &&
        name.table !== '' &&
        !level.sources.some((source) => source.alias === name.table)
      )
    })
    if (!isCorrelated) return
    if (needsAll(node, calls)) refuse('a correlated subquery with a limit or an aggregate')
    for (const source of wide) {
      const root = equal.rootOf(`${source.alias}.${source.distribution!.key}`)
      const isColocated = outerSources.some(
        (outer) =>
          outer.distribution!.group === source.distribution!.group &&
          equal.rootOf(`${outer.alias}.${outer.distribution!.key}`) === root,
      )
      if (!isColocated) refuse('a correlated subquery over other shards')
    }
  }

  return { checkLevel, checkCorrelated }
}
