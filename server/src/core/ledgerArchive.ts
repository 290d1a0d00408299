import { createHmac } from 'node:crypto'
import { CHAIN_START, isDay, startOf } from './ledgerSeal.ts'

// The transfers of payments in old months are moved into files. The records of these files form a chain under the key of the
// seals.

/** The kinds of transfers that are archived: those that grow with every payment. */
export const ARCHIVED_KINDS = ['payment', 'fee', 'donation', 'refund', 'refund_fee'] as const

/** The number of transfers of stores and wallets, and their hashes, computed like those of the seals. */
export type TransferFigures = {
  readonly transfers: bigint
  readonly transferHash: string
  readonly walletTransfers: bigint
  readonly walletTransferHash: string
}

/** What is known about an archived month. */
type ArchiveFigures = TransferFigures & {
  /** The first day of the month, such as `2026-01-01`. */
  readonly month: string
  readonly sha256: Buffer
  /** The hashes of the sums that replace the transfers. */
  readonly sums: string
}

export type Archive = ArchiveFigures & { readonly mac: Buffer }

function macOf(key: Buffer, previous: Buffer, archive: ArchiveFigures): Buffer {
  const { month, sha256, transfers, transferHash, walletTransfers, walletTransferHash, sums } =
    archive
  const figures = [transfers, transferHash, walletTransfers, walletTransferHash]
  const text = ['archive', month, sha256.toString('hex'), ...figures, sums].join('|')
  return createHmac('sha256', key).update(previous).update(text).digest()
}

/** Continues the chain with this month. */
export const recordArchive = (
  key: Buffer,
  last: Archive | null,
  figures: ArchiveFigures,
): Archive => ({
  ...figures,
  mac: macOf(key, last?.mac ?? CHAIN_START, figures),
})

/** Continues a chain of these records with another key. A broken record stays as it is, so it stays broken. */
export function rerecordArchives(
  oldKey: Buffer,
  newKey: Buffer,
  archives: readonly Archive[],
): Archive[] {
  const broken = new Set(brokenArchives(oldKey, archives))
  let previous = CHAIN_START
  return archives.map((archive) => {
    previous = broken.has(archive.month) ? archive.mac : macOf(newKey, previous, archive)
    return { ...archive, mac: previous }
  })
}

/** The months whose record was changed, or before which a month was removed or inserted. */
export function brokenArchives(key: Buffer, archives: readonly Archive[]): string[] {
  let previous = CHAIN_START
  return archives.flatMap((archive) => {
    const isIntact = macOf(key, previous, archive).equals(archive.mac)
    previous = archive.mac
    return isIntact ? [] : [archive.month]
  })
}

export function monthAfter(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10)
}

/** The first day of a month such as `2026-01`. Null if the text is not a month of this century. */
export const parseMonth = (text: string): string | null =>
  /^20\d\d-(0[1-9]|1[0-2])$/.test(text) ? `${text}-01` : null

export const rangeOfMonth = (month: string) => ({
  from: startOf(month),
  to: startOf(monthAfter(month)),
})

/** The first day that is not archived. Null if no month is archived. */
export const archivedUntil = (archives: readonly Archive[]): string | null => {
  const last = archives.findLast(({ month }) => isDay(month))
  return last === undefined ? null : monthAfter(last.month)
}

/** The start of the first day that is not archived, as text for PostgreSQL. */
export const cutoffOf = (archives: readonly Archive[]): string => {
  const day = archivedUntil(archives)
  return day === null ? '-infinity' : startOf(day)
}

export const archiveFileName = (month: string) => `florin-ledger-${month.slice(0, 7)}.ndjson.gz`
