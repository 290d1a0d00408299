import { equalities, type Level, nameIn, type Source } from './levels.ts'
import { type Ast, columnOf, list, text } from './syntax.ts'

/** The output column names of a query, as far as they are known. */
export function outputNames(node: Ast, level: Level): Set<string> {
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

/** Whether a query outputs its distribution column, and under which name. */
export function exposedDistribution(
  node: Ast,
  level: Level,
  distribution: Source['distribution'],
): Source['distribution'] {
  if (distribution === null) return null
  const { rootOf } = equalities(level)
  const { alias } = level.sources.find((source) => source.distribution === distribution)!
  const root = rootOf(`${alias}.${distribution.key}`)
  for (const target of list(node.targetList)) {
    const { name, val } = target.ResTarget!
    const column = columnOf(val)
    if (column?.column === '*') return distribution
    const qualified = nameIn(level, val)
    if (qualified !== null && rootOf(qualified) === root) {
      return { ...distribution, key: text(name) || column!.column }
    }
  }
  return { ...distribution, key: null }
}
