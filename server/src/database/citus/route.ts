/** Stores and wallets are distributed separately: each side has its own shards. */
export type Side = 'store' | 'wallet'

const ID_COLUMNS = { store: 'store_id', wallet: 'wallet_id' }

export type Route =
  /** No table: for example locks. */
  | { readonly to: 'every server' }
  /** Tables that only the coordinator has, or tables that every server has a copy of. */
  | { readonly to: 'coordinator' }
  /**
   * Distributed tables, but the parameters don't name the shards, the statement needs other tables or rows of several shards
   * together, or its columns are qualified with a table's name.
   */
  | { readonly to: 'citus' }
  /**
   * The parameter at `idIndex` names the store or wallet, or several of them. The parameters at `arrayIndexes` are arrays with
   * one element for each id. `texts` has the statement for one id and for any number of ids.
   */
  | {
      readonly to: 'shards'
      readonly side: Side
      readonly idIndex: number
      readonly arrayIndexes: number[]
      readonly texts: { readonly one: string; readonly any: string }
    }

const RELATION = /\binto\s+(\w+)|\b(?:from|join|update|using)\s+(\w+)\b(?!\s*\()/g

/** Decides where to send a statement: directly to the shards if possible. `sideOf` knows the distributed tables. */
export function routeOf(text: string, sideOf: (table: string) => Side | undefined): Route {
  const tables = [...text.matchAll(RELATION)].map(([, target, other]) => target ?? other!)
  if (tables.length === 0) return { to: 'every server' }
  const sides = new Set(tables.map(sideOf))
  const [side] = sides
  if (side === undefined && sides.size === 1) return { to: 'coordinator' }
  const isQualified = tables.some((table) => new RegExp(`\\b${table}\\.`).test(text))
  if (side === undefined || sides.size > 1 || isQualified) return { to: 'citus' }
  const column = ID_COLUMNS[side]
  return routeByRows(text, side, column) ?? routeByCondition(text, side, column) ?? { to: 'citus' }
}

const ROWS = /\bunnest\(((?:[^()]|\(select [^()]*\))*)\)(?:\s+as\s+\w+\s*\(([^()]*)\))?/
const INSERTED = /\binto\s+\w+\s*\(([^()]*)\)/

const ARRAY = /^\s*(?:\(select )?(\$(\d+)::\w+\[\])\)?\s*$/

/** `unnest($1::int[], (select $2::text[]), …) as v (store_id, …)`, or without names as the source of an insert. */
function routeByRows(text: string, side: Side, column: string): Route | null {
  const [, parameters, names = INSERTED.exec(text)?.[1]] = ROWS.exec(text) ?? []
  if (parameters === undefined || names === undefined) return null
  const arrays = parameters.split(',')
  const arrayIndexes = arrays.map((array) => Number(ARRAY.exec(array)?.[2]) - 1)
  const idIndex = arrayIndexes[names.split(',').findIndex((name) => name.trim() === column)]
  if (idIndex === undefined || arrayIndexes.some(Number.isNaN) || hasLimit(text)) return null
  // PostgreSQL materializes an `unnest` in `from` first, which costs more than finding a row.
  const withRows = (values: string[]) =>
    text.replace(ROWS, (rows) => {
      const alias = rows.slice(`unnest(${parameters})`.length)
      return `(select ${values.join(', ')})${alias || ' as v'}`
    })
  const texts = {
    one: withRows(arrays.map((array) => `(${ARRAY.exec(array)![1]})[1]`)),
    any: withRows(arrays.map((array) => `unnest(${array.trim()})`)),
  }
  return { to: 'shards', side, idIndex, arrayIndexes, texts }
}

/** `store_id = any($1)` or `store_id = $1`. */
function routeByCondition(text: string, side: Side, column: string): Route | null {
  const texts = { one: text, any: text }
  const oneIndex = indexOf(new RegExp(`\\b${column} = \\$(\\d+)`).exec(text))
  if (!Number.isNaN(oneIndex)) {
    return { to: 'shards', side, idIndex: oneIndex, arrayIndexes: [], texts }
  }
  const idIndex = indexOf(new RegExp(`\\b${column} = any\\(\\$(\\d+)\\)`).exec(text))
  if (Number.isNaN(idIndex) || hasLimit(text)) return null
  return { to: 'shards', side, idIndex, arrayIndexes: [idIndex], texts }
}

const indexOf = (match: RegExpExecArray | null) => (match === null ? NaN : Number(match[1]) - 1)

/** Each shard would apply a limit to its own rows. */
const hasLimit = (text: string) => /\blimit\b/.test(text)

/** Replaces the tables with those of a shard. */
export const replaceTables = (text: string, nameOf: (table: string) => string): string =>
  text.replace(RELATION, (relation, target?: string, other?: string) => {
    const table = target ?? other!
    return relation.slice(0, relation.length - table.length) + nameOf(table)
  })

/** Splits the rows of a statement by their shard. */
export function splitRows<Shard>(
  { idIndex, arrayIndexes }: Pick<Extract<Route, { to: 'shards' }>, 'idIndex' | 'arrayIndexes'>,
  values: readonly unknown[],
  shardOf: (id: number) => Shard,
): Map<Shard, unknown[]> {
  if (arrayIndexes.length === 0) {
    return new Map([[shardOf(values[idIndex] as number), [...values]]])
  }
  const positions = new Map<Shard, number[]>()
  for (const [position, id] of (values[idIndex] as readonly number[]).entries()) {
    const shard = shardOf(id)
    const shardPositions = positions.get(shard)
    if (shardPositions === undefined) positions.set(shard, [position])
    else shardPositions.push(position)
  }
  const parts = new Map<Shard, unknown[]>()
  for (const [shard, chosen] of positions) {
    const part = [...values]
    for (const index of arrayIndexes) {
      part[index] = chosen.map((at) => (values[index] as unknown[])[at])
    }
    parts.set(shard, part)
  }
  return parts
}
