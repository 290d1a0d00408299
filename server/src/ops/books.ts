import { closeDays, type DayClose, deltaOf, rankOf, type StatementLine } from '../core/books.ts'
import { localDay, type TimeRange } from '../core/calendar.ts'
import { parsePaymentId, type StoreAndMode } from '../core/ids.ts'
import type { PaymentKey } from '../core/payment.ts'
import type { Database, Tx } from '../database/database.ts'
import { findCutoff, findStoreCutoff } from '../sql/archivedSums.ts'
import { type LinePosition, listLines, startingAt, sumLines } from '../sql/books.ts'
import {
  findArchivedTransfers,
  findPaymentTransfers,
  findStoreBalances,
  type TransferLine,
} from '../sql/ledger.ts'
import { findLinks } from '../sql/links.ts'
import { readDatabaseTime } from '../sql/locks.ts'
import { findPayments } from '../sql/payments.ts'
import { findWallets } from '../sql/wallets.ts'
import { findSettledUntil, inReportTransaction } from './reportTransaction.ts'

/** Later than any line. */
const END_OF_TIME = new Date('9999-12-31T00:00:00Z')

/** A line with the balance after it. */
export type BalancedLine = StatementLine & { readonly balance: bigint }

/** How people recognize a payment. */
type PaymentLabel = {
  readonly referenceId: string | null
  readonly linkTitle: string | null
  readonly payer: string | null
}

/** A line with its payment, if it belongs to one. */
type LabelledLine = BalancedLine & { readonly payment: PaymentLabel | null }

/** The last line of a page of a statement, and the balance before it. */
export type StatementPosition = LinePosition & { readonly balance: bigint }

export const positionOf = ({ at, reference, kind }: StatementLine): LinePosition => ({
  at,
  reference,
  rank: rankOf(kind),
})

/**
 * Reads a page of a statement, newest line first. Computes the balances backwards from the current one. Lines of a
 * store are written one after the other under its lock, so a new line is never older than one that was already read, as
 * long as clocks are accurate. The next page continues from the balance at the end of this one. `archivedBefore` is where
 * the statement ends because earlier lines are archived.
 */
export async function readStatement(
  database: Database,
  request: StoreAndMode & {
    period: TimeRange | null
    from: StatementPosition | null
    limit: number
  },
): Promise<{ balance: bigint; lines: LabelledLine[]; archivedBefore: Date | null }> {
  const { period, from, limit } = request
  return inReportTransaction(database, `store ${request.storeId}`, async (tx) => {
    const starts = period?.from ?? new Date(0)
    const until = period?.to ?? END_OF_TIME
    const [current] = await findStoreBalances(tx, [request])
    let balance = from?.balance ?? (await findBalanceAt(tx, request, until))
    const found = await listLines(tx, {
      ...request,
      after: startingAt(starts),
      before: from ?? startingAt(until),
      newestFirst: true,
      limit,
    })
    // Read after the lines: a cluster has no snapshot, so they may be archived meanwhile.
    const cutoff = await findStoreCutoff(tx, request)
    const isArchived = cutoff !== null && starts < cutoff
    const lines = isArchived ? found.filter(({ at }) => at >= cutoff) : found
    const balanced = lines.map((line) => {
      const after = balance
      balance -= deltaOf(line)
      return { ...line, balance: after }
    })
    const labels = await findLabels(tx, request, lines)
    return {
      balance: current!.balance,
      lines: balanced.map((line) => ({ ...line, payment: labels.get(line.reference) ?? null })),
      archivedBefore: isArchived ? cutoff : null,
    }
  })
}

/** The labels of the payments of these lines, by payment id. */
async function findLabels(
  tx: Tx,
  { storeId, mode }: StoreAndMode,
  lines: readonly StatementLine[],
): Promise<ReadonlyMap<string, PaymentLabel>> {
  const references = [...new Set(lines.map(({ reference }) => reference))]
  const ids = references.flatMap((reference) => parsePaymentId(reference)?.paymentId ?? [])
  if (ids.length === 0) return new Map()
  const payments = await findPayments(
    tx,
    ids.map((paymentId) => ({ storeId, mode, paymentId })),
  )
  const linkIds = [...new Set(payments.flatMap(({ linkId }) => linkId ?? []))]
  const walletIds = [...new Set(payments.flatMap(({ walletId }) => walletId ?? []))]
  const links =
    linkIds.length === 0
      ? []
      : await findLinks(
          tx,
          linkIds.map((linkId) => ({ storeId, mode, linkId })),
        )
  const wallets = await findWallets(tx, walletIds)
  const titles = new Map(links.map(({ linkId, title }) => [linkId, title]))
  const names = new Map(wallets.map(({ walletId, name }) => [walletId, name]))
  return new Map(
    payments.map(({ paymentId, referenceId, linkId, walletId }) => [
      paymentId,
      {
        referenceId,
        linkTitle: linkId && (titles.get(linkId) ?? null),
        payer: walletId && (names.get(walletId) ?? null),
      },
    ]),
  )
}

