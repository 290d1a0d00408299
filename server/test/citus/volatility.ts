import type { Queryable } from '../../src/database/database.ts'
import {
  type Ast,
  columnOf,
  descendantsOf,
  functionOf,
  list,
  operatorOf,
  text,
  typeOf,
  unwrap,
} from './syntax.ts'

/** PostgreSQL's volatility classes, in ascending order. */
export const IMMUTABLE = 0
const STABLE = 1
export const VOLATILE = 2

export type FunctionVolatility = ReadonlyMap<string, number>

/** The volatility of PostgreSQL's functions. Of several functions with the same name, the most volatile one counts. */
export async function readFunctions(
  database: Pick<Queryable, 'query'>,
): Promise<FunctionVolatility> {
  const rows = await database.query<{ name: string; worst: number }>(
    `select proname as name, max(case provolatile when 'v' then 2 when 's' then 1 else 0 end) as worst
     from pg_proc
     where pronamespace = 'pg_catalog'::regnamespace
     group by proname`,
  )
  return new Map(rows.map(({ name, worst }) => [name, worst]))
}

type FindColumnType = (column: { table: string; column: string }) => string | undefined

/** Types whose text format doesn't depend on session settings. */
const PLAIN = ['integer', 'bigint', 'text', 'uuid', 'boolean', 'numeric']

export function volatilityOf(functions: FunctionVolatility, typeOfColumn: FindColumnType) {
  const isText = (node: Ast | undefined): boolean => {
    const [kind, inner] = unwrap(node)
    if (kind === 'A_Const' || kind === 'ParamRef') return true
    if (kind === 'TypeCast') return typeOf(inner) === 'text'
    if (kind === 'ColumnRef') return typeOfColumn(columnOf(node)!) === 'text'
    return kind === 'A_Expr' && operatorOf(inner) === '||'
  }
  const isPlain = (node: Ast | undefined): boolean => {
    const column = columnOf(node)
    return column === null || PLAIN.includes(typeOfColumn(column) ?? '')
  }
  const containsInterval = (node: unknown) =>
    [...descendantsOf(node)].some(
      ([kind, inner]) => kind === 'TypeCast' && typeOf(inner) === 'interval',
    )

  /** The volatility of the node itself, without its descendants. */
  function ownVolatility([kind, inner]: [string, Ast]): number {
    if (kind === 'SQLValueFunction') return STABLE
    if (kind === 'FuncCall') {
      const name = functionOf(inner)
      const source = list(inner.args).at(-1)
      // A timestamp without a time zone doesn't depend on settings.
      if (name === 'extract' && unwrap(source)[0] === 'FuncCall') {
        return functionOf(unwrap(source)[1]) === 'timezone' ? IMMUTABLE : STABLE
      }
      if (name === 'timezone' && list(inner.args).length === 2) return IMMUTABLE
      return functions.get(name) ?? VOLATILE
    }
    if (kind === 'TypeCast' && typeOf(inner) === 'text')
      return isPlain(inner.arg) ? IMMUTABLE : STABLE
    if (kind === 'A_Expr' && text(inner.kind) === 'AEXPR_OP') {
      const sides = [inner.lexpr, inner.rexpr]
      if (operatorOf(inner) === '||') return sides.every(isText) ? IMMUTABLE : STABLE
      // Adding a day to a timestamptz depends on the time zone. Adding two intervals doesn't, but no statement does that.
      if (['+', '-'].includes(operatorOf(inner)))
        return sides.some(containsInterval) ? STABLE : IMMUTABLE
    }
    return IMMUTABLE
  }

  const nodes = (node: unknown) => [...descendantsOf(node)]
  return {
    worst: (node: unknown): number => Math.max(IMMUTABLE, ...nodes(node).map(ownVolatility)),
    /** Whether a stable function, operator or cast has a column in its arguments. */
    mixesColumns: (node: unknown): boolean =>
      nodes(node).some(
        (descendant) =>
          ownVolatility(descendant) === STABLE &&
          nodes(descendant[1]).some(([kind]) => kind === 'ColumnRef'),
      ),
    /** Whether a stable or volatile expression is inside COALESCE or CASE. */
    isConditional: (node: unknown): boolean =>
      nodes(node).some(
        ([kind, inner]) =>
          ['CoalesceExpr', 'CaseExpr'].includes(kind) &&
          nodes(inner).some((descendant) => ownVolatility(descendant) > IMMUTABLE),
      ),
  }
}
