import type { Database } from '../database/database.ts'
import { findNthNewest, listPayers, type PaymentRange } from '../sql/paymentList.ts'
import { findPaymentsByWords, findPaymentsOfWallets, findWalletsByWords } from '../sql/search.ts'
import type { Outbox } from './events.ts'
import { MAX_SCANNED, type PageRequest, type PaymentPage, readRows } from './readPayments.ts'

const MAX_FOUND = 2_000
const MAX_WALLETS = 500

export type SearchRequest = PageRequest & { readonly words: readonly string[] }

/** `until` is the oldest payment up to which the ids are complete; null if all are there. */
type Found = { readonly ids: readonly string[]; readonly until: string | null }

/**
 * The payments with a text or a payer that has these words. A request reads a limited number: a page may have few
 * results, or none, and a cursor to continue.
 */
export async function searchPage(
  database: Database,
  outbox: Outbox,
  { range, filter, limit, words }: SearchRequest,
): Promise<PaymentPage> {
  if (words.length === 0) return { records: [], scannedTo: null }
  const [byText, byPayer] = await Promise.all([
    findByText(database, range, words),
    findByPayer(database, range, words),
  ])
  const ends = [byText.until, byPayer.until].filter((until) => until !== null).sort()
  const scannedTo = ends.at(-1) ?? null
  const found = [...new Set([...byText.ids, ...byPayer.ids])]
  const ids = found.filter((id) => scannedTo === null || id >= scannedTo)
  if (ids.length === 0) return { records: [], scannedTo }
  const records = await readRows(database, outbox, { range: { ...range, ids }, filter, limit })
  return { records, scannedTo }
}

const foundOf = (ids: readonly string[]): Found => ({
  ids,
  until: ids.length < MAX_FOUND ? null : ids.at(-1)!,
})

async function findByText(database: Database, range: PaymentRange, words: readonly string[]) {
  return foundOf(await findPaymentsByWords(database, range, { words, limit: MAX_FOUND }))
}

/** If very many people match, only those are searched who paid one of the newest payments of the range. */
async function findByPayer(
  database: Database,
  range: PaymentRange,
  words: readonly string[],
): Promise<Found> {
  const { mode } = range
  const find = { words, among: null, limit: MAX_WALLETS + 1 }
  const wallets = await findWalletsByWords(database, mode, find)
  if (wallets.length <= MAX_WALLETS) {
    return foundOf(await findPaymentsOfWallets(database, range, { wallets, limit: MAX_FOUND }))
  }
  const end = await findNthNewest(database, range, MAX_SCANNED)
  const within = { ...range, idFrom: end ?? range.idFrom }
  const payers = await listPayers(database, within)
  const named = await findWalletsByWords(database, mode, {
    words,
    among: payers,
    limit: MAX_SCANNED,
  })
  const ids = await findPaymentsOfWallets(database, within, { wallets: named, limit: MAX_SCANNED })
  return { ids, until: end }
}
