import type { Database } from '../../src/database/database.ts'

/** A checksum of the rows of each table. A refused request must not change it. */
export async function checksum(database: Database): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    `select table_name as name
     from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'
     order by 1`,
  )
  const sums = tables.map(async ({ name }) => {
    const rows = await database.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(r::text, ',' order by r::text)), '') as sum
       from "${name}" r`,
    )
    return [name, rows[0]!.sum] as const
  })
  return Object.fromEntries(await Promise.all(sums))
}
