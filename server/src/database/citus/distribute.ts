import { readFile } from 'node:fs/promises'
import pg from 'pg'

const TABLES = new URL('../../../../deploy/citus/tables.sql', import.meta.url)

/** Something about the cluster that only its operator can mend; the message says how. */
export class SpreadRefused extends Error {}

/** How a table is spread: by a column, in the shards of another one; or whole, on every machine or on one. */
export type Placement =
  | { readonly kind: 'distributed'; readonly column: string; readonly group: string }
  | { readonly kind: 'reference' | 'coordinator' }

type Client = Pick<pg.Client, 'query'>

export async function readSpreadSql(): Promise<{ text: string; statements: string[] }> {
  const text = await readFile(TABLES, 'utf8')
  return { text, statements: statementsOf(text) }
}

/** The statements of a file of ours, without remarks. None has a semicolon, or two dashes, inside a string. */
export function statementsOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.split('--', 1)[0]!)
  const statements = lines.join('\n').split(';')
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}

/** Where each table belongs, as the file says. */
export function placementsOf(text: string): Map<string, Placement> {
  const placements = new Map<string, Placement>()
  const made =
    /create_(distributed|reference)_table\('(\w+)'(?:, '(\w+)', colocate_with => '(\w+)')?/g
  for (const [, kind, table, column, beside] of text.matchAll(made)) {
    const group = beside === 'none' ? table : beside
    placements.set(
      table!,
      kind === 'reference' ? { kind } : { kind: 'distributed', column: column!, group: group! },
    )
  }
  const [, stays = ''] = /^-- stays: (.*)$/m.exec(text) ?? []
  for (const table of stays.split(', ')) placements.set(table, { kind: 'coordinator' })
  return placements
}

/** Whether the tables of this database are spread over a cluster. */
export async function isSpread(client: Client): Promise<boolean> {
  if (!(await isCitus(client))) return false
  const { rowCount } = await client.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('payment')`,
  )
  return rowCount === 1
}

/** The same, for who has no connection yet. */
export async function isSpreadAt(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  return isSpread(client).finally(() => client.end())
}

async function isCitus(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('pg_dist_partition') is not null as found`,
  )
  return rows[0]!.found
}

const FOREIGN_KEY = /^alter table (\w+) (add|drop) constraint (?:if exists )?(\w+)/

/**
 * Spreads the tables over the cluster. May be called again at any time, after new tables were added or after an
 * interruption: it does what is left to do, and looks whether all is as it should be.
 */
export async function spreadTables(client: Client): Promise<void> {
  await refuseUnlessCoordinator(client)
  const { text, statements } = await readSpreadSql()
  const placements = placementsOf(text)
  await refuseOtherPlacements(client, placements)
  const left = await whatIsLeft(client, placements)
  for (const statement of statements) {
    const [, table = '', act, key = ''] = FOREIGN_KEY.exec(statement) ?? []
    // A table that is in its place is in use: nothing of it is taken off.
    const isPlaced = !left.tables.has(table)
    if (isPlaced && (act === 'drop' || (act === 'add' && left.hasKey(key)))) continue
    await client.query(statement)
  }
  await refuseEndlessWaits(client)
}

/** Whether a cluster has everything in its place, so that nothing has to be done. */
export async function isSpreadWhole(client: Client): Promise<boolean> {
  const { text, statements } = await readSpreadSql()
  const { tables, hasKey } = await whatIsLeft(client, placementsOf(text))
  const keys = statements.flatMap((one) => /add constraint (\w+)/.exec(one)?.[1] ?? [])
  return tables.size === 0 && keys.every(hasKey)
}

async function whatIsLeft(client: Client, placements: ReadonlyMap<string, Placement>) {
  const { rows: placed } = await client.query<{ name: string }>(
    'select logicalrelid::regclass::text as name from pg_dist_partition',
  )
  const { rows: keys } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where contype = 'f'`,
  )
  const names = new Set(placed.map((row) => row.name))
  const keyNames = new Set(keys.map((row) => row.name))
  const tables = [...placements].filter(
    ([name, { kind }]) => kind !== 'coordinator' && !names.has(name),
  )
  return {
    tables: new Set(tables.map(([name]) => name)),
    hasKey: (name: string) => keyNames.has(name),
  }
}

async function refuseUnlessCoordinator(client: Client): Promise<void> {
  if (!(await isCitus(client))) {
    throw new SpreadRefused(
      'There is no Citus in this database. Install it on every machine of the cluster and run there: create extension citus',
    )
  }
  const { rows: groups } = await client.query<{ groupid: number }>(
    'select groupid from pg_dist_local_group',
  )
  if (groups[0]?.groupid !== 0) {
    throw new SpreadRefused(
      'This is a worker of the cluster. DATABASE_URL must name its coordinator.',
    )
  }
  const { rowCount: workers } = await client.query(
    `select from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary'`,
  )
  if (workers === 0) {
    throw new SpreadRefused(
      `The coordinator knows no workers. Add each, such as: select citus_add_node('worker-1', 5432)`,
    )
  }
}

async function refuseOtherPlacements(
  client: Client,
  expected: ReadonlyMap<string, Placement>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; column: string | null }>(
    `select logicalrelid::regclass::text as name,
       case when partmethod = 'h' then column_to_column_name(logicalrelid, partkey) end as column
     from pg_dist_partition`,
  )
  for (const { name, column } of rows) {
    const placement = expected.get(name)
    if (placement === undefined) continue
    const wanted = placement.kind === 'distributed' ? placement.column : null
    if (placement.kind !== 'coordinator' && wanted === column) continue
    const words = (by: string | null) =>
      by === null ? 'whole on every machine' : `spread by ${by}`
    const should = placement.kind === 'coordinator' ? 'on the coordinator alone' : words(wanted)
    throw new SpreadRefused(
      `Table ${name} is ${words(column)}, but must be ${should}. Take it back first: select undistribute_table('${name}')`,
    )
  }
}

async function refuseEndlessWaits(client: Client): Promise<void> {
  const { rows } = await client.query<{ node: string; role: string }>(
    `select format('%s:%s', nodename, nodeport) as node, current_user as role
     from run_command_on_workers(
       'select count(*) from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
        where r.rolname = current_user and ''lock_timeout=2s'' = any(s.setconfig)')
     where not success or result = '0'`,
  )
  const [missing] = rows
  if (missing === undefined) return
  throw new SpreadRefused(
    `On ${missing.node} the role ${missing.role} would wait for locks for ever. Run there: alter role ${missing.role} set lock_timeout = '2s'`,
  )
}
