import { monthAfter, rangeOfMonth, type TransferFigures } from '../core/ledgerArchive.ts'
import { dayAfter, startOf } from '../core/ledgerSeal.ts'
import type { Tx } from '../database/database.ts'
import { readLines } from '../platform/ledgerFile.ts'
import {
  clearFileTables,
  closeRows,
  fetchRows,
  insertFileRows,
  measureArchived,
  openRows,
} from '../sql/archives.ts'

const FORMAT = { format: 'florin-ledger', version: 1 }

/**
 * The lines of the file of a month: a header, then its transfers day by day. The same rows always make the same lines, so that
 * a retry replaces a file with one of the same content.
 */
export async function* linesOf(
  tx: Tx,
  month: string,
  { transfers, walletTransfers }: TransferFigures,
): AsyncGenerator<string> {
  const header = {
    ...FORMAT,
    month: month.slice(0, 7),
    transfers: Number(transfers),
    wallet_transfers: Number(walletTransfers),
  }
  yield `${JSON.stringify(header)}\n`
  for (let day = month; day < monthAfter(month); day = dayAfter(day)) {
    const range = { from: startOf(day), to: startOf(dayAfter(day)) }
    for (const side of ['store', 'wallet'] as const) {
      await openRows(tx, side, range)
      for (;;) {
        const lines = await fetchRows(tx)
        if (lines.length === 0) break
        yield `${lines.join('\n')}\n`
      }
      await closeRows(tx)
    }
  }
}

/**
 * Loads the file of a month into the temporary tables of `createFileTables`, and counts and hashes its transfers. Null if it
 * has transfers of another month, or of a kind that is not archived.
 */
export async function loadFile(
  tx: Tx,
  path: string,
  month: string,
): Promise<TransferFigures | null> {
  await clearFileTables(tx)
  // The header is a line, but not a transfer.
  let count = -1n
  for await (const lines of readLines(path)) {
    const rows = count < 0n ? lines.slice(1) : lines
    const isOfWallet = (line: string) => line.startsWith('{"wallet_id"')
    await insertFileRows(
      tx,
      'store',
      rows.filter((line) => !isOfWallet(line)),
    )
    await insertFileRows(tx, 'wallet', rows.filter(isOfWallet))
    count += BigInt(lines.length)
  }
  const figures = await measureArchived(tx, 'file', rangeOfMonth(month))
  return figures.transfers + figures.walletTransfers === count ? figures : null
}

export const isEqual = (found: TransferFigures | null, expected: TransferFigures): boolean =>
  found !== null &&
  found.transfers === expected.transfers &&
  found.transferHash === expected.transferHash &&
  found.walletTransfers === expected.walletTransfers &&
  found.walletTransferHash === expected.walletTransferHash
