import { ARCHIVED_KINDS, type Archive, type TransferFigures } from '../core/ledgerArchive.ts'
import type { LedgerRange } from '../core/ledgerSeal.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { WALLET_DELTA } from './ledgerChecks.ts'
import { dayNumber, hashOf, micros, TRANSFER_HASH, WALLET_HASH } from './ledgerSeals.ts'
import { SLOT } from './paymentChecks.ts'

export async function listArchives(on: Queryable): Promise<Archive[]> {
  return on.query<Archive>(
    `select month, sha256, transfers, transfer_hash::text as "transferHash",
       wallet_transfers as "walletTransfers", wallet_transfer_hash::text as "walletTransferHash", sums, mac
     from archive
     order by month`,
  )
}

/** Fails if another process has archived the month meanwhile. */
export async function insertArchive(tx: Tx, archive: Archive): Promise<void> {
  await tx.execute(
    `insert into archive (
       month, sha256, transfers, transfer_hash, wallet_transfers, wallet_transfer_hash, sums, mac, archived_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now())`,
    [
      archive.month,
      archive.sha256,
      archive.transfers,
      archive.transferHash,
      archive.walletTransfers,
      archive.walletTransferHash,
      archive.sums,
      archive.mac,
    ],
  )
}

const KINDS = ARCHIVED_KINDS.map((kind) => `'${kind}'`).join(', ')
const IS_ARCHIVED = `t.at >= $1::timestamptz and t.at < $2::timestamptz and t.kind in (${KINDS})`

/** The tables of the ledger, and copies of them with the rows of a file. */
const SIDES = {
  store: { ledger: 'transfer', file: 'file_transfer', hash: TRANSFER_HASH },
  wallet: { ledger: 'wallet_transfer', file: 'file_wallet_transfer', hash: WALLET_HASH },
} as const
type LedgerSide = keyof typeof SIDES

/** The name and type of each column in a file. Notes are left out, because they may contain personal data. */
const COLUMNS = {
  store_id: 'integer',
  reference: 'text',
  kind: 'text',
  mode: 'text',
  debit: 'text',
  credit: 'text',
  amount: 'bigint',
  currency: 'text',
  at: 'timestamptz',
}
const columnsOf = (side: LedgerSide) =>
  Object.entries(side === 'wallet' ? { wallet_id: 'integer', ...COLUMNS } : COLUMNS)

