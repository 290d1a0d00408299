import type { Database } from '../database/database.ts'
import type { Outbox } from './events.ts'
import { findByPayer, findByText, merge } from './findByWords.ts'
import { type PageRequest, type PaymentPage, readRows } from './readPayments.ts'

export type SearchRequest = PageRequest & { readonly words: readonly string[] }

/**
 * The payments whose texts or payer have these words. A request reads a limited number: a page may have few
 * results, or none, and a cursor to continue.
 */
export async function searchPaymentPage(
  database: Database,
  outbox: Outbox,
  { range, filter, limit, words }: SearchRequest,
): Promise<PaymentPage> {
  if (words.length === 0) return { records: [], scannedTo: null }
  const [byText, byPayer] = await Promise.all([
    findByText(database, range, words),
    findByPayer(database, range, words),
  ])
  const { ids, until } = merge(byText, byPayer)
  const records = await readRows(database, outbox, { range: { ...range, ids }, filter, limit })
  return { records, scannedTo: until }
}
