import type { Level, Source } from './levels.ts'
import {
  type Ast,
  columnOf,
  descendantsOf,
  has,
  isKnownValue,
  list,
  text,
  unwrap,
} from './syntax.ts'
import type { Tables } from './tables.ts'
import { type FunctionVolatility, IMMUTABLE, VOLATILE, volatilityOf } from './volatility.ts'

/** The rules of Citus for a statement that writes to a distributed table or a reference table. */
export function modifyRules(
  tables: Tables,
  functions: FunctionVolatility,
  refuse: (problem: string) => void,
) {
  const kindOf = (target: Source) => tables.get(target.table!)?.placement.kind ?? 'coordinator'

  function checkReturning(node: Ast, types: Parameters<typeof volatilityOf>[1]): void {
    if (volatilityOf(functions, types).worst(list(node.returningClause?.exprs)) > IMMUTABLE) {
      refuse('a stable or volatile expression in returning')
    }
  }

  return {
    checkInsert(node: Ast, target: Source, query: Ast): void {
      if (kindOf(target) === 'coordinator') return
      checkReturning(node, ({ column }) => tables.get(target.table!)?.columns.get(column))
      const rows = list(query.valuesLists)
      if (has(rows, 'SubLink')) refuse('a subquery in the values of an insert')
      if (target.distribution === null) return
      const index = list(node.cols).findIndex(
        (column) => text(column.ResTarget!.name) === target.distribution!.key,
      )
      const hasKnownKeys = rows.every((row) => isKnownValue(list(row.List!.items)[index]))
      if (index < 0 || !hasKnownKeys)
        refuse('an insert without a known value for the distribution column')
      if (rows.length === 0 && node.onConflictClause !== undefined)
        refuse('an upsert from a select')
    },

    checkChange(node: Ast, target: Source, level: Level): void {
      const kind = kindOf(target)
      if (kind === 'coordinator') return
      const types = ({ table, column }: { table: string; column: string }) => {
        const source = level.sources.find(({ alias, columns }) =>
          table === '' ? columns?.has(column) : alias === table,
        )
        return tables.get(source?.table ?? '')?.columns.get(column)
      }
      const { worst, mixesColumns, isConditional } = volatilityOf(functions, types)
      const written = list(node.targetList).map((target) => target.ResTarget!)
      const expressions = [...written.map(({ val }) => val), ...level.conditions]
      if (worst(expressions) === VOLATILE) refuse('a write with a volatile expression')
      if (mixesColumns(expressions)) refuse('a write with a stable function of a column')
      if (isConditional(expressions))
        refuse('a write with a stable expression inside case or coalesce')
      checkReturning(node, types)
      for (const { name, val } of written) {
        const isSubscript = unwrap(val)[0] === 'A_Indirection' && has(val, 'A_Indices')
        if (isSubscript)
          refuse('a bare element of an array as the new value, which crashes the coordinator')
        if (
          text(name) === target.distribution?.key &&
          columnOf(val)?.column !== target.distribution.key
        ) {
          refuse('an update that moves a row to another shard')
        }
      }
      if (kind === 'reference') refuseArbitraryOrder(node)
    },
  }

  /** Each node executes the statement, so each must produce the same rows. */
  function refuseArbitraryOrder(node: Ast): void {
    for (const [kind, inner] of descendantsOf(node)) {
      if (kind !== 'SubLink') continue
      const query = unwrap(inner.subselect)[1]
      if (query.limitCount === undefined) continue
      const [order] = list(query.sortClause)
      const key = columnOf(order?.SortBy?.node)?.column
      const chosen = columnOf(list(query.targetList)[0]?.ResTarget?.val)?.column
      // A limit is deterministic only if the rows are sorted by the selected column. Otherwise ties may differ.
      if (key === undefined || key !== chosen)
        refuse('a limit on a reference table without a deterministic order')
    }
  }
}
