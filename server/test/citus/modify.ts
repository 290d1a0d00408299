import type { Level, Source } from './levels.ts'
import { type Ast, below, columnOf, has, isGiven, list, opened, text } from './syntax.ts'
import type { Tables } from './tables.ts'
import { type Functions, IMMUTABLE, VOLATILE, volatilityOf } from './volatility.ts'

/** What Citus asks of a statement that writes into a table that is spread, or that every machine has whole. */
export function modifyRules(
  tables: Tables,
  functions: Functions,
  refuse: (problem: string) => void,
) {
  const kindOf = (target: Source) => tables.get(target.table!)?.placement.kind ?? 'coordinator'

  function returning(node: Ast, types: Parameters<typeof volatilityOf>[1]): void {
    if (volatilityOf(functions, types).worst(list(node.returningClause?.exprs)) > IMMUTABLE) {
      refuse('returning something that depends on the moment or on settings')
    }
  }

  return {
    insert(node: Ast, target: Source, query: Ast): void {
      if (kindOf(target) === 'coordinator') return
      returning(node, ({ column }) => tables.get(target.table!)?.columns.get(column))
      const rows = list(query.valuesLists)
      if (has(rows, 'SubLink')) refuse('a query among the values of an insert')
      if (target.spread === null) return
      const place = list(node.cols).findIndex(
        (one) => text(one.ResTarget!.name) === target.spread!.key,
      )
      const isNamed = rows.every((row) => isGiven(list(row.List!.items)[place]))
      if (place < 0 || !isNamed) refuse('an insert that does not name its shard')
      if (rows.length === 0 && node.onConflictClause !== undefined) refuse('an upsert of many rows')
    },

    change(node: Ast, target: Source, level: Level): void {
      const kind = kindOf(target)
      if (kind === 'coordinator') return
      const types = ({ table, column }: { table: string; column: string }) => {
        const source = level.sources.find((one) =>
          table === '' ? one.columns?.has(column) : one.alias === table,
        )
        return tables.get(source?.table ?? '')?.columns.get(column)
      }
      const { worst, mixesColumns, isConditional } = volatilityOf(functions, types)
      const written = list(node.targetList).map((one) => one.ResTarget!)
      const looked = [...written.map((one) => one.val), ...level.conditions]
      if (worst(looked) === VOLATILE)
        refuse('a write with something that differs from call to call')
      if (mixesColumns(looked))
        refuse('a write that gives a column to what depends on the moment or on settings')
      if (isConditional(looked))
        refuse('a write with what depends on the moment inside case or coalesce')
      returning(node, types)
      for (const { name, val } of written) {
        const isSubscript = opened(val)[0] === 'A_Indirection' && has(val, 'A_Indices')
        if (isSubscript)
          refuse('a bare element of an array as the new value, which crashes the coordinator')
        if (text(name) === target.spread?.key && columnOf(val)?.column !== target.spread.key) {
          refuse('a row is moved to another shard')
        }
      }
      if (kind === 'reference') refuseAnyOrder(node)
    },
  }

  /** Each machine carries it out by itself, so each must come to the same rows. */
  function refuseAnyOrder(node: Ast): void {
    for (const [kind, inner] of below(node)) {
      if (kind !== 'SubLink') continue
      const query = opened(inner.subselect)[1]
      if (query.limitCount === undefined) continue
      const [order] = list(query.sortClause)
      const key = columnOf(order?.SortBy?.node)?.column
      const chosen = columnOf(list(query.targetList)[0]?.ResTarget?.val)?.column
      // Sorted by what is chosen, the first few are the same everywhere, unique or not; by anything else, ties are not.
      if (key === undefined || key !== chosen)
        refuse('some rows of a table that every machine has whole, in no order')
    }
  }
}
