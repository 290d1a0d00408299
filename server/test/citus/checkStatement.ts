import { shardCondition } from '../../src/sql/shards.ts'
import {
  equalities,
  fromItems,
  type Level,
  type Reach,
  reachOf,
  type Source,
  tableSource,
} from './levels.ts'
import { modifyRules } from './modify.ts'
import { exposedDistribution, outputNames } from './outputs.ts'
import {
  type Ast,
  conjuncts,
  descendantsOf,
  list,
  parseStatements,
  text,
  unwrap,
} from './syntax.ts'
import type { Tables } from './tables.ts'
import type { FunctionVolatility } from './volatility.ts'
import { wideRules } from './wide.ts'

export const PLACES = [
  'one shard',
  'shards of the batch',
  'every shard',
  'every copy',
  'coordinator',
] as const
export type Place = (typeof PLACES)[number]
type StatementCheck = { readonly place: Place; readonly problems: readonly string[] }

const HINT = /\/\* distributed: and (\S+) = any\((\$\d+)\) \*\//g
const UNSIZED = /\(select (\$\d+::\w+\[\])\)/g

/**
 * The statement for Citus: includes the conditions that plain PostgreSQL gets as comments, and its arrays of keys are not
 * `unsized`.
 */
export const asDistributed = (sql: string) =>
  sql
    .replace(
      HINT,
      (_, column: string, parameter: string) => `and ${shardCondition(column, parameter)}`,
    )
    .replace(UNSIZED, '$1')

/** From best to worst. */
const REACHES: Reach[] = ['one', 'named', 'every']

