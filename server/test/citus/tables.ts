import { readFile } from 'node:fs/promises'
import {
  placementsOf,
  readDistributionSql,
  type TablePlacement,
} from '../../src/database/citus/distribute.ts'

type Table = {
  readonly placement: TablePlacement
  readonly columns: ReadonlyMap<string, string>
}
export type Tables = ReadonlyMap<string, Table>

const SCHEMA = new URL('../../migrations/schema.txt', import.meta.url)

/** Every table of the reviewed schema, with its columns and its placement on Citus. */
export async function readTables(): Promise<Tables> {
  const placements = placementsOf((await readDistributionSql()).text)
  const schema = await readFile(SCHEMA, 'utf8')
  return new Map(
    schema
      .trim()
      .split('\n\n')
      .map((block) => {
        const [name, ...lines] = block.split('\n')
        const columns = lines.flatMap((line) => {
          const [, column, type] =
            /^ {2}([a-z0-9_]+) +([a-z ]+?)(?: not null|\[\]| default|$)/.exec(line) ?? []
          return column && type && column !== 'index' ? [[column, type] as const] : []
        })
        const placement = placements.get(name!) ?? { kind: 'coordinator' as const }
        return [name!, { placement, columns: new Map(columns) }] as const
      }),
  )
}
