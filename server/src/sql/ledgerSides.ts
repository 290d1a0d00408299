import { asWalletNumber, type StoreId, type WalletNumber } from '../core/ids.ts'
import type { LedgerRange } from '../core/ledgerSeal.ts'
import type { Tx } from '../database/database.ts'
import { FIRST_FINDINGS, type Finding } from './ledgerChecks.ts'
import { comparedFields, transferText } from './paymentChecks.ts'

/** The only check that compares stores with wallets, which may be on different machines. */
export const BOTH_SIDES = 'both sides of a transfer agree'

const SIDE_COLUMNS =
  'x.store_id, x.reference, x.kind, x.mode, x.debit, x.credit, x.amount, x.currency, x.at'
const IS_OF_PAYMENT = `x.kind in ('payment', 'donation', 'refund')`

const differences = (stores: string, wallets: string) => `
  with t as (select ${SIDE_COLUMNS} from ${stores}), w as (select ${SIDE_COLUMNS}, x.wallet_id from ${wallets})
  select format('%s of payment %s', coalesce(t.kind, w.kind), coalesce(t.reference, w.reference)) as subject,
    ${transferText('t')} as expected, ${transferText('w')} as found,
    coalesce(t.store_id, w.store_id) as "storeId", coalesce(t.reference, w.reference) as reference,
    w.wallet_id as "walletId", t.debit, t.credit
  from t
  full join w on w.store_id = t.store_id and w.reference = t.reference and w.kind = t.kind
  where (${comparedFields('t')}) is distinct from (${comparedFields('w')})`

/** A difference between a store and a wallet, with the keys to check it again. */
type Difference = Finding & {
  readonly storeId: StoreId | null
  readonly reference: string
  readonly walletId: WalletNumber | null
  readonly debit: string | null
  readonly credit: string | null
}

/** Compares both sides of the transfers of payments in a range, except those made during `auditTime`. */
export async function compareSides(
  tx: Tx,
  range: LedgerRange,
  auditTime: { readonly from: Date; readonly until: Date } | null,
): Promise<Difference[]> {
  const compared = `${IS_OF_PAYMENT} and x.at >= $4::timestamptz and x.at < $5::timestamptz
    and ($2::timestamptz is null or x.at not between $2 and $3)`
  return tx.query(
    `select $1::text as check, c.*
     from (${differences(`transfer x where ${compared}`, `wallet_transfer x where ${compared}`)}) c
     ${FIRST_FINDINGS}`,
    [BOTH_SIDES, auditTime?.from ?? null, auditTime?.until ?? null, range.from, range.to],
  )
}

/** Returns the differences that still exist. Reads only their rows, by key. */
export async function recheckDifferences(tx: Tx, found: readonly Difference[]) {
  const stores = distinctPairs(found.map(({ storeId, reference }) => [storeId, reference]))
  const wallets = distinctPairs(
    found.flatMap((difference) => walletsOf(difference).map((id) => [id, difference.reference])),
  )
  const transfersOf = (table: string, key: string, first: number) => `
    ${table} x
    join unnest($${first}::int[], $${first + 1}::text[]) as v (id, reference)
      on v.id = x.${key} and v.reference = x.reference and x.${key} = any($${first})
    where ${IS_OF_PAYMENT}`
  return tx.query<Difference>(
    `select $1::text as check, c.*
     from (${differences(transfersOf('transfer', 'store_id', 2), transfersOf('wallet_transfer', 'wallet_id', 4))}) c
     ${FIRST_FINDINGS}`,
    [BOTH_SIDES, ...stores, ...wallets],
  )
}

function walletsOf({ walletId, debit, credit }: Difference): WalletNumber[] {
  const ids = [debit, credit].map((account) =>
    asWalletNumber(Number(/^wallet:(\d{1,10})$/.exec(account ?? '')?.[1])),
  )
  return [walletId, ...ids].filter((id) => id !== null)
}

/** Returns the ids and the references of the distinct pairs as two lists. */
function distinctPairs(
  pairs: readonly (readonly [number | null, string])[],
): [(number | null)[], string[]] {
  const unique = [...new Map(pairs.map((pair) => [pair.join(' '), pair])).values()]
  return [unique.map(([id]) => id), unique.map(([, reference]) => reference)]
}