/** Which shards a statement touches, and what Citus would refuse or execute badly. */
export async function checkStatement(
  sql: string,
  tables: Tables,
  functions: FunctionVolatility,
): Promise<StatementCheck> {
  const problems = new Set<string>()
  const refuse = (problem: string) => void problems.add(problem)
  const reaches: Reach[] = []
  let touchesCopies = false
  const wideQueries = wideRules(refuse)
  const modify = modifyRules(tables, functions, refuse)

  function sourceOf(item: Ast, level: Level | null, ctes: ReadonlySet<string>): Source {
    const [kind, inner] = unwrap(item)
    const alias = text(inner.alias?.aliasname)
    const recurring = { alias, table: null, columns: null, distribution: null, inner: null }
    if (kind === 'RangeVar') {
      if (ctes.has(text(inner.relname)))
        return { ...recurring, alias: alias || text(inner.relname) }
      const source = tableSource(inner, tables)
      if (tables.get(source.table!)?.placement.kind === 'reference') touchesCopies = true
      return source
    }
    if (kind !== 'RangeSubselect') return recurring
    const isLateral = inner.lateral !== undefined
    const query = checkSelect(unwrap(inner.subquery)[1], isLateral ? level : null, ctes, isLateral)
    return {
      ...recurring,
      columns: query.columns,
      distribution: query.distribution,
      inner: query.reach,
    }
  }

  /** What the query around a subquery has to know about it. */
  type Inner = Pick<Source, 'columns' | 'distribution'> & { readonly reach: Reach | null }

  function checkSelect(
    node: Ast,
    outer: Level | null,
    ctes: ReadonlySet<string>,
    isDependent: boolean,
  ): Inner {
    const known = checkWithQueries(node, ctes)
    if (text(node.op) !== '' && text(node.op) !== 'SETOP_NONE') {
      const sides = [node.larg!, node.rarg!].map((side) =>
        checkSelect(side, outer, known, isDependent),
      )
      const reach = sides.reduce<Reach | null>((worst, side) => widerReach(worst, side.reach), null)
      // The coordinator merges a union over several shards. From then on it is a local intermediate result.
      return {
        columns: sides[0]!.columns,
        distribution: null,
        reach: reach === 'one' ? 'one' : null,
      }
    }
    const emptyLevel = { sources: [], joins: [], conditions: [], outer }
    const level = levelOf(list(node.fromClause), node.whereClause, emptyLevel, known)
    const reach = checkLevel(level, node, isDependent)
    checkSublinks(node, level, known)
    const distribution = level.sources.find((source) => source.distribution)?.distribution ?? null
    return {
      columns: outputNames(node, level),
      distribution: exposedDistribution(node, level, distribution),
      reach,
    }
  }

  function checkWithQueries(node: Ast, ctes: ReadonlySet<string>): Set<string> {
    const known = new Set(ctes)
    if (node.withClause?.recursive !== undefined) refuse('a recursive query')
    for (const cte of list(node.withClause?.ctes)) {
      const { ctename, ctequery } = cte.CommonTableExpr!
      checkNode(ctequery!, known)
      known.add(text(ctename))
    }
    return known
  }

  /** Lateral items see the items before them, so the level grows while it is read. */
  function levelOf(
    from: readonly Ast[],
    where: Ast | undefined,
    base: Level,
    ctes: ReadonlySet<string>,
  ): Level {
    const sources: Source[] = []
    const growingLevel = { ...base, sources }
    const items = fromItems(from, (item) => {
      const source = sourceOf(item, growingLevel, ctes)
      sources.push(source)
      return source
    })
    return { ...items, conditions: [...items.conditions, ...conjuncts(where)], outer: base.outer }
  }

  function checkLevel(level: Level, node: Ast, isDependent: boolean): Reach | null {
    const equal = equalities(level)
    const found = level.sources.filter((source) => source.distribution !== null)
    const all = found.map((source) => reachOf(source, equal))
    reaches.push(...all.filter((_, index) => found[index]!.table !== null))
    const wide = found.filter((_, index) => all[index] !== 'one')
    const kinds = level.sources.map((source) => tables.get(source.table ?? '')?.placement.kind)
    const isLocal = level.sources.some(
      (source, index) => source.table && kinds[index] === 'coordinator' && tables.has(source.table),
    )
    if (isLocal && kinds.some((kind) => kind === 'distributed' || kind === 'reference')) {
      refuse('a join of a local table with a distributed one')
    }
    const areOnOneShard = (...pair: Source[]) =>
      pair.every((source) => all[found.indexOf(source)] === 'one')
    for (const [index, source] of found.entries()) {
      for (const other of found.slice(index + 1)) {
        const roots = [source, other].map(({ alias, distribution }) =>
          equal.rootOf(`${alias}.${distribution!.key}`),
        )
        const areColocated =
          source.distribution!.group === other.distribution!.group && roots[0] === roots[1]
        const isSubqueryOfOneShard =
          [source, other].some(({ inner }) => inner === 'one') && areOnOneShard(source, other)
        if (!areColocated && !isSubqueryOfOneShard) {
          refuse('a join of tables that are not colocated')
        }
      }
    }
    if (wide.length === 0) return found.length > 0 ? 'one' : null
    wideQueries.checkLevel(level, node, wide)
    if (isDependent) wideQueries.checkCorrelated(level, node, wide)
    return all.reduce<Reach>((worst, reach) => widerReach(worst, reach), 'one')
  }

  /** Subqueries in conditions and values. */
  function checkSublinks(node: Ast, level: Level, ctes: ReadonlySet<string>): void {
    for (const [kind, inner] of descendantsOf(node)) {
      if (kind === 'SubLink') checkSelect(unwrap(inner.subselect)[1], level, ctes, true)
    }
  }

  function checkNode(node: Ast, ctes: ReadonlySet<string>): void {
    const [kind, inner] = unwrap(node)
    if (kind === 'SelectStmt') void checkSelect(inner, null, ctes, false)
    else if (kind === 'InsertStmt') checkInsert(inner, ctes)
    else if (kind === 'UpdateStmt' || kind === 'DeleteStmt') checkChange(inner, ctes)
    else if (kind === 'VariableSetStmt' && text(inner.name) === 'lock_timeout') {
      refuse('a lock_timeout that does not reach the workers')
    }
  }

  function checkInsert(node: Ast, ctes: ReadonlySet<string>): void {
    const known = checkWithQueries(node, ctes)
    const target = tableSource(node.relation!, tables)
    if (tables.get(target.table!)?.placement.kind === 'reference') touchesCopies = true
    const query = unwrap(node.selectStmt)[1]
    const before = reaches.length
    if (list(query.valuesLists).length === 0) void checkSelect(query, null, known, false)
    if (target.distribution !== null) {
      if (reaches.length > before) refuse('an insert from a distributed table into another one')
      reaches.push(list(query.valuesLists).length > 0 ? 'one' : 'named')
    }
    modify.checkInsert(node, target, query)
  }

  function checkChange(node: Ast, ctes: ReadonlySet<string>): void {
    const known = checkWithQueries(node, ctes)
    const target = tableSource(node.relation!, tables)
    if (tables.get(target.table!)?.placement.kind === 'reference') touchesCopies = true
    const items = [
      { RangeVar: node.relation! } as unknown as Ast,
      ...list(node.fromClause),
      ...list(node.usingClause),
    ]
    const emptyLevel = { sources: [], joins: [], conditions: [], outer: null }
    const level = levelOf(items, node.whereClause, emptyLevel, known)
    checkLevel(level, node, false)
    checkSublinks(node, level, known)
    modify.checkChange(node, target, level)
  }

  for (const node of await parseStatements(sql)) checkNode(node, new Set())
  if (/set_config\('lock_timeout'/.test(sql))
    refuse('a lock_timeout that does not reach the workers')
  const worst = reaches.reduce<Reach | null>((worst, reach) => widerReach(worst, reach), null)
  const distribution = {
    one: 'one shard',
    named: 'shards of the batch',
    every: 'every shard',
  } as const
  const place = worst !== null ? distribution[worst] : touchesCopies ? 'every copy' : 'coordinator'
  return { place, problems: [...problems] }
}

const widerReach = (first: Reach | null, second: Reach | null): Reach =>
  REACHES[Math.max(REACHES.indexOf(first ?? 'one'), REACHES.indexOf(second ?? 'one'))]!
