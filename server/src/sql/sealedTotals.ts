import type { LinkId, StoreAndMode, WalletNumber } from '../core/ids.ts'
import type { LedgerRange } from '../core/ledgerSeal.ts'
import type { Tx } from '../database/database.ts'
import { columns } from './columns.ts'
import { FIRST_FINDINGS, WALLET_DELTA } from './ledgerChecks.ts'

// The sealed totals of wallets and links. They are not stored per day: an audit adds what it seals.

type WalletTotal = {
  readonly walletId: WalletNumber
  readonly currency: string
  readonly transfers: bigint
  readonly balance: bigint
}

/** Wallets are read in parts, because there may be millions. */
type WalletPart = { readonly part: number; readonly parts: number }

const SUMMED_WALLETS = `
  select t.wallet_id, t.currency, count(*) as transfers, ${WALLET_DELTA} as balance
  from wallet_transfer t
  where t.at >= $1::timestamptz and t.at < $2::timestamptz`
const ARCHIVED_WALLETS = `
  select wallet_id, currency, sum(transfers) as transfers, sum(balance) as balance
  from archived_wallet
  group by wallet_id, currency`
const SUMMED_LINKS = `
  select p.store_id, p.mode, p.link_id, count(*) as payments, sum(p.gross) as total
  from payment p
  where p.link_id is not null and p.status in ('completed', 'refunded')
    and p.expires_at >= $1::timestamptz and p.expires_at < $2::timestamptz
  group by p.store_id, p.mode, p.link_id`

export async function countWalletBalances(tx: Tx): Promise<number> {
  const rows = await tx.query<{ count: bigint }>('select count(*) as count from wallet_balance')
  return Number(rows[0]!.count)
}

/**
 * The new totals of the wallets with transfers in the range: the sealed totals plus the rows of the range. If the range has
 * no start, adds the archived totals instead of the sealed ones, and includes wallets that have only archived transfers.
 */
export async function sumWallets(tx: Tx, range: LedgerRange, { part, parts }: WalletPart) {
  const isFirst = range.from === '-infinity'
  const before = isFirst ? ARCHIVED_WALLETS : 'select * from wallet_seal'
  return tx.query<WalletTotal>(
    `select coalesce(n.wallet_id, z.wallet_id) as "walletId", coalesce(n.currency, z.currency) as currency,
       (coalesce(n.transfers, 0) + coalesce(z.transfers, 0))::bigint as transfers,
       (coalesce(n.balance, 0) + coalesce(z.balance, 0))::bigint as balance
     from (
       ${SUMMED_WALLETS} and t.wallet_id % $4::int = $3::int
       group by t.wallet_id, t.currency
     ) n
     ${isFirst ? 'full' : 'left'} join (
       select * from (${before}) b where b.wallet_id % $4::int = $3::int
     ) z on z.wallet_id = n.wallet_id and z.currency = n.currency`,
    [range.from, range.to, part, parts],
  )
}

type LinkTotal = StoreAndMode & {
  readonly linkId: LinkId
  readonly payments: bigint
  readonly total: bigint
}

export async function sumLinks(tx: Tx, range: LedgerRange): Promise<LinkTotal[]> {
  return tx.query<LinkTotal>(
    `select n.store_id as "storeId", n.mode, n.link_id as "linkId",
       (n.payments + coalesce(z.payments, 0))::bigint as payments, (n.total + coalesce(z.total, 0))::bigint as total
     from (${SUMMED_LINKS}) n
     left join link_seal z
       on z.store_id = n.store_id and z.mode = n.mode and z.link_id = n.link_id
       and $1::timestamptz > '-infinity'`,
    [range.from, range.to],
  )
}