/** Opens a cursor over the transfers to archive, as lines of JSON in a fixed order. */
export async function openRows(tx: Tx, side: LedgerSide, { from, to }: LedgerRange): Promise<void> {
  const value = (name: string) =>
    name === 'at'
      ? `to_char(t.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
      : `t.${name}`
  const fields = columnsOf(side).map(([name]) => `'${name}', ${value(name)}`)
  const owner = side === 'wallet' ? 't.wallet_id, ' : ''
  await tx.execute(
    `declare archived_rows no scroll cursor for
     select json_build_object(${fields.join(', ')})::text as line
     from ${SIDES[side].ledger} t
     where ${IS_ARCHIVED}
     order by ${owner}t.store_id, t.reference, t.kind`,
    [from, to],
  )
}

export async function fetchRows(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ line: string }>('fetch 5000 from archived_rows')
  return rows.map(({ line }) => line)
}

export async function closeRows(tx: Tx): Promise<void> {
  await tx.execute('close archived_rows')
}

/** Creates the tables for the rows of a file. They are dropped at the end of the transaction. */
export async function createFileTables(tx: Tx): Promise<void> {
  for (const { ledger, file } of Object.values(SIDES)) {
    await tx.execute(`create temporary table ${file} (like ${ledger}) on commit drop`)
  }
}

export async function clearFileTables(tx: Tx): Promise<void> {
  for (const { file } of Object.values(SIDES)) await tx.execute(`truncate ${file}`)
}

export async function insertFileRows(
  tx: Tx,
  side: LedgerSide,
  lines: readonly string[],
): Promise<void> {
  if (lines.length === 0) return
  const names = columnsOf(side).map(([name]) => name)
  await tx.execute(
    `insert into ${SIDES[side].file} (${names.join(', ')})
     select ${names.map((name) => `r.${name}`).join(', ')}
     from unnest($1::text[]) as l (line)
     cross join lateral json_to_record(l.line::json)
       as r (${columnsOf(side)
         .map(([name, type]) => `${name} ${type}`)
         .join(', ')})`,
    [lines],
  )
}

/** Counts and hashes the transfers to archive, in the ledger or from a file. */
export async function measureArchived(
  tx: Tx,
  from: 'ledger' | 'file',
  range: LedgerRange,
): Promise<TransferFigures> {
  const measure = async (side: LedgerSide) => {
    const { [from]: table, hash } = SIDES[side]
    const rows = await tx.query<{ count: bigint; hash: string }>(
      `select count(*) as count, ${hash} as hash from ${table} t where ${IS_ARCHIVED}`,
      [range.from, range.to],
    )
    return rows[0]!
  }
  const [store, wallet] = [await measure('store'), await measure('wallet')]
  return {
    transfers: store.count,
    transferHash: store.hash,
    walletTransfers: wallet.count,
    walletTransferHash: wallet.hash,
  }
}

const monthOf = (time: string) => `date_trunc('month', ${time} at time zone 'UTC')::date`

/** Counts and hashes all transfers before this time that are in the database, by month. */
export async function measureRemaining(tx: Tx, side: LedgerSide, before: string) {
  const { ledger, hash } = SIDES[side]
  return tx.query<{ month: string; count: bigint; hash: string }>(
    `select ${monthOf('t.at')} as month, count(*) as count, ${hash} as hash
     from ${ledger} t
     where t.at < $1::timestamptz
     group by ${monthOf('t.at')}`,
    [before],
  )
}

/** Returns how many rows were deleted. */
export async function deleteArchived(
  tx: Tx,
  side: LedgerSide,
  { from, to }: LedgerRange,
): Promise<number> {
  return tx.execute(`delete from ${SIDES[side].ledger} t where ${IS_ARCHIVED}`, [from, to])
}

/** Adds the sums that replace the transfers of a month, from the rows of its file. */
export async function insertSums(tx: Tx, month: string): Promise<void> {
  await tx.execute(
    `insert into archived_line (store_id, mode, starts, kind, count, amount)
     select t.store_id, t.mode, ${SLOT}, t.kind, count(*), sum(t.amount)
     from file_transfer t
     group by 1, 2, 3, 4`,
  )
  await tx.execute(
    `insert into archived_wallet (wallet_id, currency, month, transfers, balance)
     select t.wallet_id, t.currency, $1::date, count(*), ${WALLET_DELTA}
     from file_wallet_transfer t
     group by t.wallet_id, t.currency`,
    [month],
  )
  await tx.execute(
    `insert into archived_payer (wallet_id, store_id, month, payment_ids)
     select t.wallet_id, t.store_id, $1::date, array_agg(t.reference order by t.reference)
     from file_wallet_transfer t
     where t.kind = 'payment'
     group by t.wallet_id, t.store_id`,
    [month],
  )
}

/** What `hashSums` would return for a month without sums. */
export const NO_SUMS = '0 0 0'

/** The hashes of the sums in a range, by month. */
export async function hashSums(
  tx: Tx,
  { from, to }: LedgerRange,
): Promise<ReadonlyMap<string, string>> {
  const hash = (table: string, time: string, month: string, values: string[]) =>
    tx.query<{ month: string; hash: string }>(
      `select ${month} as month, ${hashOf(...values)} as hash
       from ${table}
       where ${time} >= $1::timestamptz and ${time} < $2::timestamptz
       group by ${month}`,
      [from, to],
    )
  const month = dayNumber('month')
  const start = `(month::timestamp at time zone 'UTC')`
  const line = ['store_id', 'mode', micros('starts'), 'kind', 'count', 'amount']
  const wallet = ['wallet_id', 'currency', month, 'transfers', 'balance']
  const tables = [
    await hash('archived_line', 'starts', monthOf('starts'), line),
    await hash('archived_wallet', start, 'month', wallet),
    await hash('archived_payer', start, 'month', ['wallet_id', 'store_id', month, 'payment_ids']),
  ]
  const months = new Set(tables.flatMap((rows) => rows.map((row) => row.month)))
  return new Map(
    [...months].map((name) => [
      name,
      tables.map((rows) => rows.find((row) => row.month === name)?.hash ?? '0').join(' '),
    ]),
  )
}
