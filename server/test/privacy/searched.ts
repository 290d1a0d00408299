import type { Database } from '../../src/database/database.ts'

type Column = { readonly table: string; readonly column: string }

/**
 * Every cell of every table that holds one of these words, whatever it is made of; as "table.column" with the
 * text. A table that is added later is searched as well.
 */
export async function cellsWith(database: Database, words: readonly string[]): Promise<Found[]> {
  const columns = await database.query<Column>(
    `select table_name as table, column_name as column
     from information_schema.columns
     where table_schema = 'public'
     order by 1, 2`,
  )
  const found: Found[] = []
  for (const { table, column } of columns) {
    // Also what was escaped on the way into JSON within JSON.
    const rows = await database.query<{ text: string }>(
      `select "${column}"::text as text
       from "${table}"
       where exists (
         select 1 from unnest($1::text[]) w where position(lower(w) in lower("${column}"::text)) > 0
       )`,
      [words],
    )
    found.push(...rows.map(({ text }) => ({ place: `${table}.${column}`, text })))
  }
  return found
}

export type Found = { readonly place: string; readonly text: string }

export const placesOf = (found: readonly Found[]) => [...new Set(found.map(({ place }) => place))]

/** All that is money, so that before and after can be compared to the byte. */
export async function ledgerOf(database: Database): Promise<unknown[]> {
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
