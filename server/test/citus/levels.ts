import {
  type Ast,
  columnOf,
  conjuncts,
  functionOf,
  isKnownValue,
  list,
  operatorOf,
  text,
  unwrap,
} from './syntax.ts'
import type { Tables } from './tables.ts'

/** Which shards may contain the rows: one, those that the parameters name, or every one. */
export type Reach = 'one' | 'named' | 'every'

/** An item of FROM, such as a table, a function or a subquery. Without a distribution it has no shards. */
export type Source = {
  readonly alias: string
  readonly table: string | null
  readonly columns: ReadonlySet<string> | null
  /** The distribution column and colocation group of a distributed item. */
  readonly distribution: { readonly key: string | null; readonly group: string } | null
  /** Only for a subquery: the shards that it reaches by itself. */
  readonly inner: Reach | null
}

type Join = {
  readonly type: string
  readonly left: readonly Source[]
  readonly right: readonly Source[]
}

/** One query without its subqueries: its sources, joins and conditions. */
export type Level = {
  readonly sources: readonly Source[]
  readonly joins: readonly Join[]
  readonly conditions: readonly Ast[]
  readonly outer: Level | null
}

/** The prefix of values that the statement gives, as opposed to columns. */
const GIVEN = '$'

/** Groups columns that are equal by the conditions of a level. The conditions of outer levels are not considered. */
export function equalities(level: Level) {
  const parents = new Map<string, string>()
  const named = new Set<string>()
  const rootOf = (name: string): string => {
    const parent = parents.get(name)
    return parent === undefined || parent === name ? name : rootOf(parent)
  }
  for (const condition of level.conditions) {
    const [kind, inner] = unwrap(condition)
    const oneOf = kind === 'BoolExpr' && text(inner.boolop) === 'OR_EXPR' ? list(inner.args) : []
    const alternatives = new Set(oneOf.map((alternative) => givenColumn(level, alternative)))
    const [column] = alternatives
    if (alternatives.size === 1 && column) named.add(column)
    if (kind !== 'A_Expr' || operatorOf(inner) !== '=') continue
    const [left, right] = [inner.lexpr, inner.rexpr]
    const name = nameIn(level, left)
    if (text(inner.kind) === 'AEXPR_OP_ANY' && name !== null && isKnownValue(right)) named.add(name)
    if (text(inner.kind) !== 'AEXPR_OP') continue
    const names = [left, right].map((side) => {
      if (isKnownValue(side)) return `${GIVEN}${JSON.stringify(unwrap(side)[1].number ?? side)}`
      return nameIn(level, side)
    })
    if (names[0] === null || names[1] === null) continue
    const [root, other] = [rootOf(names[0]!), rootOf(names[1]!)]
    // A given value stays the root, so that every member finds it.
    if (root.startsWith(GIVEN)) parents.set(other, root)
    else parents.set(root, other)
  }
  return { rootOf, isNamed: (name: string) => named.has(name) }
}

/** The column that a condition compares with given values, or with an element of them. */
function givenColumn(level: Level, condition: Ast): string | null {
  const [kind, inner] = unwrap(condition)
  if (kind !== 'A_Expr' || operatorOf(inner) !== '=') return null
  const [valueKind, value] = unwrap(inner.rexpr)
  const isKnown = isKnownValue(valueKind === 'A_Indirection' ? value.arg : inner.rexpr)
  return isKnown ? nameIn(level, inner.lexpr) : null
}

/** A column with the alias of its source, in this level or an outer one. */
export function nameIn(level: Level | null, node: Ast | undefined): string | null {
  const column = columnOf(node)
  if (column === null || level === null) return null
  const owner = level.sources.find((source) =>
    column.table === '' ? source.columns?.has(column.column) : source.alias === column.table,
  )
  return owner ? `${owner.alias}.${column.column}` : nameIn(level.outer, node)
}

export function reachOf(source: Source, { rootOf, isNamed }: ReturnType<typeof equalities>): Reach {
  if (source.inner === 'one') return 'one'
  const key = `${source.alias}.${source.distribution?.key}`
  if (source.distribution?.key && rootOf(key).startsWith(GIVEN)) return 'one'
  return isNamed(key) || source.inner === 'named' ? 'named' : 'every'
}

/** The items of FROM as a flat list, with their joins. */
export function fromItems(
  items: readonly Ast[],
  sourceOf: (item: Ast) => Source,
): Omit<Level, 'outer'> {
  const joins: Join[] = []
  const conditions: Ast[] = []
  const sources: Source[] = []
  const add = (item: Ast): Source[] => {
    const [kind, inner] = unwrap(item)
    if (kind !== 'JoinExpr') {
      const source = sourceOf(item)
      sources.push(source)
      return [source]
    }
    const left = add(inner.larg!)
    const right = add(inner.rarg!)
    joins.push({ type: text(inner.jointype), left, right })
    conditions.push(...conjuncts(inner.quals))
    return [...left, ...right]
  }
  for (const item of items) add(item)
  return { sources, joins, conditions }
}

export function tableSource(relation: Ast, tables: Tables): Source {
  const name = text(relation.relname)
  const table = tables.get(name)
  const placement = table?.placement
  return {
    alias: text(relation.alias?.aliasname) || name,
    table: name,
    columns: new Set(table?.columns.keys() ?? []),
    distribution:
      placement?.kind === 'distributed' ? { key: placement.column, group: placement.group } : null,
    inner: null,
  }
}

const AGGREGATES = [
  'count',
  'sum',
  'min',
  'max',
  'avg',
  'array_agg',
  'string_agg',
  'json_agg',
  'bool_or',
]
export const isAggregate = (call: Ast) => AGGREGATES.includes(functionOf(call))
/** Whether the query needs the rows of all shards together. */
export const needsAll = (select: Ast, calls: readonly Ast[]): boolean =>
  [select.limitCount, select.limitOffset].some((limit) => limit !== undefined) ||
  list(select.distinctClause).length > 0 ||
  list(select.groupClause).length > 0 ||
  calls.some(isAggregate)
