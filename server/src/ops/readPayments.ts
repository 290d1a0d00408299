import { MODES } from '../core/ids.ts'
import type { Payment, PaymentKey, Status } from '../core/payment.ts'
import type { PaymentStory } from '../core/paymentView.ts'
import type { Database } from '../database/database.ts'
import { findLatestAttempts } from '../sql/deliveries.ts'
import { findNth, listPayers, listPayments, type Sought, type Stretch } from '../sql/paymentList.ts'
import { findPayments, findStatuses, type PaymentStatus } from '../sql/payments.ts'
import { findNamedWallets, findWallets } from '../sql/wallets.ts'
import type { Outbox } from './events.ts'
import { expirePayments } from './expirePayments.ts'

/** An id is in one mode only, since no two payments have the same random part. */
function inOrder<Row extends PaymentKey>(keys: readonly PaymentKey[], rows: readonly Row[]) {
  const found = new Map(rows.map((row) => [row.paymentId, row]))
  return keys.map((key) => {
    const row = found.get(key.paymentId)
    return row !== undefined && row.mode === key.mode ? row : null
  })
}

/**
 * Reads, and where something pending turns out to be overdue, has it expired and reads again. So no
 * reader sees `expired` turn into `completed` when a payment that began in time commits a moment
 * after the limit, and a dead background loop changes no answer.
 */
async function readSettled<Row extends PaymentKey>(
  database: Database,
  outbox: Outbox,
  read: () => Promise<Row[]>,
  isOverdue: (row: Row) => boolean,
): Promise<Row[]> {
  const rows = await read()
  const overdue = rows.filter(isOverdue)
  if (overdue.length === 0) return rows
  await expirePayments(
    database,
    outbox,
    overdue.map((row) => ({ ...row, evenEarly: false })),
  )
  return read()
}

export async function readStatuses(
  database: Database,
  outbox: Outbox,
  keys: readonly PaymentKey[],
): Promise<(Status | null)[]> {
  const rows = await readSettled<PaymentStatus>(
    database,
    outbox,
    () => findStatuses(database, keys),
    (row) => row.overdue,
  )
  return inOrder(keys, rows).map((row) => row?.status ?? null)
}

export async function readPayments(
  database: Database,
  outbox: Outbox,
  keys: readonly PaymentKey[],
): Promise<(PaymentStory | null)[]> {
  const rows = await readSettled(
    database,
    outbox,
    () => findPayments(database, keys),
    (row) => row.overdue,
  )
  const tell = await storyTeller(database, rows)
  return inOrder(keys, rows).map((payment) => payment && tell(payment))
}

export type PublicKey = Omit<PaymentKey, 'mode'>

/** By the id alone, as the checkout page is asked for: it can be in one mode only. */
export async function readByIds(
  database: Database,
  outbox: Outbox,
  ids: readonly PublicKey[],
): Promise<(Payment | null)[]> {
  const keys = ids.flatMap((id) => MODES.map((mode) => ({ ...id, mode })))
  const rows = await readSettled(
    database,
    outbox,
    () => findPayments(database, keys),
    (row) => row.overdue,
  )
  const found = new Map(rows.map((row) => [row.paymentId, row]))
  return ids.map((id) => found.get(id.paymentId) ?? null)
}

export type PageRequest = {
  readonly stretch: Stretch
  readonly sought: Omit<Sought, 'payer'> & { readonly payer: string | null }
  readonly limit: number
}
export type PaymentPage = {
  readonly stories: readonly PaymentStory[]
  /** Further back nothing was looked at; null where everything was, to the end. */
  readonly lookedTo: string | null
}

/**
 * How many payments one request looks at for what no index knows. No index on the status, because every
 * change of it would have to rewrite the index; so a page may come back with few, or none, and a place to
 * go on from.
 */
export const LOOKED_AT_MOST = 10_000

export async function readPage(
  database: Database,
  outbox: Outbox,
  { stretch, sought, limit }: PageRequest,
): Promise<PaymentPage> {
  const isSought = Object.values(sought).some((one) => one !== null)
  const lookedTo = isSought ? await findNth(database, stretch, LOOKED_AT_MOST) : null
  const within = lookedTo === null ? stretch : { ...stretch, idFrom: lookedTo }
  const payer = sought.payer === null ? null : await payersNamed(database, within, sought.payer)
  const rows = await readSettled(
    database,
    outbox,
    () => listPayments(database, within, { sought: { ...sought, payer }, limit }),
    (row) => row.overdue,
  )
  return { stories: rows.map(await storyTeller(database, rows)), lookedTo }
}

/** Among those who paid in this stretch, and no others: people have no index by name. */
async function payersNamed(database: Database, within: Stretch, text: string) {
  const walletIds = await listPayers(database, within)
  return { text, walletIds: await findNamedWallets(database, walletIds, text) }
}

/** Who paid, and what the merchant's server said last. */
async function storyTeller(database: Database, payments: readonly Payment[]) {
  const walletIds = [...new Set(payments.flatMap((payment) => payment.walletId ?? []))]
  const told = payments.filter((one) => one.webhookUrl !== null && one.status !== 'pending')
  const [wallets, attempts] = await Promise.all([
    findWallets(database, walletIds),
    findLatestAttempts(database, told),
  ])
  const payers = new Map(wallets.map((wallet) => [wallet.walletId, wallet]))
  const calls = new Map(attempts.map((attempt) => [attempt.paymentId, attempt]))
  return (payment: Payment): PaymentStory => ({
    payment,
    payer: payment.walletId === null ? null : (payers.get(payment.walletId) ?? null),
    latestCall: calls.get(payment.paymentId) ?? null,
  })
}
