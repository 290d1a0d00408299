import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { withConnection } from '../database.ts'
import { readWorkers, recoveryProblem, workerProblem } from './workers.ts'

const TABLES = new URL('../../../../deploy/citus/tables.sql', import.meta.url)

/** The cluster must be set up differently. The message says how. */
export class CitusSetupError extends Error {}

/** Where Citus stores a table. Tables of one group are colocated. */
export type TablePlacement =
  | { readonly kind: 'distributed'; readonly column: string; readonly group: string }
  | { readonly kind: 'reference' | 'coordinator' }

type Client = Pick<pg.Client, 'query'>

export async function readDistributionSql(): Promise<{ text: string; statements: string[] }> {
  const text = await readFile(TABLES, 'utf8')
  return { text, statements: statementsOf(text) }
}

/** Splits one of our SQL files. None has a semicolon or two dashes inside a string. */
export function statementsOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.split('--', 1)[0]!)
  const statements = lines.join('\n').split(';')
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}

/** Reads the placement of each table from the file. */
export function placementsOf(text: string): Map<string, TablePlacement> {
  const placements = new Map<string, TablePlacement>()
  const created =
    /create_(distributed|reference)_table\('(\w+)'(?:, '(\w+)', colocate_with => '(\w+)')?/g
  for (const [, kind, table, column, colocation] of text.matchAll(created)) {
    const group = colocation === 'none' ? table : colocation
    placements.set(
      table!,
      kind === 'reference' ? { kind } : { kind: 'distributed', column: column!, group: group! },
    )
  }
  const [, local = ''] = /^-- stays: (.*)$/m.exec(text) ?? []
  for (const table of local.split(', ')) placements.set(table, { kind: 'coordinator' })
  return placements
}

/** Whether Citus distributes the tables of this database. */
export async function isDistributed(client: Client): Promise<boolean> {
  if (!(await isCitus(client))) return false
  const { rowCount } = await client.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('payment')`,
  )
  return rowCount === 1
}

export const isDistributedAt = (url: string): Promise<boolean> => withConnection(url, isDistributed)

async function isCitus(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ isInstalled: boolean }>(
    `select to_regclass('pg_dist_partition') is not null as "isInstalled"`,
  )
  return rows[0]!.isInstalled
}

const FOREIGN_KEY = /^alter table (\w+) (add|drop) constraint (?:if exists )?(\w+)/

/**
 * Distributes the tables over the cluster, then checks the workers. Call it again after adding tables or after an
 * interruption: it does what is left.
 */
export async function distributeTables(client: Client): Promise<void> {
  await refuseUnlessCoordinator(client)
  const { text, statements } = await readDistributionSql()
  const placements = placementsOf(text)
  await refuseWrongPlacements(client, placements, undistributedBy(text))
  const { misplaced, hasKey } = await compareTables(client, placements)
  const added = addedKeys(statements)
  for (const statement of statements) {
    const [, table = '', action, key = ''] = FOREIGN_KEY.exec(statement) ?? []
    // A table that is in its place is in use, so don't drop its foreign keys.
    const isPlaced = !misplaced.has(table)
    if (isPlaced && action === 'drop' && added.includes(key)) continue
    if (isPlaced && action === 'add' && hasKey(key)) continue
    await client.query(statement)
  }
  await refuseUnsuitableWorkers(client)
}

/** Whether every table and foreign key is in place. */
export async function isFullyDistributed(client: Client): Promise<boolean> {
  const { text, statements } = await readDistributionSql()
  const { misplaced, hasKey } = await compareTables(client, placementsOf(text))
  return misplaced.size === 0 && addedKeys(statements).every(hasKey)
}

const addedKeys = (statements: readonly string[]) =>
  statements.flatMap((statement) => /add constraint (\w+)/.exec(statement)?.[1] ?? [])

async function compareTables(client: Client, placements: ReadonlyMap<string, TablePlacement>) {
  const { rows: placed } = await client.query<{ name: string }>(
    'select logicalrelid::regclass::text as name from pg_dist_partition',
  )
  const { rows: keys } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where contype = 'f'`,
  )
  const names = new Set(placed.map((row) => row.name))
  const keyNames = new Set(keys.map((row) => row.name))
  const misplaced = [...placements].filter(
    ([name, { kind }]) => (kind === 'coordinator') === names.has(name),
  )
  return {
    misplaced: new Set(misplaced.map(([name]) => name)),
    hasKey: (name: string) => keyNames.has(name),
  }
}

async function refuseUnlessCoordinator(client: Client): Promise<void> {
  if (!(await isCitus(client))) {
    throw new CitusSetupError(
      'Citus is not installed in this database. Install it on every machine of the cluster and run there: create extension citus',
    )
  }
  const { rows: groups } = await client.query<{ groupid: number }>(
    'select groupid from pg_dist_local_group',
  )
  if (groups[0]?.groupid !== 0) {
    throw new CitusSetupError(
      'This is a worker of the cluster. DATABASE_URL must name its coordinator.',
    )
  }
  const { rowCount: workers } = await client.query(
    `select from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary'`,
  )
  if (workers === 0) {
    throw new CitusSetupError(
      `The coordinator has no workers. Add each one, for example: select citus_add_node('worker-1', 5432)`,
    )
  }
}

/** Tables that earlier versions distributed, and that this version moves back to the coordinator. */
const undistributedBy = (text: string) =>
  new Set([...text.matchAll(/undistribute_table\('(\w+)'\)/g)].map(([, name]) => name!))

async function refuseWrongPlacements(
  client: Client,
  expected: ReadonlyMap<string, TablePlacement>,
  movedBack: ReadonlySet<string>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; column: string | null }>(
    `select logicalrelid::regclass::text as name,
       case when partmethod = 'h' then column_to_column_name(logicalrelid, partkey) end as column
     from pg_dist_partition`,
  )
  for (const { name, column } of rows) {
    const placement = expected.get(name)
    if (placement === undefined || movedBack.has(name)) continue
    const expectedColumn = placement.kind === 'distributed' ? placement.column : null
    if (placement.kind !== 'coordinator' && expectedColumn === column) continue
    const describe = (by: string | null) =>
      by === null ? 'a reference table' : `distributed by ${by}`
    const target = placement.kind === 'coordinator' ? 'a local table' : describe(expectedColumn)
    throw new CitusSetupError(
      `Table ${name} is ${describe(column)}, but must be ${target}. Undo this first: select undistribute_table('${name}')`,
    )
  }
}

/** Refuses a cluster that takes too long to end transactions after a crash. */
export async function refuseSlowRecovery(client: Client): Promise<void> {
  await refuseUnlessCoordinator(client)
  const problem = await recoveryProblem(queryOf(client))
  if (problem !== null) throw new CitusSetupError(`${problem.message}. ${problem.fix}`)
}

async function refuseUnsuitableWorkers(client: Client): Promise<void> {
  for (const worker of await readWorkers(queryOf(client))) {
    const problem = workerProblem(worker)
    if (problem !== null) throw new CitusSetupError(`${problem.message}. ${problem.fix}`)
  }
}

const queryOf =
  (client: Client) =>
  async <Row>(text: string) =>
    (await client.query(text)).rows as Row[]
