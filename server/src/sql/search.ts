import type { Mode, WalletNumber } from '../core/ids.ts'
import { prefixQuery, wordScope } from '../core/searchWords.ts'
import type { Queryable, Tx } from '../database/database.ts'
import type { PaymentRange } from './paymentList.ts'

const SCOPE = `p.store_id::text || left(p.mode, 1) || ':'`
/** The words of a payment with their scopes, as in the index `payment_words`. */
const WORDS = `array_to_tsvector(string_to_array(${SCOPE} || replace(p.words, ' ', ' ' || ${SCOPE}), ' '))`

/** Moves the words of new payments from the pending list of the GIN index, which every search scans, into its tree. */
export async function indexNewWords(tx: Tx): Promise<void> {
  await tx.execute(
    `select gin_clean_pending_list(c.oid)
     from pg_class c
     where c.oid = to_regclass('payment_words') and pg_has_role(c.relowner, 'usage')`,
  )
}

type PaymentIdRow = { readonly paymentId: string }

/** The payments whose texts have these words, newest first. */
export async function findPaymentsByWords(
  on: Queryable,
  range: PaymentRange,
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<string[]> {
  const query = prefixQuery(words, wordScope(range))
  const rows = await on.query<PaymentIdRow>(
    `select p.payment_id as "paymentId"
     from payment p
     where p.store_id = $1 and p.mode = $2 and p.words is not null and ${WORDS} @@ $3::tsquery
       and ($4::text is null or p.payment_id >= $4)
       and ($5::text is null or p.payment_id < $5)
     order by p.payment_id desc
     limit $6`,
    [range.storeId, range.mode, query, range.idFrom, range.idBefore, limit],
  )
  return rows.map((row) => row.paymentId)
}

/** The wallets whose name, email, phone or id has these words; of one mode or both, of all wallets or only of these. */
export async function findWalletsByWords(
  on: Queryable,
  mode: Mode | null,
  filter: {
    words: readonly string[]
    walletIds: readonly WalletNumber[] | null
    limit: number
  },
): Promise<WalletNumber[]> {
  const values: unknown[] = [prefixQuery(filter.words), filter.limit]
  const where = ['w.words @@ $1::tsquery']
  if (mode !== null) where.push(`w.mode = $${values.push(mode)}`)
  if (filter.walletIds !== null) where.push(`w.wallet_id = any($${values.push(filter.walletIds)})`)
  const rows = await on.query<{ walletId: WalletNumber }>(
    `select w.wallet_id as "walletId"
     from wallet w
     where ${where.join(' and ')}
     limit $2`,
    values,
  )
  return rows.map((row) => row.walletId)
}

/** The payments of a store that these wallets paid, newest first. */
export async function findPaymentsOfWallets(
  on: Queryable,
  range: PaymentRange,
  { wallets, limit }: { wallets: readonly WalletNumber[]; limit: number },
): Promise<string[]> {
  if (wallets.length === 0) return []
  const rows = await on.query<PaymentIdRow>(
    `(select t.reference as "paymentId"
      from wallet_transfer t
      where t.wallet_id = any($1) and t.store_id = $2 and t.mode = $3 and t.kind = 'payment'
        and ($4::text is null or t.reference >= $4)
        and ($5::text is null or t.reference < $5)
      order by t.reference desc
      limit $6)
     union all
     (select p.id
      from archived_payer a
      cross join lateral unnest(a.payment_ids) as p (id)
      where a.wallet_id = any($1) and a.store_id = $2
        and ($4::text is null or p.id >= $4)
        and ($5::text is null or p.id < $5)
      order by p.id desc
      limit $6)
     order by 1 desc
     limit $6`,
    [wallets, range.storeId, range.mode, range.idFrom, range.idBefore, limit],
  )
  return rows.map((row) => row.paymentId)
}

type ClientTexts = PaymentIdRow & {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly dialCode: string | null
}

/** The clients of those payments that have one. */
export async function findClients(
  on: Queryable,
  { storeId, mode }: PaymentRange,
  ids: readonly string[],
): Promise<ClientTexts[]> {
  if (ids.length === 0) return []
  return on.query<ClientTexts>(
    `select p.payment_id as "paymentId", p.client ->> 'name' as name, p.client ->> 'email' as email,
       p.client ->> 'phone' as phone, p.client ->> 'phone_dial_code' as "dialCode"
     from payment p
     where p.store_id = $1 and p.mode = $2 and p.payment_id = any($3) and p.client is not null`,
    [storeId, mode, ids],
  )
}
