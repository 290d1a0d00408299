import type { Mode, WalletNumber } from '../core/ids.ts'
import type { PaymentKey } from '../core/payment.ts'
import { type PaymentTexts, paymentWords, prefixQuery, wordScope } from '../core/searchWords.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { columns } from './columns.ts'
import type { PaymentRange } from './paymentList.ts'
import { findPayments } from './payments.ts'
import { shardFilter } from './shards.ts'

/** Makes payments searchable. Sends no statement if none has a text. */
export async function insertPaymentWords(
  tx: Tx,
  payments: readonly (PaymentKey & PaymentTexts)[],
): Promise<void> {
  const rows = payments.flatMap((payment) => {
    const scope = wordScope(payment)
    const words = paymentWords(payment).map((word) => scope + word)
    return words.length === 0 ? [] : [{ ...keyOf(payment), words: words.join(' ') }]
  })
  if (rows.length === 0) return
  await tx.execute(
    `insert into payment_words (store_id, mode, payment_id, words)
     select v.store_id, v.mode, v.payment_id, array_to_tsvector(string_to_array(v.words, ' '))
     from unnest($1::int[], $2::text[], $3::text[], $4::text[])
       as v (store_id, mode, payment_id, words)`,
    columns(rows, 'storeId', 'mode', 'paymentId', 'words'),
  )
}

const keyOf = ({ storeId, mode, paymentId }: PaymentKey) => ({ storeId, mode, paymentId })

/** Call it after the texts of payments were erased. */
export async function renewPaymentWords(tx: Tx, payments: readonly PaymentKey[]): Promise<void> {
  if (payments.length === 0) return
  await tx.execute(
    `delete from payment_words w
     using unnest($1::int[], $2::text[], $3::text[]) as v (store_id, mode, payment_id)
     where w.store_id = v.store_id and w.mode = v.mode and w.payment_id = v.payment_id
       ${shardFilter(tx, 'w.store_id')}`,
    columns(payments, 'storeId', 'mode', 'paymentId'),
  )
  await insertPaymentWords(tx, await findPayments(tx, payments))
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
    `select w.payment_id as "paymentId"
     from payment_words w
     where w.store_id = $1 and w.mode = $2 and w.words @@ $3::tsquery
       and ($4::text is null or w.payment_id >= $4)
       and ($5::text is null or w.payment_id < $5)
     order by w.payment_id desc
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