/**
 * The transfers of a payment, oldest first. Archived ones are computed from the payment. The cutoff is read after the
 * stored transfers, and divides the two: transfers that are archived meanwhile are neither missing nor doubled.
 */
export async function readTransfers(database: Database, key: PaymentKey): Promise<TransferLine[]> {
  const lines = await findPaymentTransfers(database, key)
  const cutoff = await findCutoff(database)
  if (cutoff === null) return lines
  const archived = await findArchivedTransfers(database, key, cutoff)
  return [...archived, ...lines.filter(({ at }) => at >= cutoff)]
}

/** The balance at a time: the current balance less the lines since then. */
async function findBalanceAt(tx: Tx, owner: StoreAndMode, at: Date): Promise<bigint> {
  const [row] = await findStoreBalances(tx, [owner])
  const since = await sumLines(tx, owner, [{ from: at, to: END_OF_TIME }])
  return since.reduce((left, sum) => left - deltaOf(sum), row!.balance)
}

/** The number of lines of a period, and the balance before them. Read it before the first byte of a download is sent. */
export const readStatementTotals = (database: Database, owner: StoreAndMode, period: TimeRange) =>
  inReportTransaction(database, `store ${owner.storeId}`, async (tx) => {
    const sums = await sumLines(tx, owner, [period])
    const balance = await findBalanceAt(tx, owner, period.from)
    return { lines: sums.reduce((total, { count }) => total + count, 0), balance }
  })

export type LocalDay = TimeRange & { readonly day: string }

/**
 * Computes the daily closes from one snapshot, in the order of `days`, which must be chronological. The figures of a day can
 * change until `isOver`.
 */
export async function readCloses(
  database: Database,
  owner: StoreAndMode,
  days: readonly LocalDay[],
): Promise<(LocalDay & DayClose & { readonly isOver: boolean })[]> {
  const last = days.at(-1)
  if (last === undefined) return []
  const settledUntil = await findSettledUntil(database)
  return inReportTransaction(database, `store ${owner.storeId}`, async (tx) => {
    const closingBalance = await findBalanceAt(tx, owner, last.to)
    const sums = await sumLines(tx, owner, days)
    const closes = closeDays(
      days.map((_, index) => sums.filter(({ period }) => period === index)),
      closingBalance,
    )
    return days.map((day, index) => ({ ...day, ...closes[index]!, isOver: day.to <= settledUntil }))
  })
}

const PAGE_SIZE = 500

/**
 * Every line of a period, oldest first, with the balance after it, read in pages. `balance` is the one before the period.
 * Past lines don't change, so no transaction stays open during a download. Fails if lines are archived meanwhile.
 */
export async function* exportLines(
  database: Database,
  owner: StoreAndMode,
  period: TimeRange & { readonly balance: bigint },
): AsyncGenerator<readonly BalancedLine[]> {
  let { balance } = period
  let after = startingAt(period.from)
  for (;;) {
    const before = startingAt(period.to)
    const range = { ...owner, after, before, newestFirst: false, limit: PAGE_SIZE }
    const lines = await listLines(database, range)
    yield lines.map((line) => {
      balance += deltaOf(line)
      return { ...line, balance }
    })
    if (lines.length < PAGE_SIZE) {
      const cutoff = await findStoreCutoff(database, owner)
      if (cutoff !== null && cutoff > period.from) throw new Error('Lines were archived meanwhile')
      return
    }
    after = positionOf(lines.at(-1)!)
  }
}

/** Today in the store's time zone, by the database clock. */
export async function findToday(database: Database, timeZone: string): Promise<string> {
  return localDay(await readDatabaseTime(database), timeZone)
}
