import { MODES } from '../core/ids.ts'
import { oldestPendingId, type Payment, type PaymentKey, type Status } from '../core/payment.ts'
import type { PaymentRecord } from '../core/paymentView.ts'
import type { Database } from '../database/database.ts'
import { findLatestAttempts } from '../sql/deliveries.ts'
import { readDatabaseTime } from '../sql/locks.ts'
import {
  findNthNewest,
  isRareOutcome,
  listPayers,
  listPayments,
  type PaymentFilter,
  type PaymentRange,
} from '../sql/paymentList.ts'
import { findPayments, findStatuses } from '../sql/payments.ts'
import { findWallets, findWalletsByText } from '../sql/wallets.ts'
import type { Outbox } from './events.ts'
import { DUE, expireOverdue, expirePayments } from './expirePayments.ts'
import { findByPayerOrClient, MAX_SCANNED } from './findByWords.ts'

/** Returns the rows in the order of the keys. A payment id exists in one mode only. */
function inOrder<Row extends PaymentKey>(keys: readonly PaymentKey[], rows: readonly Row[]) {
  const found = new Map(rows.map((row) => [row.paymentId, row]))
  return keys.map((key) => {
    const row = found.get(key.paymentId)
    return row !== undefined && row.mode === key.mode ? row : null
  })
}

/**
 * Reads payments. If some are overdue, expires them and reads again. So no reader sees `expired` turn into
 * `completed` when a payment that started in time commits just after the expiry time, and results don't depend on the
 * background loop.
 */
async function readAndExpire<Row extends PaymentKey & { readonly isOverdue: boolean }>(
  database: Database,
  outbox: Outbox,
  read: () => Promise<Row[]>,
): Promise<Row[]> {
  const rows = await read()
  const overdue = rows.filter((row) => row.isOverdue)
  if (overdue.length === 0) return rows
  await expirePayments(
    database,
    outbox,
    overdue.map((row) => ({ ...row, ...DUE })),
  )
  return read()
}

export async function readStatuses(
  database: Database,
  outbox: Outbox,
  keys: readonly PaymentKey[],
): Promise<(Status | null)[]> {
  const rows = await readAndExpire(database, outbox, () => findStatuses(database, keys))
  return inOrder(keys, rows).map((row) => row?.status ?? null)
}

export async function readPayments(
  database: Database,
  outbox: Outbox,
  keys: readonly PaymentKey[],
): Promise<(PaymentRecord | null)[]> {
  const rows = await readAndExpire(database, outbox, () => findPayments(database, keys))
  const records = new Map(
    (await loadPaymentDetails(database, rows)).map((record) => [record.payment, record]),
  )
  return inOrder(keys, rows).map((payment) => payment && records.get(payment)!)
}

/** Reads payments without their mode: an id exists in one mode only. */
export async function readPaymentsByIds(
  database: Database,
  outbox: Outbox,
  ids: readonly Omit<PaymentKey, 'mode'>[],
): Promise<(Payment | null)[]> {
  const keys = ids.flatMap((id) => MODES.map((mode) => ({ ...id, mode })))
  const rows = await readAndExpire(database, outbox, () => findPayments(database, keys))
  const found = new Map(rows.map((row) => [row.paymentId, row]))
  return ids.map((id) => found.get(id.paymentId) ?? null)
}

export type PageRequest = {
  readonly range: PaymentRange
  readonly filter: Omit<PaymentFilter, 'payer'> & { readonly payer: string | null }
  readonly limit: number
}
export type PaymentPage = {
  readonly records: readonly PaymentRecord[]
  /** The oldest payment that was scanned; null if the scan reached the end. */
  readonly scannedTo: string | null
}

export async function readPaymentPage(
  database: Database,
  outbox: Outbox,
  { range, filter, limit }: PageRequest,
): Promise<PaymentPage> {
  const isFiltered = Object.values(filter).some((value) => value !== null)
  // Expired payments are found by their events, which overdue payments don't have yet.
  if (filter.status === 'expired') await expireOverdue(database, outbox, [range.storeId])
  const found = filter.payer && (await findByPayerOrClient(database, range, filter.payer))
  if (found) {
    const ofPayer = {
      range: { ...range, ids: found.ids },
      filter: { ...filter, payer: null },
      limit,
    }
    return { records: await readRows(database, outbox, ofPayer), scannedTo: found.until }
  }
  const narrowRange = await rangeOfStatus(database, range, filter.status)
  const scannedTo = isFiltered ? await findNthNewest(database, narrowRange, MAX_SCANNED) : null
  const scannedRange = scannedTo === null ? narrowRange : { ...narrowRange, idFrom: scannedTo }
  return {
    records: await readRows(database, outbox, { range: scannedRange, filter, limit }),
    scannedTo,
  }
}

/**
 * There is no index on the status, because every change of it would have to update the index. So look only where the
 * status can occur.
 */
async function rangeOfStatus(
  database: Database,
  range: PaymentRange,
  status: Status | null,
): Promise<PaymentRange> {
  if (range.referenceId !== null || range.linkId !== null || range.ids !== undefined) return range
  if (isRareOutcome(status)) return { ...range, outcome: status }
  if (status !== 'pending') return range
  const oldest = oldestPendingId(await readDatabaseTime(database))
  const isLater = range.idFrom !== null && range.idFrom > oldest
  return { ...range, idFrom: isLater ? range.idFrom : oldest }
}

export async function readRows(
  database: Database,
  outbox: Outbox,
  { range, filter, limit }: PageRequest,
): Promise<PaymentRecord[]> {
  if (range.ids?.length === 0) return []
  const payer = filter.payer === null ? null : await findPayersByText(database, range, filter.payer)
  const rows = await readAndExpire(database, outbox, () =>
    listPayments(database, range, { filter: { ...filter, payer }, limit }),
  )
  return loadPaymentDetails(database, rows)
}

/** Searches only the payers of this range, because no index supports substrings. */
async function findPayersByText(database: Database, range: PaymentRange, text: string) {
  const walletIds = await listPayers(database, range)
  return { text, walletIds: await findWalletsByText(database, walletIds, text) }
}

/** Adds the payer and the latest webhook attempt. */
async function loadPaymentDetails(
  database: Database,
  payments: readonly Payment[],
): Promise<PaymentRecord[]> {
  const walletIds = [...new Set(payments.flatMap((payment) => payment.walletId ?? []))]
  const notified = payments.filter(
    ({ webhookUrl, status }) => webhookUrl !== null && status !== 'pending',
  )
  const [wallets, attempts] = await Promise.all([
    findWallets(database, walletIds),
    findLatestAttempts(database, notified),
  ])
  const payers = new Map(wallets.map((wallet) => [wallet.walletId, wallet]))
  const latest = new Map(attempts.map((attempt) => [attempt.paymentId, attempt]))
  return payments.map((payment) => ({
    payment,
    payer: payment.walletId === null ? null : (payers.get(payment.walletId) ?? null),
    latestAttempt: latest.get(payment.paymentId) ?? null,
  }))
}
