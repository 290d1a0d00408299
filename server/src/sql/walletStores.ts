import type { StoreId, WalletNumber } from '../core/ids.ts'
import type { StoreIdentity } from '../core/paymentView.ts'
import type { Queryable, Tx } from '../database/database.ts'

export type PaidStore = StoreIdentity & { readonly lastPaidAt: Date }

/** At most 100 stores of the wallet's latest 1,000 payments that are not archived, most recently paid first. */
export async function listPaidStores(on: Queryable, walletId: WalletNumber): Promise<PaidStore[]> {
  return on.query<PaidStore>(
    `select s.store_id as "storeId", s.name, s.logo, s.domain, s.email, s.phone, max(t.at) as "lastPaidAt"
     from (
       select store_id, at
       from wallet_transfer
       where wallet_id = $1 and kind = 'payment'
       order by at desc
       limit 1000
     ) t
     join store s on s.store_id = t.store_id
     group by s.store_id
     order by max(t.at) desc
     limit 100`,
    [walletId],
  )
}

export async function findFavourites(on: Queryable, walletId: WalletNumber): Promise<StoreId[]> {
  const rows = await on.query<{ stores: StoreId[] }>(
    'select favourite_stores as stores from wallet where wallet_id = $1',
    [walletId],
  )
  return rows[0]?.stores ?? []
}

export async function setFavourites(
  tx: Tx,
  walletId: WalletNumber,
  stores: readonly StoreId[],
): Promise<void> {
  await tx.execute('update wallet set favourite_stores = $2::int[] where wallet_id = $1', [
    walletId,
    stores,
  ])
}