export async function replaceWalletSeals(tx: Tx, totals: readonly WalletTotal[]): Promise<void> {
  if (totals.length === 0) return
  const arrays = columns(totals, 'walletId', 'currency', 'transfers', 'balance')
  await tx.execute(
    `delete from wallet_seal z
     using unnest($1::int[], $2::text[]) as v (wallet_id, currency)
     where z.wallet_id = v.wallet_id and z.currency = v.currency and z.wallet_id = any($1)`,
    arrays.slice(0, 2),
  )
  await tx.execute(
    `insert into wallet_seal (wallet_id, currency, transfers, balance)
     select wallet_id, currency, transfers, balance
     from unnest($1::int[], $2::text[], $3::bigint[], $4::bigint[])
       as v (wallet_id, currency, transfers, balance)`,
    arrays,
  )
}

export async function replaceLinkSeals(tx: Tx, totals: readonly LinkTotal[]): Promise<void> {
  if (totals.length === 0) return
  const arrays = columns(totals, 'storeId', 'mode', 'linkId', 'payments', 'total')
  await tx.execute(
    `delete from link_seal z
     using unnest($1::int[], $2::text[], $3::text[]) as v (store_id, mode, link_id)
     where z.store_id = v.store_id and z.mode = v.mode and z.link_id = v.link_id and z.store_id = any($1)`,
    arrays.slice(0, 3),
  )
  await tx.execute(
    `insert into link_seal (store_id, mode, link_id, payments, total)
     select store_id, mode, link_id, payments, total
     from unnest($1::int[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
       as v (store_id, mode, link_id, payments, total)`,
    arrays,
  )
}

type TotalDifference = {
  readonly subject: string
  readonly expected: string
  readonly found: string
}

/**
 * The sealed totals that differ from the sum of the archived transfers and the rows of the range. `expected` is the sealed
 * total. A wallet without a seal may be in both parts of the union, which are added up.
 */
export async function compareWalletSeals(tx: Tx, range: LedgerRange): Promise<TotalDifference[]> {
  return tx.query<TotalDifference>(
    `select d.subject, d.expected, format('%s transfers of %s', sum(d.transfers), sum(d.balance)) as found
     from (
       select format('wallet %s %s', coalesce(z.wallet_id, n.wallet_id), coalesce(z.currency, n.currency)) as subject,
         case when z.wallet_id is null then 'nothing' else format('%s transfers of %s', z.transfers, z.balance) end as expected,
         coalesce(z.archived_transfers, 0) + coalesce(n.transfers, 0) as transfers,
         coalesce(z.archived_balance, 0) + coalesce(n.balance, 0) as balance
       from (
         select z.*, coalesce(a.transfers, 0) as archived_transfers, coalesce(a.balance, 0) as archived_balance
         from wallet_seal z
         left join (${ARCHIVED_WALLETS}) a on a.wallet_id = z.wallet_id and a.currency = z.currency
       ) z
       full join (${SUMMED_WALLETS} group by t.wallet_id, t.currency) n
         on n.wallet_id = z.wallet_id and n.currency = z.currency
       where z.wallet_id is null
         or z.transfers <> z.archived_transfers + coalesce(n.transfers, 0)
         or z.balance <> z.archived_balance + coalesce(n.balance, 0)
       union all
       select format('wallet %s %s', a.wallet_id, a.currency), 'nothing', a.transfers, a.balance
       from (${ARCHIVED_WALLETS}) a
       left join wallet_seal z on z.wallet_id = a.wallet_id and z.currency = a.currency
       where z.wallet_id is null
     ) d
     group by d.subject, d.expected
     ${FIRST_FINDINGS}`,
    [range.from, range.to],
  )
}

export async function compareLinkSeals(tx: Tx, range: LedgerRange): Promise<TotalDifference[]> {
  return tx.query<TotalDifference>(
    `select format('link %s', coalesce(z.link_id, n.link_id)) as subject,
       format('%s payments of %s', coalesce(z.payments, 0), coalesce(z.total, 0)) as expected,
       format('%s payments of %s', coalesce(n.payments, 0), coalesce(n.total, 0)) as found
     from link_seal z
     full join (${SUMMED_LINKS}) n
       on n.store_id = z.store_id and n.mode = z.mode and n.link_id = z.link_id
     where (z.payments, z.total) is distinct from (n.payments, n.total)
     ${FIRST_FINDINGS}`,
    [range.from, range.to],
  )
}
