import type { Database } from '../../src/database/database.ts'

/**
 * Finds every cell of every table that contains one of these words; returns "table.column" with the
 * text. Searches all tables of the schema, so new ones are included.
 */
export async function findCells(database: Database, words: readonly string[]): Promise<Cell[]> {
  const tables = await database.query<{ table: string; columns: string[] }>(
    `select table_name as table, array_agg(column_name::text order by column_name) as columns
     from information_schema.columns
     where table_schema = 'public'
     group by 1
     order by 1`,
  )
  const found: Cell[] = []
  for (const { table, columns } of tables) {
    const cells = columns.map((column) => `t."${column}"::text as "${column}"`)
    const rows = await database.query<Record<string, string | null>>(
      `select ${cells.join(', ')} from "${table}" t`,
    )
    for (const column of columns) {
      for (const row of rows) {
        const text = row[column] ?? ''
        const hasWord = words.some((word) => text.toLowerCase().includes(word.toLowerCase()))
        if (hasWord) found.push({ place: `${table}.${column}`, text })
      }
    }
  }
  return found
}

type Cell = { readonly place: string; readonly text: string }

export const placesOf = (found: readonly Cell[]) => [...new Set(found.map(({ place }) => place))]

/** All amounts and balances, to compare before and after. */
export async function readLedger(database: Database): Promise<unknown[]> {
  const tables = ['transfer', 'wallet_transfer', 'store_balance', 'wallet_balance', 'usage']
  const parts = tables.map((table) =>
    database.query(`select t::text as line from ${table} t order by 1`),
  )
  const payments = database.query(
    `select (store_id, mode, payment_id, qr_number, status, gross, fee, donation, currency, wallet_id,
       reference_id, created_at, settled_at, refunded_at, refund_fee)::text as line
     from payment
     order by 1`,
  )
  return Promise.all([...parts, payments])
}
