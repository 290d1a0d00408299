import { searchWords, walletSearchWords } from '../core/searchWords.ts'
import type { Database } from '../database/database.ts'
import { findNthNewest, listPayers, type PaymentRange } from '../sql/paymentList.ts'
import {
  findClients,
  findPaymentsByWords,
  findPaymentsOfWallets,
  findWalletsByWords,
} from '../sql/search.ts'

/**
 * How many payments one request scans for filters without an index. So a page may have few results, or none, and a
 * cursor to continue.
 */
export const MAX_SCANNED = 10_000
export const MAX_FOUND = 2_000
const MAX_WALLETS = 500

/** The ids are complete from the newest payment back to `until`. It is null if no payment is missing. */
export type FoundPayments = { readonly ids: readonly string[]; readonly until: string | null }

/** Finds at most `MAX_FOUND` payments, newest first, by words of their texts. */
export async function findByText(
  database: Database,
  range: PaymentRange,
  words: readonly string[],
): Promise<FoundPayments> {
  return foundOf(await findPaymentsByWords(database, range, { words, limit: MAX_FOUND }))
}

/**
 * Finds payments, newest first, by words of their payers. If more than `MAX_WALLETS` wallets match, the search covers only the
 * newest `MAX_SCANNED` payments of the range.
 */
export async function findByPayer(
  database: Database,
  range: PaymentRange,
  words: readonly string[],
): Promise<FoundPayments> {
  const { mode } = range
  const wallets = await findWalletsByWords(database, mode, {
    words,
    walletIds: null,
    limit: MAX_WALLETS + 1,
  })
  if (wallets.length <= MAX_WALLETS) {
    return foundOf(await findPaymentsOfWallets(database, range, { wallets, limit: MAX_FOUND }))
  }
  const end = await findNthNewest(database, range, MAX_SCANNED)
  const scannedRange = { ...range, idFrom: end ?? range.idFrom }
  const payers = await listPayers(database, scannedRange)
  const matching = await findWalletsByWords(database, mode, {
    words,
    walletIds: payers,
    limit: MAX_SCANNED,
  })
  const ids = await findPaymentsOfWallets(database, scannedRange, {
    wallets: matching,
    limit: MAX_SCANNED,
  })
  return { ids, until: end }
}

/**
 * The payments whose payer or client has, for each word of the text, a word that begins with it. Null if the text has no words,
 * or if the store has no such payment, because the text may then be the middle of a word, which the index cannot find.
 */
export async function findByPayerOrClient(
  database: Database,
  range: PaymentRange,
  text: string,
): Promise<FoundPayments | null> {
  const words = searchWords(text)
  if (words.length === 0) return null
  const find = async (searchRange: PaymentRange) => {
    const [byPayer, byClient] = await Promise.all([
      findByPayer(database, searchRange, walletSearchWords(text)),
      findByClient(database, searchRange, words),
    ])
    return merge(byPayer, byClient)
  }
  const found = await find(range)
  if (found.ids.length > 0) return found
  // All pages of a search must use the same method, index or scan. So the whole history decides, not the part after a cursor.
  const foundInHistory = await find({ ...range, idFrom: null, idBefore: null })
  return foundInHistory.ids.length > 0 ? found : null
}

/** The index has words of references and notes too, so the client itself is compared. */
async function findByClient(
  database: Database,
  range: PaymentRange,
  words: readonly string[],
): Promise<FoundPayments> {
  const { ids, until } = await findByText(database, range, words)
  const clients = await findClients(database, range, ids)
  const matching = clients.filter(({ name, email, phone, dialCode }) => {
    const clientWords = searchWords(name, email, dialCode, phone, phone.replaceAll(/\D/g, ''))
    return words.every((word) => clientWords.some((clientWord) => clientWord.startsWith(word)))
  })
  return { ids: matching.map(({ paymentId }) => paymentId), until }
}

/** The ids of both, down to where both are complete. */
export function merge(first: FoundPayments, second: FoundPayments): FoundPayments {
  const ends = [first.until, second.until].filter((until) => until !== null).sort()
  const until = ends.at(-1) ?? null
  const ids = [...new Set([...first.ids, ...second.ids])]
  return { ids: ids.filter((id) => until === null || id >= until), until }
}

const foundOf = (ids: readonly string[]): FoundPayments => ({
  ids,
  until: ids.length < MAX_FOUND ? null : ids.at(-1)!,
})
