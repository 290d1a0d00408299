import { equalities, type Level, nameIn, type Source } from './levels.ts'
import { type Ast, columnOf, list, text } from './syntax.ts'

/** The names under which a query gives its columns, as far as they can be told. */
export function outputs(node: Ast, level: Level): Set<string> {
  return new Set(
    list(node.targetList).flatMap((target) => {
      const { name, val } = target.ResTarget!
      if (name !== undefined) return [text(name)]
      const column = columnOf(val)
      if (column?.column !== '*') return column ? [column.column] : []
      return level.sources.flatMap((source) => [...(source.columns ?? [])])
    }),
  )
}

/** Whether a query gives the column that its rows are spread by, and as what. */
export function exposed(node: Ast, level: Level, spread: Source['spread']): Source['spread'] {
  if (spread === null) return null
  const { rootOf } = equalities(level)
  const key = level.sources.find((source) => source.spread === spread)!
  const root = rootOf(`${key.alias}.${spread.key}`)
  for (const target of list(node.targetList)) {
    const { name, val } = target.ResTarget!
    const column = columnOf(val)
    if (column?.column === '*') return spread
    const given = nameIn(level, val)
    if (given !== null && rootOf(given) === root) {
      return { ...spread, key: text(name) || column!.column }
    }
  }
  return { ...spread, key: null }
}
