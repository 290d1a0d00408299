import type { Payment, PaymentKey, Status } from '../core/payment.ts'
import type { Database } from '../database/database.ts'
import {
  findPayments,
  findStatuses,
  listPayments,
  type PaymentFilter,
  type PaymentStatus,
} from '../store/payments.ts'
import type { Wallet } from '../store/wallets.ts'
import { findWallets } from '../store/wallets.ts'
import { expirePayments } from './expirePayments.ts'

/** A payment with the wallet that paid it, if any. */
export type PaidBy = { readonly payment: Payment; readonly payer: Wallet | null }

const keyOf = (key: PaymentKey) => `${key.storeId} ${key.mode} ${key.paymentId}`

function inOrder<Row extends PaymentKey>(keys: readonly PaymentKey[], rows: readonly Row[]) {
  const found = new Map(rows.map((row) => [keyOf(row), row]))
  return keys.map((key) => found.get(keyOf(key)) ?? null)
}

/**
 * Reads, and where something pending turns out to be overdue, has it expired and reads again. So no
 * reader sees `expired` turn into `completed` when a payment that began in time commits a moment
 * after the limit, and a dead background loop changes no answer.
 */
async function readSettled<Row extends PaymentKey>(
  database: Database,
  read: () => Promise<Row[]>,
  isOverdue: (row: Row) => boolean,
): Promise<Row[]> {
  const rows = await read()
  const overdue = rows.filter(isOverdue)
  if (overdue.length === 0) return rows
  await expirePayments(
    database,
    overdue.map((row) => ({ ...row, evenEarly: false })),
  )
  return read()
}

export async function readStatuses(
  database: Database,
  keys: readonly PaymentKey[],
): Promise<(Status | null)[]> {
  const rows = await readSettled<PaymentStatus>(
    database,
    () => findStatuses(database, keys),
    (row) => row.overdue,
  )
  return inOrder(keys, rows).map((row) => row?.status ?? null)
}

export async function readPayments(
  database: Database,
  keys: readonly PaymentKey[],
): Promise<(PaidBy | null)[]> {
  const rows = await readSettled(
    database,
    () => findPayments(database, keys),
    (row) => row.overdue,
  )
  const payers = await readPayers(database, rows)
  return inOrder(keys, rows).map((payment) => payment && { payment, payer: payers(payment) })
}

export async function readPage(database: Database, filter: PaymentFilter): Promise<PaidBy[]> {
  const rows = await readSettled(
    database,
    () => listPayments(database, filter),
    (row) => row.overdue,
  )
  const payers = await readPayers(database, rows)
  return rows.map((payment) => ({ payment, payer: payers(payment) }))
}

async function readPayers(database: Database, payments: readonly Payment[]) {
  const walletIds = [...new Set(payments.flatMap((payment) => payment.walletId ?? []))]
  const wallets = new Map((await findWallets(database, walletIds)).map((w) => [w.walletId, w]))
  return (payment: Payment) =>
    payment.walletId === null ? null : (wallets.get(payment.walletId) ?? null)
}
