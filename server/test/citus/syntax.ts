import { parse } from 'libpg-query'

/** A node of PostgreSQL's syntax tree, or a value in it. */
export interface Ast {
  readonly [key: string]: Ast
}

const isObject = (value: unknown): value is Ast => typeof value === 'object' && value !== null

/** Parses a text into its statements. */
export async function parseStatements(sql: string): Promise<Ast[]> {
  const { stmts } = (await parse(sql)) as unknown as { stmts: { stmt: Ast }[] }
  return stmts.map(({ stmt }) => stmt)
}

export const text = (node: Ast | undefined): string => (node as unknown as string | undefined) ?? ''
export const list = (node: Ast | undefined): Ast[] =>
  Array.isArray(node) ? (node as unknown as Ast[]) : []

/** The kind and the fields of a node: `{ ColumnRef: … }` is a ColumnRef. */
export function unwrap(node: Ast | undefined): [kind: string, inner: Ast] {
  if (!isObject(node)) return ['', {}]
  const [entry] = Object.entries(node)
  return entry ?? ['', {}]
}

const QUERIES = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt']

/** All descendants, except those of subqueries, which are checked separately. */
export function* descendantsOf(node: unknown): Generator<[kind: string, inner: Ast]> {
  if (Array.isArray(node)) {
    for (const child of node) yield* descendantsOf(child)
    return
  }
  if (!isObject(node)) return
  for (const [kind, inner] of Object.entries(node)) {
    if (QUERIES.includes(kind)) continue
    if (/^[A-Z]/.test(kind)) yield [kind, inner]
    yield* descendantsOf(inner)
  }
}

export const has = (node: unknown, ...kinds: string[]): boolean =>
  [...descendantsOf(node)].some(([kind]) => kinds.includes(kind))

/** The conditions of a conjunction. */
export function conjuncts(node: Ast | undefined): Ast[] {
  const [kind, inner] = unwrap(node)
  if (kind === 'BoolExpr' && text(inner.boolop) === 'AND_EXPR') {
    return list(inner.args).flatMap(conjuncts)
  }
  return kind === '' ? [] : [node!]
}

/** A column reference, with or without the name of its table. */
export function columnOf(node: Ast | undefined): { table: string; column: string } | null {
  const [kind, inner] = unwrap(node)
  if (kind !== 'ColumnRef') return null
  const parts = list(inner.fields).map((field) => text(field.String?.sval) || '*')
  return { table: parts.length > 1 ? parts.at(-2)! : '', column: parts.at(-1)! }
}

/** A value that is known before any row is read: a parameter or a constant, possibly with a cast. */
export function isKnownValue(node: Ast | undefined): boolean {
  const [kind, inner] = unwrap(node)
  if (kind === 'TypeCast') return isKnownValue(inner.arg)
  return kind === 'ParamRef' || kind === 'A_Const'
}

export const operatorOf = (expression: Ast): string =>
  text(list(expression.name).at(-1)?.String?.sval)
export const functionOf = (call: Ast): string => text(list(call.funcname).at(-1)?.String?.sval)
export const typeOf = (cast: Ast): string => text(list(cast.typeName?.names).at(-1)?.String?.sval)
