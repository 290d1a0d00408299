import type { Database } from '../database/database.ts'
import type { Outbox } from './events.ts'
import { type FoundPayments, findByPayer, findByText, merge } from './findByWords.ts'
import { type PageRequest, type PaymentPage, readRows } from './readPayments.ts'

export type SearchRequest = PageRequest & { readonly searches: readonly (readonly string[])[] }

/**
 * The payments whose texts or payer have all words of one of these searches. A request reads a limited number: a page may
 * have few results, or none, and a cursor to continue.
 */
export async function searchPaymentPage(
  database: Database,
  outbox: Outbox,
  { range, filter, limit, searches }: SearchRequest,
): Promise<PaymentPage> {
  let found: FoundPayments = { ids: [], until: null }
  // One after the other, so that a search doesn't take more connections.
  for (const words of searches) {
    const [byText, byPayer] = await Promise.all([
      findByText(database, range, words),
      findByPayer(database, range, words),
    ])
    found = merge(found, merge(byText, byPayer))
  }
  const { ids, until } = found
  const records = await readRows(database, outbox, { range: { ...range, ids }, filter, limit })
  return { records, scannedTo: until }
}
