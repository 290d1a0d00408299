import type { CurrencyCode } from '../core/currencies.ts'
import type { Mode } from '../core/ids.ts'
import type { Queryable } from '../database/database.ts'

/** Whose money lies in the ledger, all accounts of a kind added up. */
export type PlatformBalance = {
  readonly mode: Mode
  readonly currency: CurrencyCode
  readonly stores: bigint
  readonly wallets: bigint
  readonly fees: bigint
  readonly gifts: bigint
}

/** From the balances alone; that they equal the transfers is what the audit proves. */
export async function readPlatformBalances(on: Queryable): Promise<PlatformBalance[]> {
  return on.query<PlatformBalance>(
    `select b.mode, b.currency, sum(b.stores)::bigint as stores, sum(b.wallets)::bigint as wallets,
       sum(b.fees)::bigint as fees, sum(b.gifts)::bigint as gifts
     from (
       select b.mode, s.currency, sum(b.balance) as stores, 0 as wallets, sum(b.fees) as fees,
         sum(b.gifts) as gifts
       from store_balance b
       join store s on s.store_id = b.store_id
       group by b.mode, s.currency
       union all
       select w.mode, b.currency, 0, sum(b.balance), 0, 0
       from wallet_balance b
       join wallet w on w.wallet_id = b.wallet_id
       group by w.mode, b.currency
     ) b
     group by b.mode, b.currency
     order by b.mode, b.currency`,
  )
}

/** Erased wallets to which a refund has come since, and which nobody can open: it waits to be handed out. */
export async function listErasedWithMoney(on: Queryable, limit: number): Promise<string[]> {
  const rows = await on.query<{ publicId: string }>(
    `select w.public_id as "publicId"
     from wallet w
     where w.erased_at is not null
       and exists (select 1 from wallet_balance b where b.wallet_id = w.wallet_id and b.balance > 0)
     order by w.wallet_id
     limit $1`,
    [limit],
  )
  return rows.map((row) => row.publicId)
}
